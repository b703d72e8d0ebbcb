"""A cantilever as a MuJoCo flex for the example soft_flex: nodes along x, y and z as arguments; prints the processor time of a step, ms, and the
mean height of the free end over the time given, m."""
import sys
import time

import mujoco
import numpy as np

nx, ny, nz = (int(a) for a in sys.argv[1:4])
young, h, steps = float(sys.argv[4]), float(sys.argv[5]), int(sys.argv[6])
model = mujoco.MjModel.from_xml_string(
    f"""<mujoco><option timestep="{h}" integrator="discrete"/><worldbody>
    <flexcomp name="f" type="grid" dim="3" count="{nx} {ny} {nz}" spacing="{1 / (nx - 1)} {0.1 / (ny - 1)} {0.1 / (nz - 1)}"
      pos="0.5 0 0" mass="10" radius="0.001" dof="full"><elasticity young="{young}" poisson="0.3" damping="0"/>
      <contact selfcollide="none" contype="0" conaffinity="0"/><pin gridrange="0 0 0 0 {ny - 1} {nz - 1}"/></flexcomp>
    </worldbody></mujoco>"""
)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
rest = data.flexvert_xpos.copy()
end = np.flatnonzero(rest[:, 0] > rest[:, 0].max() - 1e-6)
sag, spent = 0.0, 0.0
for _ in range(steps):
    begin = time.process_time()
    mujoco.mj_step(model, data)
    spent += time.process_time() - begin
    sag += (data.flexvert_xpos[end, 2] - rest[end, 2]).mean() / steps
print(1e3 * spent / steps, sag, mujoco.__version__)
