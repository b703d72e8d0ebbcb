//! What the kinds of joints of a scene file leave free, in its words.

use crate::file::error::{FileError, Path};
use crate::file::joint::Kind;
use crate::file::locks::{JointAxis, Third};
use crate::file::{Freedom, SixDof};
use taut::{Axis, Freedom as Engine};

/// The rotations of a ball about -v, n and -u of its frames, which are x, y and z when their axis is along y.
pub(super) const BALL: [Engine; 3] =
    [Engine::Lean(Axis::U, Axis::N), Engine::Lean(Axis::U, Axis::V), Engine::Lean(Axis::N, Axis::V)];

/// The rotations of a universal joint about the two arms of its cross. They are the exact angles of the cross, but count backwards.
pub(super) const UNIVERSAL: [Engine; 2] = [Engine::Lean(Axis::V, Axis::U), Engine::Lean(Axis::N, Axis::V)];

/// Words for what a kind leaves free; `lean` stands for all of them. None where anything may be named.
fn words(kind: &Kind) -> Option<Vec<&'static str>> {
    Some(match kind {
        Kind::Hinge(_) => vec!["turn"],
        Kind::Planar(_) => vec!["turn", "shift-u", "shift-v"],
        Kind::Prismatic(_) => vec!["slide"],
        Kind::Cylindrical(_) => vec!["turn", "slide"],
        Kind::Universal(_) => vec!["swing", "lean"],
        Kind::Ball(_) | Kind::Cable(_) | Kind::FlexibleCable(_) => vec!["swing", "twist", "lean"],
        Kind::PointOnLine(_) => vec!["slide", "swing", "twist", "lean"],
        Kind::Distance(_) | Kind::Rope(_) | Kind::Range(_) | Kind::Ligament(_) => vec!["length"],
        Kind::Weld(_) | Kind::ForceTorque(_) => Vec::new(),
        Kind::Translational(_) => vec!["slide", "shift-u", "shift-v", "length"],
        Kind::AxialLock(_) => vec!["slide", "shift-u", "shift-v", "length", "swing", "lean"],
        Kind::Wheel(w) if w.steers => vec!["spin", "rise", "lean"],
        Kind::Wheel(_) => vec!["spin", "rise"],
        Kind::SixDof(s) => six(s),
        Kind::Rows(_) => return None,
    })
}

/// Those of a six-degree joint: what is not locked.
fn six(s: &SixDof) -> Vec<&'static str> {
    let locks = s.locked.engine();
    let free = |mask: [bool; 3]| JointAxis::ALL.into_iter().filter(move |a| !mask[a.place()]);
    let mut out: Vec<&str> = free(locks.linear).map(|a| ["shift-u", "shift-v", "slide"][a.place()]).collect();
    if !out.is_empty() {
        out.extend(["rise", "length"]);
    }
    match free(locks.angular).count() {
        0 => {}
        1 => out.extend(free(locks.angular).map(|a| ["about-u", "about-v", "turn"][a.place()])),
        2 => out.extend(["swing", "lean"]),
        _ => out.extend(["swing", "twist", "lean"]),
    }
    out
}

/// Whether a kind leaves a freedom free that is named by its axes.
pub(crate) fn leaves(kind: &Kind, freedom: Engine) -> bool {
    let Some(words) = words(kind) else { return true };
    // Two words for one thing.
    let same = match freedom {
        Engine::About(Axis::N) => Engine::Turn,
        Engine::Shift(Axis::N) => Engine::Slide,
        other => other,
    };
    let word = Freedom::Of(same).word();
    words.iter().any(|w| *w == word || (*w == "lean" && matches!(same, Engine::Lean(..))))
}

/// The engine's freedom, and -1 where it counts backwards. Only what the joint leaves free can be bounded and driven.
pub(super) fn freedom(
    kind: &Kind,
    freedom: Freedom,
    index: Option<usize>,
    path: &Path,
) -> Result<(Engine, f64), FileError> {
    if let (Freedom::Of(_), Some(index)) = (freedom, index) {
        return Err(FileError::input(path.key("index"), index, "none without the freedom 'lean'"));
    }
    let leans: &[Engine] = match kind {
        Kind::Ball(_) => &BALL,
        Kind::Universal(_) => &UNIVERSAL,
        _ => &[],
    };
    let allowed = match freedom {
        Freedom::Of(of) => leaves(kind, of),
        Freedom::Lean => !leans.is_empty(),
    };
    if !allowed {
        let words: Vec<String> = words(kind).unwrap_or_default().iter().map(|f| format!("'{f}'")).collect();
        let expected = match words.as_slice() {
            [] => "none: this joint leaves nothing free".to_owned(),
            words => format!("{}, which this joint leaves free", words.join(" or ")),
        };
        return Err(FileError::input(path.key("freedom"), format!("'{}'", freedom.word()), expected));
    }
    match (freedom, index) {
        (Freedom::Of(of), _) => Ok((of, 1.0)),
        (Freedom::Lean, index) => {
            let index = index.unwrap_or_default();
            let sign = if matches!(kind, Kind::Universal(_)) { -1.0 } else { 1.0 };
            leans.get(index).map(|lean| (*lean, sign)).ok_or_else(|| {
                let expected = format!("a whole number below {}, the rotations of this joint", leans.len());
                FileError::input(path.key("index"), index, expected)
            })
        }
    }
}
