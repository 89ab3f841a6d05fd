// Two spellings of one person: merged here, and parted again.

import { element } from "../dom.js";

let open = false;

// Return what merges the names that are known. decide: takes a command.
export function mergeRows(offered, words, decide) {
  const merged = Object.entries(offered.same);
  if (offered.names.length < 2 && !merged.length) return [];
  const made = element("details", "house"), row = element("div", "merge");
  const [name, means] = [words.this_name, words.means].map((label) => pick(offered.names, label));
  const button = element("button", "small", words.merge);
  button.type = "button";
  button.disabled = true;
  const check = () => { button.disabled = !name.value || !means.value || name.value === means.value; };
  for (const select of [name, means]) select.addEventListener("change", check);
  button.addEventListener("click", () => decide({ do: "merge", name: name.value, means: means.value }));
  row.append(name, element("span", "", "→"), means, button);
  made.append(element("summary", "", words.merge_names), element("p", "", words.merge_note));
  if (offered.names.length > 1) made.append(row);
  made.append(...merged.map(([from, to]) => parted(from, to, words, decide)));
  made.open = open;
  made.addEventListener("toggle", () => { open = made.open; });
  return [made];
}

function pick(names, label) {
  const made = element("select");
  made.setAttribute("aria-label", label);
  made.append(...["", ...names].map((name) => {
    const line = element("option", "", name || label);
    line.value = name;
    return line;
  }));
  return made;
}

function parted(from, to, words, decide) {
  const row = element("div", "seat"), button = element("button", "small", words.part);
  button.type = "button";
  button.setAttribute("aria-label", `${from}: ${words.part}`);
  button.addEventListener("click", () => decide({ do: "merge", name: from, means: from }));
  row.append(element("span", "name", `${from} → ${to}`), button);
  return row;
}
