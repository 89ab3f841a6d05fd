// The pictures of sheets. Rows are found by their names in the game's own words, whatever the language.

import { element, holding, legible, sentence, set, svg } from "./dom.js";

const rowOf = (now, name) => now.drawn.findIndex(([label]) => label === name); // -1 if the sheet has none
const cellOf = (now, row, player) => now.drawn[row]?.[player + 1] ?? ""; // empty for a row that is not there

// Note on an element which cell it draws, and what it shows of it.
export function of(made, row, player, value) {
  made.dataset.cell = `${row},${player}`;
  made.dataset.value = value;
  return made;
}

// Colour an element as the player in this seat.
export function own(made, at) {
  made.style.color = `var(--player-${at})`;
  return made;
}

// Note on an element whose score it shows.
export const scoreOf = (made, { name, score }) => set(made, { "data-player": name, "data-score": score });

// Return a line of a picture for each player: the name and the score, with what is drawn of that player.
function lines(now, className, draw, scored = true) {
  return holding("ol", `picture ${className}`, ...now.players.map((player, at) => scoreOf(holding("li", player.won ? "won" : player.asked ? "turn" : "",
    own(element("span", "name", player.name), at), ...(scored ? [element("b", "score", String(player.score))] : []), ...draw(player, at)), player)));
}

// The totals as bars, towards the goal where there is one, and what this turn would add; below them how they went.
export function totals(now) {
  const most = Math.max(now.goal, ...now.players.map(({ score, asked }) => asked ? score + now.at_stake : score), 1), share = (points) => `${100 * Math.max(0, Math.min(points, most)) / most}%`;
  const bars = lines(now, "totals", (player, at) => {
    const bar = own(holding("span", "amount", element("i")), at);
    bar.style.setProperty("--share", share(player.score));
    bar.style.setProperty("--stake", share(player.asked ? player.score + now.at_stake : player.score));
    return [bar];
  });
  if (now.goal) bars.append(element("li", "goal", now.words.goal.replace("{n}", now.goal)));
  return { pictures: [bars, ...course(now)], rows: [] };
}

// How the totals went: a line for each player, from the beginning to now, and the goal.
const WIDE = 340, HIGH = 150, LEFT = 4, RIGHT = 44, HEAD = 12, BOTTOM = 8;
const LEAST = 3; // points of a course before it says anything
const NEAR = 13; // figures at the ends of lines stand no closer
const FAR = 4; // times what anybody has: a higher goal is only a figure

function course(now) {
  if (now.course.length < LEAST) return [];
  const all = now.course.flat(), far = now.goal > FAR * Math.max(...all), goal = now.goal > 0 && !far ? [now.goal] : [];
  const low = Math.min(0, ...all), high = Math.max(1, ...all, ...goal);
  const x = (at) => LEFT + (WIDE - LEFT - RIGHT) * at / (now.course.length - 1);
  const y = (score) => HIGH - BOTTOM - (HIGH - HEAD - BOTTOM) * (score - low) / (high - low);
  const told = now.players.map((player) => `${player.name} ${player.score}`).join(", ");
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "course", role: "img", "aria-label": told });
  const level = (score, kind) => picture.append(svg("line", { class: kind, x1: LEFT, x2: WIDE - RIGHT, y1: y(score), y2: y(score) }));
  level(0, "zero");
  if (goal.length) {
    level(now.goal, "goal");
    picture.append(svg("text", { class: "goal", x: LEFT, y: y(now.goal) - 3 }, legible(now.goal)));
  }
  if (now.goal > 0 && far) picture.append(svg("text", { class: "goal", x: LEFT, y: HEAD - 1 }, legible(`↑ ${now.goal}`)));
  const ends = [];
  now.players.forEach((player, at) => {
    const points = now.course.flatMap((scores, step) => at in scores ? [`${x(step).toFixed(1)},${y(scores[at]).toFixed(1)}`] : []);
    const line = own(svg("g", { class: player.asked ? "turn" : "" }), at);
    const [endX, endY] = points.at(-1)?.split(",").map(Number) ?? [x(0), y(0)];
    line.append(svg("polyline", { points: points.join(" ") }), svg("circle", { cx: endX, cy: endY, r: player.asked ? 4.5 : 3.2 }));
    line.dataset.score = now.course.at(-1)[at] ?? "";
    ends.push({ line, y: endY, text: legible(player.score) });
    picture.append(line);
  });
  label(ends);
  return [holding("div", "picture", picture)];
}

// Write the scores at the ends of the lines, none above another.
function label(ends) {
  const downwards = [...ends].sort((one, other) => one.y - other.y);
  let above = -NEAR, below = HIGH - 2 + NEAR;
  for (const end of downwards) above = end.at = Math.max(end.y + 4, above + NEAR);
  for (const end of downwards.reverse()) below = end.at = Math.min(end.at, below - NEAR); // what ran out below moves up
  for (const end of ends) end.line.append(svg("text", { x: WIDE - RIGHT + 9, y: end.at }, end.text));
}

// A beetle, drawn part by part in this order: what is not drawn yet is a dotted outline.
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
    const picture = own(svg("svg", { viewBox: "0 0 120 112", role: "img", "aria-label": `${player.name}: ${player.score}` }), at);
    for (const [part, shapes] of Object.entries(PARTS)) {
      const row = rowOf(now, part), count = Number(cellOf(now, row, at));
      const group = of(svg("g", { class: part }), row, at, cellOf(now, row, at));
      group.append(...shapes.map(([tag, where], index) => svg(tag, { ...where, class: index < count ? "drawn" : "missing" })));
      picture.append(group);
    }
    return [picture];
  });
  return { pictures: [list], rows };
}

const MOST_PIECES = 12; // pieces that are drawn one by one: a row on a phone

function pieces(count, className) {
  const made = holding("span", `pieces ${className}`, ...Array.from({ length: count }, () => element("i")));
  made.setAttribute("aria-hidden", "true");
  return made;
}

// What each holds, and what lies in the pot: counters, or dice that are out. Many are a figure alone.
export function counters(now) {
  const pot = Math.max(rowOf(now, "pot"), rowOf(now, "out")), held = Math.max(rowOf(now, "counters"), rowOf(now, "dice"));
  const most = Math.max(...now.players.map((player) => player.score), Number(now.drawn[pot]?.[1] ?? 0));
  const draw = (count, className) => pieces(most > MOST_PIECES ? 0 : count, className);
  const kind = pot >= 0 && now.drawn[pot][0] === "out" ? "dice" : "chips";
  const middle = pot < 0 ? [] : [holding("div", "picture pot", element("span", "name", sentence(now.sheet[pot][0])), draw(Number(now.drawn[pot][1]), kind),
    element("b", "", now.drawn[pot][1]), ...now.players.map((_, at) => of(element("i", "of"), pot, at, cellOf(now, pot, at))))];
  const list = lines(now, "holding", (player, at) => {
    const number = element("b", "", String(player.score));
    if (held >= 0) of(number, held, at, cellOf(now, held, at));
    return [draw(player.score, kind), number];
  }, false);
  return { pictures: [...middle, list], rows: [pot, held].filter((row) => row >= 0) };
}

// The lives that are left, or the dice that stand for them, and the lost ones hollow.
export function lives(now) {
  const most = Math.max(...now.players.map((player) => player.score), ...now.course.flat(), 0);
  const list = lines(now, "lives", (player, at) => {
    const made = own(pieces(Math.min(most, MOST_PIECES), now.drawn.some(([label]) => label === "claim") ? "dice" : "hearts"), at);
    [...made.children].forEach((one, at) => one.classList.toggle("lost", at >= player.score));
    return [made];
  }, false);
  return { pictures: most ? [list] : [], rows: [] };
}

const SHUT = "x", TOP = 12;

function strip(columns, squares) {
  const made = holding("div", "strip", ...squares);
  made.style.setProperty("--columns", columns);
  made.style.setProperty("--half", Math.ceil(columns / 2));
  return made;
}

const square = (title, text, className) => holding("div", `square ${className}`, element("small", "", title), element("b", "", text));

// Squares 1 to 12, up and down again, and before them the start: where a player stands, which way, what is needed.
export function track(now) {
  const [place, heading, needs] = ["place", "heading", "needs"].map((name) => rowOf(now, name));
  const list = lines(now, "track", (_, at) => {
    const [here, next] = [place, needs].map((row) => parseInt(cellOf(now, row, at), 10)), down = cellOf(now, heading, at) === "down";
    const squares = Array.from({ length: TOP + 1 }, (_, number) => {
      const made = element("div", "square", String(number));
      made.classList.toggle("done", down || number <= here);
      made.classList.toggle("back", down && number >= here);
      made.classList.toggle("next", number === next);
      if (number === next) of(made, needs, at, String(next));
      if (number === here) of(made, place, at, String(here)).classList.add("here");
      return made;
    });
    const way = of(element("span", "way", down ? "←" : "→"), heading, at, cellOf(now, heading, at));
    return [way, strip(TOP + 1, squares)];
  });
  return { pictures: [list], rows: place < 0 ? [] : [place, heading, needs] };
}

// Rows whose names begin in the same way and end in a number, as a strip for each player. draw: takes number and cell.
const numbered = (start, className, columns, draw) => (now) => {
  const rows = now.drawn.flatMap(([label], at) => label.startsWith(start) && /^\d+$/.test(label.slice(start.length)) ? [at] : []);
  const list = lines(now, className, (_, at) => [strip(Math.min(columns, rows.length), rows.map((row) => {
    const cell = cellOf(now, row, at), number = now.drawn[row][0].slice(start.length);
    return set(of(draw(number, cell), row, at, cell), { "data-number": number });
  }))]);
  return { pictures: rows.length ? [list] : [], rows };
};

// Everest: each number from 1 to 12 has as many boxes as signs in its cell, crossed from the left.
export const crossings = numbered("", "crossings", TOP, (number, cell) => holding("div", cell && !cell.includes("-") ? "square full" : "square",
  element("small", "", number), ...[...cell].map((sign) => element("i", sign === SHUT ? "crossed" : ""))));

// Shut the Box: the tiles of the player whose turn it is, and how all others left theirs.
export const tiles = numbered("", "tiles", TOP, (number, cell) => element("div", cell === SHUT ? "tile shut" : cell ? "tile" : "tile unused", number));

const open = (number, cell) => square(number, cell, cell ? "" : "open");
export const frames = numbered("frame ", "frames", 10, open);
export const holes = numbered("hole ", "holes", 9, open);
