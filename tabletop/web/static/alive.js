// What makes the table feel alive: dice tumble and land, points fly to the score, the turn passes, rare things are
// cheered. It moves what is drawn already, and nothing waits for it. Fetched after the first draw.

import { die, showSlots } from "./dice.js";
import { element, find, holding, legible, sentence } from "./dom.js";
import { own } from "./pictures.js";
import { showPodium } from "./podium.js";

const TUMBLE_MS = 90, LAND_MS = 450, FLY_MS = 550, COUNT_MS = 350, CHEER_MS = 1100, NAME_MS = 850, RISEN_MS = 800, PRESS_MS = 220;
const PIPS = 26; // of confetti
const SHORT = 5, LETTER = .8; // letters that are as large as may be; the width of a letter and its share of the edges, in its size
const PRESSED = "button:not(:disabled), [role=button], a, summary, label";
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const resting = new Map(); // the pictures of dice that tumble
let last = null, ticking = 0, coach = null;

const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
const place = (made) => made?.checkVisibility() ? made.getBoundingClientRect() : null;
const newest = (now) => now.history.events.find((event) => event.kind === "throw")?.number ?? 0;
const goesOn = (was, now) => was?.match === now.match && was.corrections === now.corrections && !was.menu && !now.menu;

// Show something with its middle at a point of the screen.
function put(made, [x, y], style = {}) {
  Object.assign(made.style, { left: `${x}px`, top: `${y}px`, ...style });
  document.body.append(made);
  return made;
}

// Return where things are before the next snapshot is drawn.
export function look() {
  const boxes = new Map([...document.querySelectorAll("#rows .box")].map((made) => [made.id, place(made)]));
  return { stake: place(find("stake")), row: place(find("dice")), dice: [...find("dice").children].map(place), boxes };
}

// Move what a snapshot has changed. old: what `look` returned before it was drawn.
export function live(now, old) {
  const was = last, on = goesOn(was, now), ended = on && Boolean(now.over) && !was.over;
  last = now;
  tumble();
  showPodium(now, ended);
  if (now.costs) coach ??= import("./look/advice.js").catch(() => { coach = null; });
  coach?.then((loaded) => loaded?.showAdvice(now));
  if (!on || (now.history.entries <= was.history.entries && !ended)) return;
  document.querySelectorAll(".moment, .flying, .confetti").forEach((made) => made.remove());
  if (ended) confetti(find("podium"), RISEN_MS);
  const landed = newest(now) > newest(was) ? LAND_MS : 0;
  if (landed) glide(now, was, old);
  const flown = calm.matches ? [] : now.players.map((player, at) => fly(now, was, old, at, landed));
  let delay = Math.max(landed, ...flown); // the points first: nothing large lies over their way
  if (now.cheer && now.history.entries > was.history.entries) {
    const glad = now.cheer !== now.words.bust;
    tell(glad ? "glad" : "sad", sentence(now.cheer) + (glad ? "!" : ""), CHEER_MS, delay);
    if (glad) confetti(find("board"), delay);
    delay += CHEER_MS;
  }
  const seat = now.players.findIndex((player) => player.asked);
  if (seat >= 0 && now.players.length > 1 && was.asked !== now.asked && !calm.matches) own(tell("passes", now.asked, NAME_MS, delay), seat).append(element("small", "", now.words.turn));
}

// Dice

// Let the dice that are thrown tumble for as long as the page says that they roll.
function tumble() {
  const rolls = document.body.classList.contains("rolling") && !calm.matches;
  if (rolls) {
    ticking ||= setInterval(shake, TUMBLE_MS);
    shake();
  } else if (ticking) {
    clearInterval(ticking);
    ticking = 0;
    for (const [made, picture] of resting) {
      made.classList.remove("tumbling");
      made.firstElementChild.replaceWith(picture);
    }
    resting.clear();
  }
}

function shake() {
  const row = find("dice"), slots = find("slots"), loose = last.between ? [] : [...row.children].filter((made) => !made.classList.contains("kept"));
  const anew = last.awaited && loose.length !== last.awaited;
  if (anew) {
    row.hidden = true;
    if (slots.children.length !== last.awaited) showSlots(slots, last.awaited);
    slots.hidden = false;
    for (const made of slots.children) made.replaceChildren(made.firstElementChild ?? die(1));
  }
  const rolling = anew ? [...slots.children].map((slot) => slot.firstElementChild) : loose.length ? loose : [...row.children];
  rolling.forEach((made, at) => {
    if (!anew && !resting.has(made)) resting.set(made, made.firstElementChild);
    made.firstElementChild.replaceWith(die(1 + Math.floor(6 * Math.random())).firstElementChild);
    made.style.setProperty("--at", at);
    made.classList.add("tumbling");
  });
}

// Dice that were kept move to where they lie now, while the others land.
function glide(now, was, old) {
  const left = was.dice.map(({ face, kept }, at) => ({ face, kept, box: old.dice[at] })).sort((one, other) => other.kept - one.kept);
  now.dice.forEach(({ face, from }, at) => {
    const made = find("dice").children[at], stays = from && from.number !== newest(now);
    made?.classList.toggle("old", Boolean(stays));
    const before = stays ? left.findIndex((one) => one.face === face && one.box) : -1;
    if (before < 0 || calm.matches || !made) return;
    const [{ box }] = left.splice(before, 1), here = made.getBoundingClientRect();
    made.animate([{ transform: `translate(${box.left - here.left}px, ${box.top - here.top}px)` }, {}], { duration: LAND_MS, easing: "ease-out" });
  });
}

// Points

// Let the points that a player has got fly to the score, from the box, the stake or the dice; then the score counts.
// Return when they arrive.
function fly(now, was, old, at, delay) {
  const { name, score } = now.players[at], gain = score - (was.players[at]?.score ?? score);
  const shown = [...document.querySelectorAll("#board [data-player]")].find((made) => made.dataset.player === name)?.querySelector("b");
  const row = now.sheet.findIndex((cells, index) => old.boxes.get(`box-${index}`) && cells[at + 1] !== was.sheet[index]?.[at + 1]);
  const from = old.boxes.get(`box-${row}`) ?? old.stake ?? old.row, to = gain && place(shown);
  if (!from || !to || shown.textContent !== legible(score)) return delay;
  const [x, y] = middle(from), [toX, toY] = middle(to);
  const flying = put(element("b", "flying", `${gain > 0 ? "+" : "−"}${Math.abs(gain)}`), [x, y]);
  shown.textContent = legible(score - gain);
  flying.animate([
    { transform: "translate(-50%, -50%) scale(.5)", opacity: 0 },
    { transform: "translate(-50%, -50%) scale(1.3)", opacity: 1, offset: .25 },
    { transform: `translate(-50%, -50%) translate(${toX - x}px, ${toY - y}px) scale(.8)`, opacity: 1 },
  ], { duration: FLY_MS, delay, easing: "ease-in-out" }).finished.catch(() => {}).then(() => {
    flying.remove();
    count(shown, score - gain, score);
  });
  return delay + FLY_MS;
}

function count(shown, from, to) {
  const pop = shown.animate([{}, { transform: "scale(1.35)" }, {}], COUNT_MS);
  const step = () => {
    const share = pop.playState === "running" ? Math.min((pop.currentTime ?? 0) / COUNT_MS, 1) : 1;
    shown.textContent = legible(Math.round(from + share * (to - from)));
    if (share < 1 && shown.isConnected) requestAnimationFrame(step);
  };
  step();
  pop.finished.then(() => { shown.textContent = legible(to); }, () => {});
}

// Moments

// Say something large on the board, where it lies below the dice as far up as them, and never above dice or actions.
function tell(kind, text, duration, delay) {
  const made = holding("p", `moment ${kind}`, element("b", "", text)), box = place(find("board")) ?? document.body.getBoundingClientRect();
  const size = box.width / LETTER / Math.max(text.length, SHORT);
  const dice = place(find("dice")) ?? place(find("slots")), [x, y] = middle(box);
  put(made, [x, dice && box.left < dice.right ? (dice.bottom + box.bottom) / 2 : y], { fontSize: `clamp(1.75rem, ${size}px, 6rem)`, maxWidth: `${.94 * box.width}px` });
  made.setAttribute("aria-hidden", "true"); // it is said as well
  const small = { transform: "translate(-50%, -50%) scale(.6)", opacity: 0 }, large = { transform: "translate(-50%, -50%)", opacity: 1 };
  const frames = calm.matches ? [{ ...large }, { ...large }] : [small, { ...large, offset: .16 }, { ...large, offset: .8 }, { ...large, opacity: 0 }];
  made.animate(frames, { duration, delay, easing: "ease-out" }).finished.then(() => made.remove(), () => {});
  return made;
}

// Let pips fly from the middle of something.
function confetti(source, delay) {
  if (calm.matches) return;
  const at = middle(place(source) ?? document.body.getBoundingClientRect());
  for (let pip = 0; pip < PIPS; pip++) {
    const made = put(element("i", "confetti"), at, { background: `hsl(${60 * pip} 90% 65%)` });
    const turn = 2 * Math.PI * pip / PIPS, far = 60 + 120 * Math.random(), [dx, dy] = [far * Math.cos(turn), far * Math.sin(turn)];
    made.animate([{ opacity: 1 }, { transform: `translate(${dx}px, ${dy}px)`, opacity: 1, offset: .5 }, { transform: `translate(${1.1 * dx}px, ${dy + 60}px) scale(.6)`, opacity: 0 }],
      { duration: CHEER_MS, delay, easing: "cubic-bezier(.1, .7, .5, 1)" }).finished.then(() => made.remove(), () => {});
  }
}

// Each press is seen at once, whatever the table will answer.
document.addEventListener("pointerdown", ({ target }) => {
  const change = { filter: "brightness(.85)", ...(calm.matches ? {} : { transform: "scale(.97)" }) };
  target.closest?.(PRESSED)?.animate([change, {}], PRESS_MS);
});
