"""A recording of a run that turns in a notebook or a browser: one page without any other file, drawn with WebGL."""

import base64
import html
import json
import pathlib
import tempfile
import webbrowser

import numpy as np

from . import _taut

MOST_FRAMES = 1000


class View:
    """A recorded run. In a notebook the last value of a cell shows it; `open()` shows it in the browser, `save(path)` keeps it."""

    def __init__(self, page, height):
        self._page, self._height = page, height

    def _repr_html_(self):
        page = html.escape(self._page, quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:{self._height}px;border:0" sandbox="allow-scripts"></iframe>'

    def save(self, path):
        """Writes the page."""
        pathlib.Path(path).write_text(self._page, encoding="utf-8")

    def open(self):
        """Shows it in the browser, and returns the path of the page."""
        with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(self._page)
        webbrowser.open(pathlib.Path(file.name).as_uri())
        return file.name


def stepped(world, steps, h, watch):
    """Steps a world until an event of its scene stops the run: numbers from 1, and reports."""
    for k in range(1, steps + 1):
        if world.stopped is not None:
            break
        report = world.step(h)
        if watch is not None:
            watch(world, report)
        yield k, report


def view(world, time=0.0, h=None, fps=60, height=420, watch=None):
    """Runs a world for `time` seconds (none: as it stands) and returns its recording.

    `h` is the step, s; `fps` frames are kept for a second of simulated time, at most a thousand in all. `watch(world, report)` is
    called after each step and may act on the world. The world has run afterwards; view a copy (`copy.copy`) to keep it as it is.
    """
    h = world.default_step if h is None else h
    steps = max(0, round(time / h))
    every = max(1, round(1 / (fps * h)), -(-steps // MOST_FRAMES))
    drawing = _taut._Drawing(world)
    frames = [drawing.moment(world)]
    for k, _ in stepped(world, steps, h, watch):
        if k % every == 0:
            frames.append(drawing.moment(world))
    return View(_page(drawing, frames, every * h), height)


def _numbers(array, kind):
    return base64.b64encode(np.ascontiguousarray(array, dtype=kind).tobytes()).decode()


def _page(drawing, frames, every):
    cloth, nodes = drawing.surfaces
    radii = drawing.rods
    # The box around what moves, wherever it goes.
    moves = [k for k, (_, motion, _) in enumerate(drawing.bodies) if motion != "fixed"]
    places = np.concatenate([f["poses"][moves, :3] for f in frames] + [np.array(drawing.bounds)])
    bounds = [places.min(axis=0).tolist(), places.max(axis=0).tolist()]
    # All straight pieces of a frame, with the radius that they are drawn with. Ropes have as many pieces as their way needs.
    size = float(np.linalg.norm(np.subtract(*drawing.bounds)))
    thin = 0.003 * size
    pieces = []
    for f in frames:
        rods = np.column_stack([f["rods"][:, :6], np.maximum(radii, 0.5 * thin)]) if radii else np.zeros((0, 7))
        ropes = np.column_stack([f["ropes"][:, :6], np.full(len(f["ropes"]), thin)])
        pieces.append(np.concatenate([rods, ropes]))
    scene = {
        "meshes": [{"corners": _numbers(p, "<f4"), "triangles": _numbers(t, "<u4")} for p, t in drawing.meshes],
        "bodies": [
            {
                "moves": motion in ("dynamic", "particle", "kinematic"),
                "parts": [{"mesh": mesh, "ground": ground, "pos": list(pos), "rot": list(rot)} for (mesh, ground), (pos, rot) in parts],
            }
            for _, motion, parts in drawing.bodies
        ],
        "poses": _numbers([f["poses"] for f in frames], "<f4"),
        "pieces": [_numbers(p, "<f4") for p in pieces],
        "nodes": _numbers([f["nodes"] for f in frames], "<f4"),
        "cloth": _numbers(cloth, "<u4"),
        "skin": _numbers(nodes, "<u4"),
        "frames": len(frames),
        "every": every,
        "bounds": bounds,
    }
    page = pathlib.Path(__file__).with_name("view.html").read_text(encoding="utf-8")
    return page.replace("/*SCENE*/null", json.dumps(scene))
