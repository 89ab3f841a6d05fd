// The guided run with a phone: what it asks, its two buttons, and the tray's corners tapped in the picture.

const CORNERS = 4, FINGER_PX = 28; // a tap this near to a mark means that one
const LATE = 409, REFUSED = 422;
const find = (name) => document.getElementById(name);
let asked = null, marks = [];

// Show what the table asks now; `asked` is a part of what `/arm/look` answers.
export function showGuided(now) {
  asked = now;
  const { guided, words } = now;
  find("guided").hidden = !guided;
  find("begin").hidden = Boolean(guided);
  find("begin").textContent = words.begin;
  if (!guided?.corners) marks = [];
  find("view").classList.toggle("tapped", Boolean(guided?.corners));
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

function write(name, text) {
  if (find(name).textContent !== text) find(name).textContent = text; // or it would be read aloud twice a second
}

function draw() {
  find("marks").replaceChildren(...marks.map(([x, y]) => {
    const mark = document.createElement("span");
    mark.style.left = `${100 * x}%`;
    mark.style.top = `${100 * y}%`;
    return mark;
  }));
  find("use").hidden = marks.length < CORNERS;
  write("use", asked?.words.use ?? "");
}

function tapped(event) {
  if (!asked?.guided?.corners) return;
  const box = find("view").getBoundingClientRect();
  const at = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  const far = ([x, y]) => Math.hypot((x - at[0]) * box.width, (y - at[1]) * box.height);
  const nearest = marks.reduce((best, mark, index) => (best < 0 || far(mark) < far(marks[best]) ? index : best), -1);
  if (nearest >= 0 && (marks.length === CORNERS || far(marks[nearest]) < FINGER_PX)) marks[nearest] = at;
  else marks.push(at);
  draw();
}

async function act(wish) {
  const headers = { "Content-Type": "application/json" };
  write("refused", "");
  try {
    const answer = await fetch("/act", { method: "POST", headers, body: JSON.stringify(wish) });
    if (answer.status === LATE) write("refused", asked.words.late);
    if (answer.status === REFUSED) write("refused", (await answer.json().catch(() => null))?.why ?? "");
  } catch { /* the table is away: the picture stands still */ }
}

find("view").addEventListener("click", tapped);
find("use").addEventListener("click", () => act({ do: "corners", at: marks, match: asked.match }));
find("begin").addEventListener("click", () => act({ do: "calibrate", match: asked.match }));
for (const name of ["hold", "bank"]) find(name).addEventListener("click", () => act({ do: name, asks: asked.asks }));
