// What cannot be seen in the world itself: joints, contacts and their forces, the centre of mass, the pull of the pointer.

import { Color, Group, Vector3 } from "three";
import type { Run } from "../run";
import type { Show } from "../show";
import { Arrows } from "./arrows";
import { tensionColour } from "./colours";
import { Dots } from "./dots";

export interface Measures {
  /** Size of a pixel where the camera looks, m. */
  pixel: number;
  /** Force drawn as `longest`, N. */
  force: number;
  /** Length of the longest force arrow, m. */
  longest: number;
  /** Tension at full colour, N. */
  tension: number;
}

const JOINT = new Color("#4b6a88");
const SELECTED = new Color("#ffffff");
const CONTACT = new Color("#e23d6d");
const CENTRE = new Color("#111820");
const CENTRE_RING = new Color("#ffd23f");

export class Overlays {
  readonly group = new Group();
  private readonly dots = new Dots();
  private readonly jointForces = new Arrows("#3b82c4");
  private readonly contactForces = new Arrows("#e23d6d");
  private readonly pull = new Arrows("#16a394");
  private readonly point = new Vector3();
  private readonly vector = new Vector3();
  private readonly colour = new Color();

  constructor(private readonly run: Run) {
    this.group.add(this.dots.mesh, this.jointForces.group, this.contactForces.group, this.pull.group);
  }

  update(show: Show, joint: number | null, m: Measures): void {
    this.dots.begin();
    this.jointForces.begin();
    this.contactForces.begin();
    this.pull.begin();
    if (show.joints || joint !== null) this.joints(show, joint, m);
    if (show.contacts) this.contacts(m);
    if (show.centre) this.centre(m);
    this.grabbed(m);
    this.dots.end();
    this.jointForces.end();
    this.contactForces.end();
    this.pull.end();
  }

  private joints(show: Show, selected: number | null, m: Measures): void {
    const values = this.run.frame.joints;
    for (let k = 0; 8 * k < values.length; k++) {
      if (!show.joints && k !== selected) continue;
      this.point.fromArray(values, 8 * k);
      if (show.tension && m.tension > 0) tensionColour(values[8 * k + 7]! / m.tension, this.colour);
      else this.colour.copy(JOINT);
      if (k === selected) this.dots.add(this.point, 6.5 * m.pixel, SELECTED);
      this.dots.add(this.point, (k === selected ? 4.5 : 3) * m.pixel, this.colour);
      this.vector.fromArray(values, 8 * k + 3).multiplyScalar(m.longest / m.force);
      this.jointForces.add(this.point, this.vector, 1.1 * m.pixel);
    }
  }

  private contacts(m: Measures): void {
    const values = this.run.frame.contacts;
    for (let k = 0; 7 * k < values.length; k++) {
      this.point.fromArray(values, 7 * k);
      this.dots.add(this.point, 3.2 * m.pixel, CONTACT);
      this.vector.fromArray(values, 7 * k + 3).multiplyScalar(m.longest / m.force);
      this.contactForces.add(this.point, this.vector, 1.1 * m.pixel);
    }
  }

  private centre(m: Measures): void {
    this.point.fromArray(this.run.frame.centre);
    this.dots.add(this.point, 8 * m.pixel, CENTRE_RING);
    this.dots.add(this.point, 5 * m.pixel, CENTRE);
  }

  /** From the point held to where the pointer pulls it. */
  private grabbed(m: Measures): void {
    const values = this.run.frame.grabbed;
    if (values.length < 9) return;
    this.point.fromArray(values);
    this.vector.fromArray(values, 3).sub(this.point);
    this.pull.add(this.point, this.vector, 1.8 * m.pixel);
    this.dots.add(this.point, 4 * m.pixel, PULL);
  }

  dispose(): void {
    this.dots.dispose();
    this.jointForces.dispose();
    this.contactForces.dispose();
    this.pull.dispose();
  }
}

const PULL = new Color("#16a394");
