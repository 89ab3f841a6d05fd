// Own presets: what a match is begun with, under a name that somebody typed. One tap begins it.

import { apart, element } from "../dom.js";

let open = "", asks = "";

function button(className, text, take) {
  const made = element("button", className, text);
  made.type = "button";
  made.addEventListener("click", take);
  return made;
}

function field(id, value, most, label) {
  const made = element("input");
  Object.assign(made, { id, value, maxLength: most, autocomplete: "off" });
  made.setAttribute("aria-label", label);
  made.setAttribute("enterkeyhint", "done");
  return made;
}

const onEnter = (typed, take) => typed.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  take();
});

// Return the presets that can be begun. does: {begin, change, decide, draw}.
export function presetRows(offered, words, does) {
  return offered.own.map((own) => {
    const made = element("div", "own"), line = element("div", "own-line");
    const begin = button("again", "", () => does.begin(own));
    begin.append(element("b", "", own.preset), element("span", "", [own.name, own.players.map(apart).join(", "), own.note].filter(Boolean).join("; ")));
    const more = button("step", "⋯", () => { [open, asks] = [open === own.preset ? "" : own.preset, ""]; does.draw(); });
    more.setAttribute("aria-label", `${own.preset}: ${words.change}`);
    more.setAttribute("aria-expanded", String(open === own.preset));
    line.append(begin, more);
    made.append(line, ...(open === own.preset ? changing(own, offered, words, does) : []));
    return made;
  });
}

function changing(own, offered, words, does) {
  const row = element("div", "adding"), typed = field("preset-name", own.preset, offered.longest.preset, words.preset_name);
  const rename = () => does.decide({ do: "rename-preset", name: own.preset, new: typed.value });
  onEnter(typed, rename);
  row.append(typed, button("small", words.rename, rename));
  const rest = element("div", "two"), sure = asks === own.preset;
  rest.append(button("small", words.change_preset, () => does.change(own)), button(sure ? "small sure" : "small", sure ? words.delete_sure : words.delete, () => {
    if (sure) return does.decide({ do: "forget-preset", name: own.preset });
    asks = own.preset;
    does.draw();
  }));
  return [row, rest];
}

// Return what keeps the filled form under a name. name: the one it was opened with, which is replaced without a question.
// keep: called with the name typed, and whether it replaces another preset.
export function keepRow(offered, name, words, keep) {
  const made = element("details", "house"), row = element("div", "adding");
  const typed = field("keep-name", name, offered.longest.preset, words.preset_name);
  typed.placeholder = words.preset_name;
  const plain = (text) => text.trim().replace(/\s+/g, " ").normalize("NFC").toLowerCase();
  const keeps = button("small", words.keep_preset, () => done());
  const ask = (sure) => { keeps.classList.toggle("sure", sure); keeps.textContent = sure ? words.replace_sure : words.keep_preset; };
  const done = () => {
    const there = offered.own.some((own) => plain(own.preset) === plain(typed.value));
    if (there && plain(typed.value) !== plain(name) && !keeps.classList.contains("sure")) return ask(true);
    keep(typed.value, there);
  };
  typed.addEventListener("input", () => ask(false));
  onEnter(typed, done);
  row.append(typed, keeps);
  made.append(element("summary", "", words.as_preset), row);
  made.open = Boolean(name);
  return [made];
}
