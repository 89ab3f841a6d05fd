// Dice as SVG. A die that stays keeps its element, so that it can be seen to move aside.

import { element, keepFocus } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const NEAR = 27, MIDDLE = 50, FAR = 73, PIP = 9;
const FEWEST = 3; // fewer dice are drawn no larger than three
const MOST = 6; // more of them stand in rows
const ALL = [[NEAR, NEAR], [FAR, NEAR], [NEAR, MIDDLE], [MIDDLE, MIDDLE], [FAR, MIDDLE], [NEAR, FAR], [FAR, FAR]];
const PIPS = { 1: [3], 2: [0, 6], 3: [0, 3, 6], 4: [0, 1, 5, 6], 5: [0, 1, 3, 5, 6], 6: [0, 1, 2, 4, 5, 6] };

function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// Return a die with this face; 0 is a die without one.
export function die(face) {
  const made = element("span", "die");
  const picture = shape("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" });
  picture.append(shape("rect", { class: "body", x: 2, y: 2, width: 96, height: 96, rx: 20 }));
  for (const at of PIPS[face] ?? []) {
    picture.append(shape("circle", { class: "pip", cx: ALL[at][0], cy: ALL[at][1], r: PIP }));
  }
  picture.append(shape("rect", { class: "ring", x: 2, y: 2, width: 96, height: 96, rx: 20 }));
  made.append(picture);
  return made;
}

// Show and say whether a die is set aside, whether it is asked about, and whose it is where several throw at once.
export function mark(there, { face, kept, asked, from }, words) {
  there.classList.toggle("kept", kept);
  there.classList.toggle("asked", asked);
  if (from?.who) there.dataset.who = from.who;
  else delete there.dataset.who;
  there.setAttribute("aria-label", [face, from?.who, kept && words.kept, asked && words.asked].filter(Boolean).join(", "));
}

// Show dice, each {face, kept, asked}. rolled: they have just been thrown.
export function showDice(place, dice, words, rolled) {
  const faces = dice.map((shown) => shown.face).join();
  if (place.dataset.faces !== faces || rolled) {
    place.dataset.faces = faces;
    place.style.setProperty("--n", Math.min(Math.max(dice.length, FEWEST), MOST));
    const drawn = dice.map(({ face }, at) => {
      const made = die(face);
      made.id = `${place.id}-${at}`;
      made.setAttribute("role", "listitem");
      made.style.setProperty("--at", at);
      return made;
    });
    keepFocus(place, () => place.replaceChildren(...drawn));
    place.classList.toggle("rolled", rolled);
  }
  dice.forEach((shown, at) => mark(place.children[at], shown, words));
  place.hidden = !dice.length;
  place.setAttribute("aria-label", words.dice);
}

// Show where dice are awaited that nobody has thrown yet.
export function showSlots(place, count) {
  place.hidden = !count;
  place.style.setProperty("--n", Math.min(Math.max(count, FEWEST), MOST));
  place.replaceChildren(...Array.from({ length: count }, () => element("span")));
}
