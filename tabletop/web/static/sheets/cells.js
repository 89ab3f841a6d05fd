// What the pictures of sheets share. Rows are found by their names in the game's own words, whatever the language.

import { element } from "../dom.js";

const SVG = "http://www.w3.org/2000/svg";

export function shape(tag, attributes = {}, ...inside) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
}

// Return the index of a row, -1 if the sheet has none of this name.
export const rowOf = (now, name) => now.drawn.findIndex(([label]) => label === name);

// Return the indices of the rows whose names begin like this: "frame 1", "frame 2" and so on.
export const rowsOf = (now, start) => now.drawn.flatMap(([label], at) => label.startsWith(start) ? [at] : []);

// Return what a player's cell says, empty for a row that is not there.
export const cellOf = (now, row, player) => now.drawn[row]?.[player + 1] ?? "";

// Note on an element which cell it draws, and what it shows of it.
export function of(made, row, player, value) {
  made.dataset.cell = `${row},${player}`;
  made.dataset.value = value;
  return made;
}

// Return a line of a picture for each player: the name, with what is drawn of that player behind or below it.
export function lines(now, className, draw) {
  const list = element("ol", `picture ${className}`);
  list.append(...now.players.map((player, at) => {
    const line = element("li", player.asked ? "turn" : "");
    line.append(element("span", "name", player.name), ...draw(player, at));
    return line;
  }));
  return list;
}
