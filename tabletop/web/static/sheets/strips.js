// Sheets that are strips of squares: tracks, numbers to cross off, tiles, frames of bowling, holes of golf.

import { element } from "../dom.js";
import { cellOf, lines, of, rowOf, rowsOf } from "./cells.js";

const SHUT = "x", TOP = 12;

function strip(columns, squares) {
  const made = element("div", "strip");
  made.style.setProperty("--columns", columns);
  made.append(...squares);
  return made;
}

function square(title, text, className = "") {
  const made = element("div", `square ${className}`);
  made.append(element("small", "", title), element("b", "", text));
  return made;
}

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

// Everest: each number from 1 to 12 has as many boxes as signs in its cell, crossed from the left.
export function crossings(now) {
  const rows = now.drawn.flatMap(([label], at) => /^\d+$/.test(label) ? [at] : []);
  const list = lines(now, "crossings", (_, at) => [strip(rows.length, rows.map((row) => {
    const cell = cellOf(now, row, at), made = of(element("div", "square"), row, at, cell);
    made.classList.toggle("full", cell !== "" && !cell.includes("-"));
    made.append(element("small", "", now.drawn[row][0]), ...[...cell].map((sign) => element("i", sign === SHUT ? "crossed" : "")));
    return made;
  }))]);
  return { pictures: [list], rows };
}

// Shut the Box: the tiles of the player whose turn it is, and how all others left theirs.
export function tiles(now) {
  const rows = now.drawn.flatMap(([label], at) => /^\d+$/.test(label) ? [at] : []);
  const list = lines(now, "tiles", (_, at) => [strip(rows.length, rows.map((row) => {
    const cell = cellOf(now, row, at), made = of(element("div", "tile", now.drawn[row][0]), row, at, cell);
    made.classList.toggle("shut", cell === SHUT);
    made.classList.toggle("unused", cell === "");
    return made;
  }))]);
  return { pictures: [list], rows };
}

const numbered = (start, className, columns) => (now) => {
  const rows = rowsOf(now, start);
  const list = lines(now, className, (_, at) => [strip(Math.min(columns, rows.length), rows.map((row) => {
    const cell = cellOf(now, row, at);
    return of(square(now.drawn[row][0].slice(start.length), cell, cell ? "" : "open"), row, at, cell);
  }))]);
  return { pictures: rows.length ? [list] : [], rows };
};

export const frames = numbered("frame ", "frames", 10);
export const holes = numbered("hole ", "holes", 9);
