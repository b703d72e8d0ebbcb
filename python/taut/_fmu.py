"""Scenes as FMUs for co-simulation."""

import os
import pathlib

from . import _taut
from ._errors import InputError

# Where the library is, when nothing else says it.
_VARIABLE = "TAUT_FMU_LIBRARY"


def fmu(scene, output=None, *, fmi=3, set=None, dt=None, signals=None, list=False, library=None):
    """Writes a scene as an FMU for co-simulation, and returns its variables: records with `name`, `role`, `type`, `unit`, `start` and
    `description`.

    `scene` is the name of a scene of the library, the path of a scene file or of a URDF or
    MJCF, or a world that a scene file can hold. `output` is the FMU
    to write; without it that is the name of the scene with .fmu, in this folder. A file that is there is written over. `fmi` is the
    version of FMI, 2 or 3. `set` maps parameters of the scene, or places of a scene file such as `bodies.load.mass`, to values. `dt` is
    the internal step (s), by default the scene's own. `signals` lists the names of what has variables: joints, motors, ropes, bodies,
    springs, deformables; without it that is all that `taut run --signals` shows. With `list` nothing is written.

    `library` is the shared library of the crate taut-c, which goes into the FMU. Without it, it is what the environment variable
    TAUT_FMU_LIBRARY names, else the one beside this package.
    """
    if fmi not in (2, 3):
        raise InputError(f"fmi = {fmi!r}: expected 2 or 3")
    made = _made(scene, output, set or {}, dt, signals)
    variables = made.variables()
    if list:
        return variables
    output = pathlib.Path(made.name.replace("/", "-") + ".fmu" if output is None else output)
    if output.suffix.lower() != ".fmu":
        raise InputError(f"output = {str(output)!r}: expected a path that ends in .fmu")
    content = made.pack(fmi, str(_library(library)))
    output.write_bytes(content)
    return variables


def _made(scene, output, given, dt, signals):
    """What an FMU is made of."""
    words = [(str(name), _word(name, value)) for name, value in given.items()]
    if isinstance(signals, str):
        raise InputError(f"signals = {signals!r}: expected a list of names")
    signals = None if signals is None else [str(name) for name in signals]
    dt = None if dt is None else float(dt)
    if isinstance(scene, _taut.World):
        text, lost = scene.to_json()
        if lost:
            raise InputError(f"scene: expected a world that a scene file can hold: {'; '.join(lost)}")
        name = "world" if output is None else pathlib.Path(output).stem
        defaults = (dt, scene.default_step, scene.default_time)
        return _taut._Fmu.of_file((text, pathlib.Path(), name), words, defaults, signals)
    path = pathlib.Path(scene)
    if path.suffix.lower() in (".urdf", ".xml", ".mjcf"):
        return _taut._Fmu.of_file((_taut._imported(path), path.parent, path.stem), words, (dt, None, None), signals)
    if path.suffix.lower() == ".json" or path.is_file():
        text = path.read_text(encoding="utf-8")
        return _taut._Fmu.of_file((text, path.parent, path.stem), words, (dt, None, None), signals)
    return _taut._Fmu.of_library(str(scene), words, dt, signals)


def _word(name, value):
    """A value as the command line would say it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        return repr(float(value))
    except (TypeError, ValueError):
        raise InputError(f"{name} = {value!r}: expected a number, a word or a boolean") from None


def _library(given):
    """Where the library is that goes into an FMU."""
    if given is not None:
        return pathlib.Path(given)
    if os.environ.get(_VARIABLE):
        return pathlib.Path(os.environ[_VARIABLE])
    name = _taut._fmu_library()
    beside = pathlib.Path(__file__).with_name(name)
    if not beside.is_file():
        raise InputError(
            f"library: {name}, which goes into the FMU, is not in the package: expected library=PATH or the environment variable "
            f"{_VARIABLE}; `cargo build --release -p taut-c` in a clone of Taut builds it, as target/release/{name}"
        )
    return beside
