// Recording of the active world as a glTF animation (a .glb file).

import { fill, h, icon } from "./dom";
import { saveBlob } from "./download";
import { message } from "./engine";
import type { Run } from "./run";
import type { Session } from "./session";

const FRAMES_PER_SECOND = 30;

export class Recorder {
  /** The world that is being recorded. */
  run: Run | null = null;

  constructor(
    private readonly session: Session,
    private readonly button: HTMLButtonElement,
  ) {
    session.on(["scene"], () => this.forget());
  }

  toggle(): void {
    if (this.run) this.finish();
    else this.start();
  }

  update(): void {
    if (this.run) this.label("stop", `${(this.run.sim.recorded / FRAMES_PER_SECOND).toFixed(1)} s`);
  }

  private start(): void {
    const { run } = this.session;
    try {
      run.sim.record(FRAMES_PER_SECOND);
    } catch (thrown) {
      return this.session.complain(message(thrown));
    }
    this.run = run;
    this.update();
    if (!this.session.playing) this.session.play(true);
  }

  private finish(): void {
    const run = this.run!;
    this.forget();
    try {
      saveBlob(`${this.session.title}.glb`, new Blob([run.sim.recording() as BlobPart], { type: "model/gltf-binary" }));
    } catch (thrown) {
      this.session.complain(message(thrown));
    }
  }

  private forget(): void {
    this.run = null;
    this.label("record", "Record");
  }

  private label(name: string, words: string): void {
    this.button.classList.toggle("recording", name === "stop");
    this.button.setAttribute("aria-label", name === "stop" ? "Stop recording and save" : "Record this world as glTF");
    fill(this.button, icon(name), h("span", { class: "label" }, words));
  }
}
