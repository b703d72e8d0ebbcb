#!/usr/bin/env python3
"""FMUs of Taut in FMPy: they are valid, run as `taut run` does to the last bit, go back, go on elsewhere, and refuse what is wrong.

    python3 -m venv /tmp/fmpy && /tmp/fmpy/bin/pip install fmpy
    cargo build --release -p taut-c -p taut-cli
    /tmp/fmpy/bin/python tools/fmu.py target/release/taut [LIBRARY]
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from fmpy import extract, read_model_description, simulate_fmu
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import FMU2Slave, fmi2CallbackFunctions, fmi2CallbackLoggerTYPE
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu

FILES = Path(__file__).resolve().parent.parent / "crates/taut-scenes/files"
# A scene of the library; winches and ropes; programs with a table; events.
SCENES = ["crane", FILES / "hoist.json", FILES / "shake-table.json", FILES / "tower-crane.json"]
STEPS = 120


def taut(*words):
    return subprocess.run([TAUT, *map(str, words)], check=True, capture_output=True, text=True).stdout


class Fmu:
    """An FMU on the disk, and what its description says."""

    def __init__(self, scene, version, folder):
        self.path = Path(folder) / f"{Path(scene).stem}-{version}.fmu"
        taut("fmu", scene, "--fmi", version, "-o", self.path, *LIBRARY)
        problems = validate_fmu(str(self.path))
        assert problems == [], problems
        self.description = read_model_description(str(self.path))
        self.dt = float(self.description.defaultExperiment.stepSize)
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.unpacked = extract(str(self.path))

    def instance(self, name="one", start=0.0, **parameters):
        return Instance(self, name, start, parameters)


class Instance:
    """A running instance, by the same words in both versions."""

    def __init__(self, fmu, name, start, parameters):
        self.fmu, self.two, self.time = fmu, fmu.description.fmiVersion == "2.0", start
        of = FMU2Slave if self.two else FMU3Slave
        self.slave = of(guid=fmu.description.guid if self.two else fmu.description.instantiationToken,
                        unzipDirectory=fmu.unpacked, instanceName=name,
                        modelIdentifier=fmu.description.coSimulation.modelIdentifier)
        # Errors are expected here: their words are kept, not printed.
        self.said = []
        if self.two:
            self.callbacks = fmi2CallbackFunctions()
            self.callbacks.logger = fmi2CallbackLoggerTYPE(lambda *told: self.said.append(told[-1]))
            self.slave.instantiate(callbacks=self.callbacks)
        else:
            self.slave.instantiate(logMessage=lambda *told: self.said.append(told[-1]))
        if self.two:
            self.slave.setupExperiment(startTime=start)
            self.slave.enterInitializationMode()
        else:
            self.slave.enterInitializationMode(startTime=start)
        for variable, value in parameters.items():
            self.set(variable, value)
        self.slave.exitInitializationMode()

    def step(self, count=1, size=None):
        for _ in range(count):
            size = size or self.fmu.dt
            self.slave.doStep(self.time, size)
            self.time += size
        return self

    def reference(self, name):
        return [self.fmu.references[name] if isinstance(name, str) else name]

    def get(self, name):
        s = self.slave
        return (s.getReal if self.two else s.getFloat64)(self.reference(name))[0]

    def set(self, name, value):
        s, boolean = self.slave, isinstance(value, bool)
        call = s.setBoolean if boolean else s.setReal if self.two else s.setFloat64
        call(self.reference(name), [value])
        return self

    def hash(self):
        text = self.slave.getString(self.reference("state.hash"))[0]
        return text.decode() if isinstance(text, bytes) else text

    def keep(self):
        return self.slave.getFMUstate() if self.two else self.slave.getFMUState()

    def go_back(self, state, time):
        (self.slave.setFMUstate if self.two else self.slave.setFMUState)(state)
        self.time = time

    def free(self, state):
        (self.slave.freeFMUstate if self.two else self.slave.freeFMUState)(state)

    def bytes(self, state):
        s = self.slave
        return bytes((s.serializeFMUstate if self.two else s.serializeFMUState)(state))

    def read(self, data):
        s = self.slave
        return (s.deSerializeFMUstate if self.two else s.deserializeFMUState)(data)

    def end(self):
        self.slave.terminate()
        self.slave.freeInstance()


def refused(call, *words):
    try:
        call(*words)
    except FMICallException as e:
        assert e.status == 3, e
        return
    raise AssertionError(f"{call} {words}: expected an error")


def same_as_native(scene, fmu):
    """The state after so many steps, and every output of a simulation, are those of `taut run`."""
    time = STEPS * fmu.dt
    told = json.loads(taut("run", scene, "--dt", repr(fmu.dt), "--time", repr(time), "--json", "--quiet"))
    instance = fmu.instance().step(STEPS)
    assert instance.hash() == told["state_hash"], (scene, instance.hash(), told["state_hash"])
    instance.end()
    table = Path(fmu.path).with_suffix(".csv")
    taut("run", scene, "--dt", repr(fmu.dt), "--time", repr(time), "--csv", table, "--signals", "--quiet")
    header, *lines = table.read_text().splitlines()
    columns = {name.split(" [")[0]: k for k, name in enumerate(header.split(","))}
    last = lines[-1].split(",")
    # What two things share as a name is told apart in an FMU alone.
    outputs = [v.name for v in fmu.description.modelVariables if v.causality == "output" and v.name in columns]
    assert len(outputs) > 10, outputs
    result = simulate_fmu(str(fmu.path), stop_time=time, step_size=fmu.dt, output_interval=fmu.dt, output=outputs)
    for name in outputs:
        want, got = last[columns[name]], float(result[name][-1])
        assert math.isnan(got) if want == "" else float(want) == got, (scene, name, want, got)
    return len(outputs)


def goes_back(fmu):
    """Back in one instance, on in another, and several at once end alike."""
    one, other = fmu.instance("one"), fmu.instance("other")
    one.step(40)
    middle, then = one.keep(), one.time
    data = one.bytes(middle)
    end = one.step(40).hash()
    one.go_back(middle, then)
    assert one.step(40).hash() == end
    other.step(7)
    state = other.read(data)
    other.go_back(state, then)
    assert other.step(40).hash() == end
    third = fmu.instance("third")
    for k in range(80):
        third.step()
        other.step()
    assert third.hash() == end
    for k in range(0, len(data), max(1, len(data) // 97)):
        refused(other.read, data[:k] + bytes([data[k] ^ 16]) + data[k + 1:])
    refused(other.read, data[:-3])
    refused(other.read, b"nonsense")
    refused(other.go_back, middle, then)
    other.free(state)
    one.free(middle)
    refused(one.go_back, middle, then)
    one.slave.reset()
    for instance in (one, other, third):
        instance.slave.freeInstance()


def refuses(fmu):
    """What is wrong is an error, and the instance goes on."""
    i = fmu.instance(start=5.0)
    before = i.hash()
    for reference in (10**6, 2**32 - 1, fmu.references["state.hash"]):
        refused(i.get, reference)
    refused(i.set, "energy.total", 1.0)
    refused(i.set, "settings.dt", 0.1)
    assert len(i.said) == 5, i.said
    refused(i.slave.doStep, 4.0, fmu.dt)
    refused(i.slave.doStep, 5.0, -1.0)
    refused(i.slave.doStep, 5.0, math.nan)
    assert i.hash() == before and i.get("time") == 5.0
    i.step()
    i.end()


def divides(fmu):
    """Communication steps are divided into internal ones."""
    a, b = fmu.instance().step(12), fmu.instance().step(4, 3 * fmu.dt)
    assert a.hash() == b.hash()
    for part in (0.3, 2.5, 7.9):
        i = fmu.instance().step(3, part * fmu.dt)
        assert abs(i.get("time") - 3 * part * fmu.dt) < 1e-12, (part, i.get("time"))
        i.end()
    finer = fmu.instance(**{"settings.dt": fmu.dt / 4}).step(3)
    assert finer.hash() != fmu.instance().step(3).hash()


def drives(version, folder):
    """Motors, winches, forces and masses by inputs and parameters."""
    fmu = Fmu(FILES / "robot-arm.json", version, folder)
    name = next(v.name for v in fmu.description.modelVariables if v.name.endswith(".set_target"))[: -len(".set_target")]
    free, led = fmu.instance(), fmu.instance()
    led.set(name + ".driven", True).set(name + ".set_target", 0.2)
    free.step(20), led.step(20)
    assert free.hash() != led.hash()
    assert abs(led.get(name + ".target") - 0.2) < 1e-15, led.get(name + ".target")
    fmu = Fmu(FILES / "hoist.json", version, folder)
    start = fmu.instance().get("body.load.y")
    rest, pushed = fmu.instance().step(20), fmu.instance()
    heavy = fmu.instance(**{"body.load.mass": 3000.0}).step(20)
    pushed.set("body.load.force_y", 2000.0 * 9.81 * 1.5).step(20)
    assert pushed.get("body.load.y") > rest.get("body.load.y") - 1e-9 and math.isfinite(start)
    assert heavy.get("rope.hoist.span0.tension") > 1.2 * rest.get("rope.hoist.span0.tension")
    paid = fmu.instance().set("rope.line.pay_out", 0.5).step(20)
    assert abs(paid.get("rope.line.paid_out") - rest.get("rope.line.paid_out") - 10 * fmu.dt) < 1e-9


def main():
    with tempfile.TemporaryDirectory() as folder:
        for version in (2, 3):
            for scene in SCENES:
                fmu = Fmu(scene, version, folder)
                count = same_as_native(scene, fmu)
                goes_back(fmu)
                refuses(fmu)
                print(f"FMI {version}.0, {Path(scene).stem}: valid, {STEPS} steps as `taut run` to the bit, {count} outputs")
            divides(Fmu("crane", version, folder))
            drives(version, folder)
            print(f"FMI {version}.0: steps are divided, inputs and parameters act")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    TAUT, LIBRARY = sys.argv[1], [word for path in sys.argv[2:] for word in ("--library", path)]
    main()
