//! What follows the sweeps of a heap, by more sweeps on the same rows: the guard of elements, rebounds, and the push of positions.

use crate::bounded::bounce::{self, Respond};
use crate::bounded::push::Pushed;
use crate::close::velocities::known;
use crate::delassus::scatter;
use crate::desk::Desk;
use crate::desk::bounded::{Bounded, Cluster};
use crate::passes::bounded_rows::Responses;
use crate::passes::{Counts, System, Task};
use crate::system::linear::Failure;
use crate::tuning::T;

impl System<'_> {
    /// Where the elements of an island would give more energy than they had, its step is backward Euler's, and some sweeps follow.
    pub(super) fn guard_soft(&self, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let t = self.task.t;
        let mut any = false;
        for island in self.islands().filter(|island| t.soft.is_in(island.k)) {
            if self.task.guards(island, desk) {
                any = true;
                known(island, &desk.right, &desk.memory, &mut desk.sol.residual);
                self.refree(island, desk, counts)?;
            }
        }
        if any {
            desk.bounded.crowd.read(t, &desk.sol.x);
            desk.bounded.crowd.heap.sweep(T.heap.guard_sweeps, 0.0);
            self.take_impulses(desk, counts, false)?;
            self.read_forces(desk);
            self.tell(desk.bounded.crowd.heap.residual(), 0, desk);
            self.islands().filter(|i| t.soft.is_in(i.k)).for_each(|i| self.task.look_ahead(i, desk));
        }
        Ok(())
    }

    /// Rows that met with speed part with theirs (Newton's law for each), and the sweeps go on.
    pub(super) fn rebound(&self, cluster: &Cluster, desk: &mut Desk) -> Result<(), Failure> {
        let Task { t, h, .. } = *self.task;
        let Desk { law, stiff, force, factor, sol, bounded: b, profile, .. } = desk;
        let candidates = &b.set.candidates[cluster.candidates.clone()];
        if !candidates.iter().any(|c| c.restitution > 0.0) {
            return Ok(());
        }
        // Couplings are rows like others here.
        b.bounce.held.clear();
        b.bounce.w.clear();
        if !bounce::find(t, h, candidates, (&b.set.rows, &b.active), &mut b.bounce) {
            return Ok(());
        }
        let Bounded { set, active, bounce, crowd, .. } = b;
        for (i, &r) in bounce.impact.iter_mut().zip(&active.rows) {
            if i.takes_part && i.meets && i.e > 0.0 {
                i.u *= -i.e;
                i.rebounds = true;
                let row = &set.rows[r];
                crowd.heap.aim(r, bounce::aim(row, i));
            }
        }
        crowd.heap.sweep(T.heap.bounce_sweeps, 0.0);
        // K^-1 Ju^T (z' - z), by the factors: z stays that of the step.
        let out = &mut bounce.velocity;
        for island in self.islands() {
            out[island.x.clone()].fill(0.0);
        }
        crowd.heap.impulses(|r, z| {
            let d = z - set.rows[r].z;
            if d != 0.0 {
                scatter(t, set.rows.sides(r), d, out);
            }
        });
        for island in self.islands() {
            if !crowd.answer(t, island, out) {
                let mut responses = Responses { system: self, law, stiff, force, before: &sol.saved, factor, profile };
                responses.respond(island.k, out)?;
            }
            bounce.bounced[island.k] = true;
        }
        Ok(())
    }

    /// Penetration, and what limits are passed by, from the positions alone.
    pub(super) fn push_heap(&self, cluster: &Cluster, desk: &mut Desk) -> Result<(), Failure> {
        let Task { t, h, .. } = *self.task;
        if self.has_limits(&desk.bounded.set) {
            self.go_on(desk);
        }
        let Desk { law, stiff, force, factor, sol, next, bounded: b, profile, .. } = desk;
        let pushed = Pushed {
            t,
            h,
            cluster,
            x: &sol.x,
            redundant: &law.redundant,
            contacts: (T.heap.push_share, T.heap.push_slop),
        };
        if pushed.gather(false, b, &next.kin).is_none() {
            return Ok(());
        }
        let Bounded { set, active, push, crowd, .. } = b;
        crowd.heap.begin_push();
        for touch in &push.touching {
            crowd.heap.push_row(active.rows[touch.at], -touch.phi / h);
        }
        crowd.heap.push(if self.has_joints() { T.heap.push_sweeps } else { T.heap.push_sweeps_free });
        let shift = &mut push.velocity;
        for island in self.islands() {
            shift[island.x.clone()].fill(0.0);
            push.pushed[island.k] = true;
        }
        if self.islands().any(|island| !crowd.is_alone(island)) {
            crowd.heap.impulses(|r, z| {
                if z != 0.0 {
                    scatter(t, set.rows.sides(r), z, shift);
                }
            });
        }
        for island in self.islands() {
            if !crowd.is_alone(island) {
                let mut responses = Responses { system: self, law, stiff, force, before: &sol.saved, factor, profile };
                responses.respond(island.k, shift)?;
            }
        }
        crowd.spread(t, shift);
        Ok(())
    }
}
