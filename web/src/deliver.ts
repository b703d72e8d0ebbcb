// Pictures for `taut shot`: what is drawn, with the words that belong to it, handed to the server that asked for it.

import type { Stage } from "./draw/stage";
import { percent, si } from "./format";
import type { Run } from "./run";
import type { Session } from "./session";
import { colour } from "./theme";
import { methodName } from "./ui/panes";

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

/** Sends the picture, or why there is none, to `picture/NAME`. */
export async function deliver(name: string, picture: HTMLCanvasElement | string): Promise<void> {
  const body = typeof picture === "string" ? picture : await new Promise<Blob | null>((done) => picture.toBlob(done, "image/png"));
  await fetch(`picture/${encodeURIComponent(name)}`, { method: "POST", body: body ?? "the browser could not make a PNG" });
}

/** The drawing with the methods and their measures when there are several worlds, and a caption below. */
export function composed(stage: Stage, session: Session, caption: string): HTMLCanvasElement {
  const out = stage.picture();
  const pen = out.getContext("2d")!;
  const unit = Math.max(11, Math.min(0.02 * out.height, 0.017 * out.width));
  if (session.runs.length > 1 || session.runs.some((run) => run.failure)) {
    session.runs.forEach((run, k) => {
      const pane = stage.panes[k]?.getBoundingClientRect();
      const part = out.width / Math.max(1, stage.width);
      if (pane)
        label(pen, run, k, { left: part * pane.left, top: part * pane.top, width: part * pane.width, height: part * pane.height, unit });
    });
  }
  if (caption) {
    pen.font = `600 ${1.1 * unit}px ${FONT}`;
    pen.textAlign = "right";
    write(pen, caption, out.width - unit, out.height - unit, "--ink");
  }
  return out;
}

/** Pixels of a pane in the picture, and the size of the letters. */
interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
  unit: number;
}

function label(pen: CanvasRenderingContext2D, run: Run, k: number, at: Place): void {
  const { left, top, width, height, unit } = at;
  pen.textAlign = "left";
  pen.strokeStyle = colour("--line");
  if (k > 0) pen.strokeRect(left, top, width, height);
  pen.fillStyle = colour(`--world-${k + 1}`);
  pen.beginPath();
  pen.arc(left + 1.4 * unit, top + 1.9 * unit, 0.4 * unit, 0, 7);
  pen.fill();
  pen.font = `600 ${1.2 * unit}px ${FONT}`;
  write(pen, methodName(run), left + 2.3 * unit, top + 2.3 * unit, "--ink", width - 3 * unit);
  pen.font = `${unit}px ${FONT}`;
  const gap = `worst gap ${si(run.report?.maxGap ?? 0, "m")} (${percent((run.report?.maxGap ?? 0) / run.length)})`;
  const words = run.failure ? `diverged at ${run.failure.time.toFixed(2)} s` : gap;
  write(pen, words, left + 2.3 * unit, top + 4 * unit, run.failure ? "--bad" : "--muted", width - 3 * unit);
}

function write(pen: CanvasRenderingContext2D, words: string, x: number, y: number, ink: string, most?: number): void {
  pen.fillStyle = colour(ink);
  pen.fillText(words, x, y, most);
}
