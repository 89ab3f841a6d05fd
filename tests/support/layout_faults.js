// What is wrong with the page as it stands, by the places of its parts: run in the page, returns a list of sentences.

const TOUCH = 44; // CSS pixels of a finger (WCAG 2.2, 2.5.5)
const NEAR = 1; // CSS pixels that a browser rounds away
const LOW = 120; // CSS pixels: a lower board shows nobody how the game stands
const faults = [], wide = innerWidth, high = innerHeight, root = document.scrollingElement;
const seen = (part) => part.checkVisibility({ visibilityProperty: true }) && !part.closest(".unseen, [aria-hidden=true]");
const box = (part) => part.getBoundingClientRect(), name = (part) => part.id || part.getAttribute("class") || part.tagName;
const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);

function inside(part, what) {
  const { left, right, top, bottom } = box(part);
  if (left < -NEAR || right > wide + NEAR || top < -NEAR || bottom > high + NEAR) faults.push(`${what} leaves the screen: ${[left, top, right, bottom].map(Math.round)}`);
}

if (root.scrollWidth > wide + NEAR || root.scrollHeight > high + NEAR) faults.push(`the page scrolls: ${root.scrollWidth} x ${root.scrollHeight}`);
for (const part of all("main, [data-board], #bottom, #stage, #scroll, #list")) {
  if (part.scrollWidth > part.clientWidth + NEAR) faults.push(`${name(part)} scrolls sideways by ${part.scrollWidth - part.clientWidth}`);
}
for (const board of all("[data-board]")) {
  inside(board, "the board");
  if (box(board).height < LOW) faults.push(`the board is ${Math.round(box(board).height)} high`);
}
const dice = all("[data-dice] > *");
for (const die of dice) {
  inside(die, "a die");
  if (box(die).width < TOUCH - NEAR) faults.push(`a die is ${Math.round(box(die).width)} wide`);
}
if (dice.length <= 6 && new Set(dice.map((die) => die.offsetTop)).size > 1) faults.push("the dice stand in more than one row");
for (const action of all("[data-actions] button")) inside(action, `"${action.innerText}"`);
for (const target of all("button, a, input, select, summary, [role=button]")) {
  const { width, height } = box(target);
  if (Math.min(width, height) < TOUCH - NEAR) faults.push(`a finger misses ${name(target)}: ${Math.round(width)} x ${Math.round(height)}`);
}

// Each word: in one line, and inside what may cut it off.
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
for (let text = texts.nextNode(); text; text = texts.nextNode()) {
  const part = text.parentElement, style = getComputedStyle(part);
  if (!text.data.trim() || !seen(part) || part.closest("script, style, noscript, dialog:not([open])")) continue;
  for (const word of text.data.matchAll(/\S+/g)) {
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    const places = [...range.getClientRects()].filter(({ width }) => width > NEAR / 2), upright = style.writingMode !== "horizontal-tb";
    if (!places.length) continue;
    if (new Set(places.map(({ left, top }) => Math.round(upright ? left : top))).size > 1) faults.push(`a broken word: ${word[0]} in ${name(part)}`);
    const cuts = cutter(part);
    if (cuts && !contains(cuts, places[0])) faults.push(`a word cut off: ${word[0]} in ${name(cuts)}`);
    if (places.some(({ left, right }) => left < -NEAR || right > wide + NEAR)) faults.push(`a word beside the screen: ${word[0]}`);
  }
}

function cutter(part) {
  for (let outer = part; outer && outer !== document.body; outer = outer.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(outer);
    if (overflowX !== "visible" || overflowY !== "visible") return outer;
  }
  return null;
}

// What scrolls up and down shows its words in the end.
function contains(cuts, { left, right, top, bottom }) {
  const edge = box(cuts), moves = /auto|scroll/.test(getComputedStyle(cuts).overflowY);
  return left >= edge.left - 1.5 * NEAR && right <= edge.right + 1.5 * NEAR && (moves || (top >= edge.top - 2 * NEAR && bottom <= edge.bottom + 2 * NEAR));
}

return [...new Set(faults)];
