//! Every number that somebody chose in RedMax's step: name, value, unit, what it is for. Those of its matrices are with their solvers.

taut_solve::tuning! {
    /// RedMax's step.
    redmax: Redmax {
        /// Most solves of a step,
        most: usize = 3, "-";
        /// and of one that starts without any forces.
        first: usize = 6, "-";
        /// A that has grown by more than this part of I + A on a diagonal was found with the wrong forces.
        jump: f64 = 0.5, "-";
        /// Passes that close loops at the end of a step.
        closing: usize = 4, "-";
        /// Most that a link turns in one of them: the rows are linearised.
        turn: f64 = 0.3, "rad";
        /// Gap, m or rad, at which there are no more.
        closed: f64 = 1e-13, "m";
        /// Velocities (m/s, rad/s) beyond this are not finite for any purpose: poses could overflow.
        fastest: f64 = 1e150, "m/s";
    }
}
