// The score sheet. Each kind of game declares how it is pictured; the rows that are not pictured stand in a table below.

import { answerBox, answerBoxNow } from "../answers.js";
import { button, element, find, holding, keepFocus, set } from "../dom.js";
import { beetle, counters, course, crossings, frames, holes, lives, of, tiles, track } from "./pictures.js";

const LAYOUTS = { totals: course, track, crossings, counters, lives, beetle, tiles, frames, holes };
const MANY = 4; // players whose names stand large above their columns
const LONG_NAME = 7; // letters that are as wide as the figures of a column
const LEAST_PX = 36; // of a column: narrower ones take room from their labels
let across = []; // the table with a column for each player
let each = []; // one player below the other, for words that fit no narrow column
let fresh = false, look = ""; // drawn, and not yet arranged; how the page looked when it last was

// Show the sheet of a match. Whoever may press takes a box by tapping it there, too.
export function showSheet(now, you) {
  const { pictures, rows: pictured } = LAYOUTS[now.layout]?.(now) ?? { pictures: [], rows: [] };
  const left = pictures.length || now.over ? now.sheet.filter((row) => row.slice(1).some(Boolean)) : now.sheet; // empty rows say nothing
  const numbers = left.map((row) => now.sheet.indexOf(row)).filter((at) => !pictured.includes(at));
  const rows = numbers.map((at) => line(now, you, now.sheet[at], at));
  find("drawing").replaceChildren(...pictures);
  const body = holding("tbody", "", ...rows), head = now.players.map((player) => {
    const cell = set(holding("th", player.asked ? "turn" : "", element("span", "", player.name)), { scope: "col" });
    cell.classList.toggle("long", player.name.length > LONG_NAME);
    return cell;
  });
  across = [holding("thead", "", holding("tr", "", element("td"), ...head)), body];
  const tapped = Boolean(body.querySelector(".box"));
  each = tapped ? [] : oneByOne(now, numbers);
  keepFocus(find("rows"), () => find("rows").replaceChildren(...across));
  find("rows").style.setProperty("--players", now.players.length);
  find("rows").classList.toggle("many", now.players.length > MANY);
  find("scroll").hidden = !rows.length;
  find("sheet").hidden = !rows.length && !pictures.length;
  fresh = true;
}

// Arrange what was drawn. Called once all that stands beside the sheet is drawn, too: only then its place has its width.
export function arrangeSheet() {
  if (!fresh && look === document.body.className) return; // on the wall its type is larger
  [fresh, look] = [false, document.body.className];
  stand();
  const turn = find("rows").querySelector("thead .turn"), first = find("rows").querySelector("thead td");
  if (turn) find("scroll").scrollLeft = turn.offsetLeft - first.offsetWidth; // beside the labels
  showMore();
}

// All columns are alike, beside labels as wide as they are. Where a name is wider than its column, a row alone
// stands player by player, names of many stand upright above their columns, and of a few each column is as wide as it has
// to be. Where that is too wide for its place, columns are narrow and labels broken, or all stands player by player.
function stand() {
  const rows = find("rows"), wide = () => find("scroll").scrollWidth > find("scroll").clientWidth + 1;
  const cut = (cells) => [...rows.querySelectorAll(cells)].some((one) => one.scrollWidth > one.clientWidth + 1);
  const turn = (names, drawn = across) => {
    rows.classList.remove("alike", "upright", "narrow", "each");
    rows.classList.add(...names);
    if (rows.firstElementChild !== drawn[0]) rows.replaceChildren(...drawn);
  };
  turn([]);
  rows.style.setProperty("--label", `${rows.querySelector("td")?.offsetWidth ?? 0}px`);
  turn(["alike"]);
  const fit = !wide() && !cut("td");
  if (fit && !cut("th span")) return;
  const alone = each.length && across[1].children.length === 1;
  if (alone) turn(["each"], each);
  else if (!rows.classList.contains("many")) turn([]);
  else if (fit && rows.querySelector("thead th").offsetWidth >= LEAST_PX) turn(["alike", "upright"]);
  else turn(["upright", "narrow"]);
  if (wide() && !alone) turn(["upright", "narrow"]);
  if (wide() && each.length) turn(["each"], each);
}

// Each player with what stands in the sheet under that name, row by row.
function oneByOne(now, numbers) {
  return now.players.map((player, at) => {
    const name = set(element("th", "", player.name), { scope: "row" });
    return holding("tbody", player.asked ? "turn" : "", holding("tr", "", name, ...numbers.filter((row) => now.sheet[row][at + 1]).map((row) => {
      const [label, ...cells] = now.sheet[row], cell = of(element("td", "", cells[at]), row, at, cells[at]);
      cell.dataset.label = label;
      return cell;
    })));
  });
}

// Let the edge fade behind which there is more.
function showMore() {
  const { scrollLeft, scrollWidth, clientWidth } = find("scroll");
  if (scrollWidth > clientWidth + 1) find("scroll").tabIndex = 0; // then keys move it
  else find("scroll").removeAttribute("tabindex");
  find("scroll").classList.toggle("more", scrollLeft + clientWidth < scrollWidth - 1);
}
find("scroll").addEventListener("scroll", showMore, { passive: true });
// The title is as wide as the sheet's place and grows with the type, whatever the sheet looks like. A new width is told
// before anything of it is painted, so nobody ever sees a sheet that is about to be arranged.
new ResizeObserver(() => {
  stand();
  showMore();
}).observe(find("sheet-title"));

function line(now, you, [label, ...cells], row) {
  const first = set(element("th", "", label), { scope: "row" });
  return holding("tr", "", first, ...cells.map((text, at) => {
    const asked = now.players[at]?.asked, cell = of(holding("td", asked ? "turn" : "", figures(text)), row, at, text);
    if (asked && now.asking) fill(cell, now.asking, you, row, label);
    return cell;
  }));
}

// Several figures of a box, "0/8/4": narrow columns have two beside each other.
function figures(text) {
  const all = text.split("/");
  return all.length === 1 ? text : holding("span", "figures", ...all.map((figure, at) => {
    const one = element("span", figure === "0" ? "zero" : "", figure);
    if (at + 1 < all.length) one.append(element("i", "", "/"));
    return one;
  }));
}

// What a box would give now, to be tapped; while dice are kept, what it would give as they lie.
function fill(cell, asking, you, row, label) {
  const at = (options) => options.findIndex((one) => one.row === row);
  const chosen = at(asking.options), would = at(asking.boxes);
  if (chosen < 0 && would < 0) return;
  const { gives } = chosen < 0 ? asking.boxes[would] : asking.options[chosen], text = gives === null ? "✓" : String(gives);
  const look = `box${chosen < 0 ? " would" : chosen === asking.at ? " here" : ""}${gives === 0 ? " zero" : ""}`;
  const take = () => chosen < 0 ? answerBoxNow(would) : answerBox(chosen);
  const made = you.paired ? button(look, text, take, `${label}: ${text}`) : element("span", look, text);
  if (you.paired) made.id = `box-${row}`;
  cell.replaceChildren(made);
}
