// The guided run with a phone: what it asks, its two buttons, and the tray's corners tapped in the picture.

const CORNERS = 4, FINGER_PX = 28; // a tap this near to a mark means that one
const STEP = 0.02, FINE = 0.002; // of the picture, by which an arrow key moves the ring, and with Shift
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LATE = 409, REFUSED = 422;
const find = (name) => document.getElementById(name);
let asked = null, marks = [], ring = [0.5, 0.5];

// Show what the table asks now; `asked` is a part of what `/arm/look` answers.
export function showGuided(now) {
  asked = now;
  const { guided, words } = now;
  find("guided").hidden = !guided;
  find("begin").hidden = Boolean(guided);
  find("begin").textContent = words.begin;
  if (!guided?.corners) marks = [];
  ready(Boolean(guided?.corners));
  draw();
  if (!guided) return;
  for (const part of ["title", "line", "note"]) write(`asked-${part}`, guided[part]);
  for (const name of ["hold", "bank"]) {
    write(name, guided[name]);
    find(name).disabled = !guided[name];
  }
  write("tap", words.tap);
  find("tap").hidden = !guided.corners;
}

// The picture takes taps, and keys where it has the focus, while corners are asked for.
function ready(corners) {
  const view = find("view");
  if (view.classList.toggle("tapped", corners)) {
    view.tabIndex = 0;
    view.setAttribute("role", "application"); // arrow keys are for the ring, not for reading on
    view.setAttribute("aria-label", asked.words.picture);
    view.setAttribute("aria-describedby", "tap keys");
    write("keys", asked.words.keys);
  } else for (const name of ["tabindex", "role", "aria-label", "aria-describedby"]) view.removeAttribute(name);
}

function write(name, text) {
  if (find(name).textContent !== text) find(name).textContent = text; // or it would be read aloud twice a second
}

function draw() {
  find("marks").replaceChildren(...[...marks, ring].map(([x, y], at) => {
    const mark = document.createElement("span");
    if (at === marks.length) mark.className = "ring";
    mark.style.left = `${100 * x}%`;
    mark.style.top = `${100 * y}%`;
    return mark;
  }));
  write("count", marks.length ? `${marks.length} / ${CORNERS}` : "");
  find("use").hidden = marks.length < CORNERS;
  write("use", asked?.words.use ?? "");
}

function tapped(event) {
  const box = find("view").getBoundingClientRect();
  set([(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]);
}

function pressed(event) {
  if (!asked?.guided?.corners || event.ctrlKey || event.metaKey || event.altKey) return;
  const way = ARROWS[event.key], step = event.shiftKey ? FINE : STEP;
  if (way) ring = ring.map((part, at) => Math.min(1, Math.max(0, part + way[at] * step)));
  else if (event.key === "Enter" || event.key === " ") set([...ring]);
  else return;
  event.preventDefault();
  draw();
}

// Set a corner, or move the one that is meant.
function set(at) {
  if (!asked?.guided?.corners) return;
  const box = find("view").getBoundingClientRect();
  const far = ([x, y]) => Math.hypot((x - at[0]) * box.width, (y - at[1]) * box.height);
  const nearest = marks.reduce((best, mark, index) => (best < 0 || far(mark) < far(marks[best]) ? index : best), -1);
  if (nearest >= 0 && (marks.length === CORNERS || far(marks[nearest]) < FINGER_PX)) marks[nearest] = at;
  else marks.push(at);
  draw();
}

async function act(command) {
  const headers = { "Content-Type": "application/json" };
  write("refused", "");
  try {
    const answer = await fetch("/act", { method: "POST", headers, body: JSON.stringify(command) });
    if (answer.status === LATE) write("refused", asked.words.late);
    if (answer.status === REFUSED) write("refused", (await answer.json().catch(() => null))?.why ?? "");
  } catch { /* the table is away: the picture stands still */ }
}

find("view").addEventListener("click", tapped);
find("view").addEventListener("keydown", pressed);
find("use").addEventListener("click", () => act({ do: "corners", at: marks, match: asked.match }));
find("begin").addEventListener("click", () => act({ do: "calibrate", match: asked.match }));
for (const name of ["hold", "bank"]) find(name).addEventListener("click", () => act({ do: name, asks: asked.asks }));
