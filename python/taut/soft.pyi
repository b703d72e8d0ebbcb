"""Meshes and materials of deformables."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, TypedDict

from typing_extensions import Unpack

from . import Array, ArrayLike, Matrix, Record, Vec3

class _MaterialWords(TypedDict, total=False):
    law: Law | str
    thickness: float
    area: float
    bending: float
    damping: float
    mass_damping: float
    plasticity: Plasticity
    fibre: Fibre

class Fibre:
    """Fibres that pull when they are activated."""

    def __init__(self, direction: Vec3, stress: float) -> None: ...

class Law:
    """A law by its word, or one made by `hooke`, `orthotropic` or `cord`."""

    @staticmethod
    def cord(strain: float, young: float) -> Law:
        """A bar that only pulls: the strain up to which the modulus of the material holds, and the modulus beyond it,
        Pa.
        """

    @staticmethod
    def hooke(stiffness: ArrayLike, axes: Vec3 | Matrix | None = None) -> Law:
        """Hooke's law with a 6 x 6 matrix, Pa, in these axes."""

    @staticmethod
    def orthotropic(along: float, across: float, shear: float, poisson: float, axis: Vec3) -> Law:
        """An orthotropic sheet: moduli along an axis, across it and of shear, Pa, and Poisson's ratio."""

class Material:
    """What a deformable is made of."""

    def __init__(self, density: float, young: float, poisson: float, **words: Unpack[_MaterialWords]) -> None: ...

    def area(self, area: float) -> Material:
        """With this cross section of bars, m^2."""

    def bending(self, bending: float) -> Material:
        """With this bending stiffness of sheets, N m."""

    def check(self) -> None:
        """Refuses numbers no body can have."""

    def damping(self, damping: float) -> Material:
        """With this time of stiffness-proportional damping, s."""

    def fibre(self, fibre: Fibre) -> Material:
        """With active fibres."""

    def law(self, law: Law | str) -> Material:
        """With this law."""

    def mass_damping(self, mass_damping: float) -> Material:
        """With this mass-proportional damping, 1/s."""

    def plasticity(self, plasticity: Plasticity) -> Material:
        """With permanent deformation."""

    @property
    def shear_modulus(self) -> float:
        """mu = E/(2 (1 + nu)), Pa."""

    def thickness(self, thickness: float) -> Material:
        """With this thickness of sheets, m."""

class Mesh:
    """Nodes and cells, with the groups of cells over which the change of volume is averaged where the generator knows
    them.
    """

    def __init__(self, nodes: ArrayLike, cells: Mapping[str, ArrayLike]) -> None: ...

    @staticmethod
    def ball(radius: float, cells: int) -> Mesh:
        """A ball: radius, m, and cells along an edge of the cube that is mapped to it."""

    @staticmethod
    def bar(size: Vec3, cells: tuple[int, int, int], filling: str = 'hexahedra') -> Mesh:
        """A box from the origin: size, m, cells along x, y, z, and `filling`: hexahedra, five-tets or six-tets."""

    @property
    def cells(self) -> dict[str, list[list[int]]]:
        """Cells by kind: bar, triangle, quad, tet, hex; numbers of nodes in the order of VTK."""

    def check(self) -> Record:
        """Refuses what no element can be built on; else tells what is worth knowing."""

    @staticmethod
    def creature(size: float = 0.08) -> Mesh:
        """A creature 1 m tall, of cubes of this size, m."""

    @staticmethod
    def net(size: tuple[float, float], cells: tuple[int, int]) -> Mesh:
        """Bars over a rectangle in z = 0: size, m, and cells along x and y."""

    @property
    def nodes(self) -> Array:
        """Positions at rest, m."""

    @staticmethod
    def read(path: str | PathLike[str], *, scale: float = 1.0, drop_unused: bool = False, weld: float | None = None) -> Mesh:
        """Reads a file (.msh, .obj, .stl, .ply); `scale` is metres for one unit of the file, `weld` joins nodes within a
        distance, m.
        """

    @staticmethod
    def rope(from_: Vec3, to: Vec3, segments: int) -> Mesh:
        """Bars from a point to another, m."""

    @staticmethod
    def sheet(size: tuple[float, float], cells: tuple[int, int], of: str = 'triangles') -> Mesh:
        """A rectangle in z = 0 from the origin: size, m, cells along x and y, of triangles or quads."""

    @property
    def triangles(self) -> list[list[int]]:
        """Triangles of its surface."""

    @staticmethod
    def tube(inner: float, outer: float, length: float, cells: tuple[int, int, int]) -> Mesh:
        """A tube along x: radii and length, m; cells through the wall, around and along it."""

    def voxels(self, size: float) -> Mesh:
        """Cubes of a size, m, that fill the closed surface of this mesh."""

class Plasticity:
    """Yield, creep and the most plastic strain."""

    def __init__(self, yield_strain: float, creep_time: float = 0.0, max_strain: float = ...) -> None: ...
