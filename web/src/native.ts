// The same run natively: the command that repeats what the page shows.

import { plain, stepText } from "./format";
import type { Session } from "./session";

/** The command that repeats the run of the active world; null when it was changed by hand. */
export function command(session: Session): string | null {
  if (session.tape.entries.length > 0) return null;
  const words = ["taut run", session.file ? quote(session.file.name) : session.title];
  for (const [name, value] of Object.entries(session.params)) words.push(`--set ${name}=${value}`);
  for (const name of ["stabiliser", "solver", "coordinates"] as const) {
    const value = session.run.settings[name];
    if (value) words.push(`--${name} ${value}`);
  }
  words.push(`--dt ${stepText(session.h)}`, `--time ${plain(Math.max(1, session.run.latest.steps) * session.h, 8)}`);
  return words.join(" ");
}

function quote(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replace(/'/g, "'\\''")}'`;
}
