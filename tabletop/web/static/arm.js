// Camera and lamp set up with a phone: the live picture with its signs, and the tray's corners tapped in it. It is there
// at the address /arm, and at any while the table guides through it.

import { say, send } from "./actions.js";
import { drawPicture, element, find, holding, set as setAttributes, show, svg } from "./dom.js";

const EVERY_MS = 500, AGAIN_MS = 3000;
const CORNERS = 4, FINGER_PX = 28; // a tap this near to a mark means that one
const STEP = 0.02, FINE = 0.002; // of the picture, by which an arrow key moves the ring, and with Shift
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let now = null, wanted = false, timer = 0, pictures = 0, marks = [], ring = [0.5, 0.5];

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
  if (!menu?.corners) marks = [];
  ready(Boolean(menu?.corners));
  draw();
}

async function look() {
  clearTimeout(timer);
  if (!wanted) return;
  let wait = AGAIN_MS;
  try {
    const answer = document.hidden ? null : await fetch("/arm/look"), seen = answer?.ok ? await answer.json() : null;
    if (seen) {
      await drawPicture(find("arm-picture"), seen.picture);
      showSigns(seen);
      wait = EVERY_MS;
    }
  } catch { /* the table is away: asked again */ }
  timer = setTimeout(look, wait);
}

function showSigns(seen) {
  find("arm").hidden = !wanted;
  find("arm-title").textContent = seen.title;
  find("arm-picture").setAttribute("aria-label", seen.title);
  find("markers").replaceChildren(...seen.markers.map((outline) => svg("polygon", { points: outline.join(" ") })));
  find("signs").replaceChildren(...seen.signs.map(({ name, figure, advice }) => {
    const parts = [["name", name], ["figure", figure], ["advice", advice || `✓ ${seen.good}`]];
    return holding("li", advice ? "wrong" : "right", ...parts.map(([part, text]) => element("span", part, text)));
  }));
  document.body.dataset.pictures = ++pictures;
}

// The picture takes taps, and keys where it has the focus, while corners are asked for.
function ready(corners) {
  const made = { tabindex: 0, role: "application", "aria-label": now.words.tray, "aria-describedby": "tap keys" }; // arrow keys move the ring
  setAttributes(find("view"), corners ? made : { tabindex: null, role: null, "aria-label": null, "aria-describedby": null });
  find("view").classList.toggle("tapped", corners);
  show("keys", now.words.corners_keys);
}

function draw() {
  find("marks").replaceChildren(...[...marks, ring].map(([x, y], at) => {
    const mark = element("span", at === marks.length ? "ring" : "");
    [mark.style.left, mark.style.top] = [`${100 * x}%`, `${100 * y}%`];
    return mark;
  }));
  show("corners", marks.length ? `${marks.length} / ${CORNERS}` : "");
  show("use", marks.length < CORNERS ? "" : now.words.corners_use);
}

// Set a corner, or move the one that is meant.
function set(at) {
  if (!now?.menu?.corners) return;
  const box = find("view").getBoundingClientRect();
  const far = ([x, y]) => Math.hypot((x - at[0]) * box.width, (y - at[1]) * box.height);
  const nearest = marks.reduce((best, mark, index) => (best < 0 || far(mark) < far(marks[best]) ? index : best), -1);
  if (nearest >= 0 && (marks.length === CORNERS || far(marks[nearest]) < FINGER_PX)) marks[nearest] = at;
  else marks.push(at);
  draw();
}

async function decide(command) {
  const why = {};
  await send({ ...command, match: now.match }, why);
  if (why.text) say(why.text);
}

find("view").addEventListener("click", (event) => {
  const box = find("view").getBoundingClientRect();
  set([(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]);
});
find("view").addEventListener("keydown", (event) => {
  if (!now?.menu?.corners || event.ctrlKey || event.metaKey || event.altKey) return;
  const way = ARROWS[event.key], step = event.shiftKey ? FINE : STEP;
  if (way) ring = ring.map((part, at) => Math.min(1, Math.max(0, part + way[at] * step)));
  else if (event.key === "Enter" || event.key === " ") set([...ring]);
  else return;
  event.preventDefault();
  draw();
});
find("use").addEventListener("click", () => decide({ do: "corners", at: marks }));
find("begin").addEventListener("click", () => decide({ do: "calibrate" }));
