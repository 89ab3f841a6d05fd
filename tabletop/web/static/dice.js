// Dice as SVG, and what a tap on one means. A die that stays keeps its element.

import { element, holding, keepFocus, onKeys, set, svg } from "./dom.js";

const NEAR = 27, MIDDLE = 50, FAR = 73, PIP = 9;
const FEWEST = 2; // one die is drawn no larger than two
const MOST = 6; // more of them stand in rows
const ALL = [[NEAR, NEAR], [FAR, NEAR], [NEAR, MIDDLE], [MIDDLE, MIDDLE], [FAR, MIDDLE], [NEAR, FAR], [FAR, FAR]];
const PIPS = { 1: [3], 2: [0, 6], 3: [0, 3, 6], 4: [0, 1, 5, 6], 5: [0, 1, 3, 5, 6], 6: [0, 1, 2, 4, 5, 6] };

// Return a die with this face; 0 is a die without one.
export function die(face) {
  const square = (kind) => svg("rect", { class: kind, x: 2, y: 2, width: 96, height: 96, rx: 20 });
  const pips = (PIPS[face] ?? []).map((at) => svg("circle", { class: "pip", cx: ALL[at][0], cy: ALL[at][1], r: PIP }));
  return holding("span", "die", svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, square("body"), ...pips, square("ring")));
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
      const made = set(die(face), { id: `${place.id}-${at}`, role: "listitem" });
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

// What a tapped die means is decided here alone, so that no tap means two things.

export const PRESSES = ["Enter", " "];
const takers = {};

// Say who takes taps of a meaning: called with the index of the die among those shown.
export const takeTaps = (meaning, taker) => { takers[meaning] = taker; };

// Return what a tap on a die means now: "keep" while dice are to be kept, else "correct" where something takes that.
function meaningOfTap(now, you) {
  if (!you.paired || now.menu || now.spelling) return "";
  const meaning = now.asking?.kind === "keep" ? "keep" : "correct";
  return takers[meaning] ? meaning : "";
}

// Make dice buttons while a tap on them means something.
export function showTaps(place, now, you) {
  const meaning = meaningOfTap(now, you);
  place.dataset.tap = meaning;
  place.setAttribute("role", meaning ? "group" : "list");
  for (const die of place.children) {
    const pressed = meaning === "keep" ? die.classList.contains("kept") : null, opens = meaning === "correct" ? "dialog" : null;
    set(die, { role: meaning ? "button" : "listitem", tabindex: meaning ? 0 : null, "aria-haspopup": opens, "aria-pressed": pressed });
  }
}

export function listenTaps(place) {
  const tap = (target) => {
    const at = [...place.children].findIndex((die) => die.contains(target));
    if (at >= 0) takers[place.dataset.tap]?.(at);
  };
  place.addEventListener("click", (event) => tap(event.target));
  onKeys(place, PRESSES, (event) => tap(event.target));
}
