// The section "Network": what is in reach, joining it (a phone in the hotspot loses the table meanwhile), and closing the hotspot.

import { button, element, holding, set } from "/dom.js";
import { filled, pause, plain, post, status } from "./settings.js";

const REFUSED = 422, AGAIN_MS = 5000, TRIES = 36; // three minutes: longer than the table tries
const look = () => fetch("/networks").catch(() => null);
const told = (answer) => answer.json().then(({ why }) => why, () => "");
let words = {};

// Draw the section. said: what has just happened.
export async function draw(section, said = "") {
  const title = section.querySelector("h2"), result = status(said || words.searching || "…");
  section.replaceChildren(...(title ? [title] : []), result);
  const answer = await look();
  if (answer?.status === REFUSED) return void (result.textContent = await told(answer));
  if (!answer?.ok) return void setTimeout(draw, AGAIN_MS, section, said); // the table is away
  const { networks, hotspot, last, words: given } = await answer.json();
  words = given;
  if (!title) section.prepend(plain("h2", words.title));
  const tried = last && hotspot ? `${filled(last.why ? words.failed : words.joined, { text: last.ssid })} ${last.why || ""}`.trim() : "";
  result.textContent = said || tried || (networks.length ? "" : words.none);
  section.append(holding("ul", "networks", ...networks.map((network) => {
    const made = button("small", "", () => ask(section, network, hotspot));
    made.append(plain("b", network.ssid), " ", plain("small", network.possible ? filled(words.strength, { n: network.strength }) : words.impossible));
    made.disabled = !network.possible;
    return holding("li", "", made);
  })), button("small", words.again, () => draw(section)));
  if (hotspot) section.append(button("small", words.close, async () => {
    const closed = await post("/network", { hotspot: false });
    draw(section, closed?.ok || !closed ? words.closed : await told(closed));
  }));
}

// Ask for the password in place of the list.
function ask(section, { ssid, secured }, hotspot) {
  const password = set(element("input"), { id: "network-password", type: "text", maxlength: 64, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const field = secured ? [Object.assign(plain("label", filled(words.password, { text: ssid })), { htmlFor: password.id }), password] : [];
  const send = Object.assign(plain("button", filled(words.join, { text: ssid })), { type: "submit", className: "small main" });
  const form = holding("form", "", ...field, send, button("small", words.again, () => draw(section)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    join(section, ssid, password.value, hotspot);
  });
  section.replaceChildren(section.querySelector("h2"), form);
  (secured ? password : send).focus();
}

async function join(section, ssid, password, hotspot) {
  section.replaceChildren(section.querySelector("h2"), status(filled(`${words.joining} ${hotspot ? words.leaves : ""}`, { text: ssid })));
  const answer = await post("/network", { ssid, password });
  if (answer) return draw(section, answer.ok ? filled(words.joined, { text: ssid }) : `${filled(words.failed, { text: ssid })} ${await told(answer)}`);
  let tries = TRIES;
  do await pause(AGAIN_MS); while (!(await look())?.ok && (tries -= 1)); // the hotspot went, and this phone with it
  draw(section);
}
