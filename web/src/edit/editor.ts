// Edits a scene file: every change is built by the engine before it is taken, and what the engine refuses is not taken.

import type { Quaternion, Vector3 } from "three";
import type { Session } from "../session";
import { Document, pathOf, remove, rename, runnable, type List, type Part } from "./document";
import { items, pathText, put, type Item, type Json, type Path } from "./json";
import { BODIES, JOINTS } from "./kinds";
import { moveBody, point, turnBody } from "./move";

/** A floor and nothing else. */
export const EMPTY: Item = {
  taut: 1,
  name: "my-scene",
  settings: { gravity: [0, -9.81, 0] },
  bodies: [],
  joints: [],
  forces: [],
  ground: { colliders: [{ name: "floor", shape: { type: "half-space" }, material: { friction: 0.5 } }] },
  outputs: { dt: 0.01, time: 10 },
};

/** An end of a joint: a body, or the ground, at a point, m. */
export interface End {
  body: string;
  at: Vector3;
}

export class Editor {
  document = new Document(EMPTY);
  chosen: Part | null = null;
  /** Told after every change of the document or of what is chosen. */
  changed: () => void = () => {};
  /** Told what the engine refuses; nothing when it took the last change. */
  refused: (why: string) => void = () => {};
  private work: Promise<unknown> = Promise.resolve();

  constructor(readonly session: Session) {}

  /** Opens a document; the old one stays when the engine refuses it. */
  async open(value: Item): Promise<boolean> {
    if (!(await this.build(value))) return false;
    this.document = new Document(value);
    this.choose(null);
    return true;
  }

  async openText(text: string): Promise<boolean> {
    try {
      return await this.open(JSON.parse(text) as Item);
    } catch (thrown) {
      this.refused(`This is no JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      return false;
    }
  }

  /** What is shown becomes the document: a scene file as it is, a scene of the library as the engine saves it. Says what that leaves out. */
  async take(): Promise<string[]> {
    const { session } = this;
    session.play(false);
    if (session.file) return (await this.openText(session.file.text), []);
    if (session.steps > 0) await session.again(session.params, [session.run.settings]);
    const { text, warnings } = await session.run.remote.call("saved", {});
    await this.openText(text);
    return warnings;
  }

  /** One change after the other; says whether the engine took it. */
  change(what: (copy: Item) => void): Promise<boolean> {
    const done = this.work.then(async () => {
      const next = this.document.changed(what);
      if (!(await this.build(next))) return false;
      this.document.accept(next);
      this.show();
      return true;
    });
    this.work = done.catch(() => {});
    return done;
  }

  async step(back: boolean): Promise<void> {
    await this.work;
    if (back) this.document.undo();
    else this.document.redo();
    await this.build(this.document.value);
    this.show();
  }

  /** Builds what is edited anew: the start, with nothing in motion. */
  async restart(): Promise<void> {
    await this.build(this.document.value);
    this.show();
  }

  async addBody(kind: string, at: Vector3): Promise<void> {
    const { word, make } = BODIES[kind]!;
    const name = this.document.free("bodies", word);
    const { type, ...rest } = make();
    const body: Item = { type: type!, name, position: point(at), ...rest };
    await this.add("bodies", body);
  }

  async addJoint(kind: string, first: End, second: End): Promise<void> {
    const { word, list, two, own } = JOINTS[kind]!;
    const ends = first.body === "ground" ? [second, first] : [first, second];
    const place: Item = two ? { points: ends.map((end) => point(end.at)) } : { point: point(second.at) };
    await this.add(list, { type: kind, name: this.document.free(list, word), bodies: ends.map((end) => end.body), ...place, ...own });
  }

  private async add(list: List, item: Item): Promise<void> {
    const index = items(this.document.value[list]).length;
    const added = await this.change((copy) => void (copy[list] = [...items(copy[list]), item]));
    if (added) this.choose({ list, index });
  }

  async set(path: Path, to: Json | undefined): Promise<void> {
    const part = this.chosen;
    const whole = [...(part ? pathOf(part) : []), ...path];
    const named = part?.list === "bodies" && path[0] === "name" ? this.document.part(part)?.["name"] : undefined;
    await this.change((copy) => {
      put(copy, whole, to);
      if (typeof named === "string" && typeof to === "string") Object.assign(copy, rename(copy, named, to));
    });
  }

  async remove(): Promise<void> {
    const part = this.chosen;
    if (part && (await this.change((copy) => remove(copy, part)))) this.choose(null);
  }

  async move(body: string, by: Vector3): Promise<void> {
    await this.onBody(body, (copy, item) => moveBody(copy, item, by));
  }

  async turn(body: string, by: Quaternion): Promise<void> {
    await this.onBody(body, (_, item) => turnBody(item, by));
  }

  private async onBody(name: string, what: (copy: Item, item: Item) => void): Promise<void> {
    const taken = await this.change((copy) => {
      const item = items(copy["bodies"]).find((one) => one["name"] === name);
      if (item) what(copy, item);
    });
    // What was drawn where it may not be goes back.
    if (!taken) await this.build(this.document.value, false);
  }

  choose(part: Part | null): void {
    this.chosen = part && this.document.part(part) ? part : null;
    this.show();
  }

  chooseBody(name: string): void {
    const index = items(this.document.value["bodies"]).findIndex((body) => body["name"] === name);
    this.choose(index < 0 ? null : { list: "bodies", index });
  }

  /** Names of the bodies. */
  get names(): string[] {
    return items(this.document.value["bodies"]).map((body) => String(body["name"]));
  }

  /** The place of what is chosen, as the engine writes it. */
  get place(): string {
    return this.chosen ? pathText(pathOf(this.chosen)) : "";
  }

  /** What is chosen is also what the page selects. */
  private show(): void {
    const { session, chosen } = this;
    if (chosen && !this.document.part(chosen)) this.chosen = null;
    const name = this.chosen ? this.document.part(this.chosen)?.["name"] : null;
    const find = (list: { name: string }[]) => {
      const k = name ? list.findIndex((one) => one.name === name) : -1;
      return k < 0 ? null : k;
    };
    const { bodies, joints } = session.run.drawing;
    session.select(this.chosen?.list === "bodies" ? find(bodies) : null, this.chosen?.list === "joints" ? find(joints) : null);
    this.changed();
  }

  /** Has the engine build a document; what it says goes to the one who edits. */
  private async build(value: Item, tell = true): Promise<boolean> {
    const { session } = this;
    session.play(false);
    const complain = session.complain;
    let why = "";
    session.complain = (words) => void (why = words || why);
    try {
      const name = `${typeof value["name"] === "string" && value["name"] !== "" ? value["name"] : "scene"}.json`;
      const built = await session.openFile({ name, text: runnable(value) }, [session.run.settings]);
      if (tell) this.refused(built ? "" : why);
      return built;
    } finally {
      session.complain = complain;
    }
  }
}
