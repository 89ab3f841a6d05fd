// A beetle, drawn part by part: what is not drawn yet is a dotted outline.

import { element } from "../dom.js";
import { cellOf, lines, of, rowOf, shape } from "./cells.js";

// The shapes of each part, in the order in which they are drawn.
const PARTS = {
  legs: [[38, 44, 16, 34], [36, 58, 12, 58], [38, 72, 16, 84], [82, 44, 104, 34], [84, 58, 108, 58], [82, 72, 104, 84]]
    .map(([x1, y1, x2, y2]) => ["line", { x1, y1, x2, y2 }]),
  antennae: [["path", { d: "M54 16 Q48 4 38 4" }], ["path", { d: "M66 16 Q72 4 82 4" }]],
  tail: [["path", { d: "M60 90 Q60 106 72 108" }]],
  body: [["ellipse", { cx: 60, cy: 62, rx: 26, ry: 30 }]],
  head: [["circle", { cx: 60, cy: 26, r: 14 }]],
  eyes: [["circle", { cx: 54, cy: 23, r: 3.4 }], ["circle", { cx: 66, cy: 23, r: 3.4 }]],
};

export function beetle(now) {
  const rows = Object.keys(PARTS).map((part) => rowOf(now, part)).filter((row) => row >= 0);
  const list = lines(now, "beetles", (player, at) => {
    const picture = shape("svg", { viewBox: "0 0 120 112", role: "img", "aria-label": `${player.name}: ${player.score}` });
    for (const [part, shapes] of Object.entries(PARTS)) {
      const row = rowOf(now, part), count = Number(cellOf(now, row, at));
      const group = of(shape("g", { class: part }), row, at, cellOf(now, row, at));
      group.append(...shapes.map(([tag, where], index) => shape(tag, { ...where, class: index < count ? "drawn" : "missing" })));
      picture.append(group);
    }
    return [picture, element("b", "", String(player.score))];
  });
  return { pictures: [list], rows };
}
