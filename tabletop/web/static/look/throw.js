// The pictures of throws in what has happened: behind each throw that has one, a button that shows it, with what was read.
// The table looks again on demand. Only a tap corrects a throw.

import { send } from "../actions.js";
import { button, element, find, holding, onChange, sentence, set } from "../dom.js";
import { ask, post } from "../link.js";
import { mayCorrect } from "./correct.js";

const WRITTEN_MS = 1000; // a picture is written after its throw
const LOOK_MS = 300000; // a second look takes half a minute on a small computer
let now = null, you = {}, kept = {}, looking = 0; // kept: which throws of which match have one

// Mark the throws that have a picture; called whenever they may have been drawn again.
export function showThrows(snapshot, who) {
  [now, you] = [snapshot, who];
  if (!you.pictures) kept = {};
  onChange("throws", [now.match, now.history.entries, you.pictures, you.paired, now.words.language], () => {
    clearTimeout(looking);
    if (you.pictures && (now.history.entries || you.paired)) looking = setTimeout(look, WRITTEN_MS);
  });
  mark();
}

async function look() {
  kept = await ask("/throws") ?? {};
  mark();
  offerSwitch();
}

function mark() {
  for (const line of kept.match === now.match ? find("events").querySelectorAll(".throw:not(:has(.shot))") : []) {
    const dice = [...line.querySelectorAll(".die")], number = Number(dice[0]?.id.split("-")[1]);
    if (!kept.throws.includes(number)) continue;
    const name = `${kept.words.title}, ${dice.map((die) => die.getAttribute("aria-label")).join(", ")}`;
    const open = set(button("icon shot", "", () => show(number), name), { "aria-haspopup": "dialog" });
    open.append(find("view-tray").firstElementChild.cloneNode(true));
    line.lastElementChild.append(open);
  }
}

// Offer to keep pictures from now on, or no more, among the settings.
function offerSwitch() {
  find("keeps")?.parentElement.remove();
  if (!you.paired || kept.keeps === null || kept.keeps === undefined) return;
  const box = Object.assign(element("input"), { type: "checkbox", id: "keeps", checked: kept.keeps });
  box.addEventListener("change", async () => {
    if (!(await post("/pictures", { keep: box.checked }))?.ok) box.checked = !box.checked;
  });
  find("wall").closest("ul").append(holding("li", "", set(element("label", "", sentence(kept.words.keep)), { for: "keeps" }), set(box, { role: "switch" })));
}

async function show(number) {
  const asked = { match: now.match, event: number };
  const [found, { openShot }] = await Promise.all([ask(`/throw?match=${asked.match}&event=${number}`), import("./shot.js")]);
  const look = you.paired ? () => post("/look", asked, LOOK_MS) : null;
  const fixes = (text, changes, shown) => mayCorrect() ? [button("large main", text, () => correct(changes, shown))] : [];
  if (found) await openShot(found, kept.words, look, fixes); // else the table does not answer, or the picture was just deleted
}

async function correct(changes, shown) {
  for (const change of changes) if (!(await send({ do: "correct", ...change }))) return;
  shown.close();
}
