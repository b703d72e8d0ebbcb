// The address of the page follows what it shows, and can be copied.

import { copy } from "./download";
import type { Stage } from "./draw/stage";
import { stepText } from "./format";
import { writeLink } from "./link";
import type { Session } from "./session";
import { shown } from "./show";
import { packTape } from "./tapelink";
import { complain, notice } from "./ui/talk";

/** The address is written so long after the last change, ms. */
const DELAY = 300;

export class Address {
  private timer = 0;

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
  ) {
    session.on(["scene", "worlds", "show"], () => this.write());
  }

  async copy(): Promise<void> {
    if (this.session.file) return complain("A link cannot carry a scene file; share the file itself.");
    const url = await this.link();
    const words = this.session.tape.entries.length > 0 ? "Link copied, with all that was done" : "Link copied";
    notice((await copy(url)) ? words : url);
  }

  /** A link to what is seen now, with all that was done since the start. */
  async link(): Promise<string> {
    const { tape } = this.session;
    return new URL(this.text(true, tape.entries.length > 0 ? await packTape(tape) : ""), location.href).href;
  }

  private write(): void {
    clearTimeout(this.timer);
    if (this.session.file || document.documentElement.matches(".shot, .embed")) return;
    this.timer = window.setTimeout(() => history.replaceState(null, "", this.text(false, "")), DELAY);
  }

  private text(camera: boolean, tape: string): string {
    const { session, stage } = this;
    // What was done goes with the step and the methods of the start.
    const h = tape ? session.start.h : session.h;
    const worlds = tape ? session.start.worlds : session.runs.map((run) => run.settings);
    return writeLink({
      scene: session.title,
      params: session.params,
      dt: session.scene?.dt === h ? "" : stepText(h),
      worlds: worlds.some((settings) => worlds.length > 1 || Object.keys(settings).length > 0) ? worlds : [],
      show: shown(stage.show),
      camera: camera && !stage.orbit.auto ? stage.orbit.save() : null,
      tape,
    });
  }
}
