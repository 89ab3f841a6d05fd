// What is answered here: dice to keep are tapped, boxes and options are buttons, throws are entered face by face.

import { say, send } from "./acting.js";
import { die, listenTaps, mark, showTaps, takeTaps } from "./dice.js";
import { button, element, find, holding, isPressAlone, keepFocus, onChange } from "./dom.js";

const FACES = [1, 2, 3, 4, 5, 6];
const SHORT = 8; // letters of options that stand in narrow columns
const LONG_WORD = 9; // letters that do not fit beside their points on a small phone
const AGAIN_MS = 1000;
const MOST_GROUPS = 3; // groups that are shown at once; of more, one is chosen first
let now = null, you = {};
let moment = "", chosen = null, entered = [], sending = false, group = null;
let given = false; // what was asked was answered from here
let waits = false, triedMs = 0, retry = 0; // a throw was entered while the table was away; when it was last sent

const redraw = () => document.dispatchEvent(new Event("redraw"));
const sorted = (faces) => [...faces].sort().join(" ");
const due = () => now?.asking?.due.reduce((sum, one) => sum + one.dice, 0) ?? 0;
const mayAnswer = () => Boolean(you.paired && now?.asking && !now.menu && !now.spelling);

// Show what can be answered now. What was tapped for another question is dropped, and not in silence.
export function showAnswers(snapshot, who) {
  [now, you] = [snapshot, who];
  const asked = JSON.stringify(now.asking?.moment ?? null), open = entered.length && !sending && !given;
  if (asked !== moment && !(open && mayAskAgain())) {
    if (open && !(waits && isThere())) say(now.words.late);
    if (given || sending) followTurn();
    [moment, chosen, entered, sending, group, given, waits] = [asked, null, [], false, null, false, false];
  }
  const place = find("answers"), keeps = mayAnswer() && now.asking.kind === "keep";
  const options = mayAnswer() ? now.asking.options : [];
  if (!keeps) chosen = null;
  onChange("answers", [now.asking, you.paired, Boolean(now.menu ?? now.spelling), entered, waits, group, now.words.language], () => keepFocus(place, () => {
    place.replaceChildren(...(mayAnswer() && due() ? entry() : options.length ? choice(options) : keeps ? [element("p", "tip", now.words.tap_keep)] : []));
  }));
  place.hidden = !place.children.length;
  lists().forEach(showChosen);
  const dice = find("dice");
  now.dice.forEach((shown, at) => {
    if (dice.children[at]) mark(dice.children[at], { ...shown, kept: chosen ? chosen.has(at) : shown.kept }, now.words);
  });
  dice.classList.toggle("again", Boolean(mayAnswer() && due()));
  showTaps(dice, now, you);
  showBar(keeps);
}

// A table that was started again asks nothing at first, and then what it asked before.
const mayAskAgain = () => !now.asking && !now.over && [0, JSON.parse(moment)?.[0]].includes(now.match);

// Return whether the throw that was entered was taken, though its answer was lost on the way.
const isThere = () => sorted(now.history.events.find((event) => event.kind === "throw")?.dice.map((die) => die.face) ?? []) === sorted(entered);

// The table is heard: send a throw that was entered while it was away, if it still asks for that; once a second at most.
export function sendWaiting() {
  clearTimeout(retry);
  if (!waits || !mayAnswer() || entered.length !== due()) return;
  if (Date.now() - triedMs < AGAIN_MS) retry = setTimeout(sendWaiting, AGAIN_MS);
  else answer({ do: "enter", faces: entered });
}

// A long list scrolls in a place of its own on a phone: let what is chosen be seen there, and an edge fade where there is more.
function showChosen(list) {
  const here = list.querySelector(".here, [aria-pressed=true]");
  const below = here ? here.offsetTop + here.offsetHeight - list.clientHeight : 0;
  if (here && (below > list.scrollTop || here.offsetTop < list.scrollTop)) list.scrollTop = below;
  fade(list);
}

const lists = () => find("answers").querySelectorAll("ul, .groups");
const fade = (list) => list.classList.toggle("more", list.scrollTop + list.clientHeight < list.scrollHeight - 1);

// Whoever answered further down, on the sheet or in a long list, sees what is asked next.
function followTurn() {
  if (find("who").getBoundingClientRect().top < 0) find("stage").scrollIntoView({ block: "start" });
}

// Keep what was tapped; while nothing was, HOLD and BANK say what they do.
function showBar(keeps) {
  if (mayAnswer() && now.asking.options.length) find("offer").hidden = find("throw").hidden = true;
  const own = Boolean(keeps && chosen), entering = Boolean(mayAnswer() && due());
  if (own || entering) find("hold").hidden = find("bank").hidden = true;
  find("clear").hidden = !own && !(entering && entered.length);
  find("clear").textContent = entering ? now.words.take_back : now.words.back;
  find("answer").hidden = !own;
  if (!own) return;
  find("offer").hidden = true; // what BANK would keep: from now on what was tapped counts
  const part = kept();
  find("answer").textContent = part.length ? now.words.keep.replace("{faces}", part.join(" ")) : now.words.keep_nothing;
  find("answer").disabled = sending || !now.asking.legal.some((legal) => sorted(legal) === sorted(part));
}

const kept = () => [...chosen].filter((at) => !now.asking.fixed.includes(at)).map((at) => now.dice[at].face).sort();

function tapKeep(at) {
  if (now.asking.fixed.includes(at)) return;
  chosen ??= new Set(now.dice.flatMap((shown, index) => shown.kept ? [index] : []));
  if (!chosen.delete(at)) chosen.add(at);
  redraw();
}

// Boxes and other options, each with what it would give now; many claims stand in groups.
function choice(options) {
  const groups = new Map();
  options.forEach((option, at) => groups.set(option.group, [...(groups.get(option.group) ?? []), [option, at]]));
  if (groups.size > MOST_GROUPS) return picker(groups, options);
  return [...groups].flatMap(([name, own]) => {
    const short = options.every((option) => option.label.length <= SHORT && option.gives === null);
    own.sort(([one], [other]) => (other.gives ?? 0) - (one.gives ?? 0)); // as HOLD walks: what gives most first
    const list = holding("ul", short ? "short" : "boxes", ...own.map(([option, at]) => optionLine(option, at)));
    return name ? [element("h3", "", name), list] : [list];
  });
}

// Claims: first how many, then of which face.
function picker(groups, options) {
  const current = groups.has(group) ? group : options[now.asking.at ?? 0].group;
  const names = [...groups.keys()].map((name) => {
    const made = button("", name, () => { group = name; redraw(); });
    made.id = `group-${name}`;
    made.setAttribute("aria-pressed", String(name === current));
    return made;
  });
  const claims = groups.get(current).map(([option, at]) => {
    const line = optionLine(option, at), face = FACES.find((one) => option.label === `${option.group} ${one}`);
    if (!face) return line;
    line.firstElementChild.replaceChildren(element("span", "", option.group), die(face));
    line.firstElementChild.setAttribute("aria-label", option.label);
    return line;
  });
  return [holding("div", "groups", ...names), holding("ul", "claims", ...claims)];
}

function optionLine({ label, gives }, at) {
  const made = button(at === now.asking.at ? "option here" : "option", "", () => answerBox(at), gives === null ? "" : `${label}: ${gives}`);
  made.id = `option-${at}`;
  made.append(element("span", gives !== null && label.split(/[\s-]/).some((word) => word.length > LONG_WORD) ? "long" : "", label));
  if (gives !== null) made.append(" ", element("b", gives ? "" : "zero", String(gives)));
  return holding("li", "", made);
}

export const answerBox = (at) => answer({ do: "choose", at });

// Keep all dice, and write them into a box by its place among those that are open.
export const answerBoxNow = (at) => answer({ do: "write", at, faces: now.dice.map((shown) => shown.face) });

// Return the dice that were entered, and places for those that are due.
export const faceByFace = (faces, due) => [...faces.map((face) => die(face)), ...Array.from({ length: Math.max(0, due - faces.length) }, () => element("span", "due"))];

// The dice entered so far, player by player where several throw at once, and the six faces.
function entry() {
  let first = 0;
  const rows = now.asking.due.map(({ who, dice }) => {
    const isNext = entered.length >= first && entered.length < first + dice, own = entered.slice(first, first += dice);
    const whose = now.asking.due.length > 1 ? [element("span", "whose", who)] : [];
    return holding("div", isNext ? "entered next" : "entered", ...whose, ...faceByFace(own, dice));
  });
  const keys = holding("ul", "keys", ...FACES.map((face) => {
    const made = button("key", "", () => enter(face), String(face));
    made.id = `face-${face}`;
    made.append(die(face));
    return holding("li", "", made);
  }));
  const tip = waits && entered.length === due() ? now.words.waits : now.words.tap_faces; // always one: no face moves under a finger
  return [...rows, element("p", "tip", tip), keys];
}

function enter(face) {
  if (sending || entered.length >= due()) return;
  entered = [...entered, face];
  redraw();
  if (entered.length === due()) answer({ do: "enter", faces: entered });
}

async function answer(command) {
  if (sending || !mayAnswer()) return;
  const asked = moment;
  [sending, triedMs] = [true, Date.now()];
  const done = await send({ ...command, moment: now.asking.moment });
  if (asked !== moment) return;
  [sending, given, waits] = [false, Boolean(done), done === null && entered.length > 0];
  if (done === false) [chosen, entered] = [null, []]; // while the table is away all stays as it was tapped
  redraw();
}

function takeBack() {
  if (sending) return;
  [chosen, entered] = [null, entered.slice(0, -1)];
  redraw();
}

takeTaps("keep", tapKeep);
listenTaps(find("dice"));
find("answers").addEventListener("scroll", (event) => fade(event.target), { capture: true, passive: true });
new ResizeObserver(() => lists().forEach(showChosen)).observe(find("answers")); // a phone is turned
find("answer").addEventListener("click", () => answer({ do: "keep", faces: kept() }));
find("clear").addEventListener("click", takeBack);
document.addEventListener("keydown", (event) => {
  if (!isPressAlone(event) || !mayAnswer() || !due()) return;
  if (FACES.includes(Number(event.key))) enter(Number(event.key));
  if (event.key === "Backspace") takeBack();
});
