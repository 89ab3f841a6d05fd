// The tray's four corners, tapped in the live picture, or set there with the arrow keys.

import { element, find, set as setAttributes } from "./dom.js";

export const CORNERS = 4;
const FINGER_PX = 28; // a tap this near to a mark means that one
const STEP = 0.02, FINE = 0.002; // of the picture, by which an arrow key moves the ring, and with Shift
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Take corners in #view. changed: called with those set so far, in parts of the picture.
export function cornerPicker(changed) {
  let asked = false, marks = [], ring = [0.5, 0.5];
  const view = find("view");

  function draw() {
    find("marks").replaceChildren(...[...marks, ring].map(([x, y], at) => {
      const mark = element("span", at === marks.length ? "ring" : "");
      [mark.style.left, mark.style.top] = [`${100 * x}%`, `${100 * y}%`];
      return mark;
    }));
    changed(marks);
  }

  // Set a corner, or move the one that is meant.
  function set(at) {
    if (!asked) return;
    const box = view.getBoundingClientRect();
    const far = ([x, y]) => Math.hypot((x - at[0]) * box.width, (y - at[1]) * box.height);
    const nearest = marks.reduce((best, mark, index) => (best < 0 || far(mark) < far(marks[best]) ? index : best), -1);
    if (nearest >= 0 && (marks.length === CORNERS || far(marks[nearest]) < FINGER_PX)) marks[nearest] = at;
    else marks.push(at);
    draw();
  }

  view.addEventListener("click", (event) => {
    const box = view.getBoundingClientRect();
    set([(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]);
  });
  view.addEventListener("keydown", (event) => {
    if (!asked || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = ARROWS[event.key], step = event.shiftKey ? FINE : STEP;
    if (way) ring = ring.map((part, at) => Math.min(1, Math.max(0, part + way[at] * step)));
    else if (event.key === "Enter" || event.key === " ") set([...ring]);
    else return;
    event.preventDefault();
    draw();
  });

  return {
    get marks() { return marks; },
    // The picture takes taps, and keys where it has the focus, while corners are asked for. name: of the picture.
    ask(corners, name) {
      asked = corners;
      if (!corners) marks = [];
      const made = { tabindex: 0, role: "application", "aria-label": name, "aria-describedby": "tap keys" }; // arrow keys move the ring
      setAttributes(view, corners ? made : { tabindex: null, role: null, "aria-label": null, "aria-describedby": null });
      view.classList.toggle("tapped", corners);
      draw();
    },
  };
}
