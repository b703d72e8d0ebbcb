"""Models of other programs: URDF and MJCF."""

import pytest

import taut

PENDULUM = """<mujoco>
  <option timestep="0.004"/>
  <worldbody>
    <body name="arm"><joint name="hinge" axis="0 1 0" armature="0.3"/><geom type="capsule" size="0.05" fromto="0 0 0 1 0 0"/>
      <body name="tip" pos="1 0 0"><joint name="elbow" axis="0 1 0"/><geom size="0.1" solref="0.1 1"/></body>
    </body>
  </worldbody>
  <keyframe><key name="up" qpos="0.5 0"/></keyframe>
</mujoco>"""

ROBOT = """<robot name="r"><link name="base"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link><link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/><origin xyz="0.2 0 0"/></joint></robot>"""


def write(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_model_is_loaded_and_what_it_loses_is_a_warning(tmp_path):
    with pytest.warns(UserWarning, match=r"pendulum.xml, line 5: <geom> 'solref'"):
        world = taut.load(write(tmp_path, "pendulum.xml", PENDULUM))
    hinge = world.joint(world.find_joint("hinge"))
    assert [b.name for b in world.bodies()][-2:] == ["arm", "tip"] and hinge.armature == 0.3
    assert world.default_step == 0.004
    for _ in range(50):
        report = world.step(0.004)
    assert report.max_gap < 1e-9 and hinge.position > 0.01


@pytest.mark.filterwarnings("ignore")
def test_choices_are_for_models_alone(tmp_path):
    robot = write(tmp_path, "robot.urdf", ROBOT)
    fixed, free = taut.load(robot), taut.load(str(robot), free_base=True)
    for world in (fixed, free):
        world.step(0.01)
    assert fixed.find_joint("j") and free.body(free.find_body("base")).velocity[2] < -0.04
    turned = taut.load(write(tmp_path, "m.xml", PENDULUM), keyframe="up")
    assert turned.joint(turned.find_joint("hinge")).rate == 0 and turned.bodies()[-1].position[2] < -0.3
    scene = tmp_path / "scene.json"
    fixed.save(scene)
    with pytest.raises(taut.InputError, match="free_base = .*scene.json: expected it only with a model"):
        taut.load(scene, free_base=True)


def test_errors_name_file_and_line(tmp_path):
    with pytest.raises(taut.FileError, match="m.xml, line 2") as error:
        taut.load(write(tmp_path, "m.xml", '<mujoco>\n<option gravity="0 0"/></mujoco>'))
    assert error.value.line == 2 and error.value.path.endswith("m.xml")
    with pytest.raises(OSError, match="gone.urdf"):
        taut.load(tmp_path / "gone.urdf")


@pytest.mark.filterwarnings("ignore")
def test_a_model_becomes_an_fmu(tmp_path):
    names = [v.name for v in taut.fmu(write(tmp_path, "robot.urdf", ROBOT), list=True)]
    assert any("arm" in name for name in names)
