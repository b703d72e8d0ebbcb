// The address of the page follows what it shows, and can be copied.

import { copy } from "./download";
import type { Stage } from "./draw/stage";
import { stepText } from "./format";
import { writeLink } from "./link";
import type { Session } from "./session";
import { shown } from "./show";
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
    const url = new URL(this.text(true), location.href).href;
    notice((await copy(url)) ? "Link copied" : url);
  }

  private write(): void {
    clearTimeout(this.timer);
    if (this.session.file || document.documentElement.classList.contains("shot")) return;
    this.timer = window.setTimeout(() => history.replaceState(null, "", this.text(false)), DELAY);
  }

  private text(camera: boolean): string {
    const { session, stage } = this;
    const own = session.scene?.dt === session.h;
    return writeLink({
      scene: session.title,
      params: session.params,
      dt: own ? "" : stepText(session.h),
      worlds: session.runs.length > 1 || Object.keys(session.run.settings).length > 0 ? session.runs.map((run) => run.settings) : [],
      show: shown(stage.show),
      camera: camera && !stage.orbit.auto ? stage.orbit.save() : null,
    });
  }
}
