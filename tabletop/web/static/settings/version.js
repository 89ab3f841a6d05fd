// The section "Version": which one runs, and how another one comes. The table starts again at the end of an update, and the connection with
// it: how that ended is asked for until the table answers.

import { button, element, holding, set } from "/dom.js";

const JSON_TYPE = { "content-type": "application/json" }, AGAIN_MS = 3000, TRIES = 200; // ten minutes
const plain = (tag, text) => Object.assign(element(tag), { textContent: text }); // no number of a sentence
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const look = () => fetch("/version").then((answer) => answer.ok ? answer.json() : null, () => null);
const post = (address, body) => fetch(address, { method: "POST", headers: JSON_TYPE, body });

// Draw the section. said: how the last change ended.
export async function draw(section, said = "") {
  const known = await look();
  if (!known) return;
  const { words, why, done } = known, { current, previous, key, release } = done?.versions ?? {};
  const result = set(plain("p", said || (done ? key ? "" : why["no-key"] : why[known.refused])), { role: "status" });
  const change = (start) => follow(section, result, known, start);
  const ask = (wish) => change(() => post("/admin", JSON.stringify(wish)));
  const choose = set(element("input"), { type: "file", multiple: "", id: "version-files" }); // no `accept`: phones know no kind for .sig
  choose.addEventListener("change", () => send([...choose.files], known, result, change));
  const label = Object.assign(plain("label", words.file), { htmlFor: choose.id, className: "drop" });
  label.addEventListener("dragover", (event) => event.preventDefault());
  label.addEventListener("drop", (event) => {
    event.preventDefault();
    send([...event.dataTransfer.files], known, result, change);
  });
  section.replaceChildren(plain("h2", words.title), ...(current ? [plain("p", filled(words.running, { text: current }))] : []), result);
  section.append(...(key ? [
    holding("p", "", label, choose),
    button("small", words.stick, () => ask({ do: "update-from", place: "stick" })),
    ...(release ? [button("small", words.release, () => ask({ do: "update-from", place: "release" }))] : []),
  ] : []), ...(previous ? [button("small", filled(words.previous, { text: previous }), () => ask({ do: "previous" }))] : []));
}

// Send an archive behind a line with its signature.
async function send(files, { words }, result, change) {
  const signature = files.find((file) => file.name.endsWith(".sig")), archive = files.find((file) => file.name.endsWith(".tar.gz"));
  if (files.length !== 2 || signature?.name !== `${archive?.name}.sig`) return void (result.textContent = words.two_files);
  const line = JSON.stringify({ size: archive.size, signature: await signature.text() });
  change(() => post("/update", new Blob([line, "\n", archive])));
}

// Show each step, and then how it ended.
async function follow(section, result, { words, why }, start) {
  section.querySelectorAll("button, input, label").forEach((other) => other.remove());
  result.textContent = words.look;
  let last = null;
  try {
    const answer = await start();
    for await (const line of lines(answer)) {
      last = line.refused === "gone" ? null : line;
      if (line.step) result.textContent = filled(words[line.step] ?? "", { n: line.n, n2: line.of });
    }
  } catch { // the table starts again
    last = null;
  }
  for (let tries = 0; !(last?.done || last?.refused) && tries < TRIES; tries += 1) {
    result.textContent = words.restart;
    await wait(AGAIN_MS);
    const { done } = await look() ?? {};
    if (done && !done.busy) last = done.last;
  }
  const ended = last?.done ? filled(words.done, { text: last.done.current }) : why[last?.refused] ?? (last ? why.failed : words.away);
  await draw(section, [ended, last?.about ?? ""].filter(Boolean).join(" "));
}

async function* lines(answer) {
  if (!answer.ok) return yield { refused: "failed", about: String(answer.status) };
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const whole = (rest + part.value).split("\n");
    rest = whole.pop();
    yield* whole.map((line) => JSON.parse(line));
  }
}
