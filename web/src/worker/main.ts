// The worker of one world: loads the engine, does what the page asks for, and sends back frames.

import type { initSync, scenes, choices, version, Sim } from "../../pkg/taut_web";
import { message, type Choices, type SceneInfo } from "../engine";
import type { Call, Calls, Catalogue, Frame, Reply, Request, Source } from "../messages";
import { World } from "./world";

interface Engine {
  initSync: typeof initSync;
  scenes: typeof scenes;
  choices: typeof choices;
  version: typeof version;
  Sim: typeof Sim;
}

/** What a worker has for its page; the types of the page's own global scope are those of a window. */
const page = self as unknown as {
  onmessage: (event: MessageEvent<Request>) => void;
  postMessage(reply: Reply, transfer: Transferable[]): void;
};

let engine: Engine | null = null;
let world: World | null = null;

async function load(module: WebAssembly.Module): Promise<Catalogue> {
  const address = new URL("engine/taut_web.js", import.meta.url).href;
  engine = (await import(address)) as Engine;
  engine.initSync({ module });
  return {
    scenes: JSON.parse(engine.scenes()) as SceneInfo[],
    choices: JSON.parse(engine.choices()) as Choices,
    version: engine.version(),
  };
}

function make(source: Source, settings: string): Sim {
  if (!engine) throw new Error("the engine is not loaded: expected a call of load before");
  if ("file" in source) return engine.Sim.file(source.file, settings);
  return engine.Sim.scene(source.scene, JSON.stringify(source.params), settings);
}

function opened(): World {
  if (!world) throw new Error("no scene is open: expected a call of open before");
  return world;
}

/** What each call does. */
const CALLS: { [C in Call]: (says: Calls[C]["says"]) => Calls[C]["answers"] | Promise<Calls[C]["answers"]> } = {
  load: ({ module }) => load(module),
  open: ({ source, settings, watch }) => {
    world = new World(make(source, JSON.stringify(settings)), watch);
    world.past.keep();
    return world.opened;
  },
  step: ({ count, h }) => (opened().steps(count, h), null),
  watch: ({ watch }) => ((opened().watch = watch), null),
  input: ({ input }) => opened().input(input),
  configure: ({ settings }) => opened().configure(settings),
  back: ({ steps }) => (opened().back(steps), null),
  hash: () => opened().sim.hash(),
  saved: () => JSON.parse(opened().sim.saved()) as Calls["saved"]["answers"],
  rope: ({ rope }) => opened().rope(rope),
  record: ({ fps }) => (opened().sim.record(fps), null),
  recording: () => opened().sim.recording(),
  bare: ({ count, h }) => opened().bare(count, h),
};

/** Those after which nothing looks different. */
const QUIET: Call[] = ["load", "hash", "saved", "rope", "bare"];

page.onmessage = async ({ data: { id, call, says } }) => {
  const reply: Reply = { id, answer: null, frame: null, error: null };
  try {
    reply.answer = await (CALLS[call] as (says: unknown) => unknown)(says);
    if (!QUIET.includes(call)) reply.frame = opened().frame();
  } catch (thrown) {
    reply.error = message(thrown);
  }
  page.postMessage(reply, reply.frame ? buffers(reply.frame) : []);
};

/** The memory that goes to the page without being copied. */
function buffers(frame: Frame): Transferable[] {
  const arrays = [...Object.values(frame), ...(frame.shape?.meshes ?? []).flatMap((mesh) => Object.values(mesh) as unknown[])];
  return arrays.filter(ArrayBuffer.isView).map((array) => array.buffer as ArrayBuffer);
}
