// Sheets that are pieces on a table: counters and what lies in the pot, dice in a cup, lives.

import { element } from "../dom.js";
import { lines, of, rowOf } from "./cells.js";

const MOST = 12; // pieces that are drawn one by one: a row on a phone

function pieces(count, className) {
  const made = element("span", `pieces ${className}`);
  made.setAttribute("aria-hidden", "true");
  for (let at = 0; at < count; at += 1) made.append(element("i"));
  return made;
}

// A heap of pieces, too many to be drawn one by one: one of them, and a bar as long as its share of the largest heap.
function heap(count, largest, className) {
  const made = element("span", `pieces heap ${className}`), bar = element("em");
  made.setAttribute("aria-hidden", "true");
  bar.style.setProperty("--share", count / largest);
  if (count) made.append(element("i"), bar);
  return made;
}

// What each holds, and what lies in the pot: counters, or dice that are out.
export function counters(now) {
  const pot = ["pot", "out"].map((name) => rowOf(now, name)).find((row) => row >= 0) ?? -1;
  const held = ["counters", "dice"].map((name) => rowOf(now, name)).find((row) => row >= 0) ?? -1;
  const most = Math.max(...now.players.map((player) => player.score), Number(now.drawn[pot]?.[1] ?? 0));
  const draw = (count, className) => most > MOST ? heap(count, most, className) : pieces(count, className);
  const kind = pot >= 0 && now.drawn[pot][0] === "out" ? "dice" : "chips";
  const middle = element("div", "picture pot");
  if (pot >= 0) {
    const count = Number(now.drawn[pot][1]);
    middle.append(element("span", "name", now.sheet[pot][0]), draw(count, kind), element("b", "", String(count)));
    now.players.forEach((_, at) => middle.append(of(element("i", "of"), pot, at, now.drawn[pot][at + 1] ?? "")));
  }
  const list = lines(now, "holding", (player, at) => {
    const number = element("b", "", String(player.score));
    if (held >= 0) of(number, held, at, now.drawn[held][at + 1] ?? "");
    return [draw(player.score, kind), number];
  });
  const rows = [pot, held].filter((row) => row >= 0);
  return { pictures: pot >= 0 ? [middle, list] : [list], rows };
}

// The lives that are left, or the dice that stand for them, and the lost ones hollow.
export function lives(now) {
  const most = Math.max(...now.players.map((player) => player.score), ...now.course.flat(), 0);
  const list = lines(now, "lives", (player) => {
    const made = pieces(Math.min(most, MOST), now.drawn.some(([label]) => label === "claim") ? "hearts cubes" : "hearts");
    [...made.children].forEach((one, at) => one.classList.toggle("lost", at >= player.score));
    return [made];
  });
  return { pictures: most ? [list] : [], rows: [] };
}
