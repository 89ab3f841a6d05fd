// The section "Network": what is in reach, joining it, and closing the hotspot. While the table tries a network, a phone in its hotspot
// loses the table; the result is asked for until the table answers again.

import { button, element, holding, set } from "/dom.js";

const REFUSED = 422, AGAIN_MS = 5000, TRIES = 36; // three minutes: longer than the table tries
let words = {};

const plain = (tag, text) => Object.assign(element(tag), { textContent: text }); // no number of a sentence
const filled = (text, name) => text.replaceAll("{text}", () => name);
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const look = () => fetch("/networks").catch(() => null);
const post = (wish) => fetch("/network", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(wish) }).catch(() => null);
const told = (answer) => answer.json().then(({ why }) => why, () => "");

// Draw the section. said: what has just happened.
export async function draw(section, said = "") {
  const title = section.querySelector("h2") ?? Object.assign(element("h2"), { hidden: true }), result = set(plain("p", said || words.searching || "…"), { role: "status" });
  section.replaceChildren(title, result);
  const answer = await look();
  if (answer?.status === REFUSED) return void (result.textContent = await told(answer));
  if (!answer?.ok) return void setTimeout(() => draw(section, said), AGAIN_MS); // the table is away
  const { networks, hotspot, last, words: given } = await answer.json();
  words = given;
  Object.assign(title, { textContent: words.title, hidden: false });
  const tried = last && hotspot ? filled(last.why ? words.failed : words.joined, last.ssid) : "";
  result.textContent = said || [tried, last?.why && hotspot ? last.why : ""].filter(Boolean).join(" ") || (networks.length ? "" : words.none);
  const choose = (network) => ask(section, network, hotspot);
  section.append(
    holding("ul", "networks", ...networks.map((network) => holding("li", "", line(network, choose)))),
    button("small", words.again, () => draw(section)),
    ...(hotspot ? [button("small", words.close, () => close(section))] : []),
  );
}

function line(network, choose) {
  const strength = words.strength.replace("{n}", network.strength);
  const made = button("small", "", () => choose(network));
  made.append(plain("b", network.ssid), " ", plain("small", network.possible ? strength : words.impossible));
  made.disabled = !network.possible;
  return made;
}

// Ask for the password in place of the list.
function ask(section, { ssid, secured }, hotspot) {
  const password = set(element("input"), { id: "network-password", type: "text", maxlength: 64, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const field = secured ? [Object.assign(plain("label", filled(words.password, ssid)), { htmlFor: password.id }), password] : [];
  const send = Object.assign(plain("button", filled(words.join, ssid)), { type: "submit", className: "small main" });
  const form = holding("form", "", ...field, send, button("small", words.again, () => draw(section)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    join(section, ssid, secured ? password.value : "", hotspot);
  });
  section.querySelector(".networks").replaceWith(form);
  section.querySelectorAll(":scope > button").forEach((other) => other.remove());
  (secured ? password : send).focus();
}

async function join(section, ssid, password, hotspot) {
  const doing = filled(`${words.joining} ${hotspot ? words.leaves : ""}`, ssid);
  section.replaceChildren(section.querySelector("h2"), set(plain("p", doing), { role: "status" }));
  const answer = await post({ ssid, password });
  if (answer?.status === 204) return draw(section, filled(words.joined, ssid));
  if (answer) return draw(section, [filled(words.failed, ssid), await told(answer)].join(" "));
  for (let tries = 0; tries < TRIES; tries += 1) { // the hotspot went, and this phone with it
    await wait(AGAIN_MS);
    if ((await look())?.ok) return draw(section);
  }
}

async function close(section) {
  const answer = await post({ hotspot: false });
  await draw(section, answer?.ok || !answer ? words.closed : await told(answer));
}
