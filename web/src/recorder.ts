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
    void (this.run ? this.finish(this.run) : this.start());
  }

  update(): void {
    if (this.run) this.label("stop", `${(this.run.latest.recorded / FRAMES_PER_SECOND).toFixed(1)} s`);
  }

  private async start(): Promise<void> {
    const { run } = this.session;
    try {
      await run.remote.call("record", { fps: FRAMES_PER_SECOND });
    } catch (thrown) {
      return this.session.complain(message(thrown));
    }
    this.run = run;
    this.update();
    if (!this.session.playing) this.session.play(true);
  }

  private async finish(run: Run): Promise<void> {
    this.forget();
    try {
      const file = await run.remote.call("recording", {});
      saveBlob(`${this.session.title}.glb`, new Blob([file as BlobPart], { type: "model/gltf-binary" }));
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
