"""Plots of a run."""


def plot(world, time=None, h=None, follow=None, watch=None):
    """Runs a world as `taut.run` does and plots energy, gap and what is followed; returns the matplotlib figure.

    The frame of the run is the attribute `frame` of the figure.
    """
    import matplotlib.pyplot as plt

    from ._run import run

    frame = run(world, time, h, follow, watch)
    groups = {"energy, J": ["kinetic", "gravity", "elastic", "energy"], "largest gap, m": ["max_gap"]}
    units = {"position": "m", "velocity": "m/s", "force": "N", "torque": "N m", "tension": "N", "length": "m", "gap": "m"}
    fixed = {c for columns in groups.values() for c in columns} | {"imbalance", "contacts"}
    for column in frame.columns:
        if column not in fixed:
            name = column.rsplit(".", 1)[0] if column.endswith((".x", ".y", ".z")) else column
            unit = units.get(name.rsplit(".", 1)[-1])
            groups.setdefault(f"{name}, {unit}" if unit else name, []).append(column)
    figure, axes = plt.subplots(len(groups), 1, sharex=True, figsize=(8, 2 * len(groups)), constrained_layout=True)
    for axis, (label, columns) in zip(axes, groups.items()):
        for column in columns:
            axis.plot(frame.index, frame[column], label=column, linewidth=1)
        axis.set_ylabel(label)
        if len(columns) > 1:
            axis.legend(fontsize="small", ncols=len(columns), frameon=False)
    axes[-1].set_xlabel("time, s")
    figure.frame = frame
    return figure
