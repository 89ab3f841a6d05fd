// How the totals went: a line for each player, from the beginning to now, and the goal.

import { element } from "../dom.js";
import { shape } from "./cells.js";

const WIDE = 340, HIGH = 150, LEFT = 4, RIGHT = 44, TOP = 12, BOTTOM = 8;
const LEAST = 3; // points of a course before it says anything
const NEAR = 13; // figures at the ends of lines stand no closer
const FAR = 4; // times what anybody has: a higher goal is only a figure

export function course(now) {
  if (now.course.length < LEAST) return { pictures: [], rows: [] };
  const all = now.course.flat(), far = now.goal > FAR * Math.max(...all), goal = now.goal > 0 && !far ? [now.goal] : [];
  const low = Math.min(0, ...all), high = Math.max(1, ...all, ...goal);
  const x = (at) => LEFT + (WIDE - LEFT - RIGHT) * at / (now.course.length - 1);
  const y = (score) => HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * (score - low) / (high - low);
  const picture = shape("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "course", role: "img" });
  picture.setAttribute("aria-label", now.players.map((player) => `${player.name} ${player.score}`).join(", "));
  const level = (score, kind) => picture.append(shape("line", { class: kind, x1: LEFT, x2: WIDE - RIGHT, y1: y(score), y2: y(score) }));
  level(0, "zero");
  if (goal.length) {
    level(now.goal, "goal");
    picture.append(shape("text", { class: "goal", x: LEFT, y: y(now.goal) - 3 }, String(now.goal)));
  }
  if (now.goal > 0 && far) picture.append(shape("text", { class: "goal", x: LEFT, y: TOP - 1 }, `↑ ${now.goal}`));
  const ends = [];
  now.players.forEach((player, at) => {
    const points = now.course.flatMap((scores, step) => at in scores ? [`${x(step).toFixed(1)},${y(scores[at]).toFixed(1)}`] : []);
    const line = own(shape("g", { class: player.asked ? "turn" : "" }), at);
    const [endX, endY] = points.at(-1)?.split(",").map(Number) ?? [x(0), y(0)];
    line.append(shape("polyline", { points: points.join(" ") }), shape("circle", { cx: endX, cy: endY, r: player.asked ? 4.5 : 3.2 }));
    line.dataset.score = now.course.at(-1)[at] ?? "";
    ends.push({ line, y: endY, text: String(player.score) });
    picture.append(line);
  });
  label(ends);
  const legend = element("ul", "legend");
  legend.append(...now.players.map((player, at) => {
    const name = own(element("li"), at);
    name.append(element("span", "", player.name));
    return name;
  }));
  const made = element("div", "picture");
  made.append(picture, legend);
  return { pictures: [made], rows: [] };
}

function own(made, at) {
  made.style.color = `var(--player-${at})`;
  return made;
}

// Write the scores at the ends of the lines, none above another.
function label(ends) {
  const downwards = [...ends].sort((one, other) => one.y - other.y);
  let above = -NEAR, below = HIGH - 2 + NEAR;
  for (const end of downwards) above = end.at = Math.max(end.y + 4, above + NEAR);
  for (const end of downwards.reverse()) below = end.at = Math.min(end.at, below - NEAR); // what ran out below moves up
  for (const end of ends) end.line.append(shape("text", { x: WIDE - RIGHT + 9, y: end.at }, end.text));
}
