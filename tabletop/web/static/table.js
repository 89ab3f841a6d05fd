// The table: whose turn it is, what is asked, dice, scores, the sheet, what has happened.

import { faceByFace } from "./actions.js";
import { askDigits } from "./pairing.js";
import { die, showDice, showSlots } from "./dice.js";
import { button, element, find, holding, label, legible, listOf, onChange, sentence, show, speak } from "./dom.js";
import { showBoard } from "./board.js";

const LONG_TITLE = 32; // letters: several winners, whose names must leave room for the dice
let lastThrow = null; // its number; none before the first draw

// Draw a snapshot. you: who looks. take: called with the index of a line that is tapped.
export function showTable(now, you, take) {
  speak(now.words.language, now.words.menu, now.words.thousands);
  const listed = listOf(now);
  show("game", now.game || (document.body.classList.contains("lobby") ? now.words.lobby : you.name));
  document.title = [now.asked, now.game].filter(Boolean).join(", ") || you.name;
  showHead(now);
  onChange("list", [now.menu, now.spelling, now.entry, you.paired], () => showList(find("list"), now, you, take));
  find("list").hidden = !listed;
  document.body.classList.toggle("listed", Boolean(listed));
  const newest = now.history.events.find((event) => event.kind === "throw")?.number ?? 0;
  const rolled = lastThrow !== null && newest !== lastThrow;
  lastThrow = newest;
  onChange("dice", [now.dice, now.words.language, newest], () => showDice(find("dice"), now.dice, now.words, rolled));
  find("dice").classList.toggle("before", now.between && !now.thrower);
  find("dice").hidden = Boolean(listed) || !now.dice.length;
  const entered = now.asking?.due.length && you.paired; // places for dice are drawn there
  showSlots(find("slots"), listed || now.dice.length || now.covered || now.over || entered ? 0 : now.awaited);
  find("cup").toggleAttribute("hidden", Boolean(listed) || now.dice.length > 0 || !now.covered);
  show("stake", listed ? "" : sentence(now.stake));
  show("hint", sentence(now.hint));
  find("hint").classList.toggle("told", now.told);
  if (now.players.length || !listed) {
    const answerable = now.asking && [you.paired, now.asking.options, now.asking.boxes];
    const drawn = [now.sheet, now.course, now.layout, now.goal, now.players, now.at_stake, now.words.language, answerable];
    onChange("board", drawn, () => showBoard(now, you));
  }
  label({ "sheet-title": now.words.sheet });
  announce(now);
}

function showHead(now) {
  const listed = now.menu ?? now.spelling;
  const who = find("who");
  const thrower = now.paused ? "" : now.thrower;
  const name = listed?.title || listOf(now)?.who || now.over || now.asked || sentence(now.ask) || thrower || now.game || now.words.moment;
  onChange("who", [name, thrower], () => {
    who.textContent = legible(listed ? sentence(name) : name);
    who.classList.toggle("many", name.length > LONG_TITLE);
    who.classList.toggle("turned", Boolean(now.asked) && name === now.asked);
    if (thrower && name === thrower) who.append(" ", element("small", "", now.words.threw));
  });
  const seat = now.players.findIndex((player) => player.name === name);
  who.classList.toggle("own", seat >= 0);
  who.style.setProperty("--own", `var(--player-${seat})`);
  const ask = now.over ? now.why : now.paused ? now.words.paused : name === sentence(now.ask) ? "" : now.question || now.ask;
  show("ask", listOf(now) ? "" : sentence(ask));
  const newest = thrower || (now.history.events.find((event) => event.kind === "throw")?.who ?? ""); // whose dice these are
  const others = newest && name !== newest && !listOf(now) && !now.over && now.dice.length;
  show("threw", others ? `${newest} ${now.words.threw}` : "");
}

// What is taken from a list: a line of a menu, a letter of a name, the face of a die.

const FACES = [1, 2, 3, 4, 5, 6, 0];

// Draw the list of a snapshot. A tap asks devices that may not press yet for the digits.
function showList(place, now, you, take) {
  const line = (className, at, here, inside) => {
    const made = button(className + (here ? " here" : ""), "", () => you.paired ? take(at) : askDigits());
    if (here) made.setAttribute("aria-current", "true");
    made.append(inside);
    return made;
  };
  const focused = place.contains(document.activeElement);
  place.replaceChildren(...(now.menu ? menu(now.menu, line) : []));
  if (now.spelling) place.replaceChildren(...spelling(now.spelling, line));
  if (now.entry) place.replaceChildren(...entry(now.entry, line, now.words));
  if (focused) place.querySelector(".here")?.focus();
}

function inList(className, buttons) {
  return holding("ul", className, ...buttons.map((made) => holding("li", made.textContent.length > 1 ? "word" : "", made)));
}

function menu({ items, at, note }, line) {
  return [inList("", items.map((text, index) => {
    const made = line("item", index, index === at, sentence(legible(text)));
    if (index === at && note) made.append(element("span", "note", note));
    return made;
  }))];
}

const spelling = ({ text, letters, at }, line) =>
  [element("p", "text", text), inList("letters", letters.map((letter, index) => line("item", index, index === at, letter)))];

function entry({ faces, face, due }, line, words) {
  const keys = FACES.map((given) => {
    const made = line("", given, given === face, given ? die(given) : "✕");
    made.setAttribute("aria-label", given ? String(given) : words.no_dice);
    return made;
  });
  return [holding("div", "entered", ...faceByFace(faces, due)), inList("faces", keys)];
}

// What a screen reader says, and the voice of a device, when something changes: the texts of the table, one after the
// other. A listener hears what is new, and all of it only when somebody else is asked, or something else.

let before = null;

function announce(now) {
  const seen = { texts: texts(now), faces: faces(now), scores: new Map(now.players.map(({ name, score }) => [name, score])), corrections: now.corrections };
  const was = before;
  before = seen;
  const fresh = seen.texts.filter((text) => !was?.texts.includes(text));
  if (!fresh.length) return;
  const corrected = was && seen.corrections > was.corrections;
  if (corrected) tell([...changedFaces(was, seen), ...changedScores(was, seen), ...fresh]);
  else tell(was && seen.texts[0] === was.texts[0] ? fresh : seen.texts);
}

function texts(now) {
  const listed = now.menu ?? now.spelling;
  if (listed) return [listed.title, now.menu?.items[now.menu.at], now.menu?.note].filter(Boolean);
  const asks = now.over || [now.asked, now.ask].filter(Boolean).join(": ");
  return [asks, now.stake, now.offer, now.hint, now.cheer].filter(Boolean);
}

// The faces of each throw that stands, by the number of the throw.
const faces = (now) => new Map(now.history.events.filter((event) => event.kind === "throw")
  .map((event) => [event.number, event.dice.map((die) => die.face)]));

// A throw that was set right: only the faces that it did not show before.
function changedFaces(was, seen) {
  for (const [number, own] of seen.faces) {
    const left = [...(was.faces.get(number) ?? own)];
    const fresh = own.filter((face) => {
      const at = left.indexOf(face);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    if (fresh.length) return [fresh.join(" ")];
  }
  return [];
}

const changedScores = (was, seen) => [...seen.scores]
  .filter(([name, score]) => was.scores.has(name) && was.scores.get(name) !== score)
  .map(([name, score]) => `${name}: ${score}`);

function tell(parts) {
  const text = parts.map((part) => /[.?!]$/.test(part) ? part : `${part}.`).join(" ");
  find("live").textContent = text;
  document.dispatchEvent(new CustomEvent("spoken", { detail: text }));
}
