"""FMUs from Python: their archive and description; they run where FMPy is installed."""

import json
import os
import pathlib
import xml.etree.ElementTree
import zipfile

import pytest

import taut
from taut import _taut

ROOT = pathlib.Path(__file__).parents[2]
HOIST = ROOT / "crates" / "taut-scenes" / "files" / "hoist.json"


@pytest.fixture
def library(tmp_path):
    """The library, or where it is not built a file in its place: only an importer looks into it."""
    places = [ROOT / "target" / kind for kind in ("release", "debug")]
    for folder in [pathlib.Path(os.environ.get("TAUT_FMU_LIBRARY", "/")).parent, *places]:
        if (folder / _taut._fmu_library()).is_file():
            return folder / _taut._fmu_library()
    stand_in = tmp_path / _taut._fmu_library()
    stand_in.write_bytes(b"no library")
    return stand_in


def description(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return xml.etree.ElementTree.fromstring(archive.read("modelDescription.xml")), archive.namelist()


def names(root, version):
    if version == 2:
        return [v.get("name") for v in root.find("ModelVariables").findall("ScalarVariable")]
    return [v.get("name") for v in root.find("ModelVariables")]


@pytest.mark.parametrize("version", [2, 3])
def test_a_scene_of_the_library(tmp_path, library, version):
    path = tmp_path / "crane.fmu"
    variables = taut.fmu("crane", path, fmi=version, library=library)
    root, files = description(path)
    assert root.get("fmiVersion") == f"{version}.0" and root.get("modelName") == "crane"
    assert root.find("CoSimulation") is not None
    assert {"resources/taut.json"} < set(files) and any(f.startswith("binaries/") for f in files)
    # FMI 2 has the time beside its variables.
    assert set(names(root, version)) >= {v.name for v in variables if v.role != "time"}
    assert [v.type for v in variables if v.name == "state.hash"] == ["text"]


def test_a_scene_file_with_other_values(tmp_path, library):
    path = tmp_path / "hoist.fmu"
    taut.fmu(HOIST, path, set={"bodies.load.mass": 500}, dt=0.01, signals=["load"], library=library)
    with zipfile.ZipFile(path) as archive:
        scene = json.loads(archive.read("resources/scene.json"))
        recipe = json.loads(archive.read("resources/taut.json"))
    assert [b["mass"] for b in scene["bodies"] if b["name"] == "load"] == [500]
    assert recipe["dt"] == 0.01 and recipe["signals"] == ["load"]
    assert any(n.startswith("body.load.") for n in names(description(path)[0], 3))


def test_a_world_and_the_name_of_its_file(tmp_path, library, pendulum):
    path = tmp_path / "pendulum.fmu"
    taut.fmu(pendulum[0], path, library=library)
    root, _ = description(path)
    assert root.get("modelName") == "pendulum" and "joint.pin.force" in names(root, 3)


def test_variables_alone_need_no_library(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    listed = taut.fmu("crane", list=True)
    start = {v.name: v for v in listed}["settings.dt"]
    assert (start.role, start.type, start.unit) == ("parameter", "real", "s") and start.start > 0
    assert not any(tmp_path.iterdir())


def test_where_the_library_is_looked_for(tmp_path, library, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TAUT_FMU_LIBRARY", str(library))
    taut.fmu("crane")
    assert (tmp_path / "crane.fmu").is_file()
    monkeypatch.setenv("TAUT_FMU_LIBRARY", str(tmp_path / "nothing.so"))
    with pytest.raises(taut.InputError, match="library = .*nothing.so.*cargo build --release -p taut-c"):
        taut.fmu("crane")
    monkeypatch.delenv("TAUT_FMU_LIBRARY")
    if not pathlib.Path(taut.__file__).with_name(_taut._fmu_library()).exists():
        with pytest.raises(taut.InputError, match="expected library=PATH or the environment variable TAUT_FMU_LIBRARY"):
            taut.fmu("crane")


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"scene": "crain"}, taut.Error, "crane"),
        ({"scene": "nothing.json"}, OSError, "nothing.json"),
        ({"fmi": 1}, taut.InputError, "fmi = 1: expected 2 or 3"),
        ({"dt": -1}, taut.InputError, "dt = -1: expected a positive"),
        ({"set": {"weight": 3}}, taut.Error, "weight"),
        ({"set": {"load": [3]}}, taut.InputError, "expected a number"),
        ({"signals": ["nobody"]}, taut.InputError, "nobody"),
        ({"signals": "load"}, taut.InputError, "expected a list of names"),
        ({"output": "crane.zip"}, taut.InputError, "ends in .fmu"),
    ],
)
def test_what_is_wrong_is_told(arguments, error, message):
    with pytest.raises(error, match=message):
        taut.fmu(**{"scene": "crane", **arguments})


def test_it_runs_in_an_importer(tmp_path, library):
    fmpy = pytest.importorskip("fmpy")
    if library.stat().st_size < 100:
        pytest.skip("taut-c is not built")
    path = tmp_path / "crane.fmu"
    taut.fmu("crane", path, library=library)
    result = fmpy.simulate_fmu(str(path), stop_time=0.5, output=["energy.kinetic"])
    assert result["energy.kinetic"][-1] > 0
