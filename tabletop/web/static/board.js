// The board of a game: its picture, and the rows of the sheet that are not pictured. Scores stand in its heads.

import { answerBox, answerBoxNow } from "./actions.js";
import { button, element, find, holding, keepFocus, legible, sentence, set, whole } from "./dom.js";
import { beetle, counters, crossings, frames, holes, lives, of, own, scoreOf, tiles, totals, track } from "./pictures.js";

const LAYOUTS = { totals, track, crossings, counters, lives, beetle, tiles, frames, holes };
const MANY_ROWS = 8; // of a sheet: more need the height of a laptop
const MANY = 4; // players whose names stand large above their columns
const LONG_NAME = 7; // letters that are as wide as the figures of a column
const LEAST_PX = 36; // of a column: narrower ones take room from their labels
let across = []; // the table with a column for each player
let each = []; // one player below the other, for words that fit no narrow column
let fresh = false, look = ""; // drawn, and not yet arranged; how the page looked when it last was

// Show the board of a match. A device that was let in takes a box by tapping it there.
export function showBoard(now, you) {
  const { pictures, rows: pictured } = LAYOUTS[now.layout]?.(now) ?? { pictures: [], rows: [] };
  const optional = (row) => pictures.length || now.over || now.kinds[row] === "bonus"; // empty, such a row says nothing
  const says = (row) => !optional(row) || now.sheet[row].slice(1).some(Boolean);
  const isTold = (row) => !pictured.includes(row) && says(row);
  const numbers = now.sheet.map((_, row) => row).filter(isTold);
  const rows = numbers.map((at) => line(now, you, now.sheet[at], at));
  find("drawing").replaceChildren(...pictures);
  const body = holding("tbody", "", ...rows), head = now.players.map((player, at) => headOf(player, at, !pictures.length));
  across = [holding("thead", "", holding("tr", "", element("td"), ...head)), body];
  const tapped = Boolean(body.querySelector(".box"));
  each = tapped || !pictures.length ? [] : oneByOne(now, numbers);
  keepFocus(find("rows"), () => find("rows").replaceChildren(...across));
  find("rows").style.setProperty("--players", now.players.length);
  find("rows").classList.toggle("many", now.players.length > MANY);
  find("scroll").hidden = !rows.length;
  find("board").hidden = !rows.length && !pictures.length;
  document.body.classList.toggle("sheet", !pictures.length && rows.length > MANY_ROWS);
  fresh = true;
}

// Return the head of a column: the name, and the score where no picture has it.
function headOf(player, at, scored) {
  const cell = set(holding("th", player.won ? "won" : player.asked ? "turn" : "", own(element("span", "", player.name), at)), { scope: "col" });
  if (scored) scoreOf(cell, player).append(element("b", "", String(player.score)));
  cell.classList.toggle("long", player.name.length > LONG_NAME);
  return cell;
}

// Arrange what was drawn. Called once all that stands beside the board is drawn, too: only then its place has its width.
export function arrangeBoard() {
  if (!fresh && look === document.body.className) return; // on the wall its type is larger
  [fresh, look] = [false, document.body.className];
  stand();
  find("rows").querySelector(".box.here")?.scrollIntoView({ block: "center" }); // not below the heads
  const turn = find("rows").querySelector("thead .turn"), first = find("rows").querySelector("thead td");
  if (turn) find("scroll").scrollLeft = turn.offsetLeft - first.offsetWidth; // beside the labels
  showMore();
}

// All columns are alike, beside labels as wide as they are. Where a name is wider than its column, a row alone
// stands player by player, names of many stand upright above their columns, and of a few each column is as wide as it has
// to be. Where that is too wide for its place, columns are narrow and labels broken, or all stands player by player.
function stand() {
  const rows = find("rows"), wide = () => find("scroll").scrollWidth > find("scroll").clientWidth + 1;
  const cut = (cells) => [...rows.querySelectorAll(cells)].some((one) => one.scrollWidth > one.clientWidth);
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
  const told = (at) => numbers.some((row) => now.sheet[row][at + 1]);
  return now.players.flatMap((player, at) => {
    const name = set(own(element("th", "", player.name), at), { scope: "row" });
    return !told(at) ? [] : holding("tbody", player.asked ? "turn" : "", holding("tr", "", name, ...numbers.filter((row) => now.sheet[row][at + 1]).map((row) => {
      const [label, ...cells] = now.sheet[row], cell = of(element("td", "", cells[at]), row, at, cells[at]);
      cell.dataset.label = sentence(label);
      return cell;
    })));
  });
}

// Let the edge fade behind which there is more. Keys move what scrolls.
function showMore() {
  for (const place of [find("scroll"), find("board")]) {
    const { scrollLeft, scrollWidth, clientWidth, scrollTop, scrollHeight, clientHeight } = place;
    set(place, { tabindex: scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1 ? 0 : null });
    place.classList.toggle("more", scrollLeft + clientWidth < scrollWidth - 1);
    place.classList.toggle("below", scrollTop + clientHeight < scrollHeight - 1);
  }
}
find("board").addEventListener("scroll", showMore, { passive: true });
find("scroll").addEventListener("scroll", showMore, { passive: true });
// The title is as wide as the sheet's place and grows with the type, whatever the sheet looks like. A new width is told
// before anything of it is painted, so nobody ever sees a sheet that is about to be arranged.
new ResizeObserver(() => {
  stand();
  showMore();
}).observe(find("board"));

function line(now, you, [label, ...cells], row) {
  const first = set(element("th", "", whole(sentence(label))), { scope: "row" });
  return holding("tr", now.kinds[row] ?? "", first, ...cells.map((text, at) => {
    const asked = now.players[at]?.asked, cell = of(holding("td", asked ? "turn" : "", figures(text)), row, at, text);
    if (asked && now.asking) fill(cell, now.asking, you, row, label);
    return cell;
  }));
}

// Several figures of a box, "0/8/4": narrow columns have two beside each other.
function figures(text) {
  const all = text.split("/");
  return all.length === 1 ? whole(legible(text)) : holding("span", "figures", ...all.map((figure, at) => {
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
