// Ranges of what links and hands may set.

type Range = readonly [number, number];

export const LIMITS = {
  /** Angle of the camera from the vertical, rad: never straight up or down, where "up" is lost. */
  polar: [0.05, Math.PI - 0.05],
  /** Distance of the camera from its target, m. */
  distance: [1e-4, 1e7],
  /** Each coordinate of the target, m. */
  target: [-1e9, 1e9],
  /** Width and height of a picture, pixels: what canvases of all browsers can have. */
  pixels: [1, 16384],
  /** How much nearer. */
  zoom: [0.01, 1000],
  /** Time step, s; zero not included. */
  step: [0, 1],
} as const satisfies Record<string, Range>;

export function clamp(x: number, [low, high]: Range): number {
  return Math.min(Math.max(x, low), high);
}
