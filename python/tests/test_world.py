"""Bodies, joints, forces, contacts, ropes and the rest, as the guide of the Rust library has them."""

import copy
import math
import pickle

import numpy as np
import pytest

import taut
from conftest import chain


def test_a_body_falls_freely(world):
    stone = world.add(taut.Body.particle(3.0).at((0, 10, 0)).named("stone"))
    for _ in range(60):
        world.step(1 / 60)
    body = world.body(stone)
    assert body.name == "stone" and body.mass == 3.0
    assert abs(body.position[1] - (10 - 0.5 * 9.81)) < 1e-9
    assert np.allclose(body.velocity, (0, -9.81, 0), atol=0.1)
    assert world.find_body("stone") == stone and hash(world.find_body("stone")) == hash(stone)


def test_keywords_say_what_chains_say(world):
    shape = taut.Shape.cuboid((1, 2, 3))
    turn = taut.Quat.from_rotation_z(0.3)
    chained = taut.Body.solid(shape, 100).at((1, 2, 3)).rotated(turn).damped(0.1, 0.2).named("a").disabled()
    worded = taut.Body.solid(shape, 100, at=(1, 2, 3), rotated=turn, damped=(0.1, 0.2), named="a", disabled=True)
    assert repr(chained) == repr(worded)
    assert repr(taut.Body.fixed(disabled=False)) == repr(taut.Body.fixed())


def test_every_simple_kind_of_joint_can_be_added(world):
    kinds = [
        taut.AxialLock, taut.Ball, taut.Cylindrical, taut.Distance, taut.ForceTorque, taut.Hinge, taut.Planar,
        taut.PointOnLine, taut.Prismatic, taut.Translational, taut.Universal, taut.Weld, taut.Rope,
    ]  # fmt: skip
    for k, kind in enumerate(kinds):
        body = world.add(taut.Body.solid(taut.Shape.ball(0.1), 1000, at=(k, 0, 0)))
        words = {"ends": ((k, 0, 0), (k, 1, 0))} if kind in (taut.Distance, taut.Rope) else {"at": (k, 0.5, 0), "axis": (0, 0, 1)}
        joint = world.add(kind.between(body, world.ground, **words))
        assert world.joint(joint).bodies == (body, world.ground)
    for _ in range(10):
        assert world.step(0.01).max_gap < 1e-9
    assert world.size().bodies == len(kinds)


def test_further_joints(world):
    def body(x):
        return world.add(taut.Body.solid(taut.Shape.ball(0.1), 1000, at=(x, 0, 0)))

    ground = world.ground
    locks = taut.Locks(linear=(True, True, False))
    joints = [
        taut.SixDof.between(body(0), ground, locks, at=(0, 0, 0), axis=(0, 0, 1), across=(1, 0, 0)),
        taut.Range.between(body(1), ground, 0.5, 2, ends=((1, 0, 0), (1, 1, 0))),
        taut.Wheel.between(body(2), ground, suspension=(1e4, 100), steering=True, at=(2, 0, 0), axis=(0, 1, 0), across=(0, 0, 1)),
        taut.Cable.between(body(3), ground, bending=(20, 0.1), torsion=(20, 0), at=(3, 0.1, 0), axis=(0, 1, 0)),
        taut.Cable.from_material(body(4), ground, length=0.2, radius=0.01, youngs=1e9, shear=4e8, at=(4, 0.1, 0), axis=(0, 1, 0)),
        taut.FlexibleCable.between(body(5), ground, axial=(1e5, 0), shear=(1e5, 0), bending=(20, 0), torsion=(20, 0),
                                   at=(5, 0.1, 0), axis=(0, 1, 0)),
        taut.Ligament.between(body(6), ground, soft_stiffness=100, strain=0.1, stiffness=1e4, ends=((6, 0, 0), (6, 1, 0))),
    ]  # fmt: skip
    kinds = [world.joint(world.add(j)).kind for j in joints]
    assert len(set(kinds)) == 6
    for _ in range(20):
        world.step(0.01)
    assert np.isfinite(world.positions).all()


def test_a_motor_turns_a_hinge(pendulum):
    world, ball, _ = pendulum
    arm = world.add(taut.Body.dynamic(taut.MassProperties.from_diagonal(1, (1, 1, 1)), at=(0, 0, 5)))
    hinge = world.add(taut.Hinge.between(arm, world.ground, at=(0, 0, 5), axis=(0, 0, 1), motor=taut.Motor.rate(named="drive")))
    drive = world.find_motor("drive")
    assert drive == hinge.motor() and drive.joint == hinge
    assert world.motor(hinge).command is None
    world.set_motor(drive, rate=2.0)
    for _ in range(30):
        world.step(0.01)
    assert abs(world.joint(hinge).position - 0.6) < 1e-9
    assert abs(world.joint(hinge).rate - 2.0) < 1e-9
    assert world.motor(drive).command.rate == 2.0
    world.release_motor(drive)
    with pytest.raises(TypeError, match="target, rate"):
        world.set_motor(drive)


def test_a_servo_goes_to_its_target_and_a_limit_stops_it(world):
    arm = world.add(taut.Body.dynamic(taut.MassProperties.from_diagonal(1, (1, 1, 1))))
    servo = taut.Motor.servo(1e4, 1e3).target(1.0)
    hinge = world.add(taut.Hinge.between(arm, world.ground).at((0, 0, 0)).axis((0, 0, 1)).motor(servo).limit(-0.5, 0.5))
    for _ in range(200):
        report = world.step(0.01)
    assert abs(world.joint(hinge).position - 0.5) < 1e-6
    assert report.energy.total == report.energy.kinetic + report.energy.gravity + report.energy.elastic
    world.set_limit(hinge, taut.Limit(-2.0, 2.0))
    for _ in range(300):
        world.step(0.01)
    assert abs(world.joint(hinge).position - 1.0) < 1e-3
    assert [limit.upper for limit in world.joint(hinge).limits] == [2.0]


def test_contacts_have_forces(world):
    world.add(taut.Collider(taut.Shape.ground(), friction=0.6, on=world.ground))
    box = taut.Shape.cuboid((0.5, 0.5, 0.5))
    crate = world.add(taut.Body.solid(box, 100, at=(0, 0.5, 0)))
    began = []
    for _ in range(60):
        began += [e for e in world.step(1 / 60).events if e.kind == "ContactBegan"]
    assert len(began) == 1 and len(began[0].colliders) == 2
    n = len(world.contacts())
    assert world.contact_points.shape == world.contact_normals.shape == world.contact_forces.shape == (n, 3) and n >= 3
    assert world.contact_distances.shape == (n,) and len(world.contact_bodies) == n
    assert abs(abs(world.contact_forces[:, 1].sum()) - 100 * 9.81) < 1
    hit = world.cast_ray((0, 5, 0), (0, -1, 0), 10)
    assert hit.body == crate and abs(hit.distance - 4) < 1e-6
    assert world.cast_ray((5, 5, 0), (0, 1, 0), 10) is None
    assert world.colliders_of(crate) == [hit.collider] and world.collider(hit.collider).material.friction.tolist() == [0.5, 0.5]
    assert len(world.overlaps(taut.Shape.ball(0.1), taut.Pose((0, 0.5, 0)))) == 1
    assert world.closest_point((0, 2, 0), 5).distance == pytest.approx(1, abs=1e-3)


def test_contact_hooks_filter_change_and_raise(world):
    ground = world.add(taut.Collider(taut.Shape.ground(), on=world.ground))
    box = taut.Shape.cuboid((0.5, 0.5, 0.5))
    ghost = world.add(taut.Body.solid(box, 100, at=(0, 0.6, 0), named="ghost"))
    crate = world.add(taut.Body.solid(box, 100, at=(5, 0.5, 0), named="crate"))
    seen = []

    def belt(contact):
        assert contact.normal_from(ground) is not None and contact.pair.bodies[1] == crate
        seen.append(contact.distance)
        contact.friction = (1.0, 1.0)
        contact.run_surface(ground, (0.5, 0, 0))

    world.set_contact_hooks(filter=lambda pair: "ghost" not in pair.body_names, modify=belt)
    for _ in range(60):
        world.step(1 / 60)
    assert seen and world.body(ghost).position[1] < -1
    assert world.body(crate).velocity[0] == pytest.approx(0.5, abs=1e-3)

    def fails(contact):
        raise KeyError("not today")

    world.set_contact_hooks(modify=fails)
    with pytest.raises(KeyError, match="not today"):
        world.step(1 / 60)
    world.set_contact_hooks()
    world.step(1 / 60)


def test_forces_springs_and_couplings(world):
    shape = taut.Shape.ball(0.1)
    a = world.add(taut.Body.solid(shape, 1000, at=(0, 0, 0)))
    b = world.add(taut.Body.solid(shape, 1000, at=(1, 0, 0)))
    spring = world.add(taut.Spring.between(a, b, stiffness=100, damping=1, rest_length=0.5, named="spring"))
    world.add(taut.Force.torque(a, (0, 0, 1)))
    drag = world.add(taut.Force.drag(b, 10, named="drag"))
    world.step(0.01)
    assert world.force(spring).spring.stiffness == 100 and world.find_force("drag") == drag
    assert world.force_view(spring).force[0] > 0
    world.remove(drag)
    with pytest.raises(taut.HandleError):
        world.force(drag)
    shafts = []
    for x in (3, 4):
        wheel = world.add(taut.Body.dynamic(taut.MassProperties.from_diagonal(1, (1, 1, 1)), at=(x, 0, 0)))
        shafts.append(world.add(taut.Hinge.between(wheel, world.ground, at=(x, 0, 0), axis=(0, 0, 1), motor=taut.Motor.rate())))
    gear = world.add(taut.Gear.between(*shafts, -2.0, named="gear"))
    world.set_motor(shafts[0], rate=1.0)
    for _ in range(10):
        world.step(0.01)
    assert world.joint(shafts[0]).rate / world.joint(shafts[1]).rate == pytest.approx(-2)
    assert world.coupling(gear).error == pytest.approx(0, abs=1e-12) and len(world.couplings()) == 1


def test_a_winch_hauls_a_load_over_a_sheave(world):
    load = world.add(taut.Body.solid(taut.Shape.ball(0.3), 2000, at=(2, 0, 0)))
    winch = world.add(taut.Winch.on(world.ground, (-2, 0, 0), (0, 0, 1), 0.3, named="winch"))
    head = taut.Sheave.on(world.ground, (1.75, 5, 0), (0, 0, 1), 0.25)
    rope = world.add(taut.Rope.from_drum(world.drum(winch).over()).over(head).to(load, (2, 0.3, 0)).diameter(0.02).named("rope"))
    world.set_winch(winch, taut.Winding.haul(0.5, 1e5))
    for _ in range(120):
        world.step(1 / 60)
    view = world.rope(rope)
    mass = world.body(load).mass
    assert view.tension == pytest.approx(mass * 9.81, rel=0.02)
    assert view.paid_out == pytest.approx(-1.0, abs=0.05)
    assert len(view.tensions) == view.span_count == 2 and world.find_rope("rope") == rope
    cut = world.cut_rope(rope, 3.0)
    assert len(cut.ropes) == 2
    world.step(1 / 60)


def test_a_rope_with_mass_hangs(world):
    load = world.add(taut.Body.solid(taut.Shape.ball(0.3), 2000, at=(0, -10, 0)))
    rope = world.add(taut.Rope.from_(world.ground, (0, 0, 0)).to(load, (0, -9.7, 0)).massive(2.0, segment=1.0))
    for _ in range(60):
        world.step(1 / 60)
    assert world.heavy_rope(rope).tension > world.body(load).mass * 9.81 * 0.9
    assert len(world.heavy_rope(rope).nodes) > 5


def test_deformables_bend_and_are_cut(world):
    mesh = taut.soft.Mesh.bar((1, 0.1, 0.1), (8, 1, 1))
    rubber = taut.soft.Material(1000, 1e6, 0.3, damping=0.01, law="stable-neo-hookean")
    bar = world.add(taut.Deformable(mesh, rubber, held=lambda p: p[0] < 1e-9, skin=0.005, named="bar"))
    for _ in range(30):
        world.step(1 / 60)
    view = world.deformable(bar)
    assert view.positions.shape == (view.node_count, 3) == mesh.nodes.shape
    assert view.positions[:, 1].min() < -0.02 and view.largest_stress > 0
    assert view.volume == pytest.approx(0.01, rel=0.05) and len(view.stress) > 0
    middle = 0.5 * (view.position(3) + view.position(5))
    report = world.cut(bar, taut.Cut.plane(middle, view.position(5) - view.position(3)))
    assert report.seams == 1 and report.parts == 2 and world.deformable(bar).parts == 2
    same = taut.soft.Mesh(mesh.nodes, mesh.cells)
    assert repr(same) == repr(mesh)
    with pytest.raises(taut.InputError, match="node"):
        taut.Deformable(mesh, rubber, held=[99999])
    with pytest.raises(taut.InputError):
        taut.soft.Mesh(mesh.nodes, {"tet": [[0, 1, 2, 99999]]})


def test_water_and_wind(world):
    world.set_water(taut.Water.still(0.0, density=1025, wave=taut.Wave(0.2, 4, (1, 0, 0))))
    world.set_wind(taut.Wind.steady((8, 0, 0), gusts=taut.Gusts.sine(1, 3)))
    buoy = world.add(taut.Body.solid(taut.Shape.ball(0.5), 500, exposed=taut.Exposure(drag=0.5)))
    for _ in range(120):
        world.step(1 / 60)
    assert abs(world.body(buoy).position[1]) < 0.5 and world.afloat(buoy).volume > 0.15
    assert world.water.density == 1025 and world.water_at((0, -1, 0)).depth > 0.5
    assert world.wind_now[0] > 6
    world.set_water(None)
    assert world.water is None


def test_state_goes_back_to_the_same_bits(pendulum):
    world, _, _ = pendulum
    for _ in range(20):
        world.step(0.01)
    state = world.state
    text = pickle.dumps(state)
    hashes = []
    for _ in range(2):
        for _ in range(30):
            world.step(0.01)
        hashes.append(world.hash)
        world.restore(pickle.loads(text))
        assert world.hash == state.hash and world.state == state and world.time == pytest.approx(0.2)
    assert hashes[0] == hashes[1]


def test_a_snapshot_brings_back_what_was_removed(pendulum):
    world, ball, pin = pendulum
    world.step(0.01)
    before = world.snapshot()
    world.remove(pin)
    with pytest.raises(taut.HandleError, match="removed"):
        world.joint(pin)
    world.restore(before)
    assert world.joint(pin).gap < 1e-6
    with pytest.raises(taut.HandleError, match="belong to the world"):
        taut.World().restore(before)


def test_copies_go_on_alike_and_apart(pendulum):
    world, ball, _ = pendulum
    twin = copy.copy(world)
    for w in (world, twin, copy.deepcopy(twin)):
        for _ in range(10):
            w.step(0.01)
        assert w.hash == world.hash
    twin.set_velocity(ball, (0, 1, 0))
    assert twin.hash != world.hash


def test_a_world_is_pickled_with_its_state():
    fresh = chain(5)
    assert pickle.loads(pickle.dumps(fresh)).positions.tolist() == fresh.positions.tolist()
    world = taut.loads(fresh.to_json()[0])
    for _ in range(25):
        world.step(0.01)
    twin = pickle.loads(pickle.dumps(world))
    assert twin.hash == world.hash and twin.time == world.time
    for _ in range(25):
        world.step(0.01), twin.step(0.01)
    assert np.allclose(twin.positions, world.positions, atol=1e-9)
    assert twin.body(twin.find_body("link 3")).mass == pytest.approx(0.2)
    fresh.step(0.01)
    with pytest.raises(pickle.PicklingError, match="another order"):
        pickle.dumps(fresh)


def test_scene_files_are_saved_and_loaded(pendulum, tmp_path):
    world, _, _ = pendulum
    path = tmp_path / "pendulum.json"
    assert world.save(path) == []
    with pytest.raises(FileExistsError):
        world.save(path)
    world.save(path, overwrite=True)
    twin = taut.load(path)
    for w in (world, twin):
        for _ in range(50):
            w.step(0.01)
    assert twin.hash == world.hash and twin.find_joint("pin")
    text = path.read_text()
    assert taut.loads(text).default_step == 1 / 60
    with pytest.raises(taut.FileError, match="mess") as error:
        taut.loads(text.replace('"bodies"', '"mess"', 1))
    assert error.value.line is not None
    with pytest.raises(OSError, match="nowhere"):
        taut.load(tmp_path / "nowhere.json")


def test_scenes_of_the_library_have_parameters():
    names = [s.name for s in taut.scenes()]
    assert len(names) > 60 and "crane" in names
    world = taut.scene("chain", ratio=100)
    assert world.default_step > 0 and world.size().bodies >= 10
    with pytest.raises(taut.InputError, match="one of"):
        taut.scene("chian")
    with pytest.raises(taut.InputError, match="ratio"):
        taut.scene("chain", ratio="many")


def test_options_are_words(world):
    assert world.options.stabiliser == "aligned" and world.options.gravity.tolist() == [0, -9.81, 0]
    world.set_options(gravity=(0, 0, -1.62), stabiliser="inertial:alpha=0.25", solver="block-ldlt", sleep=False)
    assert world.options.stabiliser.startswith("inertial:alpha=0.25") and world.options.sleep is False
    with pytest.raises(taut.InputError, match="stabiliser"):
        world.set_options(stabiliser="alined")
    with pytest.raises(taut.PairingError):
        world.set_options(stabiliser="full", solver="dense-cholesky")
    with pytest.raises(TypeError, match="options have no 'gravty'"):
        taut.World(gravty=(0, 0, 0))
    assert taut.World(coordinates="reduced").options.coordinates == "reduced"


def test_dynamics_of_an_arm():
    world = taut.World()
    link = taut.MassProperties.cuboid(1000, (0.5, 0.05, 0.05))
    upper = world.add(taut.Body.dynamic(link, at=(0.5, 0, 0)))
    fore = world.add(taut.Body.dynamic(link, at=(1.5, 0, 0)))
    shoulder = world.add(taut.Hinge.between(upper, world.ground, at=(0, 0, 0), axis=(0, 0, 1), named="shoulder"))
    elbow = world.add(taut.Hinge.between(fore, upper, at=(1, 0, 0), axis=(0, 0, 1), named="elbow"))
    d = world.dynamics()
    m = d.mass_matrix()
    assert m.shape == (2, 2) and np.allclose(m, m.T) and np.all(np.linalg.eigvalsh(m) > 0)
    assert [f.name for f in d.dofs] == ["shoulder", "elbow"] and d.find(elbow) == (1, 2)
    assert d.jacobian(fore, (2, 0, 0)).shape == (6, 2)
    a = np.array([0.3, -0.2])
    assert np.allclose(d.forward(d.inverse(a)), a)
    held = d.hold_with([shoulder, elbow]).efforts
    assert held[1].value == pytest.approx(10 * 9.81 * 0.5)
    with pytest.raises(taut.UnbalancedError, match="elbow") as error:
        d.hold_with([shoulder])
    assert error.value.missing[0].name == "elbow"
    with pytest.raises(taut.InputError):
        d.forward([1.0])
    for _ in range(100):
        efforts = world.dynamics().holding()
        for effort in efforts.efforts:
            world.apply_effort(effort.joint, effort.value)
        world.step(0.001)
    assert abs(world.joint(elbow).position) < 1e-3


def test_a_joint_breaks_and_tells(world):
    load = world.add(taut.Body.particle(150, at=(0, -2, 0)))
    hook = world.add(taut.Rope.between(load, world.ground, strength=taut.Strength(force=1000)))
    events = world.step(0.01).events
    broken = [e for e in events if e.kind == "JointBroken"]
    assert broken[0].joint == hook and broken[0].force == pytest.approx(1471.5)
    assert "JointBroken" in repr(events) and broken[0].to_dict()["joint"] == hook


def test_a_joint_has_an_armature(world):
    disc = world.add(taut.Body.dynamic(taut.MassProperties.from_diagonal(8, (1, 1, 2)), gravity_scale=0))
    axle = world.add(taut.Hinge.between(disc, world.ground, axis=(0, 0, 1), armature=1))
    world.apply_effort(axle, [3])
    world.step(0.01)
    assert world.joint(axle).rate == pytest.approx(0.01) and world.joint(axle).armature == 1
    assert world.dynamics().mass_matrix()[0, 0] == pytest.approx(3)
    world.set_armature(axle, 4)
    assert world.dynamics().mass_matrix()[0, 0] == pytest.approx(6)
    with pytest.raises(ValueError, match="joint armature = -1"):
        world.set_armature(axle, -1)


def test_parts_are_changed_while_they_are_there(pendulum):
    world, ball, pin = pendulum
    world.set_mass(ball, taut.MassProperties.from_diagonal(2.0, (0.02, 0.02, 0.02)))
    world.set_damping(ball, 0.1, 0.1)
    world.set_gravity_scale(ball, 0.5)
    world.set_friction(pin, 0.2)
    world.set_strength(pin, taut.Strength(force=1e6))
    world.set_user_data(ball, 7)
    world.set_motion(ball, "fixed")
    world.step(0.01)
    assert world.body(ball).motion == "fixed" and world.body(ball).user_data == 7
    world.set_motion(ball, "dynamic", taut.MassProperties.from_diagonal(2.0, (0.02, 0.02, 0.02)))
    world.step(0.01)
    assert -0.05 < world.body(ball).velocity[1] < -0.01 and world.joint(pin).frictions[0].max == 0.2
    assert world.body(ball).mass == 2 and world.joint(pin).strength.force == 1e6


def test_records_say_what_they_have(pendulum):
    report = pendulum[0].step(0.01)
    assert "max_gap" in dir(report) and report["time"] == report.time == 0.01
    assert set(report.ledger.to_dict()) >= {"work", "damping", "imbalance"}
    assert repr(report.energy).startswith("Energy(kinetic=")
    assert isinstance(report.to_dict()["energy"], dict)
    with pytest.raises(AttributeError, match="StepReport has no 'gap'"):
        report.gap
    with pytest.raises(AttributeError):
        report.time = 3


def test_assembly_and_projection(world):
    body = world.add(taut.Body.dynamic(taut.MassProperties.from_diagonal(1, (1, 1, 1)), at=(0.1, 0, 0)))
    frame = taut.Frame((0, 0, 0), (0, 0, 1))
    world.add(taut.Ball.between(body, world.ground, frames=(frame, frame)))
    done = world.assemble()
    assert done.closed and done.gap < 1e-6 and np.allclose(world.body(body).position, 0, atol=1e-6)
    assert world.project(limits=True).closed


def test_poses_turn_points():
    pose = taut.Pose((1, 2, 3), taut.Quat.from_axis_angle((0, 0, 2), math.pi / 2))
    assert np.allclose(pose.to_world((1, 0, 0)), (1, 3, 3)) and np.allclose(pose.to_local((1, 3, 3)), (1, 0, 0))
    assert np.allclose(pose.relative(pose).pos, 0)
    assert np.allclose(taut.Quat.from_rotation_arc((1, 0, 0), (0, 5, 0)), taut.Quat.from_rotation_z(math.pi / 2))
    with pytest.raises(taut.InputError):
        taut.Quat.from_axis_angle((0, 0, 0), 1)
