//! Every number that somebody chose in the engine: name, value, unit, what it is for and what breaks. Those of the solvers are in
//! `tuning.rs` of their crate. Names are unique over both.
//!
//! `T.passes.jump` is a constant. With the feature `ablate` it is a value that a study has scaled.

taut_solve::tuning! {
    /// What counts as one: behaviour may not depend on the units of length and mass, so that speeds are measured by the world's own.
    units: Units {
        /// A speed of one is what gravity gives in the inverse of this: 1 m/s on Earth. Too small, and solves of bodies at rest are cut
        /// short or never end; too large, and what rests creeps.
        fall: f64 = 9.81, "1/s";
        /// Where there is no gravity to speak of, it is this part of the size (radius of gyration, or radius of a particle's ball) of
        /// the smaller body per second.
        size: f64 = 0.1, "1/s";
    }
    /// The passes over one island.
    passes: Passes {
        /// Most solves of one island in one step. Snapping taut needs several: with one pass 5 of 32 heavy trees hold.
        most: usize = 6, "-";
        /// Most times that a step is solved once more because joints break in it: what one held may break the next.
        breaks: usize = 3, "-";
        /// A diagonal entry of A that grew by more than this part of M + A asks for another pass.
        jump: f64 = 0.2, "-";
        /// After a shock, a diagonal entry of A that fell by more than this part of M + A does: the forces of a blow are no forces to
        /// stand on, and what is kept of the motion in their stiffness is lost (2 % of the speed after an elastic stop).
        fall: f64 = 0.02, "-";
        /// Relative residual above which the solution is refined,
        refine: f64 = 1e-10, "-";
        /// and how often.
        refinements: usize = 2, "-";
        /// Relative residual that no step can be built on: the system is singular to working precision.
        hopeless: f64 = 1e-3, "-";
        /// Parts of their mobility by which loop rows give in a step that cannot be solved without.
        give: [f64; 3] = [1e-7, 1e-5, 1e-3], "-";
        /// Time in which a joint that a driven body has torn open by its reach closes again.
        closes_in: f64 = 1.0, "s";
        /// On trees the residual is looked at in every so many steps; with loops in each.
        residual_every: u64 = 8, "-";
        /// Part of h_long that is left after a step: how fast a long step is forgotten. The stiffness of the stabiliser is that of the
        /// longest step of late: were it h^2 S in steps of changing length, its jumps by (h/h_prev)^2 would take the memory of the
        /// motion with them. The nearer to 1, the less is lost and the longer light links are as slow as in the long step.
        forget: f64 = 0.99, "-";
    }
    /// Elements of deformables.
    soft: Soft {
        /// How much of the force is given back in the integrator, t: 11/12 makes the frequency right to fourth order in h omega.
        gives_back: f64 = 11.0 / 12.0, "-";
        /// Part of the kinetic energy by which elements may gain in a step before it falls back to backward Euler: linear motion does
        /// not gain at all, so that only turning stiff sheets far within a step gets there.
        rise: f64 = 0.01, "-";
        /// Error of the quadratic model of the elements' energy, in parts of the energy at play, above which the step is divided.
        error: f64 = 0.02, "-";
        /// Most parts of a step: a power of two. With 8 a bow of 24 elements shoots at its speed in steps of 5 ms.
        parts: u32 = 8, "-";
        /// Change of the volume of an incompressible patch, in parts of it, that is rounding: 1e4 of the last digit, for the sum over
        /// its points and the square of the modulus that holds it.
        kept: f64 = 1e-12, "-";
        /// Most rounds to keep it. A round leaves a thousandth of what one solve misses in the mean; turning by 0.3 rad in a step takes ten.
        rounds: u32 = 12, "-";
        /// Change of volume beyond which a patch has not been able to keep it: its pressure is not taken along.
        lost: f64 = 1e-4, "-";
    }
    /// Factor or iterations, for islands of elements alone.
    choice: Choice {
        /// Iterations for one right-hand side: so many,
        first: f64 = 4.0, "-";
        /// and so many per node that a wave passes in a step, measured by h sqrt(K/m) of the stiffest node,
        per_node: f64 = 1.0, "-";
        /// but not more than so many per coupling from one end of the island to the other.
        per_length: f64 = 4.0, "-";
        /// Time of a multiplication in the sweeps, which wait for memory, against one in panels.
        slower: f64 = 3.0, "-";
        /// Right-hand sides of a step: three of the integrator and its own.
        sides: usize = 4, "-";
        /// Residual at which iterations end, as a part of the right-hand side, both measured by the preconditioner.
        tolerance: f64 = 1e-6, "-";
        /// The same where bounded rows read columns of the inverse: their solver reaches 1e-8 and needs a symmetric matrix.
        tolerance_rows: f64 = 1e-10, "-";
    }
    /// Driven rows that ask for more than there is.
    stall: Stall {
        /// Rounds in which driven rows may yield: one that does loads the others.
        rounds: usize = 3, "-";
        /// How much more than all momentum that is there a driven row may take, for loops that are driven from their slow side. Picked
        /// by counting findings in random worlds; 10 and 1,000 do about as well.
        beyond: f64 = 100.0, "-";
        /// What a row that has yielded still takes at the velocity it was asked for, in the same measure.
        yields: f64 = 10.0, "-";
    }
    /// The aligned stiffness and its memory.
    aligned: Aligned {
        /// chi is 1/2 where h^2 S / I = X0. Without it resolved relative rotation is damped; 1 is as stable.
        x0: f64 = 0.25, "-";
        /// Gap, in lever arms, where the memory starts to fade; it is gone at twice that. Only trouble gets there.
        g0: f64 = 0.05, "-";
        /// (1 + sqrt 2)/2, the largest eigenvalue of the dot-1 form per unit of moment. A hinge on its own manifold needs only 1/2, but
        /// fewer of the 0.1 s trees hold with it.
        kappa: f64 = 1.207_106_781_186_547_5, "-";
    }
    /// The resolved regime and its corrections.
    resolved: Resolved {
        /// Full use of the resolved step below X1,
        x1: f64 = 0.5, "-";
        /// none above X2. Half of both loses more energy, twice both lets it grow.
        x2: f64 = 1.0, "-";
        /// Guard of the estimate: above this the largest body decides alone.
        xl: f64 = 200.0, "-";
        /// Decay of the remembered maximum per step; without it the estimate collapses for single steps in heavy trees.
        decay: f64 = 0.5, "-";
        /// Where x is this factor below X1 or above X2, the share r does not depend on the estimate, which is then
        clear: f64 = 4.0, "-";
        /// made in one of so many steps: it costs a right-hand side.
        every: u64 = 4, "-";
        /// Joints that open by RHO1 of their reach in one step (about 0.3 rad) fade out of the corrections,
        rho1: f64 = 0.05, "-";
        /// gone at RHO2.
        rho2: f64 = 0.1, "-";
        /// Corrections per step,
        corrections: usize = 4, "-";
        /// and the relative gap at which they stop; 1e-6 spoils the order below h = 0.002.
        close: f64 = 1e-8, "-";
        /// What counts as settled for the momentum, relative,
        momentum_close: f64 = 1e-9, "-";
        /// and what as failed.
        failed: f64 = 1e-4, "-";
    }
    /// Looks at the joints after the solve. Openings are parts of a joint's reach, rad for angles.
    looks: Looks {
        /// Opening of a joint that asks for another look. At 0.1 the gaps of a light chain add up to 2 % of its length at 0.1 s; at
        /// 0.012 heavy trees gain energy.
        wide: f64 = 0.02, "-";
        /// Up to this opening a look is taken back when it would speed the bodies up by more than `gain` of their kinetic energy and
        /// `kick` of what the forces of the step could give them: closing a gap may not throw a load.
        gaping: f64 = 0.1, "-";
        /// See `gaping`.
        gain: f64 = 0.01, "-";
        /// See `gaping`.
        kick: f64 = 0.1, "-";
        /// Rods that hardly turn are closed to rounding: from this opening
        quiet: f64 = 1e-4, "-";
        /// to this another look costs little and gains all.
        exact: f64 = 2e-15, "-";
        /// Looks per step,
        most: usize = 3, "-";
        /// and how much better each must be.
        better: f64 = 0.9, "-";
    }
    /// Closing joints in poses: reduced coordinates, snaps, assembly. Openings are parts of the reach (or of the longest arm), rad.
    close: Close {
        /// Passes on the factor of the step,
        passes: usize = 3, "-";
        /// then passes each with J and a factor of its own.
        fresh: usize = 12, "-";
        /// Opening at which there are no more passes.
        closed: f64 = 1e-13, "-";
        /// An opening that is worth another factorisation; below it joints are closed.
        open: f64 = 1e-10, "-";
        /// An opening that is left to be taken up where the bodies of a tree are placed from its root: what hangs on the joints moves
        /// by no more than this part of the way to it in a step.
        placed: f64 = 1e-6, "-";
        /// The same as a part of the opening that the step has left: where links whip, the step itself knows no better.
        left: f64 = 0.02, "-";
        /// Most that a body turns in one pass: the rows are linearised.
        turn: f64 = 0.3, "rad";
        /// Shares of a correction that are tried, each with J of its own pose: near a stretched loop the whole goes too far.
        shares: [f64; 4] = [1.0, 0.5, 0.25, 0.1], "-";
        /// A pass on the factor of the step must bring the opening below this part of the one before, another one below itself.
        better: f64 = 0.5, "-";
        /// Relative residual of a projecting pass that is solved by iterations.
        inner: f64 = 1e-10, "-";
        /// Passes of a snap from one start.
        snap_passes: usize = 40, "-";
        /// Above this opening a loop has snapped taut. With 1e-6 a net at 1/60 s loses a sixth of the scale more.
        snapped: f64 = 1e-3, "-";
        /// Give of loop rows there, as part of their mobility: redundant ones must not contradict each other.
        give: f64 = 1e-9, "-";
        /// How often such a pass is halved before it is given up.
        halvings: usize = 6, "-";
        /// Assembly: a run of so many passes
        assembly_stalled: usize = 12, "-";
        /// that gains less than this part of the squares of all openings has stalled.
        assembly_gain: f64 = 0.05, "-";
    }
    /// The anytime solver and its error control.
    anytime: Anytime {
        /// Most corrections of velocities or poses in one step.
        rounds: usize = 24, "-";
        /// A correction that leaves more than this part of the error is the last of its kind for the island.
        better: f64 = 0.9, "-";
        /// A row that others should satisfy contradicts them when it opens its joint by more than this part of its reach (rad) in the step.
        contradicts: f64 = 1e-5, "-";
        /// Residual of a pass on the poses: Newton gains nothing from more.
        inner: f64 = 1e-3, "-";
        /// Relative residual of responses, which are solved outside the budget.
        full: f64 = 1e-11, "-";
        /// A true residual above this many tolerances is iterated on again,
        slack: f64 = 2.0, "-";
        /// so many times.
        restarts: usize = 3, "-";
        /// Part of its gap that a loop row closes in a step when iterations may be cut short. Gaps are then those that were left, not
        /// those that the motion makes, and closing them at once throws the bodies: a ladder with a quarter of the iterations it needs
        /// gains 18 % of its energy, and nothing with this.
        closing: f64 = 0.2, "-";
        /// A residual below this part of the largest velocity is rounding.
        rounding: f64 = 1e-14, "-";
    }
    /// Islands that share bounded rows.
    cluster: Cluster {
        /// Active rows from which on the sparse solver is faster than the dense one: a Newton step of 55 boxes with 1200 rows costs a
        /// third of a millisecond, a dense one with 120 rows twice that.
        large: usize = 96, "-";
        /// The same where there are joints: there the dense solver converges where the sparse one does not always.
        large_with_joints: usize = 240, "-";
        /// How often rows that the solution breaks are taken in before all candidates are;
        rounds: usize = 4, "-";
        /// and in large clusters, where the rest waits for the next step.
        rounds_large: usize = 3, "-";
        /// Most passes of a large cluster whose solves are cut short.
        passes_cut: usize = 2, "-";
        /// A dense solve that has not reached its tolerance after the first number of Newton steps goes on towards easier ones, each for
        /// the second. Heaps in violent motion would take a thousand steps and more. What was not reached is reported.
        dense_steps: [usize; 2] = [200, 200], "-";
        /// The easier ones, in tolerances: 1e-9, then 1e-6 and 1e-4 by default.
        easier: [f64; 2] = [1e3, 1e5], "-";
        /// A large cluster in motion need not be solved to the tolerance: after so many Newton steps
        sparse_steps: [usize; 4] = [4, 12, 20, 80], "-";
        /// this part of the largest speed at which its rows met is good enough. At rest there is no such speed, and it is.
        sparse_parts: [f64; 4] = [1e-6, 1e-5, 1e-4, 2e-4], "-";
        /// A bound of friction that follows its load has changed when by more than this part.
        rubs: f64 = 0.01, "-";
        /// A limit nearer than this (rad, part of its length) takes part when positions are pushed.
        near: f64 = 0.1, "-";
    }
    /// Large clusters, which are swept.
    heap: Heap {
        /// Most bodies of a joint island that is swept: its response to impulses is a dense matrix of 36 numbers for each pair of them.
        widest: usize = 100, "-";
        /// Rows that push, from which on a cluster with deformables is swept: the work of the dense W, which solves them
        /// below, grows with the third power of the rows,
        soft: usize = 400, "-";
        /// where rows touch no more of its nodes than `widest`, or than this part of all rows up to so many: of 400 the response takes 46 MB;
        soft_part: usize = 4, "-";
        soft_widest: usize = 400, "-";
        /// those that are calm have so many times the sweeps, for no Newton steps follow them,
        soft_sweeps: usize = 4, "-";
        /// and sweeps after the step of elements that would gain energy was changed.
        guard_sweeps: usize = 4, "-";
        /// Sweeps of a step with joints,
        sweeps: usize = 16, "-";
        /// and of one without: up to 20 a wall of 496 boxes that is hit stands or falls by details that should not matter.
        sweeps_free: usize = 24, "-";
        /// Visits of contact points that a step has at least: small heaps can afford more sweeps.
        visits: usize = 6000, "-";
        /// Looks at the second order in between, with joints; without there is one.
        looks: usize = 3, "-";
        /// How exact a contact that slides is solved in a visit while the heap moves, as part of its impulse.
        precision: f64 = 1e-6, "-";
        /// Sweeps end when the largest change is below this part of the fastest row, or of the unit of velocity.
        part: f64 = 1e-3, "-";
        /// A cluster is calm when no row is faster than this (see `units`): then it is solved to the tolerance.
        calm: f64 = 0.02, "-";
        /// Newton steps of a calm cluster in one step: a wall of 496 boxes takes 14 at its start, and none from then on. What is left goes on by
        /// sweeps,
        newton: usize = 24, "-";
        /// and by Newton again after so many steps.
        newton_every: u64 = 16, "-";
        /// Where there are no more rows than this there are some in every step, for stacks of heavy on light are not solved by sweeps:
        cheap: usize = 3000, "-";
        /// rows times steps. A heap of 20 ragdolls in which one limb rocks would take 400 of them, 200 ms, in every step; it has 20.
        newton_work: usize = 30_000, "-";
        /// Change, as part of the tolerance, below which its sweeps end.
        settled: f64 = 0.5, "-";
        /// Sweeps of the push with joints, whose limits need them,
        push_sweeps: usize = 8, "-";
        /// and without,
        push_sweeps_free: usize = 4, "-";
        /// the part of the penetration that it removes: a third shakes stacks down,
        push_share: f64 = 0.1, "-";
        /// and what it leaves, as part of the radius of gyration of the smaller body.
        push_slop: f64 = 0.004, "-";
        /// Sweeps of rebounds.
        bounce_sweeps: usize = 8, "-";
        /// Most passes of a heap: forces of joints that have grown by this much more, as part of the mass, ask for another one.
        passes: usize = 3, "-";
        jump: f64 = 1.0, "-";
    }
    /// Which limits could act in the step.
    candidates: Candidates {
        /// A limit is a candidate from this many steps of its present motion
        steps: f64 = 4.0, "-";
        /// and this angle
        angle: f64 = 0.5, "rad";
        /// or part of its length away: a blow in the step may drive it there. Islands without candidates run in the resolved regime.
        length: f64 = 0.25, "-";
        /// Compliant limits at one body, for the frequency of the fastest mode they can make: two, as in a chain of ropes.
        crowd: f64 = 2.0, "-";
        /// Below this slope the position of a leaning or swinging angle has no useful direction.
        steep: f64 = 1e-3, "-";
    }
    /// Ropes over guides.
    ropes: Ropes {
        /// Excess is measured by this part of the straight length: a tackle moves its block by a part of what its rope is off by.
        scale: f64 = 0.1, "-";
        /// Largest ratio of tensions that friction is taken for; more is as good as no slip, and only costs digits.
        most_ratio: f64 = 1e6, "-";
        /// A span between points may become as short as this part of its length when it was made: it keeps a direction.
        least: f64 = 1e-3, "-";
        /// Excess that a step leaves of a rope counts so many times that of other limits, so that its second order is always met: a pendulum on
        /// it loses h v^2/l^2 of its energy in a second without.
        look: f64 = 1e4, "-";
        /// Most colliders that a rope meets in one step: more are met in the next.
        meetings: usize = 16, "-";
        /// Two faces of a mesh whose normals sum to less lie on each other: the edge between them sticks out in their plane.
        creased: f64 = 1e-3, "-";
        /// Nearer to another guide than this part of its span a rope meets no edge of a mesh: that edge ends where it is led already.
        corner: f64 = 1e-6, "-";
        /// A grip rides on a sheave no nearer to its axis than its radius and this part of it, so that a straight line touches both: 1 mm before
        /// the tangent point on a sheave of 1 m.
        rim: f64 = 5e-7, "-";
        /// A grip that is farther in a sheave than this part of the radius has not come there along the rope,
        inside: f64 = 0.5, "-";
        /// nor has one whose rope passes it farther out,
        near: f64 = 0.05, "-";
        /// nor one with more slack rope between them than this part of the radius.
        slack: f64 = 0.1, "-";
        /// A sheave belongs to the colliders of a fixed body that are within this part of its radius of it.
        own: f64 = 0.01, "-";
        /// A tension that grows by more than this factor in a pass is taken to grow by that again.
        grows: f64 = 1.5, "-";
        /// Most solves of one step with ropes over guides: a block of 1 kg that hangs askew above a million needs ten to be held.
        passes: usize = 12, "-";
        /// Mass of the particle at a free end, as part of the lightest body that moves freely on its rope: it carries nothing.
        end_mass: f64 = 1e-3, "-";
        /// Of a rope that none moves freely on, as that of
        end_bare: f64 = 1.0, "kg";
        /// A rope is cut no nearer to its ends, and is too short for what it is tied to by no less, as parts of its length.
        shortest: f64 = 1e-6, "-";
        /// Torsion: 1 + cos of the bend at a ring, up to which it is folded back, about 1e-3 rad short of half a turn. The moment across a fold
        /// grows with the tangent of half the bend; there it grows no more.
        folded: f64 = 5e-7, "-";
    }
    /// Impacts and their rebounds.
    impact: Impact {
        /// Slower meetings (see `units`) do not rebound; nor do those that the forces give in two steps. Otherwise a ball at rest would
        /// tremble.
        slow: f64 = 0.05, "-";
        /// Rows that approach with this part of the fastest approach meet in the same round.
        together: f64 = 0.1, "-";
        /// Most rounds: a blow runs through a hundred balls and back.
        rounds: usize = 400, "-";
        /// Approach that is left to the last solve, as part of the first fastest.
        still: f64 = 1e-6, "-";
    }
    /// Pushing positions out of penetrations and behind limits.
    push: Push {
        /// Penetration that is left alone, as part of the radius of gyration of the smaller body: below it everything rests.
        slop: f64 = 1e-5, "-";
        /// Part of the penetration that is removed in one step. All at once would throw what rests on it out of its place.
        share: f64 = 0.3, "-";
        /// Most that is removed in one step, as part of the radius of gyration.
        most: f64 = 0.1, "-";
        /// A limit passed by this angle (rad), or by this part of its length, is too far;
        passed: f64 = 1e-4, "-";
        /// and how often it is looked at.
        rounds: usize = 12, "-";
        /// Most that a limit is put back by in one round, rad or part of its length: the rows are linearised.
        turn: f64 = 0.1, "-";
        /// A limit that was passed by more than this angle before the step goes back by parts, without a velocity.
        inherited: f64 = 0.05, "rad";
        /// Excess of ropes and other lengths that is left alone,
        slop_length: f64 = 1e-7, "-";
        /// and most that is removed in one step, as parts of the length. A rope that has snapped taut is put back by parts, like a
        /// penetration: all at once its light links would go round its heavy load.
        most_length: f64 = 0.05, "-";
    }
    /// Rows of joints.
    rows: JointRows {
        /// A sum of forces below this share of its terms is rounding.
        rounding: f64 = 1e-11, "-";
        /// A compliant row counts as rigid, and its violation as an error, not as a spring's stretch, when its two bodies would swing on
        /// it with at least this frequency, as points or about their centres: 1e-7 m/N under 1 kg,
        rigid: f64 = 3.162_277_660_168_379_5e3, "rad/s";
        /// and when h^2 omega^2 of its mode is above this: a step that resolves the oscillation sees a spring.
        stiff: f64 = 1e3, "-";
        /// theta of a row that is nearly explicit: zero would ask for an infinite Gamma.
        explicit: f64 = 1e-4, "-";
        /// Compliance given to a joint that was ever found redundant, as part of its mobility through the other joints: enough for a
        /// linkage that is mobile only by its special shape (Bricard) to move once drift has spoilt the shape; 1e-6 is too soft at a
        /// million to one. All joints of a net have it, as part of their bare mobility: 1e-6 would take a fifth of the passes and a third of
        /// the loss of energy of a net that whips, and ten times the gaps under a load.
        redundant: f64 = 1e-7, "-";
        /// The twist is trusted while the axis of i is within about 25 degrees of its place in j (the cosine),
        aligned: f64 = 0.9, "-";
        /// and not at all beyond 45.
        astray: f64 = 0.7, "-";
        /// 1 + c below this is a swing of half a turn, where the twist is not defined: the row then has no direction.
        half_turn: f64 = 1e-6, "-";
        /// Directions this near to a right angle (the cosine) are at one: two dyads are enough, and what they miss is rounding.
        right: f64 = 1e-13, "-";
        /// A motor's row must keep this part of itself after the joint's own rows are taken out of it.
        free: f64 = 1e-6, "-";
        /// A row that is open by more than this part of its reach (rad) after the step, and not on its way to close, contradicts the
        /// others, and so does one of a motor that misses its rate by more than this part of it.
        misses: f64 = 1e-3, "-";
        /// A gap that shrinks to less than this part of itself in a step is closing.
        closing: f64 = 0.9, "-";
        /// Velocities below this (m/s, rad/s) are none, in any unit: a bound of the numbers, not of the motion. The quiet middle of a
        /// long chain would otherwise fill with denormal numbers, on which every operation is a hundred times slower.
        nothing: f64 = 1e-100, "m/s";
    }
    /// The mechanism in its freedoms (`dynamics`). No step reads these.
    dynamics: Dynamics {
        /// A loop row or an effort that does less than this beyond what the others do, as part of the root of its bare mobility, depends
        /// on them (`factor.noise` is the square of three times this). Gaps of joints stay below it, or axes that are off by them would
        /// lock a planar loop; above it poses near a dead point would count as dead.
        depends: f64 = 1e-6, "-";
        /// Accelerations that contradict each other by less than this part are rounding and the gaps of joints.
        rounding: f64 = 1e-6, "-";
        /// Forces that are missing are rounding below this part of all that acts.
        balance: f64 = 1e-9, "-";
        /// Most values of loop rows, rows times freedoms: 0.4 GB, three times over.
        dense: usize = 50_000_000, "-";
        /// A rope this near to its length, as part of it, is taut: steps leave it this near.
        taut: f64 = 1e-4, "-";
    }
    /// Sleep.
    sleep: Sleep {
        /// Bodies are at rest below this speed of their surface points (see `units`). What rests is solved to 1e-9; at 1e-2 a box that
        /// has just begun to slide, on a slope half a per cent too steep, would fall asleep on it.
        slow: f64 = 1e-3, "-";
        /// How long they must be.
        patience: f64 = 0.5, "s";
        /// A heap rests when the root mean square of the speeds, by mass, is below this,
        heap: f64 = 3e-3, "-";
        /// and none of its bodies is faster than this: a limb that rocks, or rolls on its side, does so for minutes;
        stray: f64 = 0.05, "-";
        /// but then for so long: what begins to topple is faster by then.
        dwell: f64 = 2.0, "s";
    }
    /// Nodes of adaptive ropes with mass (`world::heavy::adapt`).
    heavy: Heavy {
        /// Pieces that a rope wants over its weight across itself in parts of its tension: a straight piece of it is then shorter than the
        /// rope by 1e-4 of its length, (1/20)^2/24.
        pieces: f64 = 20.0, "-";
        /// A piece that wants to be more than so many is divided,
        insert: f64 = 1.5, "-";
        /// and two of which each wants to be less than this part of one are put together: the two are so far apart that none of them undoes the
        /// other.
        remove: f64 = 0.67, "-";
        /// Most that a piece is longer than the one above it: the mass of a long piece on a short span swings with a period that no step
        /// resolves.
        grows: f64 = 2.0, "-";
        /// Steps over which tensions are smoothed, and in which pieces take the length of their rope.
        steps: f64 = 10.0, "-";
        /// What is left of that when it is done.
        fits: f64 = 1e-9, "m";
    }
    /// Which way is faster; the motion hardly depends on it.
    layout: Layout {
        /// Mean number of later neighbours of a block from which on dense panels are faster than blocks.
        wide: f64 = 6.0, "-";
        /// Springs that may close loops among what they connect before it counts as a net. Rows of so few cost little; those of many
        /// fill the factor.
        few_springs: usize = 8, "-";
        /// Unknowns beside the largest system from which on threads pay. Below it a step takes well under a millisecond; waking the
        /// threads and copying, a tenth of the solve, then eat the gain.
        threads_pay: usize = 6_000, "-";
        /// How often a thread comes back for more islands: enough to even out their cost.
        turns: usize = 16, "-";
        /// Bodies that move, or pairs that may touch, from which on collision detection is shared by threads. One costs about a
        /// microsecond, and to wake a thread some ten.
        shares_pay: usize = 200, "-";
        /// Shares of one thread: enough to even out their cost.
        shares: usize = 8, "-";
        /// Boxes in the tree of the broad phase are larger than needed by this part of their size, so that slow bodies seldom change it.
        fat: f64 = 0.1, "-";
        /// Bodies of a world from which on a joint that is cut stays in the matrix as a dead pivot until the world is laid out anew.
        /// A smaller one is laid out at once, which takes less than half a millisecond.
        large: usize = 300, "-";
        /// Such a world is laid out anew at steps that are multiples of this: often enough that dead pivots cost little, and so seldom
        /// that cuts in every step cost little.
        epoch: u64 = 16, "-";
    }
    /// Pairs that may touch, and when. Thicknesses are half extents of the thinner solid.
    contact: Contact {
        /// Points this part of the thickness apart are contacts even if they do not come nearer.
        margin: f64 = 0.02, "-";
        /// Solids are left out as too far apart only by more than this part, and directions as worse than others only by more than this
        /// part of the solids: well above rounding, so that what is found does not change.
        rounding: f64 = 1e-12, "-";
        /// An impact is where the gap is this part of the thickness.
        impact: f64 = 1e-3, "-";
        /// Contacts are kept as far apart as they could come in this many steps: one contact may throw the body onto another.
        ahead: f64 = 2.0, "-";
        /// Gap at which a cast ends, as a part of the thickness; the rest of the way is straight.
        cast: f64 = 1e-7, "-";
        /// A pair that has touched has parted when its gap is more than this part of the smaller body's size. Where a stiff body stands on more
        /// points than it needs, which of them push is a matter of rounding.
        parted: f64 = 1e-3, "-";
        /// Most advances. A grazing body may need more; the contact is then made where it stands, almost touching.
        advances: usize = 96, "-";
        /// Surfaces of deformables are expected to be thrown at each other within a step by no more than this part of their skins: with the
        /// whole spread of velocities in a cloth every node would be a candidate for its neighbours.
        thrown: f64 = 0.5, "-";
        /// Parts of the surface of a deformable that differ in height by less than this part of its skin are level: the nearest of two
        /// points that are about as near would jump to and fro between them.
        level: f64 = 0.1, "-";
        /// Radius of the ball inside that must not pass, over the largest.
        inner: f64 = 0.9, "-";
    }
    /// The normal of a contact. Sizes are those of the two solids.
    axis: ContactAxis {
        /// Cores nearer than this part of their size are treated as touching, and are shifted this far apart.
        near: f64 = 1e-3, "-";
        /// Products of edges must be better than faces by this part of the size.
        edge: f64 = 1e-6, "-";
        /// Most shifts.
        shifts: usize = 24, "-";
        /// A face normal is taken when another direction is better by no more than this part of the size.
        tie: f64 = 1e-9, "-";
        /// Lines that cross at a larger angle are pushed apart across both.
        crossed: f64 = 1e-3, "rad";
        /// Scales at which cores that overlap are looked at to find a direction.
        scales: [f64; 3] = [0.95, 0.7, 0.3], "-";
        /// Products of more pairs of edges are not tried out.
        most_pairs: usize = 144, "-";
    }
    /// The points of a contact.
    manifold: Manifold {
        /// A face takes part in clipping when its normal is within about 80 degrees of the contact's (the cosine).
        facing: f64 = 0.2, "-";
        /// Edges within about 4 degrees (the cosine) are parallel: they touch in two points.
        parallel: f64 = 0.9975, "-";
        /// A point within this part of a polygon's size of a corner or edge is at it. Contacts keep their names while bodies move by less.
        at: f64 = 1e-3, "-";
        /// Points of one pair of parts that are kept.
        most: usize = 8, "-";
        /// A later point replaces an earlier one only when it is better by this part: names do not change by rounding.
        better: f64 = 1e-3, "-";
        /// A later point counts as deeper than an earlier one only by more than this part of the extent, for the same reason.
        deeper: f64 = 1e-4, "-";
        /// A point will touch when the step leaves it no farther than this part of the extent: well above what rounding does to names.
        soon: f64 = 1e-2, "-";
        /// Points nearer to each other than this part of the extent of all are one.
        same: f64 = 1e-3, "-";
        /// Below this inclination of its axis to the normal (the sine) a cylinder stands flat, and the corners of its cap stay where they are.
        standing: f64 = 1e-4, "-";
        /// Faces of a hull are in one plane when their corners are within this part of its size.
        coplanar: f64 = 1e-10, "-";
        /// An edge of a mesh is flat when the neighbour's normal leans out by less than this.
        flat_edge: f64 = 1e-6, "-";
    }
    /// What is refused where it enters.
    input: Input {
        /// Relative tolerance of symmetry, of the triangle inequality and of convexity.
        inertia: f64 = 1e-9, "-";
        /// Smallest accepted ratio of the principal moments I1 / I3.
        least_ratio: f64 = 1e-14, "-";
        /// A hull is flat when it is thinner than this part of its size, a triangle when its height is.
        flat: f64 = 1e-9, "-";
        /// Largest size and coordinate of a shape. Squares of squares of it must not overflow.
        largest: f64 = 1e9, "m";
        /// Most unknowns of one island for the dense references: 3 GB of matrix.
        dense_unknowns: usize = 20_000, "-";
    }
}
