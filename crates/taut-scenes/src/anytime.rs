//! What runs with the structured solver are measured by.

use taut::StepReport;

/// What the structured solver reached and spent during a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnytimeOutcome {
    /// Mean iterations per step within the budget.
    pub iterations_per_step: f64,
    /// Most iterations of a step.
    pub iterations: usize,
    /// Mean iterations per step for the responses of bounded rows, outside the budget.
    pub responses_per_step: f64,
    /// Mean passes per step that closed gaps by moving bodies.
    pub passes_per_step: f64,
    /// Largest velocity by which a loop row missed what was asked of it, m/s (rad/s).
    pub velocity_error: f64,
    /// Largest opening of a rigid joint, m (rad).
    pub gap: f64,
    /// Part of the steps that reached the tolerances.
    pub reached: f64,
    /// Steps in which rows contradicted each other.
    pub contradictions: usize,
}

/// Collects them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AnytimeMeter {
    steps: usize,
    reached: usize,
    sums: [usize; 3],
    worst: AnytimeOutcome,
}

impl AnytimeMeter {
    pub fn see(&mut self, r: &StepReport) {
        let Some(a) = &r.anytime else { return };
        self.steps += 1;
        self.reached += usize::from(a.reached);
        self.sums.iter_mut().zip([a.iterations, a.responses, a.passes]).for_each(|(sum, x)| *sum += x);
        let w = &mut self.worst;
        w.iterations = w.iterations.max(a.iterations);
        w.velocity_error = w.velocity_error.max(a.velocity_error);
        w.gap = w.gap.max(a.gap);
        w.contradictions += usize::from(a.contradiction);
    }

    /// None with other solvers.
    pub fn done(&self) -> Option<AnytimeOutcome> {
        let mean = |sum: usize| sum as f64 / self.steps.max(1) as f64;
        (self.steps > 0).then_some(AnytimeOutcome {
            iterations_per_step: mean(self.sums[0]),
            responses_per_step: mean(self.sums[1]),
            passes_per_step: mean(self.sums[2]),
            reached: mean(self.reached),
            ..self.worst
        })
    }
}
