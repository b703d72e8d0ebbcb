//! Words for what a joint leaves free.

use serde::de::{Deserializer, Error};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use taut::{Axis, Freedom as Engine, Wheel};

/// What of a joint is limited, driven or rubs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Freedom {
    /// As the engine counts it: `turn`, `slide`, `shift-u`, `lean-nv`.
    Of(Engine),
    /// One of the rotations that the `motor` of a ball or universal joint drives, by its place in the list: `lean` with an `index`.
    Lean,
}

/// Words without an axis.
const PLAIN: [(&str, Engine); 8] = [
    ("turn", Engine::Turn),
    ("twist", Engine::Twist),
    ("swing", Engine::Swing),
    ("spin", Engine::Spin),
    ("steer", Wheel::STEER),
    ("slide", Engine::Slide),
    ("rise", Engine::Rise),
    ("length", Engine::Length),
];

/// The axes of a joint's frame.
const AXES: [(&str, Axis); 3] = [("u", Axis::U), ("v", Axis::V), ("n", Axis::N)];

/// An axis by its letter.
pub(super) fn axis(letter: &str) -> Option<Axis> {
    AXES.iter().find(|(l, _)| *l == letter).map(|(_, a)| *a)
}

fn letter(axis: Axis) -> &'static str {
    match axis {
        Axis::U => "u",
        Axis::V => "v",
        Axis::N => "n",
    }
}

impl Freedom {
    /// The freedom of a word.
    pub fn parse(word: &str) -> Option<Self> {
        if word == "lean" {
            return Some(Freedom::Lean);
        }
        if let Some((_, f)) = PLAIN.iter().find(|(w, _)| *w == word) {
            return Some(Freedom::Of(*f));
        }
        let (stem, letters) = word.split_once('-')?;
        let of = match (stem, letters.len()) {
            ("about", 1) => Engine::About(axis(letters)?),
            ("shift", 1) => Engine::Shift(axis(letters)?),
            ("lean", 2) => Engine::Lean(axis(letters.get(..1)?)?, axis(letters.get(1..)?)?),
            _ => return None,
        };
        Some(Freedom::Of(of))
    }

    /// Its word.
    pub fn word(self) -> String {
        let Freedom::Of(of) = self else { return "lean".into() };
        match of {
            Engine::About(a) => format!("about-{}", letter(a)),
            Engine::Shift(a) => format!("shift-{}", letter(a)),
            Engine::Lean(a, b) => format!("lean-{}{}", letter(a), letter(b)),
            plain => PLAIN.iter().find(|(_, f)| *f == plain).map_or(String::new(), |(w, _)| (*w).into()),
        }
    }

    /// Whether it is a length, and not an angle.
    pub fn is_length(self) -> bool {
        matches!(self, Freedom::Of(Engine::Slide | Engine::Shift(_) | Engine::Rise | Engine::Length))
    }
}

/// All words of lengths or of angles, in the order of the documentation.
pub(super) fn words(lengths: bool) -> Vec<String> {
    let plain = PLAIN.iter().map(|(w, _)| (*w).to_owned());
    let one = |stem: &'static str| AXES.map(|(l, _)| format!("{stem}-{l}")).into_iter();
    let two = AXES.iter().flat_map(|(a, _)| AXES.map(|(b, _)| format!("lean-{a}{b}")));
    let all = plain.chain(one("about")).chain(one("shift")).chain(two);
    all.filter(|w| Freedom::parse(w).is_some_and(|f| f.is_length() == lengths)).collect()
}

impl<'de> Deserialize<'de> for Freedom {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let word = String::deserialize(d)?;
        Freedom::parse(&word).ok_or_else(|| D::Error::custom(format!("unknown freedom '{word}'")))
    }
}

impl Serialize for Freedom {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_back() {
        let all = [words(false), words(true)].concat();
        assert_eq!(all.len(), 8 + 3 + 3 + 9);
        for word in all.iter().filter(|w| *w != "steer") {
            assert_eq!(Freedom::parse(word).map(Freedom::word).as_deref(), Some(word.as_str()));
        }
        assert_eq!(Freedom::parse("steer").map(Freedom::word).as_deref(), Some("lean-nv"));
        for odd in ["", "lean-", "lean-u", "lean-uvn", "shift-x", "about-uv", "turn-n", "lean-é"] {
            assert_eq!(Freedom::parse(odd), None, "{odd}");
        }
    }
}
