"""Taut: physics for mechanisms and cables under load.

>>> import taut
>>> world = taut.World()
>>> load = world.add(taut.Body.solid(taut.Shape.ball(0.5), 7800, at=(2, 0, 0), named="load"))
>>> pin = world.add(taut.Ball.between(load, world.ground, at=(0, 0, 0)))
>>> report = world.step(1 / 60)
>>> bool(report.max_gap < 1e-12)
True

Units are SI. Names are those of the Rust library, in Python's spelling; what Rust says by a chain of methods
(`Body.solid(shape, density).at(p).named("load")`) may be said by keywords, too.
"""

from . import rerun, soft
from ._errors import (
    AssemblyError,
    BusyError,
    Error,
    FileError,
    HandleError,
    InputError,
    PairingError,
    StepError,
    UnbalancedError,
)
from ._fmu import fmu
from ._plot import plot as _plot
from ._run import run
from ._sweep import sweep
from ._taut import *  # noqa: F403
from ._taut import World, __version__
from ._view import View
from ._view import view as _view

World.view = _view
World.plot = _plot
