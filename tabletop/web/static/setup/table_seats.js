// Who leaves the match that is played, and who joins it; leaving is asked twice.

import { element } from "../dom.js";

let sure = "";

function button(className, text, label, take) {
  const made = element("button", className, text);
  made.type = "button";
  made.setAttribute("aria-label", label);
  made.addEventListener("click", take);
  return made;
}

// Return who sits there, who may come back, and a field for somebody new. decide: takes a command. draw: draws the form again.
export function tableSeats(offered, match, words, decide, draw) {
  if (!match || !offered.seats) return [];
  const { present, left, joining } = offered.seats, made = element("details", "house"), list = element("ul", "seats");
  made.append(element("summary", "", words.at_table), list);
  list.append(...present.map((name) => {
    const asked = sure === name, text = asked ? words.leaves_sure.replace("{name}", name) : words.leaves;
    return seat(name, button(asked ? "small sure" : "small", text, `${name}: ${text}`, () => {
      if (asked) return decide({ do: "leave", name });
      sure = name;
      draw();
    }));
  }), ...left.map((name) => seat(name, button("small", words.comes_back, `${name}: ${words.comes_back}`, () => decide({ do: "join", name })))));
  if (joining) made.append(newcomer(words, decide));
  made.open = present.includes(sure);
  return [made];
}

function seat(name, control) {
  const line = element("li", "seat");
  line.append(element("span", "name", name), control);
  return line;
}

function newcomer(words, decide) {
  const row = element("div", "adding"), typed = element("input");
  typed.id = "join-name";
  typed.autocomplete = "off";
  typed.placeholder = words.new_name;
  typed.setAttribute("aria-label", words.new_name);
  const join = () => { if (typed.value.trim()) decide({ do: "join", name: typed.value }); };
  typed.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    join();
  });
  row.append(typed, button("small", words.joins, words.joins, join));
  return row;
}
