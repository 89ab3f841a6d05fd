// Settings of this device: sounds, reading aloud, wall mode. All are off at first, and only this device keeps them.

import { find, label } from "../dom.js";

const STORE = "tabletop", NAMES = ["sounds", "speech", "wall"];
const NOTES = { throw: [[660, 0]], turn: [[523, 0], [784, 0.12]], win: [[523, 0], [659, 0.12], [784, 0.24], [1047, 0.36]] };
const TONE_S = 0.16, LOUD = 0.12;
let on = read(), words = {}, before = null, audio = null, lock = null, film = null, awake = "";

function read() {
  try {
    return { ...JSON.parse(localStorage.getItem(STORE)) };
  } catch { // a browser that keeps nothing
    return {};
  }
}

// Show the words of the table, and make the sounds of what is new. you: who may act may set up the camera, too.
export function showDevice(now, you) {
  words = now.words;
  find("device-open").setAttribute("aria-label", words.device);
  label({ "device-title": words.device, "device-close": words.done, "check-link": words.check, "arm-link": words.arm });
  find("arm-link").hidden = find("programs").hidden = !you.paired;
  for (const name of NAMES) {
    find(`${name}-label`).textContent = words[name];
    find(name).checked = Boolean(on[name]);
  }
  find("speech-note").textContent = on.speech && !voice() ? words.no_voice : "";
  find("wall-note").textContent = on.wall ? awake ? words.wall_note : words.wall_dark : "";
  const seen = { throws: now.dice.map((die) => die.face).join() + now.history.entries, asked: now.asked, over: now.over };
  if (before && on.sounds) {
    if (seen.over && !before.over) play(NOTES.win);
    else if (seen.asked !== before.asked && seen.asked) play(NOTES.turn);
    else if (seen.throws !== before.throws) play(NOTES.throw);
  }
  before = seen;
}

function play(notes) {
  audio ??= new AudioContext();
  audio.resume();
  for (const [pitch, after] of notes) {
    const tone = audio.createOscillator(), loud = audio.createGain(), start = audio.currentTime + after;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(LOUD, start);
    loud.gain.exponentialRampToValueAtTime(0.001, start + TONE_S);
    tone.connect(loud).connect(audio.destination);
    tone.start(start);
    tone.stop(start + TONE_S);
  }
}

// A voice of this device itself: others would send what they read to somebody's server.
function voice() {
  const own = globalThis.speechSynthesis?.getVoices().filter((found) => found.localService) ?? [];
  return own.find((found) => found.lang.toLowerCase().startsWith(words.language ?? "en"));
}

// Read a text aloud, in place of the one that is being read.
function readAloud(text) {
  if (!on.speech || !text || document.hidden) return;
  const speaker = voice();
  if (!speaker) return;
  const said = Object.assign(new SpeechSynthesisUtterance(text), { voice: speaker, lang: speaker.lang });
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}

// Keep the screen on. Browsers offer that to pages of this machine or over https only. Elsewhere a muted film of one
// still picture does it, but only a film inside the page, in sight and played.
async function stayAwake() {
  document.body.classList.toggle("wall", Boolean(on.wall));
  if (!on.wall || document.hidden) {
    lock?.release();
    film?.remove();
    [lock, film] = [null, null];
    showAwake("");
    return;
  }
  if (!lock && navigator.wakeLock) {
    lock = await navigator.wakeLock.request("screen").catch(() => null);
    lock?.addEventListener("release", () => { lock = null; });
  }
  if (lock) showAwake("lock");
  else if (!film?.played.length || film.paused) showFilm();
}

function showFilm() {
  const picture = find("awake").captureStream?.(1);
  if (!picture) return showAwake("");
  film ??= document.createElement("video");
  film.className = "awake";
  film.muted = film.playsInline = true;
  film.srcObject ??= picture;
  film.ariaHidden = "true";
  document.body.append(film);
  find("awake").getContext("2d").fillRect(0, 0, 1, 1);
  film.onpause = () => showAwake("");
  film.play().then(() => showAwake("film"), () => showAwake("")); // some browsers wait until the page is touched
}

function showAwake(how) {
  if (awake === how) return;
  document.body.dataset.awake = awake = how;
  document.dispatchEvent(new Event("redraw"));
}

function change(name, value) {
  on = { ...on, [name]: value };
  try {
    localStorage.setItem(STORE, JSON.stringify(on));
  } catch { /* a browser that keeps nothing: it holds until the page is closed */ }
  if (name === "sounds" && value) play(NOTES.turn);
  if (name === "speech" && value) readAloud(find("live").textContent);
  if (name === "wall") stayAwake();
  document.dispatchEvent(new Event("redraw"));
}

for (const name of NAMES) find(name).addEventListener("change", (event) => change(name, event.target.checked));
find("device-open").addEventListener("click", () => {
  find("device").showModal();
  if (!find("programs").hidden) import("./programs.js").then((loaded) => loaded.showPrograms(words), () => {});
});
find("device-close").addEventListener("click", () => find("device").close());
document.addEventListener("visibilitychange", stayAwake);
document.addEventListener("click", () => { if (on.wall) stayAwake(); });
document.addEventListener("spoken", (event) => readAloud(event.detail));
globalThis.speechSynthesis?.getVoices(); // some browsers load them only when asked
stayAwake();
