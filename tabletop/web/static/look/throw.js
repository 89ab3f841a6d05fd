// The pictures of throws in what has happened: behind each throw that has one, a button that shows it, with what was read.

import { button, drawPicture, element, find, holding, onChange, sentence, set } from "../dom.js";
import { ask } from "../link.js";

const WRITTEN_MS = 1000; // a picture is written after its throw
let now = null, kept = {}, looking = 0; // kept: which throws of which match have one

// Mark the throws that have a picture; called whenever they may have been drawn again.
export function showThrows(snapshot, you) {
  now = snapshot;
  if (!you.pictures) kept = {};
  onChange("throws", [now.match, now.history.entries, you.pictures], () => {
    clearTimeout(looking);
    if (you.pictures && now.history.entries) looking = setTimeout(look, WRITTEN_MS);
  });
  mark();
}

async function look() {
  kept = await ask("/throws") ?? {};
  mark();
}

function mark() {
  for (const line of kept.match === now.match ? find("events").querySelectorAll(".throw:not(:has(.shot))") : []) {
    const dice = [...line.querySelectorAll(".die")], number = Number(dice[0]?.id.split("-")[1]);
    if (!kept.throws.includes(number)) continue;
    const name = `${kept.title}, ${dice.map((die) => die.getAttribute("aria-label")).join(", ")}`;
    const open = set(button("icon shot", "", () => show(number), name), { "aria-haspopup": "dialog" });
    open.append(find("view-tray").firstElementChild.cloneNode(true));
    line.lastElementChild.append(open);
  }
}

async function show(number) {
  const found = await ask(`/throw?match=${now.match}&event=${number}`);
  if (!found || find("throw-shown")) return; // the table is away, which is said, or the picture was just deleted
  const lines = found.lines.map(sentence), title = sentence(kept.title);
  const canvas = set(element("canvas"), { role: "img", "aria-label": lines.join(". ") });
  await drawPicture(canvas, found.picture);
  const shown = holding("dialog", "", element("h2", "", title), canvas, ...lines.map((line) => element("p", "", line)), button("large", now.words.done, () => shown.close()));
  set(shown, { id: "throw-shown", "aria-label": title }).addEventListener("close", () => shown.remove()); // the focus goes back by itself
  document.body.append(shown);
  shown.showModal();
}
