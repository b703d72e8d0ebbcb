// The scenes of the gallery in groups, with names that tell what one sees.

const GROUPS: [string, [string, string][]][] = [
  [
    "Cranes and ropes",
    [
      ["crane", "Crane with a dropped load"],
      ["operated-crane", "Crane to operate"],
      ["mobile-crane", "Mobile crane at work"],
      ["crane-boom", "Boom under load"],
      ["crane-landing", "Load set down hard"],
      ["wrecking-ball", "Wrecking ball"],
      ["elevator", "Lift with counterweight"],
      ["ski-lift", "Ski lift"],
      ["capstan", "Capstan"],
      ["cable-robot", "Platform led by eight ropes"],
      ["sailing-boat", "Sailing boat"],
      ["rope-access", "Platform on six ropes"],
      ["anchor-handling", "Anchor at sea"],
      ["tug-tow", "Tug and tow line"],
      ["tow", "Tow rope"],
      ["snatch", "Rope that snaps taut"],
      ["chain", "Heavy load on a light chain"],
    ],
  ],
  [
    "Machines",
    [
      ["strong-robot", "Robot that holds a vehicle"],
      ["robot-gripper", "Gripper"],
      ["scissor-lift", "Scissor lift"],
      ["bicycle-chain", "Bicycle chain"],
      ["fourbar", "Four-bar linkage"],
      ["fivebar", "Five-bar linkage"],
      ["bricard", "Bricard's ring"],
      ["umbrella", "Umbrella"],
      ["newton-cradle", "Newton's cradle"],
      ["spinning-body", "Spinning body"],
      ["bow", "Bow and arrow"],
      ["assembly", "Cage put together"],
      ["bridge-truck", "Lorry on a bridge"],
      ["corkscrew", "Corkscrew"],
      ["catheter", "Catheter"],
    ],
  ],
  [
    "Characters",
    [
      ["ragdoll", "Ragdoll on a vine"],
      ["ragdoll-pile", "Heap of ragdolls"],
      ["ragdolls", "Many ragdolls"],
      ["muscle", "Muscle"],
      ["knee", "Knee under test"],
      ["creatures", "Soft creatures"],
    ],
  ],
  [
    "Structures",
    [
      ["bridge", "Cable-stayed bridge"],
      ["tree", "Tree"],
      ["tree-springs", "Tree with springs"],
      ["tree-springs-alternate", "Tree with springs, other joints"],
      ["ladder", "Ladder of loops"],
      ["lattice", "Lattice of rods"],
      ["net", "Net of bodies"],
      ["rigid-chain", "Chain of rigid joints"],
    ],
  ],
  [
    "Soft bodies",
    [
      ["cloth", "Cloth"],
      ["stvk-cloth", "Cloth that stretches"],
      ["flag", "Flag in gusts"],
      ["trampoline", "Trampoline"],
      ["heavy-on-soft", "Heavy ball on a soft bar"],
      ["soft-cantilever", "Soft beam"],
      ["beam-vibration", "Beam that swings"],
      ["soft-finger", "Soft finger"],
      ["anisotropic-quads", "Sheet with fibres"],
      ["incompressible-cube", "Rubber cube that bulges"],
    ],
  ],
  [
    "Contact",
    [
      ["box-stack", "Heavy box on light ones"],
      ["yard", "Yard full of boxes"],
      ["bouncing-balls", "Bouncing balls"],
      ["friction-ramp", "Friction on a ramp"],
      ["shots", "Shots at a thin wall"],
      ["rod-on-cylinder", "Rod over a cylinder"],
    ],
  ],
  [
    "From the papers",
    [
      ["pendulum-cable", "Load that swings on a cable"],
      ["particle-cable", "Cable of particles"],
      ["thin-wire", "Thin wire"],
      ["cable-table1", "Cable of table 1"],
      ["cable-vibration", "Cable that vibrates"],
      ["cable-torsion", "Cable that is twisted"],
    ],
  ],
];

/** Where what is in no group goes. */
export const OTHER = "More";

export const GROUP_NAMES = [...GROUPS.map(([name]) => name), OTHER];

const KNOWN = new Map(GROUPS.flatMap(([group, scenes]) => scenes.map(([scene, title], k) => [scene, { group, title, place: k }] as const)));

export function groupOf(scene: string): string {
  return KNOWN.get(scene)?.group ?? OTHER;
}

/** The name that tells what one sees. */
export function titleOf(scene: string): string | undefined {
  return KNOWN.get(scene)?.title;
}

/** Its place in its group. */
export function placeOf(scene: string): number {
  return KNOWN.get(scene)?.place ?? Infinity;
}
