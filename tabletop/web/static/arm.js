// Camera and lamp set up with a phone: the live picture with its signs, and the tray's corners tapped in it. It is there
// at the address /arm, and at any while the table guides through it.

import { say, send } from "./actions.js";
import { CORNERS, cornerPicker } from "./corners.js";
import { drawPicture, find, show } from "./dom.js";
import { showSigns } from "./signs.js";

const EVERY_MS = 500, AGAIN_MS = 3000;
let now = null, wanted = false, timer = 0, pictures = 0;
const corners = cornerPicker((marks) => {
  show("corners", marks.length ? `${marks.length} / ${CORNERS}` : "");
  show("use", marks.length < CORNERS ? "" : now.words.corners_use);
});

// Show a snapshot: whether the picture is wanted, and what is asked about it.
export function showArm(snapshot, you) {
  now = snapshot;
  const { menu, words } = now, here = location.pathname === "/arm", began = wanted;
  wanted = Boolean(you.paired && (here || menu?.guided));
  document.body.classList.toggle("arming", wanted);
  document.body.classList.toggle("guided", Boolean(menu?.guided));
  if (wanted && !began) look();
  if (!wanted) find("arm").hidden = true;
  find("arm-back").hidden = !here;
  find("arm-back").textContent = words.back;
  show("begin", menu?.guided ? "" : words.calibrate);
  show("tap", menu?.corners ? words.corners_tap : "");
  show("keys", words.corners_keys);
  corners.ask(Boolean(menu?.corners), words.tray);
}

async function look() {
  clearTimeout(timer);
  if (!wanted) return;
  let wait = AGAIN_MS;
  try {
    const answer = document.hidden ? null : await fetch("/arm/look"), seen = answer?.ok ? await answer.json() : null;
    if (seen) {
      await drawPicture(find("arm-picture"), seen.picture);
      find("arm").hidden = !wanted;
      showSigns(seen);
      document.body.dataset.pictures = ++pictures;
      wait = EVERY_MS;
    }
  } catch { /* the table is away: asked again */ }
  timer = setTimeout(look, wait);
}

async function decide(command) {
  const why = {};
  await send({ ...command, match: now.match }, why);
  if (why.text) say(why.text);
}

find("use").addEventListener("click", () => decide({ do: "corners", at: corners.marks }));
find("begin").addEventListener("click", () => decide({ do: "calibrate" }));
