"""Worlds in Rerun (https://rerun.io): a thin layer over the package `rerun-sdk`, which is loaded when it is needed."""

from collections.abc import Callable
from os import PathLike
from typing import Any

from . import StepReport, World

class Log:
    """A world in a recording of Rerun. Shapes are logged once, when it is made; `log` logs the world as it is at that time."""

    def __init__(self, world: World, recording: Any | None = None, root: str = ...) -> None: ...

    @property
    def recording(self) -> Any:
        """The recording that is logged to."""

    def log(self, report: StepReport | None = None) -> None:
        """Logs poses, ropes, deformables, forces (N) and gaps (m) of joints, at the time of the world. With the report of a
        step also energies (J) and the largest gap (m).
        """

def log(world: World, time: float = ..., h: float | None = None, fps: float = ..., watch: Callable[[World, StepReport], Any] | None = None, save: str | PathLike[str] | None = None, spawn: bool = False, recording: Any | None = None, root: str = ...) -> Any:
    """Runs a world for `time` seconds (none: as it stands) and logs it to Rerun; returns the recording."""
