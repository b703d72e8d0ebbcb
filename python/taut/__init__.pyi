"""Types and descriptions of the Taut package. Units are SI; angles are in radians."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt
import pandas
from typing_extensions import Unpack

from . import rerun as rerun
from . import soft as soft
from ._errors import AssemblyError as AssemblyError
from ._errors import BusyError as BusyError
from ._errors import Error as Error
from ._errors import FileError as FileError
from ._errors import HandleError as HandleError
from ._errors import InputError as InputError
from ._errors import PairingError as PairingError
from ._errors import StepError as StepError
from ._errors import UnbalancedError as UnbalancedError

__version__: str

Array = npt.NDArray[np.float64]
ArrayLike = npt.ArrayLike
Numbers = Sequence[float] | Array
Vec3 = Sequence[float] | Array
"""Three numbers."""
Quaternion = Sequence[float] | Array
"""A unit quaternion, (x, y, z, w)."""
Matrix = Sequence[Sequence[float]] | Array
Freedom = str
"""What a joint leaves free: turn, slide, shift-u, about-u, swing, twist, lean-nv, spin, rise, steer, length."""
Nodes = Sequence[int] | Callable[[Array], bool]
"""Nodes of a mesh by their numbers, or by a function of where they rest."""

class _Options(TypedDict, total=False):
    gravity: Vec3
    coordinates: str
    stabiliser: str
    solver: str
    resolved: bool
    minres_iterations: int
    minres_tolerance: float
    bounded: str
    bounded_tolerance: float
    sleep: bool
    parallel: bool

class _BodyWords(TypedDict, total=False):
    at: Vec3
    rotated: Quaternion
    posed: Pose | tuple[Vec3, Quaternion]
    moving: tuple[Vec3, Vec3]
    damped: tuple[float, float]
    gravity_scale: float
    locked: Locks
    exposed: Exposure
    top_speed: tuple[float, float]
    disabled: bool
    collider: Collider
    user_data: int
    named: str

class _MaterialWords(TypedDict, total=False):
    elliptic: tuple[float, float, Vec3]
    soft: tuple[float, float]
    combined: str
    moving: Vec3

class _ColliderWords(TypedDict, total=False):
    on: BodyId
    at: Vec3
    rotated: Quaternion
    posed: Pose | tuple[Vec3, Quaternion]
    of: Material
    friction: float
    restitution: float
    grouped: tuple[int, int]
    sensing: bool
    disabled: bool
    user_data: int
    named: str

class _SpringWords(TypedDict, total=False):
    ends: tuple[Vec3, Vec3]
    stiffness: float
    damping: float
    rest_length: float
    named: str

class _CouplingWords(TypedDict, total=False):
    term: tuple[JointId, Freedom, float]
    ratio: float
    offset: float
    soft: Softness | tuple[float, float]
    named: str

class _ExposureWords(TypedDict, total=False):
    drag: float
    areas: Vec3
    added_mass: float
    viscous: tuple[float, float]

class _WaterWords(TypedDict, total=False):
    density: float
    current: Vec3
    wave: Wave

class _WindWords(TypedDict, total=False):
    density: float
    gusts: Gusts

class _SheaveWords(TypedDict, total=False):
    keeper: bool
    rope_diameter: float
    wraps: float
    stored: float
    capacity: float
    no_slip: bool
    efficiency: float
    friction: float
    held: Hold

class _WoundWords(TypedDict, total=False):
    turns: int

class _EdgeWords(TypedDict, total=False):
    friction: float
    outward: Vec3

class _ReevingWords(TypedDict, total=False):
    across: Edge
    touches: Groups
    collides: bool
    over: Sheave
    under: Sheave
    round: Wound
    through: tuple[BodyId, Vec3]
    through_held: tuple[BodyId, Vec3, Hold]
    to: tuple[BodyId, Vec3]
    to_drum: Wound
    slack: float
    stiffness: float
    torsion: float
    diameter: float
    thickness: float
    free_start: bool
    free_end: bool
    named: str
    grip: tuple[BodyId, Vec3]
    closed: bool

class _HeavyRopeWords(TypedDict, total=False):
    segment: float
    stored: float
    colliding: Collider
    diameter: float
    stiffness: float
    adaptive: bool
    named: str

class _WinchWords(TypedDict, total=False):
    inertia: float
    mass: float
    winding: Winding
    named: str

class _LimitWords(TypedDict, total=False):
    on: Freedom
    soft: Softness | tuple[float, float]
    bouncing: float

class _SpeedLimitWords(TypedDict, total=False):
    on: Freedom

class _MotorWords(TypedDict, total=False):
    on: Freedom
    limited: float
    pushing: float
    pulling: float
    force_range: tuple[float, float]
    target: float
    speed: float
    named: str

class _FrictionWords(TypedDict, total=False):
    on: Freedom

class _JointWords(TypedDict, total=False):
    at: Vec3
    axis: Vec3
    across: Vec3
    ends: tuple[Vec3, Vec3]
    frames: tuple[Frame, Frame]
    linear: Softness | tuple[float, float]
    angular: Softness | tuple[float, float]
    length: float
    limit: tuple[float, float]
    stop: Limit
    stops: Sequence[Limit]
    motor: Motor
    motors: Sequence[Motor]
    spring: tuple[float, float]
    spring_on: tuple[Freedom, float, float]
    friction: Friction | float
    armature: float
    speed_limit: SpeedLimit
    strength: Strength
    role: str
    turns: int
    disabled: bool
    user_data: int
    named: str

class _DeformableWords(TypedDict, total=False):
    skin: float
    surface: Material
    grouped: tuple[int, int]
    sensing: bool
    at: Vec3
    rotated: Quaternion
    posed: Pose | tuple[Vec3, Quaternion]
    moving: tuple[Vec3, Vec3]
    shaped: Sequence[Vec3]
    held: Nodes
    bound: tuple[BodyId, Nodes]
    strength: float
    remembering: Numbers
    named: str
    user_data: int

def run(world: World, time: float | None = None, h: float | None = None, follow: Sequence[Any] | None = None, watch: Callable[[World, StepReport], dict[str, float] | None] | None = None) -> pandas.DataFrame:
    """Runs a world and returns a pandas frame with a row for every step. `time` (s) and `h` (s) default to what the
    scene says, 10 s and 1/60 s where none does. `follow` names bodies, joints, motors and ropes, by name or handle,
    that get columns of their own; without it the body that the scene follows has. `watch(world, report)` is called
    after each step and may return a dictionary of further columns; it may act on the world for the next step. The
    frame ends early when an event of the scene has stopped the run.
    """

def sweep(
    scene: str | PathLike[str] | World,
    vary: Mapping[str, str | Sequence[Any] | Array] | None = None,
    *,
    set: Mapping[str, float | str | bool] | None = None,
    seeds: int | range | None = None,
    kick: float | None = None,
    dt: float | None = None,
    time: float | None = None,
    signals: Sequence[str] | None = None,
    out: str | PathLike[str] | None = None,
    overwrite: bool = False,
    client: Any = None,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> pandas.DataFrame:
    """Runs a scene with all combinations of some values, and returns a pandas frame with a row for every run.

    `scene` is the name of a scene of the library, the path of a scene file, or a world that has not been stepped. `vary`
    maps names to values: a name is a parameter of the scene, `dt`, `time`, `stabiliser`, `solver` and so on, or a place in
    a scene file such as `bodies.load.mass`; values are a list or an array, or a text as on the command line:
    `"log:1:1e6:7"`, `"lin:0:10:5"`, `"uniform:0.8:1.2"`, `"normal:1:0.05"`, `"seed"`. `set` is the same in all runs.
    `seeds` is a number of perturbed starts of every combination, or a range; `kick` is the standard deviation of the
    velocities that they add, m/s. `signals` lists names of joints, motors, ropes and bodies whose least, largest, mean and
    last values are told; an empty list stands for all. `dt` (s) and `time` (s) default to those of the scene. With `out`,
    a path that ends in .parquet or .csv, the same call goes on after a kill; `overwrite` begins anew. `client` runs the
    tasks elsewhere: a Dask client, the module `ray`, or a `concurrent.futures.Executor`; without it they run on `workers`
    threads. The rows are the same to the last bit wherever they run. `progress(done, total)` is called after each run.
    """

def fmu(
    scene: str | PathLike[str] | World,
    output: str | PathLike[str] | None = None,
    *,
    fmi: int = 3,
    set: Mapping[str, float | str | bool] | None = None,
    dt: float | None = None,
    signals: Sequence[str] | None = None,
    list: bool = False,
    library: str | PathLike[str] | None = None,
) -> Sequence[FmuVariable]:
    """Writes a scene as an FMU for co-simulation, and returns its variables.

    `scene` is the name of a scene of the library, the path of a scene file, or a world that a scene file can hold. `output`
    is the FMU to write; without it that is the name of the scene with .fmu, in this folder. A file that is there is written
    over. `fmi` is the version of FMI, 2 or 3. `set` maps parameters of the scene, or places of a scene file such as
    `bodies.load.mass`, to values. `dt` is the internal step (s), by default the scene's own. `signals` lists the names of
    what has variables: joints, motors, ropes, bodies, springs, deformables; without it that is all that `taut run --signals`
    shows. With `list` nothing is written.

    `library` is the shared library of the crate taut-c, which goes into the FMU. Without it, it is what the environment
    variable TAUT_FMU_LIBRARY names, else the one beside this package.
    """

class View:
    """A recorded run. In a notebook the last value of a cell shows it; `open()` shows it in the browser, `save(path)`
    keeps it.
    """

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the page."""

    def open(self) -> str:
        """Shows it in the browser, and returns the path of the page."""

def scene(name: str, **parameters: Any) -> World:
    """Builds a scene of the library."""

def scenes() -> list[Record]:
    """What is in the library."""

def load(
    path: str | PathLike[str],
    *,
    free_base: bool = ...,
    self_contacts: bool = ...,
    no_contacts: bool = ...,
    balance_inertia: bool = ...,
    keyframe: str | None = ...,
) -> World:
    """Builds the world of a scene file, or of a model of another program: URDF (`.urdf`) or MJCF (`.xml`, `.mjcf`). Of a model, what
    changes the motion and is not taken over is told as warnings. The other arguments are for models: the root of a URDF moves freely; its
    links touch each other; nothing touches anything; moments of inertia that no body has are replaced; the keyframe to start from."""

def loads(text: str, folder: str | PathLike[str] = ...) -> World:
    """Builds the world of the text of a scene file; `folder` is where the files lie that it names."""

def memory_limit() -> int:
    """Most memory that a world may take, bytes."""

def set_memory_limit(bytes: int) -> None:
    """Sets the most memory that a world may take, bytes."""

class Record:
    """A named bundle of values that cannot be changed: a report, an event, a hit, a ledger."""

    def to_dict(self) -> dict[str, Any]:
        """All of it as a dictionary, records inside it too."""

    def __getattr__(self, name: str) -> Any: ...
    def __getitem__(self, name: str) -> Any: ...

class StepReport(Record):
    """The report of one step."""

    @property
    def time(self) -> float:
        """Time after the step, s."""

    @property
    def energy(self) -> Energy:
        """Energies after the step."""

    @property
    def ledger(self) -> Ledger:
        """Where energy went."""

    @property
    def max_gap(self) -> float:
        """Largest opening of a rigid joint, m, and the joint."""

    @property
    def max_gap_joint(self) -> JointId | None:
        """The joint with the largest opening."""

    @property
    def sum_gap(self) -> float:
        """Sum of the openings of all rigid joints, m."""

    @property
    def max_angle(self) -> float:
        """Largest angular error of a rigid row, rad."""

    @property
    def solves(self) -> int:
        """Most solves (factorisations) of any island."""

    @property
    def factorisations(self) -> int:
        """Factorisations in all islands."""

    @property
    def right_hand_sides(self) -> int:
        """Right-hand sides solved in all islands."""

    @property
    def refinements(self) -> int:
        """Refinements of solutions."""

    @property
    def iterations(self) -> int:
        """Iterations of an iterative solver."""

    @property
    def residual(self) -> float:
        """Worst relative residual; on trees it is looked at in every eighth step and zero in the others."""

    @property
    def path(self) -> str:
        """The solver that ran."""

    @property
    def is_tree(self) -> bool:
        """Whether the graph of joints is a tree (no loop rows, no fill)."""

    @property
    def panels(self) -> int:
        """Islands with so much fill that they are factorised by dense panels; the others go block by block."""

    @property
    def islands(self) -> int:
        """Islands, and how many ran wholly in the resolved regime."""

    @property
    def resolved_islands(self) -> int:
        """Islands with share 1 of the resolved regime."""

    @property
    def snapped_islands(self) -> int:
        """Islands whose loops snapped taut: they were closed beyond the linearised rows, at a loss (reduced
        coordinates).
        """

    @property
    def dropped_rows(self) -> int:
        """Rows dropped as redundant in this step."""

    @property
    def redundant_joints(self) -> int:
        """Joints ever found redundant."""

    @property
    def smallest_pivot(self) -> float:
        """Smallest pivot of a loop row relative to its mobility; infinite without loops."""

    @property
    def bounded(self) -> BoundedReport:
        """Limits, ropes, bounded motors, friction and contacts."""

    @property
    def parts(self) -> int:
        """Parts in which the step was taken: more than one where elements of deformables turned far within it."""

    @property
    def soft_error(self) -> float:
        """Largest error of the quadratic model of the elements of a deformable, in parts of the energy at play."""

    @property
    def guarded_islands(self) -> int:
        """Islands with deformables that fell back to backward Euler."""

    @property
    def anytime(self) -> Record | None:
        """What the structured solver reached and spent; none with other solvers."""

    @property
    def conflicts(self) -> list[Record]:
        """Rows that contradict each other, in a fixed order: motors that drive into each other, welds that were built
        apart, driven bodies that pull a taut chain. What they want cannot be had; the world goes on without it.
        """

    @property
    def events(self) -> list[Record]:
        """What happened, in a fixed order."""

class Energy(Record):
    """Energies, J."""

    @property
    def kinetic(self) -> float:
        """Of motion."""

    @property
    def gravity(self) -> float:
        """Of height, zero at the origin; centred in time."""

    @property
    def elastic(self) -> float:
        """Of compliant rows and springs; centred in time."""

    @property
    def total(self) -> float:
        """The sum, J."""

class Ledger(Record):
    """Where the energy of a step came from (positive) and went (negative), J."""

    @property
    def change(self) -> float:
        """Change of the total energy."""

    @property
    def work(self) -> float:
        """Work of applied forces, motors, mouse springs, driven bodies, water and wind."""

    @property
    def damping(self) -> float:
        """Body damping, dampers of springs, rows and couplings, friction in joints, drag in water and wind, bounds of
        speed, free ends of ropes that are drawn in.
        """

    @property
    def stabiliser(self) -> float:
        """The stabiliser."""

    @property
    def constraints(self) -> float:
        """Rows, limits, ropes, couplings and springs beyond the energy they store: shocks, linearisation, implicit
        integration.
        """

    @property
    def contacts(self) -> float:
        """Contacts: impacts, friction, moving surfaces."""

    @property
    def elements(self) -> float:
        """Elements of deformables beyond the energy they store and what their damping takes: implicit integration."""

    @property
    def plastic(self) -> float:
        """Work of deformables that yield."""

    @property
    def broken(self) -> float:
        """Energy that broken joints held, what acted across tears in deformables, and what the stretch of ropes held
        that were cut or let go since the last step.
        """

    @property
    def fed(self) -> float:
        """Energy of rope that has run in from a drum or a locker, or out; what a locker's chain loses when it is picked
        up is in it. So is that of the particles at free ends of ropes, which come and go with these.
        """

    @property
    def merged(self) -> float:
        """Change of energy where pieces of a running rope are divided or joined, and where a free end has passed a
        guide.
        """

    @property
    def integration(self) -> float:
        """Gyroscopic term, rotation of the inertia, gravity against the centred potential (removal of penetration with
        it).
        """

    @property
    def imbalance(self) -> float:
        """change - (all of the above): rounding and the residual of the solve."""

class BoundedReport(Record):
    """What bounded rows (limits, ropes, bounded motors, joint friction, contacts) took in a step."""

    @property
    def candidates(self) -> int:
        """Rows that could have acted (three per contact), and those in the solve."""

    @property
    def rows(self) -> int:
        """Rows in the solve."""

    @property
    def largest(self) -> int:
        """Rows of the largest cluster."""

    @property
    def clusters(self) -> int:
        """Clusters: islands joined by bounded rows."""

    @property
    def contacts(self) -> int:
        """Contact points that push."""

    @property
    def residual(self) -> float:
        """Largest residual of the natural map, in the units of `Options.bounded_tolerance`: m/s (rad/s) on Earth."""

    @property
    def joint_residual(self) -> float:
        """Largest velocity by which the rows of joints in clusters miss what was asked of them, m/s (rad/s)."""

    @property
    def overrun(self) -> float:
        """Largest excess of rigid ropes and limits of length at the end of the step, m."""

    @property
    def overrun_sum(self) -> float:
        """Sum of all such excesses of lengths, m."""

    @property
    def overrun_angle(self) -> float:
        """Largest excess of rigid limits of angle at the end of the step, rad."""

    @property
    def coupling(self) -> float:
        """Largest error of a rigid coupling at the end of the step, as the angle (rad) or the part of its smaller body's
        size by which one of its freedoms alone would be off. It stays open where motors or other couplings pull
        against it.
        """

    @property
    def solves(self) -> int:
        """Solves of all clusters: one per pass and per look at the second order."""

    @property
    def iterations(self) -> int:
        """Newton steps, pivots or conjugate gradient steps."""

    @property
    def sweeps(self) -> int:
        """Sweeps over all rows."""

    @property
    def unconverged(self) -> int:
        """Clusters whose result did not reach the tolerance."""

    @property
    def hurried(self) -> int:
        """Heaps in motion, which are swept within a budget and are not asked to reach it; `residual` says how far they
        came. Joints are exact all the same.
        """

    @property
    def convex(self) -> int:
        """Clusters where the convex law stood in for Coulomb's: sliding contacts are lifted a little."""

    @property
    def penetration(self) -> float:
        """Deepest penetration of rigid contacts at the start of the step, m."""

class FmuVariable(Record):
    """A variable of an FMU."""

    @property
    def name(self) -> str:
        """Such as `motor.slew.set_rate`."""

    @property
    def role(self) -> str:
        """time, parameter, input, output or local."""

    @property
    def type(self) -> str:
        """real, boolean or text."""

    @property
    def unit(self) -> str:
        """Of a number; empty for none."""

    @property
    def start(self) -> float:
        """What parameters and inputs are at first; a boolean is 1 or 0."""

    @property
    def description(self) -> str:
        """What it is."""

class RayHit(Record):
    """Where a ray meets a collider."""

    @property
    def collider(self) -> ColliderId:
        """The collider."""

    @property
    def body(self) -> BodyId:
        """Its body."""

    @property
    def point(self) -> Array:
        """World point, m."""

    @property
    def normal(self) -> Array:
        """Unit normal of the surface, against the ray."""

    @property
    def distance(self) -> float:
        """Distance from the origin of the ray, m; zero if it begins inside."""

class ContactView(Record):
    """A contact point of the last step."""

    @property
    def colliders(self) -> tuple[ColliderId, ColliderId]:
        """The colliders, a and b."""

    @property
    def bodies(self) -> tuple[BodyId, BodyId]:
        """Their bodies."""

    @property
    def point(self) -> Array:
        """Where it was when the step began, world, m."""

    @property
    def normal(self) -> Array:
        """Unit vector from b to a."""

    @property
    def distance(self) -> float:
        """How far the surfaces were apart along the normal when the step began, m; negative in each other."""

    @property
    def force(self) -> Array:
        """Force on the body of a, N."""

class Size(Record):
    """How large a world is."""

    @property
    def bodies(self) -> int:
        """Bodies and particles with unknowns."""

    @property
    def rows(self) -> int:
        """Constraint rows."""

    @property
    def bounded(self) -> int:
        """Bounded rows of joints (limits, ropes, friction, bounded motors) and couplings; contacts come and go."""

    @property
    def unknowns(self) -> int:
        """Unknowns of the linear system."""

    @property
    def islands(self) -> int:
        """Independent systems."""

    @property
    def fill_blocks(self) -> int:
        """Blocks of the factor that are fill."""

    @property
    def factor_values(self) -> int:
        """Values of the factor that are stored: entries, fill and the zeros of dense panels."""

    @property
    def operations(self) -> float:
        """Multiplications and additions of one factorisation."""

    @property
    def bytes(self) -> int:
        """Bytes of state, layout and desk."""

class Efforts(Record):
    """What joints push with, and what loops then carry."""

    @property
    def efforts(self) -> list[Effort]:
        """Efforts of the joints, in the order they were asked for."""

    @property
    def loop_forces(self) -> Array:
        """Forces of the loop rows, N or N m, in the order of `Dynamics.loop_rows`; tension of rods and ropes is
        negative.
        """

class Effort(Record):
    """What one freedom of a joint pushes with."""

    @property
    def joint(self) -> JointId:
        """The joint."""

    @property
    def freedom(self) -> int:
        """Which of its freedoms, as in `super.Dof.index`; of a joint without a chart which motor."""

    @property
    def name(self) -> str:
        """Its name for people."""

    @property
    def unit(self) -> str:
        """What the freedom is measured in."""

    @property
    def value(self) -> float:
        """Force or torque on body i of the joint, N or N m; body j takes the opposite."""

class Dof(Record):
    """One degree of freedom."""

    @property
    def joint(self) -> JointId | None:
        """The joint that it belongs to; none for the freedoms of a body that hangs on nothing."""

    @property
    def body(self) -> BodyId:
        """The body that the joint carries. A rate is always that of the joint's body i against its body j, and an effort
        acts on body i.
        """

    @property
    def index(self) -> int:
        """Which freedom of the joint: slides before turns, in the order of the axes U, V, N of body j. Of a free body
        the velocity of its centre of mass along x, y, z, then its angular velocity about x, y, z of the world.
        """

    @property
    def unit(self) -> str:
        """What it is measured in."""

    @property
    def name(self) -> str:
        """A name for people: that of the joint, such as "shoulder", with the freedom where there are several, such as
        "base x".
        """

class Wrench(Record):
    """Force and torque."""

    @property
    def force(self) -> Array:
        """Force, N."""

    @property
    def torque(self) -> Array:
        """Torque, N m."""

class AxialLock:
    """Nothing turns about an axis."""

    @staticmethod
    def between(i: BodyId, j: BodyId, **words: Unpack[_JointWords]) -> Joint:
        """Nothing turns about an axis."""

class Ball:
    """A point of two bodies in common."""

    @staticmethod
    def between(i: BodyId, j: BodyId, **words: Unpack[_JointWords]) -> Joint:
        """A point of two bodies in common."""

class Batch:
    """Copies of a world."""

    def __init__(self, world: World, n: int, *, threads: int | None = None) -> None: ...

    @property
    def angular_velocities(self) -> Array:
        """Angular velocities of all bodies in the axes of the world, rad/s, a row each, of every world: the first index
        is the world. The same array each time; a world that lost or gained a row has NaN.
        """

    def apply_forces(self, forces: ArrayLike) -> None:
        """Pushes all bodies of all worlds at their centres in the next step: an array (worlds, bodies, 3), N."""

    def body_ids(self) -> list[BodyId]:
        """Handles of the rows of arrays of bodies: they hold in every world."""

    @property
    def hashes(self) -> list[int]:
        """Hashes of the motion of the worlds."""

    @property
    def joint_forces(self) -> Array:
        """Forces of all joints on their first bodies, N, a row each, of every world: the first index is the world. The
        same array each time; a world that lost or gained a row has NaN.
        """

    @property
    def joint_gaps(self) -> Array:
        """Openings of all joints, m, a number each, of every world: the first index is the world. The same array each
        time; a world that lost or gained a row has NaN.
        """

    @property
    def joint_tensions(self) -> Array:
        """Tensions of all joints, N, a number each, of every world: the first index is the world. The same array each
        time; a world that lost or gained a row has NaN.
        """

    @property
    def joint_torques(self) -> Array:
        """Torques of all joints on their first bodies, N m, a row each, of every world: the first index is the world.
        The same array each time; a world that lost or gained a row has NaN.
        """

    @property
    def motor_efforts(self) -> Array:
        """What all motors push with, N or N m, a number each, of every world: the first index is the world. The same
        array each time; a world that lost or gained a row has NaN.
        """

    @property
    def motor_positions(self) -> Array:
        """Positions of all motors, m or rad, a number each, of every world: the first index is the world. The same array
        each time; a world that lost or gained a row has NaN.
        """

    @property
    def motor_rates(self) -> Array:
        """Rates of all motors, m/s or rad/s, a number each, of every world: the first index is the world. The same array
        each time; a world that lost or gained a row has NaN.
        """

    @property
    def positions(self) -> Array:
        """Centres of mass of all bodies, m, a row each, of every world: the first index is the world. The same array
        each time; a world that lost or gained a row has NaN.
        """

    def restore(self, to: State | Snapshot, worlds: Sequence[int] | None = None) -> None:
        """Brings all worlds, or those of the list, back to a state or a snapshot of any of them."""

    def rollout(self, steps: int, h: float | None = None, *, targets: ArrayLike | None = None, rates: ArrayLike | None = None, record: Sequence[str] = ...) -> dict[str, Array]:
        """Takes so many steps with every world and returns a dictionary of arrays, (worlds, steps, ...), of what is
        recorded after each step. `targets` and `rates`, (worlds, steps, motors), command all motors before each step.
        """

    @property
    def rotations(self) -> Array:
        """Rotations of all bodies, a row (x, y, z, w) each, of every world: the first index is the world. The same array
        each time; a world that lost or gained a row has NaN.
        """

    def set_motors(self, targets: ArrayLike | None = None, rates: ArrayLike | None = None) -> None:
        """Commands all motors of all worlds: `targets` and `rates` are arrays (worlds, motors)."""

    def set_poses(self, positions: ArrayLike, rotations: ArrayLike) -> None:
        """Places all bodies of all worlds: arrays (worlds, bodies, 3) and (worlds, bodies, 4). Rows of fixed bodies are
        left out.
        """

    def set_velocities(self, velocities: ArrayLike, angular: ArrayLike) -> None:
        """Sets velocities and angular velocities of all bodies of all worlds: arrays (worlds, bodies, 3). Rows of fixed
        bodies are left out.
        """

    def step(self, h: float | None = None, steps: int = 1) -> None:
        """Takes so many steps of `h` seconds (default: those of the scene) with every world, on all threads and without
        the interpreter's lock. A world that fails stays as it was while the others go on; the error then names the
        failed ones in `worlds`.
        """

    @property
    def times(self) -> Array:
        """Times of the worlds, s."""

    @property
    def velocities(self) -> Array:
        """Velocities of the centres of all bodies, m/s, a row each, of every world: the first index is the world. The
        same array each time; a world that lost or gained a row has NaN.
        """

    def __len__(self) -> int: ...
    def __getitem__(self, k: int) -> World: ...

class Body:
    """A body as it is added to a world."""

    def at(self, pos: Vec3) -> Body:
        """Places the centre of mass, m."""

    def collider(self, collider: Collider) -> Body:
        """Gives it a collider; several may be given."""

    def damped(self, linear: float, angular: float) -> Body:
        """Sets the decay rates of linear and angular velocity, 1/s."""

    def disabled(self) -> Body:
        """Adds it switched off."""

    @staticmethod
    def dynamic(mass: MassProperties, **words: Unpack[_BodyWords]) -> Body:
        """A rigid body."""

    def exposed(self, exposure: Exposure) -> Body:
        """What water and wind see of it, in place of its colliders."""

    @staticmethod
    def fixed(**words: Unpack[_BodyWords]) -> Body:
        """A body that does not move."""

    def gravity_scale(self, scale: float) -> Body:
        """Sets how much of gravity it feels, no unit."""

    @staticmethod
    def kinematic(**words: Unpack[_BodyWords]) -> Body:
        """A body that the user moves."""

    def locked(self, locks: Locks) -> Body:
        """Keeps it from moving or turning in some directions of the world."""

    def moving(self, velocity: Vec3, angular_velocity: Vec3) -> Body:
        """Sets the start velocity (m/s) and angular velocity (rad/s, world frame)."""

    def named(self, name: str) -> Body:
        """Names the body, for reports, errors and `World.find_body`."""

    @staticmethod
    def particle(mass: float, **words: Unpack[_BodyWords]) -> Body:
        """A point mass, kg."""

    def posed(self, pose: Pose | tuple[Vec3, Quaternion]) -> Body:
        """Places the centre of mass at a pose that another world had, to the last bit: its rotation is not normalised
        again and must be of length 1 to 1e-12.
        """

    def rotated(self, rot: Quaternion) -> Body:
        """Orients the body."""

    @staticmethod
    def solid(shape: Shape, density: float, **words: Unpack[_BodyWords]) -> Body:
        """A rigid body of a shape and a density (kg/m^3), which collides with this shape."""

    def top_speed(self, linear: float, angular: float) -> Body:
        """How fast it can go, m/s, and turn, rad/s: something without weight holds it back from there on. Infinite where
        nothing does.
        """

    def user_data(self, data: int) -> Body:
        """A number of the user's own."""

class BodyId:
    """A body of a world."""

class BodyRef:
    """A body as it is now."""

    @property
    def angular_momentum(self) -> Array:
        """Angular momentum about its centre of mass, N m s."""

    @property
    def angular_velocity(self) -> Array:
        """Angular velocity, world frame, rad/s."""

    @property
    def colliders(self) -> list[ColliderId]:
        """Its colliders, in the order they were added."""

    @property
    def damping(self) -> None:
        """Decay rates of linear and angular velocity, 1/s."""

    @property
    def exposure(self) -> Record:
        """What water and wind see of it."""

    @property
    def gravity_scale(self) -> float:
        """How much of gravity it feels, no unit."""

    @property
    def id(self) -> BodyId:
        """Its handle."""

    @property
    def inertia(self) -> Array:
        """Inertia about its centre of mass along its own axes, kg m^2; zero for particles and bodies that do not move
        freely.
        """

    @property
    def is_asleep(self) -> bool:
        """Whether it sleeps."""

    @property
    def is_enabled(self) -> bool:
        """Whether it takes part."""

    @property
    def is_free(self) -> bool:
        """Whether it moves by the equations of motion."""

    @property
    def kinetic_energy(self) -> float:
        """Kinetic energy, J."""

    @property
    def load(self) -> None:
        """Force (N) and torque about its centre of mass (N m), world axes, that it was given for the next step."""

    @property
    def locks(self) -> Record:
        """Directions of the world in which it is locked."""

    @property
    def mass(self) -> float:
        """Mass, kg; zero for bodies that do not move freely."""

    @property
    def mass_properties(self) -> Record:
        """Mass and inertia together."""

    @property
    def momentum(self) -> Array:
        """Momentum, N s."""

    @property
    def motion(self) -> str:
        """How it moves."""

    @property
    def name(self) -> str:
        """Its name; empty without one."""

    @property
    def pose(self) -> Pose:
        """Pose of its centre of mass."""

    @property
    def position(self) -> Array:
        """Its centre of mass, world, m."""

    @property
    def rotation(self) -> Array:
        """Its orientation, body to world."""

    @property
    def solid(self) -> Record | None:
        """The solid that its mass was made from, about the centre of mass along its own axes; none when only numbers
        were given.
        """

    @property
    def target(self) -> Pose | None:
        """Where a kinematic body must be after the next step, if it was told."""

    @property
    def top_speed(self) -> Array:
        """How fast it can go, m/s, and turn, rad/s; infinite where nothing holds it."""

    @property
    def user_data(self) -> int:
        """The number that the user has given it."""

    @property
    def velocity(self) -> Array:
        """Velocity of the centre of mass, m/s. It belongs half a step before the pose."""

    def velocity_at(self, point: Vec3) -> Array:
        """Velocity of the point of the body that is at a point of the world (m) now, m/s."""

class Cable:
    """A joint between segments of a cable."""

    @staticmethod
    def between(i: BodyId, j: BodyId, *, axial: Softness | tuple[float, float] = ..., bending: Softness | tuple[float, float], torsion: Softness | tuple[float, float], clamped_end: bool = False, **words: Unpack[_JointWords]) -> Joint:
        """Between segments of a cable: what gives is a Softness, or (stiffness, damping)."""

    @staticmethod
    def from_material(i: BodyId, j: BodyId, *, length: float, radius: float, youngs: float, shear: float, clamped_end: bool = False, **words: Any) -> Joint:
        """Of a round cable: length of a segment and radius, m; moduli, Pa."""

class Collider:
    """A shape on a body that meets others."""

    def __init__(self, shape: Shape, **words: Unpack[_ColliderWords]) -> None: ...

    def at(self, pos: Vec3) -> Collider:
        """Places it in the frame of the body, m."""

    def disabled(self) -> Collider:
        """Switches it off until `World.set_collider_enabled` switches it on."""

    def friction(self, friction: float) -> Collider:
        """Sets friction and keeps the rest of the material."""

    def grouped(self, member: int, with_: int) -> Collider:
        """Sets whom it meets."""

    def named(self, name: str) -> Collider:
        """Names it."""

    def of(self, material: Material) -> Collider:
        """Sets what it is made of."""

    def on(self, body: BodyId) -> Collider:
        """Puts it on a body."""

    def posed(self, pose: Pose | tuple[Vec3, Quaternion]) -> Collider:
        """Places it in the frame of the body at a pose that another collider had, to the last bit: its rotation is not
        normalised again and must be of length 1 to 1e-12.
        """

    def restitution(self, restitution: float) -> Collider:
        """Sets the restitution, 0 to 1, and keeps the rest of the material."""

    def rotated(self, rot: Quaternion) -> Collider:
        """Turns it in the frame of the body."""

    def sensing(self) -> Collider:
        """Makes it a sensor: it tells what overlaps it at the start of each step and pushes nothing."""

    def user_data(self, user_data: int) -> Collider:
        """Gives it a number of the user's own."""

class ColliderId:
    """A collider of a world."""

class ColliderView:
    """A collider as it is now."""

    @property
    def body(self) -> BodyId:
        """The body it is on."""

    @property
    def enabled(self) -> bool:
        """Whether it is switched on."""

    @property
    def groups(self) -> Record:
        """Whom it meets."""

    @property
    def id(self) -> ColliderId:
        """Its handle."""

    @property
    def local(self) -> Pose:
        """Its pose in the frame of the body."""

    @property
    def material(self) -> Record:
        """What its surface is like."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def pose(self) -> Pose:
        """Its present pose in the world."""

    @property
    def sensor(self) -> bool:
        """Whether it only tells what overlaps it."""

    @property
    def shape(self) -> Record:
        """Its shape."""

    @property
    def user_data(self) -> int:
        """A number of the user's own."""

class Command:
    """What a motor is told."""

    def __init__(self, target: float = 0.0, rate: float = 0.0) -> None: ...

    @staticmethod
    def rate(rate: float) -> Record:
        """Move at a rate, m/s or rad/s."""

    @staticmethod
    def target(target: float) -> Record:
        """Go to a position and stay there, m or rad. For servos with stiffness; other motors refuse any but zero."""

class ContactEdit:
    """A contact point that may be changed."""

    @property
    def compliance(self) -> float:
        """Give of the surfaces, m/N."""
    @compliance.setter
    def compliance(self, value: float) -> None: ...

    @property
    def damping(self) -> float:
        """Damping of the surfaces, N s/m."""
    @damping.setter
    def damping(self, value: float) -> None: ...

    def discard(self) -> None:
        """The two do not touch here."""

    @property
    def distance(self) -> float:
        """How far the surfaces are apart along the normal, m; negative in each other."""

    @property
    def friction(self) -> list[float]:
        """Coefficients along the two tangents."""
    @friction.setter
    def friction(self, value: tuple[float, float]) -> None: ...

    @property
    def normal(self) -> Array:
        """Unit normal from collider b to collider a."""

    def normal_from(self, collider: ColliderId) -> Array | None:
        """Unit normal out of the surface of a collider; none if it is not one of the two."""

    @property
    def pair(self) -> Record:
        """The two colliders."""

    @property
    def point(self) -> Array:
        """World point between the surfaces, m."""

    @property
    def restitution(self) -> float:
        """Rebound speed over impact speed, 0 to 1."""
    @restitution.setter
    def restitution(self, value: float) -> None: ...

    def run_surface(self, collider: ColliderId, velocity: Vec3) -> bool:
        """Lets the surface of a collider run at a velocity relative to its body, in the world, m/s, in place of what the
        materials say: a conveyor belt. Says whether it is one of the two.
        """

    @property
    def surface_velocity(self) -> Array:
        """Velocity of the surfaces against each other, in the world, m/s."""
    @surface_velocity.setter
    def surface_velocity(self, value: Vec3) -> None: ...

    @property
    def tangents(self) -> Array:
        """Unit tangents that the two coefficients of friction belong to, across the normal and each other."""

    @property
    def velocity(self) -> Array:
        """Velocity of the body of a relative to that of b at the point when the step begins, m/s; without surface
        velocities.
        """

    def velocity_from(self, collider: ColliderId) -> Array | None:
        """Velocity of the other body at the point as seen from the body of a collider, m/s; none if it is not one of the
        two.
        """

class Coupling:
    """A sum of positions of joints that is kept."""

    def __init__(self, terms: Sequence[tuple[JointId, Freedom, float]] = ..., **words: Unpack[_CouplingWords]) -> None: ...

    def named(self, name: str) -> Record:
        """With a name."""

    def offset(self, offset: float) -> Record:
        """What the sum stays at, in its unit."""

    def ratio(self, ratio: float) -> Record:
        """The first freedom moves `ratio` times as far as the last: q_first = ratio q_last, for two of them, plus the
        offset. Without two freedoms it changes nothing.
        """

    def soft(self, soft: Softness | tuple[float, float]) -> Record:
        """With give: compliance in units of the sum per N (N m), and damping."""

    def term(self, joint: JointId, freedom: Freedom, ratio: float) -> Record:
        """With another freedom, which counts `ratio` (per rad or per m) in the sum."""

class CouplingId:
    """A coupling of a world."""

class CouplingRef:
    """A coupling as it is now."""

    @property
    def definition(self) -> Record:
        """What it is, with its freedoms and its offset as they were found when it was added: to be changed and given
        back to `World.set_coupling`.
        """

    @property
    def energy(self) -> float:
        """Energy stored in its compliance, J."""

    @property
    def error(self) -> float:
        """The sum less the offset, in the unit of the sum."""

    @property
    def force(self) -> float:
        """The generalised force lambda, N or N m per unit of the sum. Freedom k gets ratio_k times that, N or N m;
        positive pushes the sum up. Zero while a joint of it, or one of their bodies, is switched off, and while none
        of them moves freely.
        """

    def force_on(self, body: BodyId) -> tuple[Array, Array]:
        """Force, N, and torque about its centre, N m, on a body."""

    @property
    def id(self) -> CouplingId:
        """Its handle."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def offset(self) -> float:
        """What the sum is to be."""

    @property
    def positions(self) -> Array:
        """Where its freedoms are, in the order of its terms, m or rad: whole turns are counted."""

    @property
    def soft(self) -> Record:
        """How it gives way."""

class Cut:
    """Where a deformable is cut."""

    @staticmethod
    def blade(from_: Vec3, to: Vec3, direction: Vec3, depth: float) -> Cut:
        """Along the way of a blade: its edge, from one point to the other, m, goes in this direction as deep as said, m."""

    @staticmethod
    def cells(pairs: Sequence[tuple[int, int]]) -> Cut:
        """Between pairs of neighbouring cells, by their numbers in the mesh."""

    def crosses(self, a: Vec3, b: Vec3) -> bool:
        """Whether it passes between two points of the world, m. A cut between cells passes between none."""

    @staticmethod
    def disc(centre: Vec3, normal: Vec3, radius: float) -> Cut:
        """Along a disc about a point, m, across this direction, with a radius in m."""

    @staticmethod
    def plane(point: Vec3, normal: Vec3) -> Cut:
        """Along the plane through a point, m, across this direction; in the world."""

    @staticmethod
    def rectangle(corner: Vec3, edges: tuple[Vec3, Vec3]) -> Cut:
        """Along a rectangle, or another parallelogram, that begins at a corner and has these edges, m."""

class Cylindrical:
    """Free along and about an axis."""

    @staticmethod
    def between(i: BodyId, j: BodyId, **words: Unpack[_JointWords]) -> Joint:
        """Free along and about an axis."""

class Deformable:
    """A deformable as it is added to a world."""

    def __init__(self, mesh: soft.Mesh, material: soft.Material, *, volume: str = 'auto', **words: Unpack[_DeformableWords]) -> None: ...

    def at(self, position: Vec3) -> Deformable:
        """Where its own origin is in the world, m."""

    def bound(self, body: BodyId, nodes: Nodes) -> Deformable:
        """Nodes that move with a body: by their numbers, or by a function of where they rest."""

    def grouped(self, member: int, with_: int) -> Deformable:
        """Whom its surface meets."""

    def held(self, nodes: Nodes) -> Deformable:
        """Nodes that stay where they are: by their numbers, or by a function of where they rest."""

    def moving(self, velocity: Vec3, angular: Vec3) -> Deformable:
        """Its velocity, m/s, and angular velocity about its own origin, rad/s."""

    def named(self, name: str) -> Deformable:
        """Its name."""

    def posed(self, pose: Pose | tuple[Vec3, Quaternion]) -> Deformable:
        """Places the origin of the mesh and turns the mesh about it."""

    def remembering(self, numbers: Numbers) -> Deformable:
        """Starts with what the elements of another one remembered (`DeformableRef.remembered`): their permanent
        deformation, and the pressure of those that keep their volume.
        """

    def rotated(self, rotation: Quaternion) -> Deformable:
        """How it is turned about its own origin."""

    def sensing(self) -> Deformable:
        """Makes its surface a sensor: it tells what overlaps it at the start of each step and pushes nothing."""

    def shaped(self, places: Sequence[Vec3]) -> Deformable:
        """Where each node starts, in coordinates of the mesh, m."""

    def skin(self, radius: float) -> Deformable:
        """Gives it a skin of this half thickness, m, so that its surface collides: the boundary of solids, sheets from
        both sides, bars. Bodies then touch it where they are that near to the middle of a sheet, or to the boundary
        of a solid.
        """

    def strength(self, stress: float) -> Deformable:
        """Makes it tear where it carries more tension than this, Pa: neighbouring cells part at the end of a step where
        the largest principal stress between them, of bars the tension, is beyond it (`Event.Torn`).
        """

    def surface(self, material: Material) -> Deformable:
        """What its surface is like: friction, restitution and the rest of a collider's material."""

    def user_data(self, data: int) -> Deformable:
        """A number of the user's own."""

class DeformableId:
    """A deformable of a world."""

class DeformableRef:
    """A deformable as it is now."""

    @property
    def activation(self) -> float:
        """Activation of its fibres, 0 to 1."""

    def carriers(self, k: int) -> list[Record]:
        """What carries a node."""

    @property
    def energy(self) -> float:
        """Energy that its elements hold now, J."""

    @property
    def extremes(self) -> None:
        """Largest von Mises stress of all points, Pa, and smallest volume over that at rest."""

    @property
    def id(self) -> DeformableId:
        """Its handle."""

    def is_bound(self, k: int) -> bool:
        """Whether a node moves with a body, or is held."""

    @property
    def largest_strain(self) -> float:
        """Largest stretch or compression of any point along any direction, less that at rest, -."""

    @property
    def largest_stress(self) -> float:
        """Largest von Mises stress, Pa."""

    @property
    def mass(self) -> float:
        """Mass of all its nodes, kg."""

    @property
    def name(self) -> str:
        """Its name; empty without one."""

    def node(self, k: int) -> BodyId:
        """The body of a node."""

    @property
    def node_count(self) -> int:
        """How many nodes it has."""

    @property
    def outputs(self) -> list[Record]:
        """Strain and stress at all points of all elements."""

    @property
    def parts(self) -> int:
        """How many parts it has that share no node: one, until it was cut or torn apart."""

    def position(self, k: int) -> Array:
        """Where a node is, m."""

    @property
    def positions(self) -> Array:
        """Where all nodes are, m, in the order of the mesh."""

    @property
    def remembered(self) -> Array:
        """What its elements remember besides the places of their nodes: of a plastic material the permanent deformation
        of each point by columns and the sum of its strain, of an incompressible one the pressure of each element, Pa.
        Nothing of most materials.
        """

    @property
    def skin(self) -> float:
        """Half the thickness of its skin, m; zero without one."""

    @property
    def skin_collider(self) -> ColliderId | None:
        """The collider that stands for its skin, if it has one."""

    @property
    def smallest_ratio(self) -> float:
        """Smallest ratio of volume (area, length) to that at rest: negative where an element is inverted."""

    @property
    def strength(self) -> float | None:
        """Stress beyond which it tears, Pa."""

    @property
    def stress(self) -> Array:
        """Von Mises stress at each node, Pa: the mean over the points of the elements around it, or of the control
        points that carry it.
        """

    @property
    def surface(self) -> ColliderId | None:
        """The collider that stands for its surface; none without a skin. Its material, groups and the rest can be
        changed like those of any collider, and contacts, events and queries name it.
        """

    @property
    def triangles(self) -> list[list[int]]:
        """Triangles of its surface, three numbers of nodes each."""

    @property
    def user_data(self) -> int:
        """The user's own number."""

    def velocity(self, k: int) -> Array:
        """How fast a node moves, m/s."""

    @property
    def volume(self) -> float:
        """Volume of its cells now, m^3; of sheets with their thickness at rest, of bars with their cross section."""

class Distance:
    """A distance that is kept."""

    @staticmethod
    def between(i: BodyId, j: BodyId, **words: Unpack[_JointWords]) -> Joint:
        """A distance that is kept."""

class Dynamics:
    """Mass matrix, bias, Jacobians, inverse and forward dynamics of a mechanism."""

    def applied(self) -> Array:
        """What acts by itself at each freedom, N or N m: springs, drag, damping, constant forces, compliant rows and
        stops, loads that wait for the next step. It is on the side of `force`, so a spring that lifts an arm has the
        sign of the torque that would.
        """

    def bias(self) -> Array:
        """The force that keeps zero acceleration against inertia and gravity, N or N m: Coriolis, centrifugal and
        gyroscopic terms, what moving roots bring, and `Dynamics.gravity`.
        """

    @property
    def dofs(self) -> list[Dof]:
        """All freedoms, from the roots on. Vectors and matrices have this order."""

    def drift(self, body: BodyId, point: Vec3) -> tuple[Array, Array]:
        """Acceleration (m/s^2) of a world point fixed to a body, and angular acceleration (rad/s^2), while all rates are
        constant: what is to be added to the Jacobian times the accelerations of the freedoms.
        """

    def find(self, joint: JointId) -> tuple[int, int] | None:
        """Which freedoms a joint has; none when it is not in the forest or not in this world."""

    def find_body(self, body: BodyId) -> tuple[int, int] | None:
        """Which freedoms the joint that carries a body has, or a free body itself; none for one that does not move by
        itself.
        """

    def follow(self, of: Sequence[JointId], acceleration: Numbers) -> Array:
        """The accelerations of all freedoms when those of some joints are given and nothing else pushes: loops stay
        closed, and what neither joints nor loops decide moves as it will. One number for each freedom that the joints
        push at, in the order of `Dynamics.inverse_with`, which then tells the efforts.
        """

    def forward(self, force: Numbers) -> Array:
        """Forward dynamics: the accelerations of all freedoms, m/s^2 or rad/s^2, under a force (N) or torque (N m) at
        each. What acts by itself (`Dynamics.applied`) and the joints that close loops do their share.
        """

    def gravity(self) -> Array:
        """The part of `Dynamics.bias` that gravity makes, N or N m: what carries the weights."""

    def hold_with(self, of: Sequence[JointId]) -> Efforts:
        """The efforts of these joints that hold the pose at rest, as if nothing moved: against gravity, springs,
        constant forces and loads that wait for the next step, without drag and damping.
        """

    def holding(self) -> Efforts:
        """The efforts that hold the pose at rest: of the joints that have motors, or of all joints of the forest where
        none has. See `Dynamics.hold_with`.
        """

    def inverse(self, acceleration: Numbers) -> Array:
        """Inverse dynamics (recursive Newton-Euler): the force or torque at every freedom for a wanted acceleration of
        every freedom, m/s^2 or rad/s^2. What acts by itself (`Dynamics.applied`) does its share.
        """

    def inverse_with(self, of: Sequence[JointId], acceleration: Numbers) -> Efforts:
        """Inverse dynamics with loops: the efforts of these joints, chosen as in `Dynamics.hold_with`, that give all
        freedoms the wanted accelerations, m/s^2 or rad/s^2, at the present velocity. The accelerations must keep the
        loops closed; `Dynamics.follow` makes such from those of a few joints.
        """

    def jacobian(self, body: BodyId, point: Vec3) -> Array:
        """The Jacobian of a world point fixed to a body, 6 rows over the freedoms: velocity of the point, then angular
        velocity, world axes. Zero for bodies that do not move by themselves. A particle has no extent: of one the
        point does not matter, and its angular rows are zero.
        """

    def loop_drift(self) -> Array:
        """Accelerations of the loop rows while all rates are constant, m/s^2 or rad/s^2: the loops stay closed while G a
        is their opposite.
        """

    def loop_forces(self, force: Numbers) -> Array:
        """The forces of the loop rows in `Dynamics.forward`, N or N m, on body i of their joints; tension of rods and
        ropes is negative.
        """

    def loop_jacobian(self) -> Array:
        """The Jacobian G of the loop rows over the freedoms, in the order of `Dynamics.loop_rows`."""

    def loop_rows(self) -> list[Record]:
        """The rows of joints that are not in the forest, rigid ones only: those of joints that close loops, of rods, of
        joints without a chart, and taut ropes. Then the rigid couplings.
        """

    def mass_matrix(self) -> Array:
        """The mass matrix M, kg, kg m and kg m^2: symmetric, positive definite, without the loops."""

    def position(self, dof: int) -> float | None:
        """Where a freedom is, m or rad: body i of its joint against body j, turns about one axis with their whole turns;
        of a free body the centre of mass. None for the turns of balls and free bodies, for which no number stands,
        and beyond the last freedom.
        """

    @property
    def velocities(self) -> Array:
        """Rates q' of all freedoms, m/s or rad/s. After a step they belong half a step before the pose, like all
        velocities.
        """

    def velocity(self, body: BodyId, point: Vec3) -> tuple[Array, Array]:
        """Velocity (m/s) of a world point fixed to a body, and angular velocity (rad/s): its Jacobian times the rates,
        and what moving roots bring.
        """

class Edge:
    """A straight edge of a body."""

    @staticmethod
    def between(body: BodyId, a: Vec3, b: Vec3, **words: Unpack[_EdgeWords]) -> Edge:
        """From one point of a body to another, given as points of the world, m."""

    def friction(self, friction: float) -> Edge:
        """With this coefficient of friction."""

    def outward(self, outward: Vec3) -> Edge:
        """With the direction that points out of what it is the edge of."""

class Exposure:
    """What water and wind see of a body."""

    def __init__(self, **words: Unpack[_ExposureWords]) -> None: ...

    def added_mass(self, share: float) -> Record:
        """Sets the mass of water that it takes along, in parts of what it displaces, in every direction."""

    @staticmethod
    def area(area: float, **words: Unpack[_ExposureWords]) -> Record:
        """An area that every flow sees, m^2, and no volume."""

    def areas(self, areas: Vec3) -> Record:
        """Sets the areas that a flow along its own axes sees, m^2."""

    @staticmethod
    def ball(radius: float, **words: Unpack[_ExposureWords]) -> Record:
        """A ball of this radius about its centre, m."""

    def drag(self, drag: float) -> Record:
        """Sets the drag coefficient, no unit."""

    @staticmethod
    def none() -> Record:
        """Neither water nor wind act on it."""

    @staticmethod
    def prism(bottom: Vec3, height: float, area: float, moments: tuple[float, float], **words: Unpack[_ExposureWords]) -> Record:
        """A hull of a constant waterplane: the middle of its bottom, m, depth to the deck, m, area, m^2, and moments of
        the waterplane about x and z, m^4.
        """

    @staticmethod
    def strand(diameter: float, length: float, **words: Unpack[_ExposureWords]) -> Record:
        """A piece of cable, of a diameter and a length (m), that a particle stands for: its volume, and diameter times
        length as area.
        """

    def viscous(self, linear: float, angular: float) -> Record:
        """Sets the resistance of water in proportion to the velocity, N s/m, and to the angular velocity, N m s/rad."""

class FlexibleCable:
    """A joint between segments of a cable whose axial rows give too."""

    @staticmethod
    def between(i: BodyId, j: BodyId, *, axial: Softness | tuple[float, float], shear: Softness | tuple[float, float], bending: Softness | tuple[float, float], torsion: Softness | tuple[float, float], **words: Unpack[_JointWords]) -> Joint:
        """Between segments of a cable that gives in all directions: each a Softness, or (stiffness, damping)."""

class Force:
    """A force between or on bodies, with the name that it may have."""

    @staticmethod
    def drag(body: BodyId, linear: float = 0.0, angular: float = 0.0, *, named: str = ...) -> Record:
        """Resistance to all motion of a body, N s/m and N m s/rad."""

    @staticmethod
    def mouse(body: BodyId, point: Vec3, target: Vec3, frequency: float | None = None, damping_ratio: float | None = None, *, named: str = ...) -> Record:
        """A spring that pulls a point of a body, m from its centre in its own axes, to a target in the world, m."""

    def named(self, name: str) -> Record:
        """The same with a name, to be added to a world."""

    @staticmethod
    def point(body: BodyId, point: Vec3, force: Vec3, *, named: str = ...) -> Record:
        """A force, N, at a point of a body, m from its centre in its own axes."""

    @staticmethod
    def spring(i: BodyId, j: BodyId, point_i: Vec3, point_j: Vec3, stiffness: float, damping: float, rest_length: float, *, named: str = ...) -> Record:
        """A spring between points of two bodies, m from their centres in their own axes. `Spring.between` takes points
        of the world.
        """

    @staticmethod
    def torque(body: BodyId, torque: Vec3, *, named: str = ...) -> Record:
        """A torque on a body, N m."""

class ForceId:
    """A force of a world."""

class ForceTorque:
    """A weld that is read as a sensor."""

    @staticmethod
    def between(i: BodyId, j: BodyId, **words: Unpack[_JointWords]) -> Joint:
        """A weld that is read as a sensor."""

class Frame:
    """A frame on a body: an origin and three axes."""

    def __init__(self, origin: Vec3, axis: Vec3) -> None: ...

    @staticmethod
    def of(origin: Vec3, u: Vec3, v: Vec3, n: Vec3) -> Record:
        """A frame by its origin and its three axes, which must be a right-handed set of unit vectors."""

class Friction:
    """Dry friction of a joint."""

    def __init__(self, max: float = 0.0, per_load: float = 0.0, **words: Unpack[_FrictionWords]) -> None: ...

    @staticmethod
    def by_load(per_load: float, **words: Unpack[_FrictionWords]) -> Record:
        """Friction by the load alone: mu times the radius of a journal (m), or mu of a slide."""

    def on(self, freedom: Freedom) -> Record:
        """The same on one freedom among several."""

class Gear:
    """Two hinges of which one turns in proportion to the other."""

    @staticmethod
    def between(a: JointId, b: JointId, ratio: float, **words: Any) -> Record:
        """Between the wheels of two hinges (or cylindrical joints), `Freedom.Turn` of both."""

class Groups:
    """Who meets whom."""

    def __init__(self, member: int, with_: int) -> None: ...

    ALL: Groups

    def meets(self, other: Groups) -> bool:
        """Whether two colliders with these groups meet."""

class Gusts:
    """How a wind changes."""

    @staticmethod
    def sine(amplitude: float, period: float) -> Record:
        """A sine: amplitude, m/s, and period, s."""

    @staticmethod
    def spectrum(deviation: float, period: float, seed: int = 0) -> Record:
        """A turbulent wind: standard deviation, m/s, period, s, and seed."""

class HeavyRope:
    """A rope with mass as it is added to a world."""

    def adaptive(self) -> HeavyRope:
        """With as few pieces as its sag needs, and no shorter ones than a segment: where it is tight they are put
        together, where it is slack they are divided. What moves across a tight rope, between the nodes that are left,
        is lost.
        """

    def colliding(self, collider: Collider) -> HeavyRope:
        """With a collider for each node."""

    def diameter(self, diameter: float) -> HeavyRope:
        """Of this diameter, m, for water and wind."""

    @staticmethod
    def from_locker(body: BodyId, hawse: Vec3, end: tuple[BodyId, Vec3], density: float, **words: Unpack[_HeavyRopeWords]) -> HeavyRope:
        """A chain out of a locker, where it lies at rest, through a hawse at a point of a body, to another."""

    def named(self, name: str) -> HeavyRope:
        """With a name."""

    def segment(self, length: float) -> HeavyRope:
        """With pieces of this length, m."""

    def stiffness(self, ea: float) -> HeavyRope:
        """With pieces that stretch: the force that would double their length, E A, N."""

    def stored(self, length: float) -> HeavyRope:
        """With so much on the drum or in the locker, m."""

class HeavyRopeId:
    """A rope with mass of a world."""

class HeavyRopeRef:
    """A rope with mass as it is now."""

    @property
    def id(self) -> HeavyRopeId:
        """Its handle."""

    @property
    def lengths(self) -> Array:
        """Rope in each piece, from the feed node to the end, m: a segment, or several of them where it is adaptive and
        tight.
        """

    @property
    def links(self) -> list[JointId]:
        """The rods between them, from the feed node to the end."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def nodes(self) -> list[BodyId]:
        """Its particles, from the feed node to the end."""

    @property
    def out(self) -> float:
        """What is out, from the last guide or the hawse to the end, m."""

    @property
    def rope(self) -> RopeId | None:
        """The rope without mass that leads to the feed node; none out of a locker."""

    @property
    def stored(self) -> float:
        """What is left on the drum or in the locker, m."""

    @property
    def tension(self) -> float:
        """Tension at the guide or hawse, N."""

    @property
    def tensions(self) -> Array:
        """Tension of each piece, from the feed node to the end, N."""

    @property
    def waiting(self) -> list[BodyId]:
        """Its particles that are not out: on the drum, in the locker, or left out where it is adaptive. They are
        switched off.
        """

class Hinge:
    """Free about an axis."""

    @staticmethod
    def between(i: BodyId, j: BodyId, **words: Unpack[_JointWords]) -> Joint:
        """Free about an axis."""

class Hold:
    """How a guide holds a rope that slips over it."""

    @staticmethod
    def efficiency(efficiency: float) -> Record:
        """A bearing with this efficiency, above 0 and up to 1."""

    @staticmethod
    def fast() -> Record:
        """The rope does not slip."""

    @staticmethod
    def free() -> Record:
        """The rope slips without friction."""

    @staticmethod
    def friction(friction: float) -> Record:
        """Dry friction with this coefficient."""

    @staticmethod
    def ratios(ratios: tuple[float, float]) -> Record:
        """The largest ratios of the tension after it to that before it and the other way round: a ratchet."""

class Joint:
    """A joint as it is added to a world."""

    def across(self, direction: Vec3) -> Joint:
        """Where its axis U points, world: needed only where the axes across the main one matter. What of it lies along
        the main axis is left out.
        """

    def angular(self, soft: Softness | tuple[float, float]) -> Joint:
        """Give of what it holds about axes, rad/(N m), in place of rigid."""

    def armature(self, armature: float) -> Joint:
        """Armature: inertia that the rates of what the joint leaves free feel, and nothing else, kg m^2 for turns and kg
        for slides. A rotor of 1e-4 kg m^2 behind a gear of 100 to 1 has one of 1 kg m^2. Joints that turn about
        several axes have it of their relative angular velocity. Zero is none.
        """

    def at(self, point: Vec3) -> Joint:
        """Where it is, world, m. On a rod or a rope it places the end on the first body alone; the other end goes to the
        centre of the second body. `Joint.ends` places both.
        """

    def axis(self, direction: Vec3) -> Joint:
        """Its main axis, world, of any length but zero: the axis of a hinge, the direction of a slide or a cable, the
        normal of a plane.
        """

    def disabled(self) -> Joint:
        """Adds it switched off: it holds nothing until `World.set_joint_enabled`."""

    def ends(self, on_i: Vec3, on_j: Vec3) -> Joint:
        """Its origins on the first and on the second body, world, m: the ends of a rod or a rope."""

    def frames(self, frames: tuple[Frame, Frame]) -> Joint:
        """Frames in the coordinates of the two bodies, in place of a point and an axis in the world. Positions are then
        counted from where the frames coincide.
        """

    def friction(self, friction: Friction | float) -> Joint:
        """Dry friction: a force (N) or torque (N m) that does not depend on the load, or a `Friction`."""

    @property
    def kind(self) -> str:
        """Its kind."""

    def length(self, length: float) -> Joint:
        """Length of a rod or a rope, m. Without it the distance of its ends when it is added."""

    def limit(self, lower: float, upper: float) -> Joint:
        """Rigid stops of what the joint leaves free, m or rad from where it is added."""

    def linear(self, soft: Softness | tuple[float, float]) -> Joint:
        """Give of what it holds along lines, m/N, in place of rigid."""

    def motor(self, motor: Motor) -> Joint:
        """A motor."""

    def motors(self, motors: Sequence[Motor]) -> Joint:
        """Several motors."""

    def named(self, name: str) -> Joint:
        """Names it, for reports, errors and `World.find_joint`."""

    def role(self, role: str) -> Joint:
        """What it is to be when coordinates are reduced."""

    def speed_limit(self, limit: SpeedLimit) -> Joint:
        """How fast what it leaves free can go."""

    def spring(self, stiffness: float, damping: float) -> Joint:
        """Springs and dampers on all that the joint leaves free, at rest where it is added: stiffness in N/m or N m/rad,
        damping in N s/m or N m s/rad. They are servos that hold zero, beside motors where there are any; their work
        is booked with that of motors.
        """

    def spring_on(self, freedom: Freedom, stiffness: float, damping: float) -> Joint:
        """The same on one freedom."""

    def stop(self, limit: Limit) -> Joint:
        """A stop with more to say: soft, bouncing, of one freedom among several."""

    def stops(self, limits: Sequence[Limit]) -> Joint:
        """Several stops."""

    def strength(self, strength: Strength) -> Joint:
        """What it can carry before it breaks."""

    def turns(self, turns: int) -> Joint:
        """Whole turns that it has made before it is added, for a freedom that goes round: its position counts from
        there. Without them the position is within half a turn of zero, or where that is outside its limits, of their
        middle.
        """

    def user_data(self, data: int) -> Joint:
        """A number of the user's own."""

class JointId:
    """A joint of a world."""

    def limit(self, index: int = 0) -> LimitId:
        """One of its limits, by its place."""

    def motor(self, index: int = 0) -> MotorId:
        """One of its motors, by its place."""

class JointRef:
    """A joint as it is now."""

    @property
    def angle(self) -> float:
        """Largest violation of its angular rows, rad; zero while it holds nothing."""

    @property
    def armature(self) -> float:
        """Its armature, kg m^2 for turns and kg for slides; zero for none."""

    @property
    def axis(self) -> Array:
        """Its main axis on body i, world, of length 1."""

    @property
    def bearing(self) -> Wrench:
        """The same without its motors: what its bearing carries."""

    @property
    def bodies(self) -> None:
        """The bodies it joins: i and j."""

    @property
    def chart(self) -> str | None:
        """What it leaves free, where reduced coordinates can replace its rows."""

    @property
    def coordinates(self) -> list[tuple[str, float, float]]:
        """Freedom, position (m, rad) and rate (m/s, rad/s) of all that it leaves free."""

    @property
    def energy(self) -> float:
        """Energy stored in its compliance, J; zero while it holds nothing."""

    @property
    def excess(self) -> float:
        """Largest excess over one of its rigid limits, m or rad; zero within all of them, and while it holds nothing."""

    @property
    def force(self) -> Array:
        """Force on body i, N, world axes."""

    @property
    def frames(self) -> Record:
        """Its frames in the coordinates of the two bodies."""

    @property
    def freedoms(self) -> list[str]:
        """What can be limited, driven and read of it."""

    @property
    def frictions(self) -> list[Record]:
        """Its dry friction, in the order it was given."""

    @property
    def gap(self) -> float:
        """Opening of its linear rows, m; zero while it holds nothing."""

    @property
    def id(self) -> JointId:
        """Its handle."""

    @property
    def is_active(self) -> bool:
        """Whether it holds anything: it and its bodies are switched on, and one of them moves freely. One that does not
        carries no force, has no gap and stores nothing.
        """

    @property
    def is_enabled(self) -> bool:
        """Whether it is switched on."""

    @property
    def is_redundant(self) -> bool:
        """Whether some of its rows were ever found redundant."""

    @property
    def kind(self) -> str:
        """Kind, such as "hinge"."""

    @property
    def lambda_(self) -> Array:
        """Multipliers of its rows, N or N m: those of its block, then those with bounds (limits, bounded motors,
        friction). All are zero while it holds nothing (`JointRef.is_active`), whatever it goes on with afterwards.
        """

    @property
    def limits(self) -> list[Record]:
        """Its limits, that of a rope first."""

    @property
    def motors(self) -> list[MotorRef]:
        """Its motors."""

    @property
    def name(self) -> str:
        """Its name; empty without one."""

    @property
    def own_limits(self) -> list[Record]:
        """The limits that its kind brings along, as they are now: that of a rope. They come first among
        `JointRef.limits`.
        """

    @property
    def points(self) -> None:
        """Its origins on the two bodies, world, m."""

    @property
    def position(self) -> float:
        """Where its only freedom is, m or rad from where it was added: the angle of a hinge, the offset of a slide, the
        length of a rope. An error for joints with none or several.
        """

    def position_of(self, freedom: Freedom) -> float:
        """Where a freedom is, m or rad."""

    @property
    def rate(self) -> float:
        """How fast its only freedom moves, m/s or rad/s."""

    def rate_of(self, freedom: Freedom) -> float:
        """How fast a freedom moves, m/s or rad/s."""

    @property
    def reaction(self) -> Wrench:
        """Force and torque on body i about the joint's origin on it, world axes: all that the joint does, motors, limits
        and friction included.
        """

    @property
    def role(self) -> str:
        """What it is to be when coordinates are reduced."""

    @property
    def softness(self) -> None:
        """Give of its linear and of its angular rows, where it was changed from that of its kind."""

    @property
    def speed_limits(self) -> list[Record]:
        """The bounds of its speed, in the order they were given."""

    @property
    def strength(self) -> Record | None:
        """What it can carry before it breaks."""

    @property
    def tension(self) -> float:
        """Pull of a rod, a rope or a linear drive, N; negative when it pushes. Zero for joints without a row along a
        line.
        """

    @property
    def torque(self) -> Array:
        """Torque on body i about the joint's origin on it, N m, world axes."""

    @property
    def turns(self) -> int:
        """Whole turns of the freedom that goes round beyond those that a joint has which is added here: see
        `Joint.turns`.
        """

    @property
    def user_data(self) -> int:
        """The number that the user has given it."""

    @property
    def wrench(self) -> Wrench:
        """What `JointRef.reaction` says, in the axes U, V, N of the joint's frame on body i: the reading of a force-
        torque sensor.
        """

class Ligament:
    """A band that pulls softly, then hard."""

    @staticmethod
    def between(i: BodyId, j: BodyId, *, soft_stiffness: float, strain: float, stiffness: float = ..., damping: float = 0.0, rest_length: float | None = None, **words: Unpack[_JointWords]) -> Joint:
        """Pulls with `soft_stiffness` (N/m) above its rest length, m, and with `stiffness` above the `strain`; rigid
        without.
        """

class Limit:
    """Bounds of what a joint leaves free."""

    def __init__(self, lower: float, upper: float, **words: Unpack[_LimitWords]) -> None: ...

    def bouncing(self, restitution: float) -> Record:
        """The same with a rebound."""

    @staticmethod
    def cone(angle: float, **words: Unpack[_LimitWords]) -> Record:
        """A ball joint swings by at most this angle, rad."""

    def on(self, freedom: Freedom) -> Record:
        """The same on one freedom among several."""

    def soft(self, soft: Softness | tuple[float, float]) -> Record:
        """The same with a soft stop."""

    @staticmethod
    def twist(lower: float, upper: float, **words: Unpack[_LimitWords]) -> Record:
        """A ball joint twists between two angles, rad."""

class LimitId:
    """A limit of a joint."""

    @property
    def joint(self) -> JointId:
        """Its joint."""

class Locks:
    """Axes along and about which nothing moves."""

    def __init__(self, linear: tuple[bool, bool, bool] = ..., angular: tuple[bool, bool, bool] = ...) -> None: ...

    ALL: Locks

    NONE: Locks

    PLANE_XY: Locks

    ROTATION: Locks

    TRANSLATION: Locks

class MassProperties:
    """Mass, centre and inertia."""

    def __init__(self, mass: float, inertia: Vec3 | Matrix) -> None: ...

    @staticmethod
    def capsule(density: float, half_height: float, radius: float) -> Record:
        """A solid capsule along y of `density` (kg/m^3): a cylinder of `half_height` (m, may be 0) and `radius` (m) with
        half a ball on either end.
        """

    @property
    def center(self) -> Array:
        """Centre of mass in the frame of the shape, m."""

    @staticmethod
    def convex_mesh(density: float, vertices: Sequence[Vec3], triangles: Sequence[tuple[int, int, int]]) -> Record:
        """A solid of `density` (kg/m^3) bounded by a closed convex mesh: `vertices` (m) and `triangles` counter-
        clockwise seen from outside. A vertex may stand in front of a face by 1e-9 of the diagonal of the bounding
        box.
        """

    @staticmethod
    def cuboid(density: float, half_extents: Vec3) -> Record:
        """A solid box of `density` (kg/m^3) and `half_extents` (m)."""

    @staticmethod
    def cylinder(density: float, half_height: float, radius: float) -> Record:
        """A solid cylinder along y of `density` (kg/m^3), `half_height` (m) and `radius` (m)."""

    @staticmethod
    def from_diagonal(mass: float, moments: Vec3) -> Record:
        """A body of `mass` (kg) with the principal moments `moments` (kg m^2) along its axes."""

    @property
    def inertia(self) -> Array:
        """Inertia about the centre of mass along the axes of the shape, kg m^2."""

    @property
    def mass(self) -> float:
        """Mass, kg."""

    @staticmethod
    def of(shape: Shape, density: float) -> Record:
        """A solid of a shape and a density (kg/m^3). Its centre is that of the shape's matter: a body whose pose is its
        centre of mass carries the collider at minus this centre. Parts of a compound that overlap count twice.
        """

    @staticmethod
    def sphere(density: float, radius: float) -> Record:
        """A solid ball of `density` (kg/m^3) and `radius` (m)."""

    def with_mass(self, mass: float) -> Record:
        """The same distribution of matter with the total mass `mass` (kg)."""

class Material:
    """How a surface rubs, throws back and gives."""

    def __init__(self, friction: float = 0.5, restitution: float = 0.0, **words: Unpack[_MaterialWords]) -> None: ...

    def combined(self, rule: str) -> Record:
        """How it meets other materials."""

    def elliptic(self, along: float, across: float, direction: Vec3) -> Record:
        """A coefficient along a direction in the frame of the collider and one across it."""

    def moving(self, surface_velocity: Vec3) -> Record:
        """Velocity of the surface relative to its body, in the frame of the collider, m/s."""

    def soft(self, compliance: float, damping: float) -> Record:
        """Give (m/N) and damping (N s/m) of the surface."""

class Mimic:
    """A joint that moves as another does."""

    @staticmethod
    def of(leader: JointId, follower: JointId, **words: Unpack[_CouplingWords]) -> Record:
        """The follower does what the leader does (ratio 1, offset 0), until `Coupling.ratio` and `Coupling.offset` say
        otherwise. Of each joint it is the only freedom, a turn (rad) or a slide (m).
        """

class Motor:
    """What drives a joint."""

    @staticmethod
    def ball(stiffness: float, damping: float) -> list[Record]:
        """Servos on the three angles of a ball joint."""

    def force_range(self, min: float, max: float) -> Record:
        """The same motor with a force (N) or torque (N m) between two values, of which the first is not positive and the
        second not negative.
        """

    def limited(self, max_force: float) -> Record:
        """The same motor with a bound on its force (N) or torque (N m) in both directions."""

    def named(self, name: str) -> Record:
        """Names it."""

    def on(self, freedom: Freedom) -> Record:
        """The same motor on one freedom among several."""

    def pulling(self, max_force: float) -> Record:
        """The same motor with a force (N) or torque (N m) that is never positive: it only pulls, like a hoist on its
        rope.
        """

    def pushing(self, max_force: float) -> Record:
        """The same motor with a force (N) or torque (N m) that is never negative: it only pushes."""

    @staticmethod
    def rate(**words: Unpack[_MotorWords]) -> Record:
        """A motor that keeps the commanded rate."""

    @staticmethod
    def servo(stiffness: float, damping: float, **words: Unpack[_MotorWords]) -> Record:
        """A servo with kp (N/m, N m/rad) and kd (N s/m, N m s/rad)."""

    def speed(self, rate: float) -> Record:
        """Told at the start how fast to move, m/s or rad/s."""

    def target(self, target: float) -> Record:
        """Told at the start where to be, m or rad. For servos with stiffness: nothing else goes to a position, and any
        but zero is refused.
        """

    @staticmethod
    def universal(stiffness: float, damping: float) -> list[Record]:
        """Servos on the two angles of a universal joint."""

class MotorId:
    """A motor of a joint."""

    @property
    def joint(self) -> JointId:
        """Its joint."""

class MotorRef:
    """A motor as it is now."""

    @property
    def command(self) -> Record | None:
        """What it is told; nothing until it has been told something."""

    @property
    def definition(self) -> Record:
        """What it is made of."""

    @property
    def drive(self) -> Record:
        """How it drives it."""

    @property
    def effort(self) -> float:
        """What it pushes body i with, N or N m; zero while it is told nothing or its joint holds nothing."""

    @property
    def freedom(self) -> str:
        """What it drives."""

    @property
    def id(self) -> MotorId:
        """Its handle."""

    @property
    def name(self) -> str:
        """Its name; empty without one."""

    @property
    def position(self) -> float:
        """Where it is, m or rad: body i against body j, from where the joint was added, whole turns counted."""

    @property
    def power(self) -> float:
        """Power that it gives, W."""

    @property
    def rate(self) -> float:
        """How fast it moves, m/s or rad/s."""

class Planar:
    """Free in a plane."""

    @staticmethod
    def between(i: BodyId, j: BodyId, **words: Unpack[_JointWords]) -> Joint:
        """Free in a plane."""

class PointOnLine:
    """A point on a line."""

    @staticmethod
    def between(i: BodyId, j: BodyId, **words: Unpack[_JointWords]) -> Joint:
        """A point on a line."""

class Pose:
    """A position and a rotation."""

    def __init__(self, pos: Vec3 = ..., rot: Quaternion = ...) -> None: ...

    @staticmethod
    def at(pos: Vec3) -> Pose:
        """At a point, axes along those of the world."""

    def compose(self, inner: Pose | tuple[Vec3, Quaternion]) -> Pose:
        """A pose given in this one, in world coordinates."""

    @property
    def pos(self) -> Array:
        """Position, m."""

    def relative(self, outer: Pose | tuple[Vec3, Quaternion]) -> Pose:
        """A world pose in this pose's coordinates."""

    @property
    def rot(self) -> Array:
        """Rotation, (x, y, z, w)."""

    def to_local(self, point: Vec3) -> Array:
        """A world point in this pose's coordinates."""

    def to_world(self, point: Vec3) -> Array:
        """A local point in world coordinates."""

class Prismatic:
    """Free along an axis."""

    @staticmethod
    def between(i: BodyId, j: BodyId, **words: Unpack[_JointWords]) -> Joint:
        """Free along an axis."""

class Quat:
    """Unit quaternions, (x, y, z, w)."""

    IDENTITY: tuple[float, float, float, float]

    @staticmethod
    def from_axis_angle(axis: Vec3, angle: float) -> Array:
        """A turn about an axis of any length by an angle, rad."""

    @staticmethod
    def from_rotation_arc(a: Vec3, b: Vec3) -> Array:
        """The shortest turn of one direction to another."""

    @staticmethod
    def from_rotation_x(angle: float) -> Array:
        """A turn about x, rad."""

    @staticmethod
    def from_rotation_y(angle: float) -> Array:
        """A turn about y, rad."""

    @staticmethod
    def from_rotation_z(angle: float) -> Array:
        """A turn about z, rad."""

class RackAndPinion:
    """A hinge that drives a slide."""

    @staticmethod
    def between(pinion_hinge: JointId, rack_prismatic: JointId, radius: float, **words: Unpack[_CouplingWords]) -> Record:
        """Between the `Freedom.Turn` of a hinge and the `Freedom.Slide` of a prismatic joint."""

class Range:
    """A distance between two bounds."""

    @staticmethod
    def between(i: BodyId, j: BodyId, shortest: float, longest: float, *, restitution: float = 0.0, **words: Unpack[_JointWords]) -> Joint:
        """Keeps body i between two distances (m) from body j."""

class Reeving:
    """A rope over guides as it is added to a world."""

    def across(self, edge: Edge) -> Reeving:
        """On across an edge."""

    def closed(self, closed: bool) -> Reeving:
        """Whether it is endless. By default it is not, but for `Rope.endless`."""

    def collides(self, collides: bool) -> Reeving:
        """Whether it meets colliders on its way. By default it does."""

    def diameter(self, diameter: float) -> Reeving:
        """Stretches like steel wire rope of this diameter, m: E A is that of half its circle with 100 GPa."""

    def free_end(self) -> Reeving:
        """The same of its end."""

    def free_start(self) -> Reeving:
        """Its start hangs free, as after `World.release_rope`: it is a particle that belongs to the rope, and runs out
        of the guides that it is drawn through.
        """

    def grip(self, body: BodyId, point: Vec3) -> Reeving:
        """On to a grip: a point of a body, given as a point of the world, m, that holds the rope fast and goes with it.
        Where it comes to a sheave that the rope does not slip on it rides round on its rim and goes on behind it,
        whichever way the rope runs. Other guides stop it.
        """

    def massive(self, density: float, **words: Unpack[_HeavyRopeWords]) -> HeavyRope:
        """The same rope with so many kg in a metre below its last guide. Water and wind act on it there if it has a
        diameter, and it stretches there as it does above.
        """

    def named(self, name: str) -> Reeving:
        """With a name."""

    def over(self, sheave: Sheave) -> Reeving:
        """On over a sheave."""

    def round(self, wound: Wound) -> Reeving:
        """On round a sheave, on a side that is said."""

    def slack(self, slack: float) -> Reeving:
        """Longer than its way when it is added by so much, m."""

    def stiffness(self, ea: float) -> Reeving:
        """Stretches: the force that would double its length, E A, N."""

    def thickness(self, thickness: float) -> Reeving:
        """Of this diameter, m, for what it meets; it does not stretch for that."""

    def through(self, body: BodyId, point: Vec3) -> Reeving:
        """On through a ring without friction: a point of a body, given as a point of the world, m."""

    def through_held(self, body: BodyId, point: Vec3, hold: Hold) -> Reeving:
        """On through a ring that holds the rope so."""

    def to(self, body: BodyId, point: Vec3) -> Reeving:
        """Its end: a point of a body, given as a point of the world, m."""

    def to_drum(self, drum: Wound) -> Reeving:
        """Its end: a drum that it is wound on."""

    def torsion(self, gj: float) -> Reeving:
        """Resists torsion: the stiffness of its section, G J, N m^2. A moment M at one end turns that by M L/(G J)
        against the other; sheaves and rings take what the change of its direction leaves of M. An end on a particle,
        and a free one, turns freely: then there is none.
        """

    def touches(self, groups: Groups) -> Reeving:
        """Meets colliders as if it had these groups: what it sweeps over bends it, and lets it go again. By default it
        meets all but those of the bodies that it is tied to and led by; of fixed bodies it meets those that hold none
        of its own points and sheaves.
        """

    def under(self, sheave: Sheave) -> Reeving:
        """On under a sheave."""

class Rope:
    """Ropes: between two points, or over guides."""

    @staticmethod
    def between(i: BodyId, j: BodyId, *, restitution: float = 0.0, **words: Unpack[_JointWords]) -> Joint:
        """A rope that does not stretch from body i to body j, taut as they are."""

    @staticmethod
    def endless(**words: Unpack[_ReevingWords]) -> Reeving:
        """An endless rope, as of a lift or a belt: say its guides next, in the order of its way; from the last it goes
        on to the first. It must not slip on one of them at least: a sheave without slip, or a grip.
        """

    @staticmethod
    def from_(body: BodyId, point: Vec3, **words: Unpack[_ReevingWords]) -> Reeving:
        """A rope over guides that is tied to a point of a body, given in the world, m."""

    @staticmethod
    def from_drum(drum: Wound, **words: Unpack[_ReevingWords]) -> Reeving:
        """A rope over guides that comes off a drum."""

class RopeEnd:
    """An end of a rope."""

    @staticmethod
    def first_of(rope: RopeId) -> RopeEnd:
        """The first end of a rope."""

    @property
    def last(self) -> bool:
        """Whether it is the last end."""

    @staticmethod
    def last_of(rope: RopeId) -> RopeEnd:
        """The last end of a rope."""

    def other(self) -> RopeEnd:
        """The other end."""

    @property
    def rope(self) -> RopeId:
        """Its rope."""

class RopeId:
    """A rope over guides of a world."""

class RopeRef:
    """A rope over guides as it is now."""

    @property
    def bodies(self) -> list[BodyId]:
        """The bodies of its start, of the guides that it touches and of its end."""

    @property
    def colliders(self) -> list[ColliderId]:
        """The colliders that it is bent by, in the order of its way."""

    @property
    def ends(self) -> list[Array]:
        """Tangent points of each span, m."""

    @property
    def energy(self) -> float:
        """Energy that it has stored by stretching and by torsion, J."""

    @property
    def excess(self) -> float:
        """By how much its way is longer than the rope is, m: negative when it is slack, what it is stretched by when it
        is taut.
        """

    @property
    def fleet(self) -> float:
        """Largest fleet angle, rad: how far it is off the plane of a sheave. Above 5 degrees a block should have a
        swivel.
        """

    @property
    def free_ends(self) -> list[BodyId | None]:
        """The particles at its ends where these hang free; they belong to the rope, and go with it."""

    @property
    def groups(self) -> Record | None:
        """Whether it meets colliders as the members of these groups do; none where it meets nothing."""

    @property
    def guides(self) -> list[Record]:
        """Its start, the guides that it touches now, and its end."""

    @property
    def id(self) -> RopeId:
        """Its handle."""

    @property
    def is_as_given(self) -> bool:
        """Whether it touches all guides that it was given and nothing else, and all of them are points and plain
        circles. Those that a free end has left do not count. Grips may have passed sheaves.
        """

    @property
    def is_closed(self) -> bool:
        """Whether it is endless: its last guide is its first."""

    @property
    def is_off_plane(self) -> bool:
        """Whether it is so far off the plane of a sheave that a real one would jump its groove."""

    @property
    def keepers(self) -> list[bool]:
        """Whether each of the guides that it was given keeps it."""

    @property
    def length(self) -> float:
        """Its length without stretch, m; of a rope on a drum what is off the drum."""

    def length_to(self, point: Vec3) -> float:
        """Length of the rope from its start to where it passes nearest to a point of the world, m."""

    @property
    def lengths(self) -> Array:
        """Straight length of each span, m; zero where guides overlap."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def order(self) -> list[int]:
        """Which of the guides that it was given it passes, in the order of its way as it is now: grips pass sheaves, and
        those that ride come behind the sheave. Guides that it has left, and colliders, are not among them; the start
        of an endless rope is the first alone.
        """

    @property
    def paid_out(self) -> float:
        """By how much it is longer than when it was added, m: what drums and `World.pay_out` have paid out, less what
        they have hauled in.
        """

    @property
    def path(self) -> float:
        """Length of its way from the start to the end along spans and wraps, m. On a drum it begins where it leaves the
        drum. That of an endless rope goes once round.
        """

    def point_at(self, length: float) -> Array:
        """The point of the rope at a length from its start, m."""

    @property
    def riding(self) -> list[Record]:
        """The grips that ride on sheaves now, in the order of `RopeMemory.rides`. They are not among its guides."""

    @property
    def slacks(self) -> Array:
        """Slack of each span, m: by how much it is longer than straight. Slack that lies between two guides that the
        rope does not slip on is shared by their spans as their lengths are.
        """

    @property
    def slips(self) -> Array:
        """Rate at which it slipped over each guide between its ends in the last step, towards its end, m/s. At guides
        without friction, which it always runs over freely, and at those that it cannot slip on, this is zero.
        """

    @property
    def span_count(self) -> int:
        """How many straight spans it has: one more than it touches guides between its ends."""

    @property
    def stiffness(self) -> float | None:
        """Force that would double its length, N; none where it does not stretch."""

    @property
    def stored(self) -> list[float | None]:
        """Rope on the drums that it begins and ends on, m; none where that was not said, and where it is tied to a
        point.
        """

    @property
    def tension(self) -> float:
        """Tension of its first span, N."""

    @property
    def tensions(self) -> Array:
        """Tension of each span, N."""

    @property
    def thickness(self) -> float:
        """Its diameter, m."""

    @property
    def torque(self) -> float:
        """Moment of torsion about the rope, N m, in the last step: positive where it turns its end back from a positive
        twist.
        """

    @property
    def torsion(self) -> float | None:
        """Torsional stiffness of its section, G J, N m^2; none where it turns freely about itself."""

    @property
    def twist(self) -> float:
        """Twist of the whole rope, rad, whole turns counted: by how much its end is turned against its start about the
        direction from start to end, by the right hand, beyond what it was when it was laid, and less what is wound on
        drums. Zero without torsion (`Reeving.torsion`), and where an end turns freely.
        """

    @property
    def wraps(self) -> Array:
        """Angle of wrap of each guide that it touches between its ends, rad: whole turns are counted. Where it passes
        through a ring or over an edge it is the angle between the spans.
        """

class Screw:
    """A cylindrical joint that slides as it turns."""

    @staticmethod
    def on(cylindrical: JointId, pitch: float, **words: Unpack[_CouplingWords]) -> Record:
        """On a cylindrical joint, whose `Freedom.Slide` then goes with its `Freedom.Turn`."""

class Shape:
    """A solid, for masses and colliders."""

    @staticmethod
    def ball(radius: float) -> Record:
        """A ball of a radius, m."""

    @staticmethod
    def capsule(half_length: float, radius: float) -> Record:
        """A capsule along y: half the length of its axis and the radius, m."""

    @staticmethod
    def compound(parts: Sequence[tuple[Pose | tuple[Vec3, Quaternion], Shape]]) -> Record:
        """Several convex shapes, each with its pose."""

    @staticmethod
    def convex_hull(points: ArrayLike) -> Record:
        """The smallest convex solid around points, m."""

    @staticmethod
    def cuboid(half: Vec3) -> Record:
        """A box of half edges, m."""

    @staticmethod
    def cylinder(half_height: float, radius: float) -> Record:
        """A cylinder along y: half the height and the radius, m."""

    def facets(self) -> Record | None:
        """Corners (m) and triangles, counter-clockwise from outside, of hulls, meshes and height fields, just as bodies
        collide with them; none for other shapes.
        """

    @staticmethod
    def ground() -> Record:
        """Flat ground: everything below y = 0."""

    @staticmethod
    def half_space(normal: Vec3) -> Record:
        """Everything behind the plane through the origin with this normal."""

    @staticmethod
    def height_field(heights: ArrayLike, scale: Vec3) -> Record:
        """Heights in rows along z of heights along x; `scale` is the width along x, the unit of the heights and the
        depth along z, m.
        """

    @property
    def is_solid(self) -> bool:
        """Whether it has a volume: all but meshes, height fields and half spaces."""

    @staticmethod
    def mesh(vertices: ArrayLike, triangles: ArrayLike) -> Record:
        """Triangles, counter-clockwise from the front; vertices in m. For bodies that do not move freely."""

    @property
    def name(self) -> str:
        """What it is called in messages."""

    def validate(self) -> None:
        """Refuses sizes, points and triangles that make no shape."""

class Sheave:
    """A circle of a body that ropes run over."""

    def about(self) -> Wound:
        """From its start to its end the rope turns about the axis, by the right hand."""

    def against(self) -> Wound:
        """From its start to its end the rope turns against the axis."""

    def capacity(self, length: float) -> Sheave:
        """As a drum: its flanges hold so much rope, m. A drum that is full winds no more."""

    def efficiency(self, efficiency: float) -> Sheave:
        """With a bearing of this efficiency, above 0 and up to 1: 0.96 is a plain bearing, 0.98 one on rollers. Where
        the rope runs, the tension falls by it; where it stands, friction takes up to as much.
        """

    def friction(self, friction: float) -> Sheave:
        """A capstan or bollard with this coefficient of friction: the tensions differ by at most exp(friction x angle of
        wrap).
        """

    def held(self, hold: Hold) -> Sheave:
        """With a rope that holds to it so."""

    def keeper(self, keeper: bool) -> Sheave:
        """Whether the rope is kept in its groove, as in a block, or leaves it where it runs straight past, and comes
        back. By default it is kept by sheaves of bodies that move freely, and by those it does not slip on.
        """

    def no_slip(self) -> Sheave:
        """The rope does not slip on it: it turns with the rope, or holds it."""

    @staticmethod
    def on(body: BodyId, centre: Vec3, axis: Vec3, radius: float, **words: Unpack[_SheaveWords]) -> Sheave:
        """A circle of a body about an axis, with the pitch radius in m; the rope slips over it freely."""

    def over(self) -> Wound:
        """The rope passes over it, on the side away from gravity."""

    def rope_diameter(self, diameter: float) -> Sheave:
        """As a drum: the rope of this diameter, m, lies in layers."""

    def stored(self, length: float) -> Sheave:
        """As a drum: so much rope is on it, m. Its radius is that of the bare drum. When all has run off, the rope hangs
        on its shell.
        """

    def under(self) -> Wound:
        """The rope passes under it."""

    def wraps(self, wraps: float) -> Sheave:
        """As a drum with layers: so many wraps lie beside each other in each."""

class SixDof:
    """A joint with axes that are locked one by one."""

    @staticmethod
    def between(i: BodyId, j: BodyId, locks: Locks, **words: Unpack[_JointWords]) -> Joint:
        """A six-degree joint of body i to body j, with these axes locked."""

class Snapshot:
    """A copy of a world and of what had happened in it, to go back to whatever is removed or changed later."""

class Softness:
    """Compliance and damping of what gives."""

    def __init__(self, compliance: float = 0.0, damping: float = 0.0) -> None: ...

    RIGID: Softness

    @staticmethod
    def compliance(compliance: float) -> Record:
        """Compliance without damping."""

    def softer(self, factor: float) -> Record:
        """The same with the compliance multiplied and the damping divided by a factor."""

    @staticmethod
    def spring(stiffness: float, damping: float = 0.0) -> Record:
        """A spring of the given stiffness (N/m or N m/rad) and damping (N s/m or N m s/rad)."""

class SpeedLimit:
    """Bounds of how fast what a joint leaves free may move."""

    def __init__(self, lower: float, upper: float, **words: Unpack[_SpeedLimitWords]) -> None: ...

    @staticmethod
    def both(most: float, **words: Unpack[_SpeedLimitWords]) -> Record:
        """The same in both directions, m/s or rad/s."""

    def on(self, freedom: Freedom) -> Record:
        """The same on one freedom among several."""

class Spring:
    """A spring between two bodies, placed by points in the world."""

    @staticmethod
    def between(i: BodyId, j: BodyId, **words: Unpack[_SpringWords]) -> Record:
        """A spring of body i to body j, between their centres and as long as they are apart until told otherwise."""

    def damping(self, damping: float) -> Record:
        """Damping along the line, N s/m."""

    def ends(self, on_i: Vec3, on_j: Vec3) -> Record:
        """Its ends on the two bodies, world, m."""

    def named(self, name: str) -> Record:
        """Names it."""

    def rest_length(self, length: float) -> Record:
        """Length without force, m; without it the distance of its ends when it is added."""

    def stiffness(self, stiffness: float) -> Record:
        """Stiffness, N/m. Zero makes a pure damper."""

class State:
    """All that a world needs to go on, as long as nothing is added, removed, cut or broken."""

    @staticmethod
    def from_bytes(bytes: bytes) -> State:
        """A state from bytes; refuses damaged, cut and foreign ones."""

    @property
    def hash(self) -> int:
        """A hash of the motion (FNV-1a over time, poses, velocities, multipliers and turns of couplings): equal runs
        have equal hashes on every machine.
        """

    @property
    def steps(self) -> int:
        """Steps taken."""

    @property
    def time(self) -> float:
        """Simulated time, s."""

    def to_bytes(self) -> bytes:
        """All of it as bytes, to keep in a file."""

class Strength:
    """What a joint carries before it breaks."""

    def __init__(self, force: float = ..., torque: float = ...) -> None: ...

class Translational:
    """Free to shift and not to turn."""

    @staticmethod
    def between(i: BodyId, j: BodyId, **words: Unpack[_JointWords]) -> Joint:
        """Free to shift and not to turn."""

class Universal:
    """A cross with two axes."""

    @staticmethod
    def between(i: BodyId, j: BodyId, **words: Unpack[_JointWords]) -> Joint:
        """A cross with two axes."""

class Water:
    """The water of a world."""

    def at(self, place: Vec3, time: float, gravity: Vec3) -> Record:
        """The water at a place (m) and time (s) under a gravity (m/s^2). Without gravity there are no waves."""

    def current(self, velocity: Vec3) -> Record:
        """Lets all of it flow, m/s."""

    def density(self, density: float) -> Record:
        """Sets the density, kg/m^3: 1025 for the sea."""

    @staticmethod
    def still(level: float = 0.0, **words: Unpack[_WaterWords]) -> Record:
        """Still fresh water up to a level, m."""

    def wave(self, wave: Wave) -> Record:
        """Adds a wave."""

class Wave:
    """A wave of deep water."""

    def __init__(self, height: float, period: float, direction: Vec3, phase: float = 0.0) -> None: ...

    def length(self, gravity: float) -> float:
        """Its length on deep water under this gravity (m/s^2), m."""

class Weld:
    """Nothing is free."""

    @staticmethod
    def between(i: BodyId, j: BodyId, **words: Unpack[_JointWords]) -> Joint:
        """Nothing is free."""

class Wheel:
    """A wheel with its suspension."""

    @staticmethod
    def between(wheel: BodyId, chassis: BodyId, *, suspension: Softness | tuple[float, float] = ..., steering: bool = False, **words: Unpack[_JointWords]) -> Joint:
        """A wheel on a chassis: at the hub, axis along the suspension (up), across along the axle. With `steering` it
        turns about the suspension.
        """

class Winch:
    """A drum on a hinge with a motor and a brake."""

    def inertia(self, inertia: float) -> Winch:
        """With this inertia of drum, gear and motor about the axis, kg m^2."""

    def mass(self, mass: float) -> Winch:
        """With this mass, kg."""

    def named(self, name: str) -> Winch:
        """With a name."""

    @staticmethod
    def on(body: BodyId, centre: Vec3, axis: Vec3, radius: float, **words: Unpack[_WinchWords]) -> Winch:
        """A winch on a body about an axis, with the pitch radius of its drum, m. It holds its rope until it is told
        something else.
        """

    def winding(self, winding: Winding) -> Winch:
        """Doing this at first."""

class WinchId:
    """A winch of a world."""

    @property
    def hinge(self) -> JointId:
        """The hinge of the rotor, with its motor and brake."""

    @property
    def radius(self) -> float:
        """Pitch radius, m."""

    @property
    def rotor(self) -> BodyId:
        """The body of its drum."""

class Wind:
    """The wind of a world."""

    def at(self, time: float) -> Array:
        """Its velocity at a time (s), m/s."""

    def density(self, density: float) -> Record:
        """Sets the density of the air, kg/m^3."""

    def gusts(self, gusts: Gusts) -> Record:
        """Lets it change."""

    @staticmethod
    def steady(velocity: Vec3, **words: Unpack[_WindWords]) -> Record:
        """A wind that does not change, m/s."""

class Winding:
    """What a winch does."""

    @staticmethod
    def brake(pull: float) -> Winding:
        """Holds with at most this pull, N."""

    @staticmethod
    def free() -> Winding:
        """Turns freely."""

    @staticmethod
    def haul(speed: float, force: float = ...) -> Winding:
        """Hauls in at a speed, m/s (negative: pays out), with at most this pull, N."""

    @staticmethod
    def keep(recover: float, render: float, speed: float) -> Winding:
        """Hauls in at `speed`, m/s, below the tension `recover`, N, holds up to `render`, N, and pays out above."""

class World:
    """A world of bodies, joints, ropes and whatever else, and what moves it from outside."""

    def __init__(self, **words: Unpack[_Options]) -> None: ...

    def add(self, part: Body | Joint | Collider | Force | Spring | Coupling | Reeving | HeavyRope | Winch | Deformable) -> Any:
        """Adds a Body, Joint, Collider, Force, Spring, Coupling, Reeving, HeavyRope, Winch or Deformable, and returns
        its handle.
        """

    def afloat(self, id: BodyId) -> Record:
        """What water and wind do to a body at its pose, velocity and time; nothing to one that does not move freely."""

    @property
    def angular_velocities(self) -> Array:
        """Angular velocities of all bodies in the axes of the world, rad/s, a row each. The same array each time: it
        follows the world and cannot be written. It ends in NaN when a row comes or goes.
        """

    def apply_angular_impulse(self, id: BodyId, impulse: Vec3) -> None:
        """Gives a body a spin at once: an angular impulse, N m s, world frame."""

    def apply_effort(self, joint: JointId, effort: float | Numbers) -> None:
        """Pushes at the freedoms of a joint during the next step, N or N m each: on body i, and the opposite on body j;
        efforts add up. One number for each freedom that the joint leaves, in the order of `crate.control.Dof.index`.
        Of a joint without a chart (a wheel, one that gives way) one for each motor, or where it has none for each of
        its `crate.JointRef.freedoms` that no row of it holds: the spin of a wheel, and its steering. Loads of
        `World.apply_force` and these are the same: `World.dynamics` counts them as acting until the step is done.
        """

    def apply_force(self, id: BodyId, force: Vec3, point: Vec3) -> None:
        """Pushes a body at a world point during the next step, N; forces add up."""

    def apply_impulse(self, id: BodyId, impulse: Vec3, point: Vec3) -> None:
        """Hits a body at a world point: changes its velocities at once by an impulse, N s. Joints answer in the next
        step.
        """

    def apply_torque(self, id: BodyId, torque: Vec3) -> None:
        """Twists a body during the next step, N m, world frame; torques add up."""

    def assemble(self, *, gap: float | None = None, passes: int | None = None, keep: bool | None = None) -> Record:
        """Brings scattered parts together before a run."""

    def attach_heavy_rope(self, rope: HeavyRopeId, body: BodyId) -> JointId:
        """Ties the last particle of a rope with mass to a body, where it is now."""

    def attach_rope(self, end: RopeEnd, body: BodyId, point: Vec3) -> None:
        """Ties an end of a rope over guides to a body, at a point of the world, m. The rope keeps its length and its
        guides; where it does not reach it is refused, for it would have to be stretched: `World.rope_reach` says by
        how much, and `World.pay_out` makes it longer. A rope that then comes taut stops what pulls it apart without a
        rebound.
        """

    def attach_rope_with_slack(self, end: RopeEnd, body: BodyId, point: Vec3, slack: float) -> None:
        """The same, with a rope that is made so much longer than its way then is, m: with 0 it is tied as it is found.
        At least 0: it is not stretched.
        """

    def bodies(self) -> list[BodyRef]:
        """All bodies."""

    def body(self, id: BodyId) -> BodyRef:
        """Looks at a body."""

    def body_ids(self) -> list[BodyId]:
        """Handles of the rows of arrays of bodies."""

    def cast_ray(self, origin: Vec3, direction: Vec3, max_distance: float, *, groups: Groups | None = None, exclude: BodyId | None = None, sensors: bool = False) -> RayHit | None:
        """The first collider along a ray from `origin` (m) in a direction of any length but zero, within `max_distance`
        (m).
        """

    def cast_ray_all(self, origin: Vec3, direction: Vec3, max_distance: float, *, groups: Groups | None = None, exclude: BodyId | None = None, sensors: bool = False) -> list[RayHit]:
        """All colliders along a ray, nearest first."""

    def cast_shape(self, shape: Shape, pose: Pose | tuple[Vec3, Quaternion], displacement: Vec3, *, groups: Groups | None = None, exclude: BodyId | None = None, sensors: bool = False) -> Record | None:
        """The first collider that a shape touches when it is moved from `pose` by `displacement` (m) without turning.
        The shape is convex or a compound.
        """

    def check_cut(self, id: DeformableId, along: Cut) -> None:
        """Whether a cut can be made, as `World.cut` would say, without making it."""

    def closest_point(self, at: Vec3, max_distance: float, *, groups: Groups | None = None, exclude: BodyId | None = None, sensors: bool = False) -> Record | None:
        """The nearest point of any collider within `max_distance` (m) of a point."""

    def collider(self, id: ColliderId) -> ColliderView:
        """Looks at a collider."""

    def colliders(self) -> list[ColliderView]:
        """All colliders."""

    def colliders_of(self, body: BodyId) -> list[ColliderId]:
        """The colliders of a body, in the order they were added."""

    def collisions(self) -> list[tuple[BodyId, BodyId, bool]]:
        """Pairs of bodies that meet or do not because the user has said so (`World.set_collision`), in a fixed order."""

    @property
    def contact_bodies(self) -> list[tuple[BodyId, BodyId]]:
        """Pairs of bodies of the contacts of the last step."""

    @property
    def contact_distances(self) -> Array:
        """Distances of the surfaces at the contacts of the last step, m: an array of its own."""

    @property
    def contact_forces(self) -> Array:
        """Forces of the contacts of the last step, N, a row each: an array of its own."""

    @property
    def contact_normals(self) -> Array:
        """Normals of the contacts of the last step, a row each: an array of its own."""

    @property
    def contact_points(self) -> Array:
        """Points of the contacts of the last step, m, a row each: an array of its own."""

    def contacts(self) -> list[ContactView]:
        """Contact points of the last step that push, in a fixed order; those of bodies that sleep come last, as they
        were when they fell asleep.
        """

    def coupling(self, id: CouplingId) -> CouplingRef:
        """Looks at a coupling."""

    def couplings(self) -> list[CouplingRef]:
        """All couplings."""

    def cut(self, id: DeformableId, along: Cut) -> Record:
        """Cuts a deformable, which stays one with more parts. Joints, springs and forces on a node stay on it; its
        copies have its colliders, its locks and what it is bound to. A cut that meets nothing changes nothing; after
        any other, older snapshots do not fit. On an error nothing has changed.
        """

    def cut_heavy_rope(self, rope: HeavyRopeId, length: float) -> Record:
        """Cuts a rope with mass at so much of what is out, m from the last guide or the hawse: the rod there is taken
        out. What is above goes on as this rope, what is below is particles and rods like any others. Above its first
        particle it is cut off as a whole: the rope without mass that led to it has a free end then, and goes on as a
        rope over guides. On an error nothing has changed.
        """

    def cut_rope(self, rope: RopeId, length: float) -> Record:
        """Cuts a rope over guides with so much of it between its start and the cut, m, without stretch; what is wound on
        a drum at its start does not count. The part from the start goes on as this rope, with its handle; the rest is
        a new rope, named after it with a number ("hoist 2", `World.name_rope` names it otherwise). Guides are shared
        out in their order; where the cut is on the wrap of one, neither part touches that guide any more. Both new
        ends hang free (`World.release_rope`). Other bodies keep their velocities. Older snapshots do not fit any
        more. On an error nothing has changed.
        """

    @property
    def default_step(self) -> float:
        """The step of the scene, s; 1/60 where none says."""

    @property
    def default_time(self) -> float:
        """The simulated time of a run of the scene, s; 10 where none says."""

    def deformable(self, id: DeformableId) -> DeformableRef:
        """A deformable, to be read."""

    def deformables(self) -> list[DeformableRef]:
        """All deformables."""

    def drum(self, winch: WinchId) -> Sheave:
        """The drum of a winch as it is now, for the rope that is wound on it."""

    def dynamics(self) -> Dynamics:
        """The mechanism in its own freedoms, for controllers."""

    def energy(self) -> Energy:
        """Energies now, centred in time like those of the step report; what sleeps is in them."""

    def find_body(self, name: str) -> BodyId:
        """The body of that name; an error when there is none, or several."""

    def find_coupling(self, name: str) -> CouplingId:
        """The coupling of that name; an error when there is none, or several."""

    def find_deformable(self, name: str) -> DeformableId:
        """The deformable of that name."""

    def find_force(self, name: str) -> ForceId:
        """The force of that name; an error when there is none, or several."""

    def find_joint(self, name: str) -> JointId:
        """The joint of that name; an error when there is none, or several."""

    def find_motor(self, name: str) -> MotorId:
        """The motor of that name, or where none has it the only motor of the joint of that name; an error when there is
        none, or several.
        """

    def find_rope(self, name: str) -> RopeId:
        """The rope over guides of that name; an error when there is none, or several."""

    @property
    def fired(self) -> list[Record]:
        """The events of the scene that have fired, in the order of time."""

    @property
    def follow(self) -> BodyId:
        """The body that the scene is followed by in tables."""

    def force(self, id: ForceId) -> Record:
        """The force behind a handle."""

    def force_name(self, id: ForceId) -> str:
        """Name of a force; empty without one."""

    def force_view(self, id: ForceId) -> Record:
        """Looks at a force: where it acts and how strongly. One on a body that is switched off, or between bodies that
        do not move freely, does not act.
        """

    def forces(self) -> list[ForceId]:
        """All forces that act until they are removed, in a fixed order."""

    @property
    def ground(self) -> BodyId:
        """The fixed body at the origin that every world has."""

    @property
    def hash(self) -> int:
        """A hash of the motion: equal runs have equal hashes on every machine, native, in the browser and in Python."""

    def hauling(self, winch: WinchId) -> float:
        """How fast a winch hauls in its rope, m/s; negative when it pays out."""

    def heavy_rope(self, id: HeavyRopeId) -> HeavyRopeRef:
        """Looks at a heavy rope."""

    def heavy_ropes(self) -> list[HeavyRopeRef]:
        """All ropes with mass."""

    def is_asleep(self, id: BodyId) -> bool:
        """Whether a body sleeps."""

    def joint(self, id: JointId) -> JointRef:
        """Looks at a joint."""

    @property
    def joint_forces(self) -> Array:
        """Forces of all joints on their first bodies, N, a row each. The same array each time: it follows the world and
        cannot be written. It ends in NaN when a row comes or goes.
        """

    @property
    def joint_gaps(self) -> Array:
        """Openings of all joints, m, a number each. The same array each time: it follows the world and cannot be
        written. It ends in NaN when a row comes or goes.
        """

    def joint_ids(self) -> list[JointId]:
        """Handles of the rows of arrays of joints."""

    @property
    def joint_tensions(self) -> Array:
        """Tensions of all joints, N, a number each. The same array each time: it follows the world and cannot be
        written. It ends in NaN when a row comes or goes.
        """

    @property
    def joint_torques(self) -> Array:
        """Torques of all joints on their first bodies, N m, a row each. The same array each time: it follows the world
        and cannot be written. It ends in NaN when a row comes or goes.
        """

    def joints(self) -> list[JointRef]:
        """All joints."""

    def motor(self, id: MotorId | JointId) -> MotorRef:
        """Looks at a motor. The handle of a joint stands for its only motor."""

    @property
    def motor_efforts(self) -> Array:
        """What all motors push with, N or N m, a number each. The same array each time: it follows the world and cannot
        be written. It ends in NaN when a row comes or goes.
        """

    def motor_ids(self) -> list[MotorId]:
        """Handles of the rows of arrays of motors."""

    @property
    def motor_positions(self) -> Array:
        """Positions of all motors, m or rad, a number each. The same array each time: it follows the world and cannot be
        written. It ends in NaN when a row comes or goes.
        """

    @property
    def motor_rates(self) -> Array:
        """Rates of all motors, m/s or rad/s, a number each. The same array each time: it follows the world and cannot be
        written. It ends in NaN when a row comes or goes.
        """

    def motors(self) -> list[MotorRef]:
        """All motors."""

    def name_rope(self, rope: RopeId, name: str) -> None:
        """Gives a rope over guides another name."""

    @property
    def options(self) -> Record:
        """The options as they are said to `set_options`."""

    def overlaps(self, shape: Shape, pose: Pose | tuple[Vec3, Quaternion], *, groups: Groups | None = None, exclude: BodyId | None = None, sensors: bool = False) -> list[ColliderId]:
        """All colliders that overlap a shape, convex or compound, in a fixed order."""

    def pair_materials(self) -> list[tuple[ColliderId, ColliderId, Record]]:
        """Pairs of colliders with a material of their own (`World.set_pair_material`), in a fixed order; it is in the
        frame of the first.
        """

    def pay_out(self, id: RopeId, length: float) -> None:
        """Pays out so much of a rope at its end, m; a negative length hauls it in. What is hauled in within a step moves
        what hangs on it in that step.
        """

    def pose(self, id: BodyId) -> Pose:
        """Pose of a body."""

    @property
    def positions(self) -> Array:
        """Centres of mass of all bodies, m, a row each. The same array each time: it follows the world and cannot be
        written. It ends in NaN when a row comes or goes.
        """

    def predict_contacts(self, h: float) -> list[ContactView]:
        """Contact points that a step of length `h` (s) from here would begin with, in a fixed order: all that can matter
        within it. Their forces are not known yet: zero.
        """

    def project(self, *, joints: Sequence[JointId] | None = None, limits: bool | None = None, velocities: bool | None = None, gap: float | None = None, passes: int | None = None) -> Record:
        """Moves bodies by the least change by mass until the chosen joints, and their limits, are closed; see
        `Projection`. Forces of the last step are forgotten. Couplings, ropes over guides and contacts are not looked
        at. Where it does not succeed nothing has changed, and the report tells what stands against it.
        """

    def release_heavy_rope(self, rope: HeavyRopeId) -> BodyId:
        """Unties the last particle of a rope with mass from what holds it."""

    def release_motor(self, motor: MotorId | JointId) -> None:
        """Lets a motor go: it does nothing until it is told something again."""

    def release_rope(self, end: RopeEnd) -> BodyId:
        """Lets an end of a rope over guides go: it is a particle then, which the rope drags along and which runs through
        its guides, one after the other, until it is out of all of them. It is part of the rope, has a thousandth of
        the mass of the lightest body that moves freely on it, and goes when the end is tied or spliced, or the rope
        removed. From a drum the rope parts where it leaves it: what is wound stays there. Returns the particle; that
        of an end which is free already, where nothing changes.
        """

    def remove(self, handle: BodyId | JointId | ColliderId | CouplingId | ForceId | RopeId | DeformableId) -> None:
        """Takes a body (with its joints, forces and colliders), joint, collider, coupling, force, rope over guides or
        deformable out.
        """

    def restore(self, to: State | Snapshot) -> None:
        """Goes back to a `State` or a `Snapshot`."""

    def rope(self, id: RopeId) -> RopeRef:
        """Looks at a rope over guides."""

    def rope_reach(self, end: RopeEnd, body: BodyId, point: Vec3) -> float:
        """Slack that a rope over guides would have with an end at a point of a body, m; negative where it does not
        reach.
        """

    def ropes(self) -> list[RopeRef]:
        """All ropes over guides."""

    @property
    def rotations(self) -> Array:
        """Rotations of all bodies, a row (x, y, z, w) each. The same array each time: it follows the world and cannot be
        written. It ends in NaN when a row comes or goes.
        """

    def rows_in_order(self) -> list[Record]:
        """Joints, locks and forces in the order in which they were added."""

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> list[str]:
        """Writes a scene file and returns what it does not say, a sentence each. An existing file stays, unless
        `overwrite`.
        """

    def set_activation(self, id: DeformableId, activation: float) -> None:
        """Activates the fibres of a deformable, 0 (slack) to 1."""

    def set_angular(self, id: JointId, soft: Softness | tuple[float, float]) -> None:
        """Gives all angular rows of a joint another give, rad/(N m)."""

    def set_armature(self, id: JointId, armature: float) -> None:
        """Gives a joint another armature, kg m^2 for turns and kg for slides; zero takes it away. The rates stay what
        they are.
        """

    def set_body_enabled(self, id: BodyId, enabled: bool) -> None:
        """Switches a body on or off. One that is off stands where it is, carries nothing and meets nothing; its joints
        and forces rest. It goes on with the velocity it had.
        """

    def set_collider_enabled(self, id: ColliderId, enabled: bool) -> None:
        """Switches a collider on or off. One that is off meets nothing and no query sees it; it keeps its handle, its
        material and all else. What it touched wakes, and the next step tells that its contacts have ended.
        """

    def set_collider_pose(self, id: ColliderId, pose: Pose | tuple[Vec3, Quaternion]) -> None:
        """Places a collider anew in the frame of its body, m. The mass of the body stays what it is."""

    def set_collider_user_data(self, id: ColliderId, user_data: int) -> None:
        """Gives a collider a number of the user's own."""

    def set_collision(self, a: BodyId, b: BodyId, meet: bool) -> None:
        """Whether two bodies meet, whatever their joints. By default they do unless a joint joins them."""

    def set_contact_hooks(self, filter: Callable[[Record], bool] | None = None, modify: Callable[[ContactEdit], None] | None = None) -> None:
        """Functions that filter pairs of colliders (`filter(pair)` says whether they may touch) and change contact
        points (`modify(contact)`). What they raise, the step raises. Without arguments there are none.
        """

    def set_coupling(self, id: CouplingId, coupling: Coupling) -> None:
        """Changes a coupling: its ratios, offset, give, or what it couples. The force of the last step and the turns of
        freedoms that stay are kept. Without an offset the sum stays at what it is now, as when a gearbox is shifted.
        With one the error that it leaves is closed: at once when it is small, by parts in the positions alone when it
        is not. It is a change of structure: snapshots from before it no longer fit.
        """

    def set_damping(self, id: BodyId, linear: float, angular: float) -> None:
        """Sets the decay rates of linear and angular velocity, 1/s."""

    def set_drive(self, id: MotorId | JointId, *, stiffness: float | None = None, damping: float | None = None) -> None:
        """Makes a motor a servo with stiffness and damping, or without them a rate motor."""

    def set_exposure(self, id: BodyId, exposure: Exposure) -> None:
        """Says what water and wind see of a body."""

    def set_force(self, id: ForceId, force: Force) -> None:
        """Changes a force: its strength, its points, the numbers of a spring. Kind and bodies stay, and so does the
        tension of a spring until the next step.
        """

    def set_force_range(self, id: MotorId | JointId, min: float, max: float) -> None:
        """Changes the range of a motor's force, N or N m: infinite when nothing bounds it, `0.0` on one side for a motor
        that only pushes or only pulls.
        """

    def set_friction(self, id: JointId, friction: Friction | float) -> None:
        """Changes the dry friction of a freedom of a joint, or adds it where there is none."""

    def set_gravity_scale(self, id: BodyId, scale: float) -> None:
        """Sets how much of gravity a body feels, no unit: 1 is all, 0 none."""

    def set_groups(self, id: ColliderId, groups: Groups) -> None:
        """Changes whom a collider meets."""

    def set_joint_enabled(self, id: JointId, enabled: bool) -> None:
        """Switches a joint on or off. One that is off holds nothing; it goes on with the multipliers it had."""

    def set_joint_user_data(self, id: JointId, data: int) -> None:
        """Gives a joint a number of the user's own."""

    def set_length(self, id: JointId, length: float) -> None:
        """Gives a rod or a rope another length, m. A hoist does this before every step: what hangs on it then moves at
        the rate of the length. The tension stays what it was until the step. Before its first step a rope is not
        hauled in: the world steps like one that was built with this length.
        """

    def set_limit(self, id: LimitId | JointId, limit: Limit) -> None:
        """Changes a limit: its range, give and rebound. The freedom stays. For a rope it is the range of its length, and
        made shorter it hauls like `World.set_length`.
        """

    def set_linear(self, id: JointId, soft: Softness | tuple[float, float]) -> None:
        """Gives all linear rows of a joint another give, m/N."""

    def set_locks(self, id: BodyId, locks: Locks) -> None:
        """Locks directions of the world in which a body can then not move or turn, from where it is now."""

    def set_mass(self, id: BodyId, mass: MassProperties) -> None:
        """Gives a body another mass and inertia about its centre of mass, which stays where it is."""

    def set_material(self, id: ColliderId, material: Material) -> None:
        """Changes what a collider is made of."""

    def set_motion(self, id: BodyId, motion: str, mass: MassProperties | None = None) -> None:
        """Makes a body move in another way. One that begins to move freely needs a mass; one that stops keeps its pose
        and stands still. Particles stay particles.
        """

    def set_motor(self, motor: MotorId | JointId, command: Command | None = None, *, target: float | None = None, rate: float | None = None) -> None:
        """Tells a motor (or the first one of a joint) a command, or a `target` (m, rad), a `rate` (m/s, rad/s), or both."""

    def set_motors(self, targets: Numbers | None = None, rates: Numbers | None = None) -> None:
        """Tells all motors `targets` and `rates`, in the order of `motor_ids`."""

    def set_mouse_target(self, id: ForceId, target: Vec3) -> None:
        """Moves the target of a mouse spring, m."""

    def set_options(self, **words: Unpack[_Options]) -> None:
        """Changes the options that are named: gravity, coordinates, stabiliser, solver, resolved, minres_iterations,
        minres_tolerance, bounded, bounded_tolerance, sleep, parallel.
        """

    def set_pair_material(self, a: ColliderId, b: ColliderId, material: Material) -> None:
        """A material for one pair of colliders, in place of their own. It is not combined; its direction and surface
        velocity are those of the surface of `a`.
        """

    def set_pose(self, id: BodyId, pose: Pose | tuple[Vec3, Quaternion]) -> None:
        """Moves a body at once (for a kinematic body that should push others, use `set_target`)."""

    def set_sensor(self, id: ColliderId, sensor: bool) -> None:
        """Makes a collider a sensor, which only tells what overlaps it, or one that pushes again."""

    def set_shape(self, id: ColliderId, shape: Shape) -> None:
        """Gives a collider another shape. The mass of its body stays what it is. Where the new shape reaches into
        others, the next steps push them apart.
        """

    def set_speed_limit(self, id: JointId, limit: SpeedLimit) -> None:
        """Changes the bound of the speed of a freedom of a joint, or adds it where there is none."""

    def set_strength(self, id: JointId, strength: Strength | None) -> None:
        """Sets what a joint can carry; beyond it the joint breaks within the step and is gone. `None` makes it
        unbreakable.
        """

    def set_target(self, id: BodyId, pose: Pose | tuple[Vec3, Quaternion]) -> None:
        """Where a kinematic body must be after the next step; it moves there at constant velocity."""

    def set_tear_strength(self, id: DeformableId, strength: float | None) -> None:
        """Sets the stress that a deformable can carry, Pa; beyond it, it tears at the end of the step. `None` makes it
        untearable.
        """

    def set_top_speed(self, id: BodyId, linear: float, angular: float) -> None:
        """How fast a body can go, m/s, and turn, rad/s; infinite where nothing holds it."""

    def set_tree_role(self, id: JointId, role: str) -> None:
        """Says whether a joint is to be coordinates or rows when coordinates are reduced."""

    def set_user_data(self, id: BodyId, data: int) -> None:
        """Gives a body a number of the user's own."""

    def set_velocity(self, id: BodyId, velocity: Vec3, angular: Vec3 = ...) -> None:
        """Sets velocity (m/s) and angular velocity (rad/s, world frame); a kinematic body goes on moving like that."""

    def set_water(self, water: Water | None) -> None:
        """Fills the world with water up to a level, or takes it away. All bodies wake."""

    def set_winch(self, winch: WinchId, winding: Winding) -> None:
        """Tells a winch what to do, in the terms of its rope. Before it has a rope, hauling turns it about its axis."""

    def set_wind(self, wind: Wind | None) -> None:
        """Lets a wind blow, or stops it. All bodies wake."""

    def size(self) -> Size:
        """Rows, unknowns and memory of the present structure. After a change of structure it costs as much as laying the
        world out for a step, until a step has done so.
        """

    @property
    def sleeping(self) -> int:
        """Bodies that sleep."""

    def snapshot(self) -> Snapshot:
        """A copy of all of it with what has happened in it, to go back to whatever is removed, breaks or is changed
        later.
        """

    def splice_ropes(self, a: RopeEnd, b: RopeEnd) -> RopeId:
        """Makes one rope of two by joining an end of each, which must hang free. It goes on as the first one, with its
        handle, its name and its direction; the other one is turned round where it must be. Their lengths add up;
        where they do not reach, and where their E A differ, it is refused.
        """

    @property
    def state(self) -> State:
        """The state; clone it to keep a snapshot."""

    def step(self, h: float | None = None) -> StepReport:
        """Advances by `h` seconds (default: the step of the scene), moved by what drives the scene, without the
        interpreter's lock. On an error nothing has changed.
        """

    @property
    def steps(self) -> int:
        """Steps taken."""

    @property
    def stopped(self) -> Record | None:
        """The end that an event of the scene has asked for."""

    @property
    def time(self) -> float:
        """Simulated time, s."""

    def to_json(self) -> tuple[str, list[str]]:
        """The text of a scene file, and what it does not say, a sentence each."""

    def tree(self) -> Record:
        """Which joints are coordinates and which stay rows when coordinates are reduced."""

    @property
    def velocities(self) -> Array:
        """Velocities of the centres of all bodies, m/s, a row each. The same array each time: it follows the world and
        cannot be written. It ends in NaN when a row comes or goes.
        """

    def wake(self, id: BodyId) -> None:
        """Wakes a body and all that sleeps with it."""

    def wake_all(self) -> None:
        """Wakes all bodies."""

    @property
    def water(self) -> Record | None:
        """The water, if there is any."""

    def water_at(self, place: Vec3) -> Record | None:
        """The water at a place (m), now; none where there is none."""

    def winch_rate(self, winch: WinchId, speed: float) -> float:
        """The rate of a winch's motor, rad/s, that hauls in its rope at a speed, m/s: for `World.set_motor` with its
        hinge.
        """

    @property
    def wind(self) -> Record | None:
        """The wind, if there is one."""

    @property
    def wind_now(self) -> Array:
        """Velocity of the wind now, m/s; zero without one."""

    def __copy__(self) -> World: ...

    def view(self, time: float = ..., h: float | None = None, fps: float = ..., height: int = ..., watch: Callable[[World, StepReport], Any] | None = None) -> View:
        """Runs a world for `time` seconds (none: as it stands) and returns its recording. It has run afterwards: view a
        copy to keep it.
        """

    def plot(self, time: float | None = None, h: float | None = None, follow: Sequence[Any] | None = None, watch: Callable[[World, StepReport], dict[str, float] | None] | None = None) -> Any:
        """Runs a world as `taut.run` does and plots energy, gap and what is followed; returns the matplotlib figure. The
        frame of the run is the attribute `frame` of the figure.
        """

class Wound:
    """A sheave with the way round it."""

    def turns(self, turns: int) -> Wound:
        """With so many whole turns more than the shortest way round has: a capstan."""
