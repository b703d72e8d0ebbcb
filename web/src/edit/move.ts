// Moves and turns a body of a document, with what is said of it in coordinates of the world.

import { Quaternion, Vector3 } from "three";
import { at, isItem, items, put, vector, type Item } from "./json";

/** So many digits that text stays readable. */
export function tidy(x: number): number {
  return Number(x.toPrecision(6)) || 0;
}

export function point(v: Vector3): number[] {
  return v.toArray().map((x) => Number(x.toFixed(4)) || 0);
}

/** A body goes by so much, and with it the points of joints that it is the first body of, and its own ends of rods, ropes and springs. */
export function moveBody(value: Item, body: Item, by: Vector3): void {
  const shifted = (from: number[]) => point(new Vector3().fromArray(from).add(by));
  body["position"] = shifted(vector(body["position"]));
  for (const held of [...items(value["joints"]), ...items(value["forces"])]) {
    const names = held["bodies"];
    if (!Array.isArray(names)) continue;
    if (names[0] === body["name"] && Array.isArray(held["point"])) held["point"] = shifted(vector(held["point"]));
    names.forEach((name, k) => {
      const end = at(held, ["points", k]);
      if (name === body["name"] && Array.isArray(end)) put(held, ["points", k], shifted(vector(end)));
    });
  }
}

/** A body turns about its own place; its rotation is said as an axis and an angle. */
export function turnBody(body: Item, by: Quaternion): void {
  const now = by.clone().multiply(rotationOf(body)).normalize();
  if (now.w < 0) now.set(-now.x, -now.y, -now.z, -now.w);
  const sine = Math.sqrt(Math.max(0, 1 - now.w * now.w));
  const degrees = (2 * Math.atan2(sine, now.w) * 180) / Math.PI;
  const axis = sine > 1e-9 ? [now.x / sine, now.y / sine, now.z / sine].map(tidy) : [0, 1, 0];
  body["rotation"] = { axis, degrees: Number(degrees.toFixed(2)) };
}

function rotationOf(body: Item): Quaternion {
  const { rotation } = body;
  if (isItem(rotation)) {
    const axis = new Vector3().fromArray(vector(rotation["axis"], [0, 1, 0])).normalize();
    return new Quaternion().setFromAxisAngle(axis, (Number(rotation["degrees"] ?? 0) * Math.PI) / 180);
  }
  return new Quaternion().fromArray(vector(rotation, [0, 0, 0, 1]));
}
