// What is taken from a list: a line of a menu, a letter of a name, the face of a die.

import { element, find, legible } from "./dom.js";
import { die } from "./dice.js";

const FACES = [1, 2, 3, 4, 5, 6, 0];

// Draw the list of a snapshot. Whoever may not press yet is asked for the digits by a tap.
export function showList(place, now, you, take) {
  const button = (className, at, here) => {
    const made = element("button", className + (here ? " here" : ""));
    made.type = "button";
    if (here) made.setAttribute("aria-current", "true");
    made.addEventListener("click", () => you.paired ? take(at) : find("join").click());
    return made;
  };
  const focused = place.contains(document.activeElement);
  const begins = you.paired && now.menu?.main && !now.match; // the form is a shorter way
  place.replaceChildren(...(begins ? [element("p", "steps", now.words.steps)] : []), ...(now.menu ? menu(now.menu, button) : []));
  if (now.spelling) place.replaceChildren(...spelling(now.spelling, button));
  if (now.entry) place.replaceChildren(...entry(now.entry, button, now.words));
  if (focused) place.querySelector(".here")?.focus();
}

function inList(className, buttons) {
  const list = element("ul", className);
  list.append(...buttons.map((made) => {
    const line = element("li", made.textContent.length > 1 ? "word" : "");
    line.append(made);
    return line;
  }));
  return list;
}

function menu({ items, at, note }, button) {
  return [inList("", items.map((text, index) => {
    const made = button("item", index, index === at);
    made.textContent = legible(text);
    if (index === at && note) made.append(element("span", "note", note));
    return made;
  }))];
}

function spelling({ text, letters, at }, button) {
  const keys = letters.map((letter, index) => {
    const made = button("item", index, index === at);
    made.textContent = letter;
    return made;
  });
  return [element("p", "text", text), inList("letters", keys)];
}

function entry({ faces, face, due }, button, words) {
  const entered = element("div", "entered");
  entered.append(...faces.map((given) => die(given)));
  for (let left = faces.length; left < due; left += 1) entered.append(element("span", "due"));
  const keys = FACES.map((given) => {
    const made = button("", given, given === face);
    made.setAttribute("aria-label", given ? String(given) : words.no_dice);
    made.append(given ? die(given) : "✕");
    return made;
  });
  return [entered, inList("faces", keys)];
}
