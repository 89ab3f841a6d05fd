// Setting a die right: placeholder until slice B lands.
export function pick() {}
