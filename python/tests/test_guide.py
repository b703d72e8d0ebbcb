"""The pages of the guide show the code of `docs/guide/crane.py`, which does what they say; the notebook and the README run."""

import importlib.util
import json
import pathlib
import re

import numpy as np
import pytest

import taut

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "guide"
WEIGHT = 2400 * 1.5**3 * 9.81  # Of the load, N.


@pytest.fixture(scope="module")
def crane():
    spec = importlib.util.spec_from_file_location("crane", GUIDE / "crane.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load(world):
    return world.body(world.find_body("load"))


def test_without_joints_everything_falls_freely(crane):
    world, _ = crane.run(1)
    assert 7 - load(world).position[1] == pytest.approx(0.5 * 9.81 * 0.25, abs=1e-9)


def test_joints_hold_the_boom_and_not_the_load(crane):
    world, _ = crane.run(2)
    assert np.allclose(world.body(world.find_body("boom")).position, 0.5 * (crane.FOOT + crane.HEAD), atol=1e-9)
    assert load(world).position[1] < 5


def test_the_rope_holds_the_load(crane):
    world, largest = crane.run(3)
    assert 0.02 < 7 - load(world).position[1] < 0.15
    assert WEIGHT < largest["rope"] < 2 * WEIGHT and largest["gap"] < 1e-9


def test_the_driver_sets_the_load_down_on_the_deck(crane):
    world, largest = crane.run(6)
    assert load(world).position[1] == pytest.approx(1.75, abs=1e-3) and np.linalg.norm(load(world).velocity) < 1e-2
    assert any(world.find_body("load") in pair for pair in world.contact_bodies)
    assert largest["gap"] < 1e-9 and largest["unexplained"] < 1e-6 and largest["moment"] > WEIGHT * crane.HEAD[0]


def test_the_crane_is_that_of_rust(crane):
    """What the page on measuring says, which the Rust program printed."""
    page = (GUIDE / "crane-6-measuring.md").read_text()
    said = {name: float(value) for name, value in re.findall(r"largest (tension of the \w+|moment) ?[^|]*\| ([\d.]+) kN", page)}
    _, largest = crane.run(6)
    found = [largest[k] / 1e3 for k in ("rope", "pendant", "moment")]
    assert found == pytest.approx(list(said.values()), rel=1e-3)


def test_the_pages_show_this_code():
    source = (GUIDE / "crane.py").read_text()
    pages = sorted(GUIDE.glob("crane-*.md"))
    blocks = [(p.name, b) for p in pages for b in re.findall(r"```python\n(.*?)```", p.read_text(), re.S)]
    assert len(blocks) == len(pages) == 6
    for name, block in blocks:
        assert block in source, name


def test_the_notebook_runs_and_holds_no_outputs():
    notebook = json.loads((GUIDE / "chain.ipynb").read_text())
    cells = [c for c in notebook["cells"] if c["cell_type"] == "code"]
    assert len(cells) >= 4 and all(not c["outputs"] and c["execution_count"] is None for c in cells)
    names = {}
    for cell in cells:
        exec(compile("".join(cell["source"]), "chain.ipynb", "exec"), names)
    assert len(names["frame"]) > 100 and names["run"]["positions"].shape[:2] == (16, 60)


def test_the_lines_of_the_readme_run(capsys):
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) == 1
    exec(compile(blocks[0], "README.md", "exec"), {})
    assert "gap" in capsys.readouterr().out


def test_a_run_leaves_a_frame(crane):
    world = taut.scene("chain")
    follow = [world.joints()[0].id, world.bodies()[-1].name]
    frame = taut.run(world, 1.0, 0.01, follow=follow, watch=lambda w, r: {"steps": w.steps})
    assert len(frame) == 100 and frame.index.name == "time" and frame["steps"].iloc[-1] == 100
    assert (frame["max_gap"] < 1e-3).all() and frame["energy"].iloc[-1] == pytest.approx(frame[["kinetic", "gravity", "elastic"]].iloc[-1].sum())
    assert any(c.endswith(".position.y") for c in frame) and any(c.endswith(".force.x") for c in frame)
    with pytest.raises(taut.InputError, match="nobody"):
        taut.run(world, 0.1, follow=["nobody"])


def test_a_view_is_a_page_of_its_own(tmp_path):
    world = taut.scene("trampoline", side=6)
    view = world.view(0.2)
    view.save(tmp_path / "view.html")
    page = (tmp_path / "view.html").read_text()
    scene = json.loads(re.search(r"const scene = (\{.*\});", page).group(1))
    assert scene["frames"] > 5 and len(scene["bodies"]) == len(world.bodies()) and "http" not in page
    assert view._repr_html_().startswith("<iframe srcdoc=") and world.time == pytest.approx(0.2, abs=0.02)
    assert len(json.loads(re.search(r"const scene = (\{.*\});", taut.scene("crane").view()._page).group(1))["pieces"]) == 1


def test_a_plot_has_a_panel_for_each_thing():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    world = taut.scene("chain")
    figure = world.plot(0.5, 0.01, follow=[world.joints()[0].id])
    labels = [axis.get_ylabel() for axis in figure.axes]
    assert labels[:2] == ["energy, J", "largest gap, m"] and any(label.endswith("force, N") for label in labels)
    assert len(figure.frame) == 50
