//! Events: what happens once something is so.

use super::action::Action;
use super::condition::Condition;
use super::record::{Entry, Record, Stop};
use taut::{Result, World};

/// A part of a step by which a time may be missed: the time of a world is a sum of steps.
const SLACK: f64 = 1e-6;

/// What happens once something is so.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub name: String,
    pub trigger: Trigger,
    pub actions: Vec<Action>,
}

/// When an event fires.
#[derive(Clone, Debug)]
pub(crate) enum Trigger {
    /// At a time, s, and again after so many, s.
    At { time: f64, every: Option<f64> },
    /// Once a condition holds; again when it has been armed.
    When { condition: Condition, rearm: Rearm },
}

/// When an event may fire again.
#[derive(Clone, Debug)]
pub(crate) enum Rearm {
    Never,
    /// Once its condition no longer holds.
    Ceased,
    /// Once this holds.
    When(Condition),
}

impl Event {
    /// Looks whether it fires before a step of `h` seconds, and then does what it does.
    pub fn look(&self, number: usize, world: &mut World, record: &mut Record, h: f64) -> Result<()> {
        let time = world.time();
        let due = match &self.trigger {
            Trigger::At { time: at, every } => is_due(time + SLACK * h, *at, *every, record.last(number)),
            Trigger::When { condition, rearm } => {
                if record.is_armed(number) {
                    condition.holds(world, record)?
                } else {
                    if rearm.holds(condition, world, record)? {
                        record.log.push(Entry { event: number, time, fired: false });
                    }
                    false
                }
            }
        };
        if !due {
            return Ok(());
        }
        record.log.push(Entry { event: number, time, fired: true });
        for action in &self.actions {
            action.act(world, &mut record.books)?;
            if let (Action::Stop(message), None) = (action, &record.stop) {
                record.stop = Some(Stop { event: self.name.clone(), time, message: message.clone() });
            }
        }
        Ok(())
    }
}

impl Rearm {
    fn holds(&self, condition: &Condition, world: &mut World, record: &Record) -> Result<bool> {
        match self {
            Rearm::Never => Ok(false),
            Rearm::Ceased => condition.holds(world, record).map(|holds| !holds),
            Rearm::When(other) => other.holds(world, record),
        }
    }
}

/// Whether an event of a time fires now; once in each of its periods.
fn is_due(now: f64, at: f64, every: Option<f64>, last: Option<f64>) -> bool {
    let Some(last) = last else { return now >= at };
    // Which period a time is in. The last one was recorded without the slack.
    let period = |t: f64, every: f64| ((t - at) / every).floor();
    every.is_some_and(|e| period(now, e) > period(last + SLACK * e, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_periodic_event_fires_once_in_each_period() {
        let (h, mut fired) = (0.01, Vec::new());
        let mut t = 0.0;
        for _ in 0..1000 {
            if is_due(t + SLACK * h, 0.5, Some(0.2), fired.last().copied()) {
                fired.push(t);
            }
            t += h;
        }
        assert_eq!(fired.len(), 48);
        for (k, t) in fired.iter().enumerate() {
            assert!((t - 0.5 - 0.2 * k as f64).abs() < 1e-9, "{k}: {t}");
        }
        // A period shorter than a step: once in each step.
        assert!(is_due(3.0, 0.0, Some(1e-3), Some(2.99)) && !is_due(3.0, 0.0, None, Some(2.99)));
    }
}
