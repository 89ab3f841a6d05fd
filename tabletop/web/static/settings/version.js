// The section "Version": which one runs, and how another one comes. An update ends with a restart: its result is asked for after it.

import { button, element, holding, set } from "/dom.js";
import { filled, pause, plain, post, status } from "./settings.js";

const AGAIN_MS = 3000, TRIES = 200; // ten minutes
const look = () => fetch("/version").then((answer) => answer.ok ? answer.json() : null, () => null);

// Draw the section. said: how the last change ended.
export async function draw(section, said = "") {
  const known = await look();
  if (!known) return;
  const { words, why, done } = known, { current, previous, key, release } = done?.versions ?? {};
  const result = status(said || (done ? key ? "" : why["no-key"] : why[known.refused]));
  const change = (address, sent) => follow(section, result, known, address, sent);
  const from = (place) => button("small", words[place], () => change("/admin", { do: "update-from", place }));
  const choose = set(element("input"), { type: "file", multiple: "", id: "version-files" }); // no `accept`: phones know no kind for .sig
  choose.addEventListener("change", () => send([...choose.files], words, result, change));
  const label = Object.assign(plain("label", words.file), { htmlFor: choose.id, className: "drop" });
  for (const kind of ["dragover", "drop"]) label.addEventListener(kind, (event) => {
    event.preventDefault();
    if (kind === "drop") send([...event.dataTransfer.files], words, result, change);
  });
  section.replaceChildren(plain("h2", words.title), ...(current ? [plain("p", filled(words.running, { text: current }))] : []), result);
  if (key) section.append(holding("p", "", label, choose), from("stick"), ...(release ? [from("release")] : []));
  if (previous) section.append(button("small", filled(words.previous, { text: previous }), () => change("/admin", { do: "previous" })));
}

// Send an archive behind a line with its signature.
async function send(files, words, result, change) {
  const signature = files.find((file) => file.name.endsWith(".sig")), archive = files.find((file) => file.name.endsWith(".tar.gz"));
  if (files.length !== 2 || signature?.name !== `${archive?.name}.sig`) return void (result.textContent = words.two_files);
  change("/update", new Blob([JSON.stringify({ size: archive.size, signature: await signature.text() }), "\n", archive]));
}

// Show each step, and then how it ended.
async function follow(section, result, { words, why }, address, sent) {
  section.querySelectorAll("button, input, label").forEach((other) => other.remove());
  result.textContent = words.look;
  let last = null;
  try {
    const answer = await post(address, sent), reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = "", part = await reader.read(); !part.done && answer.ok; part = await reader.read()) {
      const whole = (rest + part.value).split("\n");
      rest = whole.pop();
      if (whole.length) last = JSON.parse(whole.at(-1));
      if (last?.step) result.textContent = filled(words[last.step] ?? "", { n: last.n, n2: last.of });
    }
    if (!answer.ok) last = { refused: "failed", about: String(answer.status) };
  } catch { // the table starts again
    last = null;
  }
  if (last?.refused === "gone") last = null;
  for (let tries = 0; !(last?.done || last?.refused) && tries < TRIES; tries += 1) {
    result.textContent = words.restart;
    await pause(AGAIN_MS);
    const { done } = await look() ?? {};
    if (done && !done.busy) last = done.last;
  }
  const ended = last?.done ? filled(words.done, { text: last.done.current }) : why[last?.refused] ?? (last ? why.failed : words.away);
  await draw(section, [ended, last?.about ?? ""].filter(Boolean).join(" "));
}
