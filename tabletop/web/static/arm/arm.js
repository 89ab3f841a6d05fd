// Camera and lamp set up with a phone: the newest picture and its signs, asked for while this page is on the screen.

import { showGuided } from "/arm/guided.js";
import { speak } from "/dom.js";

const SVG = "http://www.w3.org/2000/svg";
const EVERY_MS = 500, AGAIN_MS = 3000, FORBIDDEN = 403;
const find = (name) => document.getElementById(name);
let count = 0;

async function look() {
  let wait = AGAIN_MS;
  try {
    const answer = document.hidden ? null : await fetch("/arm/look");
    if (answer?.status === FORBIDDEN) location.href = "/"; // there the device is let in
    const seen = answer?.ok ? await answer.json() : null;
    if (seen) {
      await show(seen);
      wait = EVERY_MS;
    }
  } catch { /* the table is away: asked again */ }
  setTimeout(look, wait);
}

async function show(seen) {
  const bytes = Uint8Array.from(atob(seen.picture), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  const canvas = find("picture");
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext("2d").drawImage(picture, 0, 0);
  picture.close();
  find("view").hidden = false;
  find("title").textContent = document.title = seen.title;
  canvas.setAttribute("aria-label", seen.title);
  find("markers").replaceChildren(...seen.markers.map((outline) => {
    const made = document.createElementNS(SVG, "polygon");
    made.setAttribute("points", outline.map((corner) => corner.join(",")).join(" "));
    return made;
  }));
  find("signs").replaceChildren(...seen.signs.map((sign) => card(sign, seen.good)));
  if (seen.words) speak(seen.words.language, seen.title);
  if (seen.words) showGuided(seen);
  document.body.dataset.count = ++count;
}

function card(sign, good) {
  const made = document.createElement("li");
  made.className = sign.advice ? "wrong" : "right";
  for (const [part, text] of [["name", sign.name], ["figure", sign.figure], ["advice", sign.advice || `✓ ${good}`]]) {
    const line = document.createElement("span");
    line.className = part;
    line.textContent = text;
    made.append(line);
  }
  return made;
}

look();
