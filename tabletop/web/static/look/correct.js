// A die set right in two taps: the die, then its face. The reader's own second guess comes first, and each face says
// what it would change. Dice are tapped among those shown, on the picture of the tray, and in what has happened.

import { say, send, would } from "../actions.js";
import { die as drawn, PRESSES, takeTaps } from "../dice.js";
import { button, element, find, holding, legible, onKeys, set } from "../dom.js";

const FACES = [1, 2, 3, 4, 5, 6];
let now = null, you = {}, open = null;
let tapped = ""; // the id of the die that was tapped, to which the focus goes back

export function showCorrecting(snapshot, who) {
  [now, you] = [snapshot, who];
  if (open && !you.paired) find("correct").close();
}

// Return the die of a throw that this die among those shown, or on the tray, is; null if it is none of a throw.
export function dieOfThrow(face, kept) {
  const alike = (now?.dice ?? []).filter((shown) => shown.face === face && shown.from);
  return (alike.find((shown) => shown.kept === kept) ?? alike[0])?.from ?? null;
}

export const mayCorrect = () => Boolean(you.paired && !now?.menu && !now?.spelling);

// Make an element a button that sets this die right. from: {number, who, face, guess}.
export const correctable = (made, from) => tappable(made, () => choose(from));

// Make an element a button on which a dialog about a die opens.
export function tappable(made, ask) {
  set(made, { role: "button", "aria-haspopup": "dialog", tabindex: 0 });
  made.classList.add("tap");
  made.addEventListener("click", ask);
  onKeys(made, PRESSES, ask);
  return made;
}

// Ask what a die shows that cannot be read; unsure: {at, faces}, the likeliest of them first.
export function chooseUnread(unsure) {
  if (!mayCorrect()) return;
  open = unsure;
  offer(now.words.unread_asks, [...new Set([...unsure.faces, ...FACES, 0])].map((face) => {
    const take = () => settle(unsure, { do: "face", at: unsure.at, face });
    return line(face, unsure.faces.includes(face), take, face ? "" : now.words.no_dice);
  }));
}

function offer(title, lines) {
  find("correct-title").textContent = title;
  find("correct-faces").replaceChildren(...lines);
  find("correct-cancel").textContent = now.words.back;
  if (!find("correct").open) {
    tapped = document.activeElement?.id ?? "";
    find("correct").showModal();
  }
  find("correct-faces").querySelector("button").focus();
}

// Ask which face it is. What each would change comes a moment later; nobody has to wait for it.
async function choose(from) {
  if (!mayCorrect() || !from) return;
  open = from;
  const others = FACES.filter((face) => face !== from.face);
  const faces = [...others.filter((face) => face === from.guess), ...others.filter((face) => face !== from.guess)];
  offer(now.words.misread.replace("{n}", from.face), faces.map((face) => {
    const take = () => settle(from, { do: "correct", throw: from.number, who: from.who, was: from.face, face });
    return line(face, face === from.guess, take);
  }));
  const answer = await would({ throw: from.number, who: from.who, was: from.face });
  if (open !== from) return;
  if (answer) for (const { face, text } of answer.faces) find(`face-${face}-note`).textContent = legible(text);
  else find("correct").close();
}

// Return a line with a face, and beside it whether it is likely and what it would change; 0 is no die.
function line(face, likely, take, name = "") {
  const made = button(likely ? "guess" : "", "", take, name || String(face)), note = element("span", "note", name);
  const words = holding("span", "words", ...(likely ? [element("span", "likely", now.words.likely)] : []), note);
  if (face) [made.id, words.id, note.id] = [`choice-${face}`, `choice-${face}-words`, `face-${face}-note`];
  if (face) made.setAttribute("aria-labelledby", `${made.id} ${words.id}`);
  made.append(drawn(face), words);
  return holding("li", "", made);
}

// Set the die right. If the table is away it is asked again, so that nobody takes it for answered.
async function settle(asked, command) {
  find("correct").close();
  if (await send(command) !== null || document.querySelector("dialog[open]")) return;
  open = asked;
  find("correct").showModal();
  say(now.words.away);
}

takeTaps("correct", (at) => choose(now.dice[at]?.from));
find("correct-cancel").addEventListener("click", () => find("correct").close());
find("correct").addEventListener("close", () => {
  open = null;
  find(tapped)?.focus({ preventScroll: true }); // the die itself may have been drawn again meanwhile
});
find("correct").addEventListener("click", (event) => { if (event.target === find("correct")) find("correct").close(); });
