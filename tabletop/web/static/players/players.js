// Players and records: how everybody has done in each game with its house rules. `#Ann` behind the address opens Ann.

import { element, find, holding, knowNames, set, speak } from "/dom.js";

const CLOSED = [401, 403];
let words = {};

const link = (name) => Object.assign(element("a", "", name), { href: `#${encodeURIComponent(name)}` });
const filled = (text, figure) => text.replace("{n}", figure);
const number = (figure) => figure.toLocaleString(words.language);
const tenth = (figure) => figure.toLocaleString(words.language, { minimumFractionDigits: 1 });
const rated = (rating) => rating ? `${tenth(rating[0])}\u00a0±\u00a0${tenth(rating[1])}` : "–";

// A figure with what it is, and a note below it.
function figure(name, value, note = "") {
  const made = holding("div", "", element("dt", "", name), element("dd", "", value));
  if (note) made.append(element("dd", "note", note));
  return made;
}

function table(heads, rows) {
  const head = holding("tr", "", ...heads.map((text) => set(element("th", "", text), { scope: "col" })));
  return holding("table", "", holding("thead", "", head), holding("tbody", "", ...rows.map(([name, ...cells]) =>
    holding("tr", "", set(holding("th", "", name), { scope: "row" }), ...cells.map((cell) => element("td", "", String(cell)))))));
}

function card(game, ...inside) {
  const note = game.rules?.length ? [element("p", "note", game.rules.join("; "))] : [];
  return holding("section", "", element("h2", "", game.game), ...note, ...inside);
}

const standings = ({ rows }) => table([words.player, words.rating, words.played, words.won],
  rows.map(({ name, rating, played, won }) => [link(name), rated(rating), number(played), number(won)]));

const records = (game) => holding("dl", "", ...game.records.map(({ kind, value, name, match, mean }) => {
  const where = [name, filled(words.in_match, match), mean === null ? "" : filled(words.of_turns, tenth(mean))];
  return figure(words[`record_${kind}`], number(value), where.filter(Boolean).join(", "));
}));

// One player in one game.
function own(game) {
  const [{ rating, played, alone, won, best, mean }] = game.rows, against = played > alone;
  const figures = [
    figure(words.played, number(played), alone ? filled(words.alone, alone) : ""),
    ...(against ? [figure(words.won, number(won)), figure(words.streak, number(game.streak), filled(words.longest, game.longest)), figure(words.rating, rated(rating))] : []),
    ...(best === null ? [] : [figure(words.best, number(best)), figure(words.mean, tenth(mean))]),
  ];
  if (!against) return card(game, holding("dl", "", ...figures));
  const form = holding("ol", "form", ...game.form.map(([place, of]) => element("li", place === 1 ? "first" : "", `${place}/${of}`)));
  const others = game.against.map(([name, ...counts]) => [link(name), ...counts.map(number)]);
  const heads = [words.against, words.better, words.level, words.worse];
  return card(game, holding("dl", "", ...figures), element("h3", "", words.form), form, table(heads, others));
}

const everybody = ({ players, games }) => [
  holding("p", "", Object.assign(element("a", "", words.dice_luck), { href: "/luck/luck.html" })),
  card({ game: words.all_players }, table([words.player, words.played, words.won],
    players.map(({ name, played, won }) => [link(name), number(played), number(won)]))),
  ...games.map((game) => card(game, records(game), standings(game))),
];

async function show() {
  const name = decodeURIComponent(location.hash.slice(1));
  const answer = await fetch(`/players?name=${encodeURIComponent(name)}`).catch(() => null);
  if (CLOSED.includes(answer?.status)) return location.replace("/");
  if (!answer?.ok) return setTimeout(show, 5000); // the table is away
  const book = await answer.json();
  words = { ...book.words, language: book.language };
  knowNames(book.players.map((player) => player.name));
  speak(book.language, words.players);
  document.title = find("title").textContent = book.name || words.players;
  Object.assign(find("back"), { textContent: book.name ? words.all_players : words.back, href: book.name ? "#" : "/" });
  const cards = book.name ? book.games.map(own) : everybody(book);
  find("book").replaceChildren(...(book.games.length ? cards : [element("p", "", words.no_results)]));
  document.body.dataset.shown = book.name || "*";
  window.scrollTo(0, 0);
}

window.addEventListener("hashchange", () => show().then(() => find("title").focus()));
show();
