"""Runs that leave a table."""


def run(world, time=None, h=None, follow=None, watch=None):
    """Runs a world and returns a pandas frame with a row for every step.

    `time` (s) and `h` (s) default to what the scene says, 10 s and 1/60 s where none does. `follow` names bodies, joints, motors
    and ropes, by name or handle, that get columns of their own; without it the body that the scene follows has. `watch(world,
    report)` is called after each step and may return a dictionary of further columns; it may act on the world for the next step.
    The frame ends early when an event of the scene has stopped the run.
    """
    import pandas

    rows = []
    h = world.default_step if h is None else h
    time = world.default_time if time is None else time
    followed = [_columns(world, f) for f in ([world.follow] if follow is None else follow)]
    for _ in range(max(1, round(time / h))):
        if world.stopped is not None:
            break
        report = world.step(h)
        energy = report.energy
        row = {
            "time": report.time,
            "kinetic": energy.kinetic,
            "gravity": energy.gravity,
            "elastic": energy.elastic,
            "energy": energy.total,
            "max_gap": report.max_gap,
            "imbalance": report.ledger.imbalance,
            "contacts": report.bounded.contacts,
        }
        for columns in followed:
            row.update(columns())
        if watch is not None:
            row.update(watch(world, report) or {})
        rows.append(row)
    return pandas.DataFrame(rows).set_index("time")


def _columns(world, what):
    """A function that gives the columns of one thing."""
    from . import BodyId, HandleError, InputError, JointId, MotorId, RopeId

    finders = (world.find_body, world.find_joint, world.find_motor, world.find_rope)
    if isinstance(what, str):
        for find in finders:
            try:
                handle = find(what)
                break
            except (HandleError, InputError):
                continue
        else:
            raise InputError(f"follow = {what!r}: expected the name of a body, joint, motor or rope")
    else:
        handle = what
    vector = lambda name, of, v: {f"{name}.{of}.{axis}": x for axis, x in zip("xyz", v)}  # noqa: E731
    missing = float("nan")
    if isinstance(handle, BodyId):
        name = world.body(handle).name or repr(handle)

        def columns():
            try:
                body = world.body(handle)
            except HandleError:
                return {}
            return vector(name, "position", body.position) | vector(name, "velocity", body.velocity)

    elif isinstance(handle, JointId):
        name = world.joint(handle).name or repr(handle)

        def columns():
            try:
                joint = world.joint(handle)
            except HandleError:
                return {f"{name}.gap": missing}
            out = vector(name, "force", joint.force) | vector(name, "torque", joint.torque) | {f"{name}.gap": joint.gap}
            return out | {f"{name}.{freedom}": position for freedom, position, _ in joint.coordinates}

    elif isinstance(handle, MotorId):
        name = world.motor(handle).name or repr(handle)

        def columns():
            motor = world.motor(handle)
            return {f"{name}.position": motor.position, f"{name}.rate": motor.rate, f"{name}.effort": motor.effort}

    elif isinstance(handle, RopeId):
        name = world.rope(handle).name or repr(handle)

        def columns():
            rope = world.rope(handle)
            return {f"{name}.tension": rope.tension, f"{name}.length": rope.length, f"{name}.slack": sum(rope.slacks)}

    else:
        raise TypeError(f"follow = {what!r}: expected a body, joint, motor or rope, by name or handle")
    return columns
