// The house rules: which text is followed, and every option with its line of help.

import { element } from "../dom.js";

let open = false;

// Return the options of the game that is chosen. usual: returns the values of a rule text.
export function optionRows(form, words, usual, draw) {
  const { game, values } = form;
  if (!game.options.length) return [];
  const made = element("details", "house"), title = element("summary", "", words.house);
  const preset = values.rules ?? Object.keys(game.presets)[0];
  const changed = game.options.filter(({ name }) => name !== "rules" && values[name] !== game.presets[preset][name]);
  const first = preset === Object.keys(game.presets)[0] ? [] : [preset];
  title.append(" ", element("small", "", [...first, ...changed.map((option) => option.label)].join(", ") || words.usual));
  made.open = open;
  made.addEventListener("toggle", () => { open = made.open; });
  const set = (name, value) => {
    if (name === "rules") form.values = { ...usual(game, value), ...Object.fromEntries(changed.map((one) => [one.name, values[one.name]])) };
    else form.values = { ...values, [name]: value };
    draw();
    document.getElementById(`option-of-${name}`)?.focus();
  };
  made.append(title, ...game.options.map((option) => row(option, values[option.name], changed.includes(option), set)));
  return [made];
}

function row(option, value, changed, set) {
  const line = element("div", changed ? "rule changed" : "rule"), name = element("label", "", option.label);
  const control = CONTROLS[option.kind](option, value, (given) => set(option.name, given));
  control.id = `option-of-${option.name}`;
  name.htmlFor = control.id;
  const help = element("p", "", option.help);
  help.id = `help-of-${option.name}`;
  control.setAttribute("aria-describedby", help.id);
  line.append(name, control, help);
  return line;
}

const CONTROLS = {
  flag: (_, value, set) => {
    const made = element("input");
    made.type = "checkbox";
    made.checked = value;
    made.addEventListener("change", () => set(made.checked));
    return made;
  },
  choice: ({ choices }, value, set) => {
    const made = element("select");
    made.append(...choices.map(([given, text]) => {
      const line = element("option", "", text);
      line.value = given;
      line.selected = given === value;
      return line;
    }));
    made.addEventListener("change", () => set(made.value));
    return made;
  },
  number: ({ least, most }, value, set) => {
    const made = element("input");
    Object.assign(made, { type: "number", min: least, max: most, value, inputMode: "numeric" });
    made.addEventListener("change", () => set(Number.isInteger(made.valueAsNumber) ? made.valueAsNumber : value));
    return made;
  },
};
