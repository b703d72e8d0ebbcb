//! Every number that somebody chose in the solvers: name, value, unit, what it is for and what breaks.
//!
//! `T.factor.drop` is a constant. With the feature `ablate` it is a value that a study has scaled (`ablate`).

/// Groups of chosen numbers, each written once, as the constant `T` of a struct of structs.
#[doc(hidden)]
#[macro_export]
macro_rules! tuning {
    ($($(#[$about:meta])* $group:ident: $Group:ident {
        $($(#[$doc:meta])* $name:ident: $kind:ty = $value:expr, $unit:literal;)*
    })*) => {
        $($(#[$about])* #[derive(Clone, Copy, Debug)] pub(crate) struct $Group {
            $($(#[$doc])* #[doc = concat!("Unit: ", $unit)] pub(crate) $name: $kind,)*
        })*

        /// All groups.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Tuning {
            $($(#[$about])* pub(crate) $group: $Group,)*
        }

        const CHOSEN: Tuning = Tuning { $($group: $Group { $($name: $value,)* },)* };

        /// The numbers of this crate.
        #[cfg(not(feature = "ablate"))]
        pub(crate) const T: Tuning = CHOSEN;
        #[cfg(feature = "ablate")]
        pub(crate) static T: std::sync::LazyLock<Tuning> = std::sync::LazyLock::new(|| {
            let mut t = CHOSEN;
            $($($crate::ablate::scale(concat!(stringify!($group), ".", stringify!($name)), &mut t.$group.$name);)*)*
            t
        });

        /// Name, chosen value and unit of each number.
        #[cfg(feature = "ablate")]
        pub fn numbers() -> Vec<(&'static str, String, &'static str)> {
            vec![$($((concat!(stringify!($group), ".", stringify!($name)), format!("{:?}", CHOSEN.$group.$name), $unit),)*)*]
        }
    };
}

crate::tuning! {
    /// Factors: which pivots are nothing, and how blocks are gathered in panels.
    factor: Factor {
        /// A loop row is redundant when its pivot is below this part of its mobility through the joints that close no loop: a genuine
        /// row keeps a part of it that does not depend on the masses.
        drop: f64 = 1e-8, "-";
        /// And when it is below this part of its bare mobility, which is what rounding may leave of a row that the tree alone makes
        /// redundant: a four-bar locks at 1e-13. Genuine pivots shrink with the mass ratio: 3e-7 in a ladder under a million to one,
        /// 2e-10 in two hinge chains that share such a load; beyond 1e8 to one the rule takes rows it should not. It is the whole rule
        /// of solvers that know only the bare mobility.
        noise: f64 = 1e-11, "-";
        /// The same in dense panels. Rounding grows with the fronts: in a flat net of 100 by 100 bodies redundant rows have pivots up
        /// to about 1e-9, and at 1e-11 enough of them pass for genuine to throw the net apart. Rows of a cloth under 5000 to one stay
        /// above 1e-7.
        drop_panels: f64 = 1e-8, "-";
        /// Most scalars in one panel: the last separators of nets of 100 by 100 have 300. The rows of a wider one would leave the cache.
        widest: usize = 384, "-";
        /// Pivots of a panel whose rows are used together: in tiles they fill a part of the cache with the rows of 300 later scalars.
        block: usize = 48, "-";
        /// A block joins the panel before it if the zeros that this stores are at most this part of the panel,
        zeros: f64 = 0.2, "-";
        /// or the panel stays as narrow as this, scalars.
        narrow: usize = 8, "-";
        /// Multiplications from which on the panels of an island are divided into parts for several threads: some 2 ms of one.
        divided: f64 = 8e6, "-";
        /// The branches take less than one in so many of the multiplications each: enough to even out the work of a few threads.
        branches: f64 = 8.0, "-";
        /// What hangs on the trunk and takes less than this part of that is trunk itself: a part of its own would cost more.
        twig: f64 = 0.05, "-";
        /// LU: a pivot below this part of the largest entry of its diagonal block is zero.
        zero: f64 = 1e-16, "-";
        /// Dense: smallest accepted magnitude of a pivot of the equilibrated matrix.
        least_pivot: f64 = 1e-300, "-";
    }
    /// Orders of elimination.
    ordering: Ordering {
        /// Regions of up to so many nodes are spanned breadth first.
        small: usize = 6, "-";
        /// Regions of up to so many nodes of elements are ordered by minimum degree. 20 to 60 give the same fill to 2 %.
        leaf: usize = 40, "-";
        /// Nets of points of at least so many nodes are dissected by coordinates: 40 by 40 take a quarter of the multiplications of the best
        /// forest, 100 by 100 a fourteenth. Below the forest is quick enough, and its pivots tell which row is redundant.
        net: usize = 600, "-";
        /// Nets whose joints couple their bodies by rows alone are cut through joints from so many bodies on: 10 by 10 take half of the
        /// multiplications of the best forest, 30 by 30 a quarter, 100 by 100 a fifth, and redundant rows leave smaller pivots.
        joints: usize = 64, "-";
        /// The loops of a net that is cut through joints, in parts of its bodies: a grid has one for each. A ladder has a third, and the
        /// forest keeps it narrow: cut through joints it takes 1.4 times as long.
        woven: f64 = 0.6, "-";
        /// The loops of a net of points, in parts of its nodes: a grid has one for each.
        loops: f64 = 0.25, "-";
    }
    /// Conjugate gradients with sweeps over the nodes of elements.
    sweep: Sweep {
        /// Relaxation of the sweeps, between 0 and 2. 1.0 to 1.4 differ by a tenth in iterations.
        relaxation: f64 = 1.2, "-";
        /// Most iterations; beyond them the matrix is factorised.
        most: usize = 3000, "-";
    }
    /// Krylov methods for the rows of loops.
    loops: Loops {
        /// z . A z below this part of |z| |A z| is rounding.
        nothing: f64 = 1e-15, "-";
        /// The residual has stalled when it fell by less than this part
        slow: f64 = 1e-3, "-";
        /// in so many iterations.
        patience: usize = 50, "-";
    }
    /// Rows with bounds: what dense and sparse solvers share. Compliances are those of the scaled problem, where the diagonal is 1;
    /// residuals are in the units that the caller gives for each row.
    bounded: Bounded {
        /// Rows below this share of the largest diagonal have no effect.
        dead: f64 = 1e-14, "-";
        /// Where rounding alone may leave more than this, a small residual says nothing.
        meaningless: f64 = 1e-7, "-";
        /// Sweeps before and between Newton steps.
        sweeps: usize = 10, "-";
        /// First compliance of the first attempts,
        eps: f64 = 1e-2, "-";
        /// and of the last.
        eps_other: f64 = 1e-1, "-";
        /// Largest compliance of a centre that does not settle.
        eps_most: f64 = 10.0, "-";
        /// Below this residual a polish is tried after every settled proximal solve.
        polish_below: f64 = 1e-4, "-";
        /// Steps of a promising polish that may fail.
        polish_patience: usize = 3, "-";
        /// The friction of a rope that is not solved at once grows to its full size in 2 to this power of steps, each with the same factor.
        tighten_halvings: usize = 5, "-";
        /// Most steps of a polish.
        polish_steps: usize = 8, "-";
        /// Compliance of a polish.
        polish_eps: f64 = 1e-7, "-";
        /// Factor between the step lengths tried by a proximal solve,
        shorter: f64 = 0.7, "-";
        /// and the least of them.
        shortest: f64 = 0.01, "-";
        /// A step must bring |g| below this share.
        decrease: f64 = 0.97, "-";
        /// Most evaluations of the one-contact problem.
        evaluations: usize = 80, "-";
        /// The same where sweeps come back to it from their last slip ratio,
        near_evaluations: usize = 20, "-";
        /// how exact they find it, as part of the impulse, where they go on to rest: to rounding,
        precision: f64 = 1e-13, "-";
        /// the first ratio that they try where Newton's step does not tell one, as part of what the tangents move by,
        first_slip: f64 = 1e-6, "-";
        /// and what is added to that, as part of it, so that it has an inverse.
        slack: f64 = 1e-12, "-";
    }
    /// The dense solver of rows with bounds.
    dense: Dense {
        /// Islands with at most so many contacts are swept on while that helps.
        few: usize = 8, "-";
        /// Least compliance: below, the rounding of u / eps takes over.
        eps_least: f64 = 1e-9, "-";
        /// So many box rows between their bounds are worth eliminating: with fewer a Newton step hardly gets cheaper.
        eliminated: usize = 12, "-";
        /// A row of which the others leave less than this part of its mobility is kept: its elimination would lose so much of the digits.
        determined: f64 = 1e-6, "-";
        /// How often it is solved without them, with those kept that left their bounds, before all are.
        eliminations: usize = 4, "-";
        /// Most centres of an attempt.
        centres: usize = 40, "-";
        /// Most Newton steps about one centre.
        steps: usize = 20, "-";
        /// A proximal solve of at most so many Newton steps has found its state.
        quick: usize = 4, "-";
        /// Accelerated sweeps at the very end.
        last_sweeps: usize = 300, "-";
        /// Points kept for their acceleration.
        depth: usize = 8, "-";
        /// The rounding floor counts up to this,
        most_floor: f64 = 1e-7, "-";
        /// and is looked at only below this residual.
        floor_below: f64 = 1e-4, "-";
    }
    /// The convex problem that starts the dense solver.
    convex: Convex {
        /// Least compliance: below 1e-8 rounding of u / eps takes over.
        eps_least: f64 = 1e-8, "-";
        /// Most centres.
        centres: usize = 60, "-";
        /// Most Newton steps about one.
        steps: usize = 30, "-";
    }
    /// Block principal pivoting of box rows.
    pivoting: Pivoting {
        /// Rounds of block changes that may pass without fewer wrong rows.
        patience: usize = 8, "-";
        /// A squared pivot of the factor below this (diagonal 1) is a redundant row.
        singular: f64 = 1e-11, "-";
    }
    /// The sparse solver of rows with bounds.
    sparse: Sparse {
        /// More sweeps where a Newton step is dear, as long as ten of them help: one per so many block products of its factor,
        products_per_sweep: usize = 300, "-";
        /// up to a number.
        most_sweeps: usize = 100, "-";
        /// Block products of all Newton steps of a solve: 1,200 bodies in a heap would take a minute for a step.
        work: usize = 600_000, "-";
        /// Where less than so many steps can be paid from it there are sweeps alone.
        least_steps: usize = 4, "-";
        /// Least compliance: the factor of the Newton matrix loses digits below.
        eps_least: f64 = 1e-6, "-";
        /// Most Newton steps about one centre;
        steps: usize = 12, "-";
        /// up to so many the compliance shrinks,
        few: usize = 4, "-";
        /// above so many it grows.
        many: usize = 7, "-";
        /// A polish that failed is tried again below this part of the residual it failed at.
        polish_again: f64 = 0.03, "-";
        /// An attempt ends when so many steps have not halved the residual.
        stalled: usize = 120, "-";
        /// Most corrections of one Newton step,
        corrections: usize = 2, "-";
        /// and the relative error that needs none.
        enough: f64 = 1e-9, "-";
        /// Entries of D (at most 1) that differ by less are the same.
        same: f64 = 1e-14, "-";
        /// Sweeps need islands with at most so many touched bodies: blocks between all of them are kept.
        most_touched: usize = 16, "-";
    }
}
