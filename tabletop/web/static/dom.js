// The elements of the page. Texts are only ever set as text: a name with markup in it stays a name.

export const find = (id) => document.getElementById(id);

export function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = legible(text);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...inside) {
  const made = set(document.createElementNS(SVG, tag), attributes);
  made.append(...inside);
  return made;
}

// Set attributes of an element, or take away those that are null.
export function set(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) value === null ? made.removeAttribute(name) : made.setAttribute(name, value);
  return made;
}

// Return an element with others inside it.
export function holding(tag, className, ...inside) {
  const made = element(tag, className);
  made.append(...inside);
  return made;
}

// Return a button. take: called when it is pressed. label: what a screen reader says, if not the text.
export function button(className, text, take, label = "") {
  const made = element("button", className, text);
  made.type = "button";
  made.addEventListener("click", take);
  if (label) made.setAttribute("aria-label", label);
  return made;
}

// Call `take` when one of these keys is pressed on an element, in place of what the browser would do.
export function onKeys(made, keys, take) {
  made.addEventListener("keydown", (event) => {
    if (!keys.includes(event.key)) return;
    event.preventDefault();
    take(event);
  });
}

// Return whether a key is pressed alone, and not typed into something.
export const isPressAlone = (event) => !(event.target.closest?.("input, dialog") || event.repeat || event.ctrlKey || event.metaKey || event.altKey);

// Draw a JPEG in base64.
export async function drawPicture(canvas, base64, wanted = () => true) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  if (!wanted()) return false;
  Object.assign(canvas, { width: picture.width, height: picture.height });
  canvas.getContext("2d").drawImage(picture, 0, 0);
  picture.close();
  return true;
}

// Names from right to left keep to themselves in a sentence: else the figures behind one stand before it. The figures of
// a name are no number.
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const FIGURES = /\d{4}/, known = new Set();
let names = /(?!)/, between = ""; // what stands between the groups of a large number

// Tell the browser which language the page speaks, and by one of its words in which direction it is written.
export function speak(language, word, thousands = "") {
  between = thousands;
  document.documentElement.lang = language;
  document.documentElement.dir = FROM_RIGHT.test(word) ? "rtl" : "ltr";
}

export function knowNames(all) {
  const fresh = all.filter((name) => (FROM_RIGHT.test(name) || FIGURES.test(name)) && !known.has(name));
  if (!fresh.length) return;
  for (const name of fresh) known.add(name);
  const own = [...known].sort((one, other) => other.length - one.length).map((name) => name.replace(/[^\p{L}\p{N}\p{M}]/gu, "\\$&"));
  names = new RegExp(`(?<!\\d)(${own.join("|")})(?!\\d)`);
}

export const apart = (name) => FROM_RIGHT.test(name) ? `\u2068${name}\u2069` : name; // so it stands for itself in a list

export const whole = (text) => text.replace(/(\S)-(?=\S)/g, "$1-\u2060"); // no line ends behind such a hyphen

// Return a text as people of this language read it: large numbers in groups, such names apart, but no name alone.
export function legible(text) {
  const parts = String(text ?? "").split(names);
  return parts.join("") === parts[1] ? parts[1] : parts.map((part, at) => at % 2 ? apart(part) : grouped(part)).join("");
}

const grouped = (text) => text.replace(/\b\d{4,}\b/g, (figures) => figures.replace(/\B(?=(\d{3})+$)/g, between)).replace(/(\d) x\b/g, "$1\u00a0×");

// Return a text with a capital at its beginning: the table itself speaks in small letters.
export const sentence = (text) => text && text[0].toLocaleUpperCase() + text.slice(1);

// Fetch a style sheet once; fails where it does not come.
const styles = new Map();
export function styled(address) {
  if (!styles.has(address)) styles.set(address, new Promise((done, failed) => {
    const made = element("link");
    made.addEventListener("load", done);
    made.addEventListener("error", () => { made.remove(); styles.delete(address); failed(); });
    Object.assign(made, { rel: "stylesheet", href: address });
    document.head.append(made);
  }));
  return styles.get(address);
}

// Set the text of an element, and hide the element while there is none.
export function show(id, text) {
  const shown = find(id), said = legible(text);
  if (shown.textContent !== said) shown.textContent = said;
  shown.hidden = !text;
}

// Set the texts of several elements, by their ids.
export function label(texts) {
  for (const [id, text] of Object.entries(texts)) find(id).textContent = text;
}

// Call `draw` only when what it draws has changed.
const drawn = new Map();
export function onChange(name, value, draw) {
  const text = JSON.stringify(value);
  if (drawn.get(name) === text) return;
  drawn.set(name, text);
  draw(value);
}

// Draw inside an element; what has the focus there keeps it, by its id.
export function keepFocus(place, draw) {
  const held = place.contains(document.activeElement) ? document.activeElement.id : "";
  draw();
  if (held) find(held)?.focus({ preventScroll: true });
}

// Return the list that is shown instead of the table, null for none. Faces of a throw are entered at the table itself.
export const listOf = (now) => now.menu ?? now.spelling ?? (now.asking?.due.length ? null : now.entry);
