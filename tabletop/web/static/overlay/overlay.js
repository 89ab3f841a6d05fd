// The overlay for streaming software: what viewers of a stream want to know of the table. The boxes of a match are made
// once and keep their places; what changes is written into them, in smaller type where it is long.

import { showDice } from "/dice.js";
import { element, find, holding, knowNames, legible, onChange, sentence, show, speak } from "/dom.js";
import { follow } from "/link.js";

const KNOWN = { layout: ["bar", "corner", "full"], theme: ["dark", "light", "clear"] }; // the first of them for others
const PLAYERS = 5, DICE = 6, COLOURS = 10; // of a row; players with a colour of their own
const FEWEST = 8, SPARE = 2; // rows of a sheet that have a place from the start; some come during a match
const LONGEST = 14; // letters of a name that count for the type of its line
const main = document.querySelector("main"), look = document.documentElement.dataset, unknown = [];
let shown = null, away = "", lost = false, lastThrow = null; // the table; why it is not there; it may have restarted since; the throw
let seats = [], rows = new Map(), names = /(?!)/; // boxes of the players; cells by the labels of their rows

for (const [name, known] of Object.entries(KNOWN)) {
  const given = new URLSearchParams(location.search).get(name) ?? known[0];
  look[name] = known.includes(given) ? given : known[0];
  if (look[name] !== given) unknown.push((words) => words[`no_${name}`].replace("{text}", () => given.slice(0, LONGEST)));
}

const letters = (text) => text.replace(/[^\0-\u05ff]/g, "xx").length; // Chinese ones are as wide as two
const fit = (place, length) => place.style.setProperty("--letters", Math.max(length, 1));
const seatOf = (name) => shown.players.findIndex((player) => player.name === name);
const own = (place, seat) => { place.style.setProperty("--own", seat < 0 ? "" : `var(--player-${seat % COLOURS})`); return place; };
const named = (name) => Object.assign(own(element("b", "name", name), seatOf(name)), { dir: "auto" });

// Write a text into a line. Names of players have their colours, and are cut where they are long.
function write(id, text) {
  onChange(id, [text, String(names)], () => {
    const parts = (text || "").split(names).map((part, at) => at ? part : sentence(part));
    find(id).replaceChildren(...parts.map((part, at) => at % 2 ? named(part) : legible(part)));
    fit(find(id), parts.reduce((sum, part, at) => sum + Math.min(letters(part), at % 2 ? LONGEST : Infinity), 0));
  });
}

function figure(place, text) {
  if (place.textContent === legible(text)) return;
  place.replaceChildren(element("b", place.textContent && "changed", text));
  fit(place, letters(place.textContent));
}

function arrange({ players, sheet }) {
  const all = players.map(({ name }) => name), lines = Math.ceil(all.length / PLAYERS) || 1;
  knowNames(all);
  const longestFirst = [...all].sort((one, other) => other.length - one.length).map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  names = all.length ? new RegExp(`(?<![\\p{L}\\p{N}])(${longestFirst.join("|")})(?![\\p{L}\\p{N}])`, "u") : /(?!)/;
  const counts = { players: all.length || 1, lines, columns: Math.ceil(all.length / lines) || 1, slots: Math.max(FEWEST, sheet.length + SPARE) };
  for (const [name, count] of Object.entries(counts)) main.style.setProperty(`--${name}`, count);
  look.lines = lines;
  seats = all.map((name, seat) => own(holding("li", "", named(name), element("span", "score")), seat));
  find("players").replaceChildren(...seats);
  find("sheet").replaceChildren();
  rows = new Map();
}

// Show the sheet. A row that goes keeps its place, and one that comes stands below the others.
function showSheet({ sheet, kinds, players }) {
  for (const [cell] of rows.values()) cell.parentElement.className = "gone";
  sheet.forEach(([label, ...texts], row) => {
    const cells = rows.get(label) ?? [label, ...texts].map(() => element("span"));
    if (!rows.has(label)) rows.set(label, cells) && find("sheet").append(holding("div", "", ...cells));
    cells[0].parentElement.className = kinds[row] ?? "";
    [sentence(label), ...texts].forEach((text, at) => figure(cells[at], text));
    players.forEach(({ asked }, seat) => cells[seat + 1].classList.toggle("asked", asked));
  });
}

function draw(now) {
  if (now.players.length || (now.menu && !now.match && !lost) || !shown) [shown, lost] = [now, false]; // menus keep the match, also the first one of a restarted table
  const { players, words, dice, over, asked, ask, history, match } = shown, idle = shown.menu && !match;
  speak(words.language, words.menu, words.thousands);
  onChange("match", [match, shown.game, players.map(({ name }) => name), words.language], () => arrange(shown));
  const newest = history.events.find(({ kind }) => kind === "throw"), thrower = shown.thrower || newest?.who;
  const who = over || asked || ask || (idle ? words.nobody : ""), threw = shown.cheer || (thrower && `${thrower} ${words.threw}`);
  const why = over ? shown.why : shown.paused ? words.paused : idle ? words.soon : who === ask ? "" : shown.question || ask;
  const texts = { game: shown.game || "tabletop", who, ask: why, threw: dice.length ? threw : "", stake: shown.stake };
  for (const [id, text] of Object.entries(texts)) write(id, text);
  onChange("dice", [dice, words.language, newest?.number], () => {
    showDice(find("dice"), dice, words, lastThrow !== null && newest?.number !== lastThrow);
    find("dice").style.setProperty("--rows", Math.ceil(dice.length / DICE));
    dice.forEach(({ from }, at) => own(find("dice").children[at], seatOf(from?.who)));
  });
  lastThrow = newest?.number ?? 0;
  players.forEach(({ score, asked: turn, won }, seat) => {
    seats[seat].className = won ? "won" : turn ? "asked" : "";
    figure(seats[seat].lastElementChild, String(score));
  });
  if (look.layout === "full") showSheet(shown);
  [main.hidden, look.count] = [false, now.count];
  tell();
}

const tell = () => show("notice", shown ? [...unknown.map((say) => say(shown.words)), away].filter(Boolean).join(" ") : away);
follow({ you: () => {}, beat: () => {}, now: draw, away: (why, gone) => { [away, lost] = [gone ? why || shown?.words.away : "", lost || gone]; tell(); } });
