//! A number that goes by the time.

use std::f64::consts::TAU;

/// A jump this near, of its time and of a second, counts as reached: the time of a world is a sum of steps.
const SLACK: f64 = 1e-9;

/// A number over time. Outside the range of its times the end values hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Signal {
    /// Always the same.
    Constant(f64),
    /// From each time on (s) the value beside it.
    Steps(Vec<[f64; 2]>),
    /// Straight lines through points of time (s) and value.
    Ramp(Vec<[f64; 2]>),
    /// Through the same points, at rest in each: 3 s^2 - 2 s^3 between two.
    Smooth(Vec<[f64; 2]>),
    /// offset + amplitude sin(2 pi frequency (t - from) + phase).
    Sine(Sine),
    /// All of them together.
    Sum(Vec<Signal>),
}

/// A sine between two times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sine {
    pub amplitude: f64,
    /// Hz.
    pub frequency: f64,
    /// rad.
    pub phase: f64,
    pub offset: f64,
    /// When it begins and ends, s.
    pub range: [f64; 2],
}

impl Sine {
    fn at(&self, t: f64) -> f64 {
        let since = t.clamp(self.range[0], self.range[1]) - self.range[0];
        self.offset + self.amplitude * libm::sin(TAU * self.frequency * since + self.phase)
    }
}

impl Signal {
    /// The value at a time, s.
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Signal::Constant(x) => *x,
            Signal::Steps(points) => {
                let reached = t + SLACK * (1.0 + t.abs());
                let k = points.partition_point(|p| p[0] <= reached);
                points.get(k.saturating_sub(1)).map_or(0.0, |p| p[1])
            }
            Signal::Ramp(points) => between(points, t, |s| s),
            Signal::Smooth(points) => between(points, t, |s| s * s * (3.0 - 2.0 * s)),
            Signal::Sine(sine) => sine.at(t),
            Signal::Sum(list) => list.iter().map(|s| s.at(t)).sum(),
        }
    }

    /// How far it moves from one time to another, s: its change without the jumps of steps, which nothing can follow.
    pub fn moved(&self, from: f64, to: f64) -> f64 {
        match self {
            Signal::Constant(_) | Signal::Steps(_) => 0.0,
            Signal::Sum(list) => list.iter().map(|s| s.moved(from, to)).sum(),
            _ => self.at(to) - self.at(from),
        }
    }

    /// Values that it never goes below and above.
    pub fn bounds(&self) -> [f64; 2] {
        let of = |points: &[[f64; 2]]| {
            let fold = |[lo, hi]: [f64; 2], p: &[f64; 2]| [lo.min(p[1]), hi.max(p[1])];
            points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], fold)
        };
        match self {
            Signal::Constant(x) => [*x; 2],
            Signal::Steps(points) | Signal::Ramp(points) | Signal::Smooth(points) => of(points),
            Signal::Sine(s) => [s.offset - s.amplitude.abs(), s.offset + s.amplitude.abs()],
            Signal::Sum(list) => list.iter().map(Signal::bounds).fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]),
        }
    }
}

/// The value between the two points around a time; `shape` maps the way from one to the other, 0 to 1, to itself.
fn between(points: &[[f64; 2]], t: f64, shape: impl Fn(f64) -> f64) -> f64 {
    let k = points.partition_point(|p| p[0] <= t);
    match (k.checked_sub(1).and_then(|k| points.get(k)), points.get(k)) {
        (Some(a), Some(b)) => a[1] + (b[1] - a[1]) * shape((t - a[0]) / (b[0] - a[0])),
        (Some(end), None) | (None, Some(end)) => end[1],
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(list: &[(f64, f64)]) -> Vec<[f64; 2]> {
        list.iter().map(|&(t, x)| [t, x]).collect()
    }

    #[test]
    fn end_values_hold_outside_the_range() {
        let list = points(&[(1.0, 5.0), (3.0, -1.0)]);
        for s in [Signal::Steps(list.clone()), Signal::Ramp(list.clone()), Signal::Smooth(list)] {
            assert_eq!((s.at(-1e9), s.at(1.0), s.at(3.0), s.at(1e9)), (5.0, 5.0, -1.0, -1.0), "{s:?}");
        }
        let sine = Sine { amplitude: 2.0, frequency: 0.5, phase: 0.0, offset: 1.0, range: [1.0, 1.5] };
        let s = Signal::Sine(sine);
        assert_eq!(s.at(0.0), 1.0);
        assert!((s.at(1.5) - 3.0).abs() < 1e-12 && s.at(9.0) == s.at(1.5));
    }

    #[test]
    fn ramps_are_straight_and_smooth_ones_rest_at_their_points() {
        let list = points(&[(0.0, 0.0), (2.0, 4.0), (3.0, 3.0)]);
        let ramp = Signal::Ramp(list.clone());
        assert_eq!((ramp.at(0.5), ramp.at(1.0), ramp.at(2.5)), (1.0, 2.0, 3.5));
        let smooth = Signal::Smooth(list);
        assert_eq!((smooth.at(1.0), smooth.at(2.5)), (2.0, 3.5));
        for t in [0.0, 2.0, 3.0] {
            assert!(smooth.moved(t - 1e-4, t + 1e-4).abs() < 1e-6, "{t}");
        }
        // The rate by differences is that of the formula, 6 s (1 - s) times the slope.
        let rate = smooth.moved(0.5 - 1e-5, 0.5 + 1e-5) / 2e-5;
        assert!((rate - 2.0 * 6.0 * 0.25 * 0.75).abs() < 1e-6, "{rate}");
    }

    #[test]
    fn a_jump_is_no_motion_and_is_not_missed_by_rounding() {
        let steps = Signal::Steps(points(&[(0.0, 0.0), (1.0, 7.0)]));
        let both = Signal::Sum(vec![steps.clone(), Signal::Ramp(points(&[(0.0, 0.0), (2.0, 2.0)]))]);
        assert_eq!(steps.moved(0.9, 1.1), 0.0);
        assert!((both.moved(0.9, 1.1) - 0.2).abs() < 1e-12);
        let t: f64 = (0..100).map(|_| 0.01).sum();
        assert!(steps.at(t) == 7.0 && steps.at(1.0 - 1e-12) == 7.0 && steps.at(1.0 - 1e-6) == 0.0);
    }

    #[test]
    fn bounds_hold() {
        let sine = Sine { amplitude: -2.0, frequency: 1.0, phase: 0.3, offset: 1.0, range: [0.0, 9.0] };
        let all = [Signal::Sine(sine), Signal::Ramp(points(&[(0.0, -3.0), (1.0, 2.0)])), Signal::Constant(0.5)];
        let sum = Signal::Sum(all.to_vec());
        assert_eq!(sum.bounds(), [-1.0 - 3.0 + 0.5, 3.0 + 2.0 + 0.5]);
        for k in 0..200 {
            let (x, [lo, hi]) = (sum.at(0.05 * f64::from(k)), sum.bounds());
            assert!(lo <= x && x <= hi);
        }
    }
}
