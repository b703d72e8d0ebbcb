"""What the command `taut` writes, read by the readers of others: pyarrow, pandas, meshio."""

import csv
import os
import pathlib
import subprocess
import xml.etree.ElementTree

import pytest

TAUT = pathlib.Path(os.environ.get("TAUT", pathlib.Path(__file__).parents[2] / "target" / "debug" / "taut"))
pytestmark = pytest.mark.skipif(not TAUT.exists(), reason=f"{TAUT} is not built; TAUT names another")


def run(folder, *args):
    done = subprocess.run([TAUT, *args], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, (args, done.stderr)


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def same(parquet, text, kinds):
    """A Parquet file has the columns, kinds and bits of a CSV file."""
    reader = pytest.importorskip("pyarrow.parquet")
    table = reader.read_table(parquet)
    names, *lines = rows(text)
    assert table.column_names == names
    assert table.num_rows == len(lines) > 0
    for k, name in enumerate(names):
        kind = str(table.schema.field(k).type)
        assert kind == kinds.get(name, kind), name
        for cell, line in zip(table[k].to_pylist(), lines):
            if line[k] == "":
                assert cell is None, name
            elif kind == "double":
                assert cell.hex() == float(line[k]).hex(), name
            else:
                assert str(cell) == line[k], name
    return table


def test_a_sweep_as_parquet_is_that_as_csv(tmp_path):
    vary = ["joint=ball,hinge", "solver=auto,minres", "stabiliser=aligned,full"]
    sweep = ["sweep", "chain", *(word for v in vary for word in ("--vary", v)), "--seeds", "3", "--time", "1"]
    for name in ["runs.parquet", "runs.csv"]:
        run(tmp_path, *sweep, "--out", name)
    kinds = {"run": "int64", "joint": "string", "dt": "double", "verdict": "string", "state_hash": "string", "max_gap": "double"}
    table = same(tmp_path / "runs.parquet", tmp_path / "runs.csv", kinds)
    # MINRES cannot take the full stiffness.
    assert table["verdict"].to_pylist().count("failed") == 6
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(tmp_path / "runs.parquet")
    assert frame.groupby("joint").size().to_dict() == {"ball": 12, "hinge": 12}


def test_signals_as_parquet_are_those_as_csv(tmp_path):
    for name in ["signals.parquet", "signals.csv"]:
        run(tmp_path, "run", "robot-gripper", "--time", "1", "--record", name, "--signals")
    same(tmp_path / "signals.parquet", tmp_path / "signals.csv", {"time_s": "double", "solves": "int64"})


def series(folder, name):
    """Times and meshes of a series."""
    meshio = pytest.importorskip("meshio")
    sets = xml.etree.ElementTree.parse(folder / f"{name}.pvd").getroot().findall(".//DataSet")
    return [float(s.get("timestep")) for s in sets], [meshio.read(folder / s.get("file")) for s in (sets[0], sets[-1])]


def numbers(folder, what):
    """Numbers by name."""
    head, *lines = rows(folder / "names.csv")
    assert head == ["what", "number", "kind", "name"]
    return {line[3]: int(line[1]) for line in lines if line[0] == what}


def test_bodies_and_ropes_are_where_they_are(tmp_path):
    run(tmp_path, "run", "crane", "--time", "1", "--vtu", "crane")
    times, (first, last) = series(tmp_path / "crane", "bodies")
    assert len(times) == 61 and times == sorted(times) and times[0] == 0 and abs(times[-1] - 1) < 1e-9
    assert [block.type for block in first.cells] == ["triangle"]
    vehicle = first.cell_data["body"][0].ravel() == numbers(tmp_path / "crane", "body")["vehicle"]
    corners = first.cells[0].data[vehicle].ravel()
    fall = first.points[corners, 1].mean() - last.points[corners, 1].mean()
    assert fall > 0.5
    assert abs(last.point_data["velocity"][corners]).max() > 0.1
    _, (_, lines) = series(tmp_path / "crane", "lines")
    assert lines.cells[0].type == "line"
    # The cable carries fifteen tonnes.
    assert lines.cell_data["tension"][0].max() > 15e3 * 9


def test_joints_carry_what_the_table_says(tmp_path):
    run(tmp_path, "run", "robot-gripper", "--time", "0.5", "--vtu", "robot", "--record", "robot.csv", "--signals")
    _, (_, joints) = series(tmp_path / "robot", "joints")
    assert joints.cells[0].type == "vertex"
    head, *lines = rows(tmp_path / "robot.csv")
    last = dict(zip(head, lines[-1]))
    compared = 0
    for name, k in numbers(tmp_path / "robot", "joint").items():
        for what, unit in [("force", "N"), ("torque", "N m")]:
            told = last.get(f"joint.{name}.{what} [{unit}]")
            if told is not None:
                size = (joints.point_data[what][k] ** 2).sum() ** 0.5
                assert size == pytest.approx(float(told), rel=1e-9, abs=1e-9), name
                compared += 1
    assert compared >= 6


def test_deformables_have_stresses(tmp_path):
    run(tmp_path, "run", "soft-cantilever", "--time", "0.2", "--vtu", "bar")
    _, (_, bar) = series(tmp_path / "bar", "bar-0")
    assert bar.point_data["displacement"].shape == bar.points.shape
    assert bar.point_data["von Mises stress"].max() > 0
