//! Elements of XML files with their lines, in one list that files which include each other grow.
//!
//! Nothing here calls itself, so that no nesting of a file is too deep.

use crate::report::{Error, Place, Report, Result};
use std::cell::Cell;
use std::sync::Arc;
use taut::Vec3;

/// Most elements of a file, comments and texts included.
const MOST_NODES: u32 = 4_000_000;

/// An attribute.
#[derive(Clone, Debug)]
pub struct Attr {
    pub name: String,
    pub value: String,
    /// Of its own: one that comes from a class of defaults stands there.
    pub place: Place,
    /// Whether somebody asked for it.
    used: Cell<bool>,
}

impl Attr {
    /// One that is written as if it stood in a file.
    pub fn new(name: &str, value: String, place: &Place) -> Self {
        Attr { name: name.into(), value, place: place.clone(), used: Cell::new(false) }
    }
}

/// An element.
#[derive(Clone, Debug)]
pub struct Element {
    pub name: String,
    pub attrs: Vec<Attr>,
    /// Numbers of the elements in it, in the list of the document.
    pub children: Vec<usize>,
    /// The text in it, all pieces together.
    pub text: String,
    pub place: Place,
}

/// All elements that were read.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pub elements: Vec<Element>,
}

impl Document {
    /// Adds a file and gives the number of its root.
    pub fn add(&mut self, file: &str, text: &str) -> Result<usize> {
        let place = Place::file(file);
        // Declarations of entities are what makes texts explode; predefined ones and numbers need none.
        let options = roxmltree::ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..Default::default() };
        let parsed = roxmltree::Document::parse_with_options(text, options).map_err(|e| {
            let place = Place { line: e.pos().row as usize, ..place.clone() };
            Error::new(
                &place,
                match e {
                    roxmltree::Error::DtdDetected => {
                        "a document type: expected plain XML without declarations of its own".into()
                    }
                    e => format!("malformed XML: {e}"),
                },
            )
        })?;
        let newlines: Vec<usize> = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(k, _)| k).collect();
        let at = |offset: usize| Place {
            file: Arc::clone(&place.file),
            line: 1 + newlines.partition_point(|&n| n < offset),
        };
        let first = self.elements.len();
        // Numbers of the elements by those of the parser.
        let mut number = vec![usize::MAX; parsed.root().descendants().count()];
        for node in parsed.root().descendants() {
            let parent = node.parent().map_or(usize::MAX, |p| number[p.id().get_usize()]);
            if node.is_element() {
                let k = self.elements.len();
                number[node.id().get_usize()] = k;
                let attr = |a: roxmltree::Attribute<'_, '_>| Attr {
                    name: a.name().into(),
                    value: a.value().into(),
                    place: at(a.range().start),
                    used: Cell::new(false),
                };
                self.elements.push(Element {
                    name: node.tag_name().name().into(),
                    attrs: node.attributes().map(attr).collect(),
                    children: Vec::new(),
                    text: String::new(),
                    place: at(node.range().start),
                });
                if let Some(parent) = self.elements.get_mut(parent) {
                    parent.children.push(k);
                }
            } else if let (Some(text), Some(parent)) =
                (node.text().filter(|_| node.is_text()), self.elements.get_mut(parent))
            {
                parent.text.push_str(text);
            }
        }
        Ok(first)
    }

    /// An element.
    pub fn at(&self, k: usize) -> &Element {
        &self.elements[k]
    }

    /// The elements in one.
    pub fn children(&self, k: usize) -> impl Iterator<Item = &Element> {
        self.elements[k].children.iter().map(|&c| &self.elements[c])
    }

    /// The first element of a name in one.
    pub fn child(&self, k: usize, name: &str) -> Option<usize> {
        self.elements[k].children.iter().copied().find(|&c| self.elements[c].name == name)
    }
}

impl Element {
    /// The value of an attribute, which counts as used from now on.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attr(name).map(|a| a.value.trim())
    }

    /// The value of an attribute, which is only looked at.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.attrs.iter().find(|a| a.name == name).map(|a| a.value.trim())
    }

    /// Marks attributes as used, or as being without need.
    pub fn uses(&self, names: &[&str]) {
        names.iter().for_each(|n| {
            self.attr(n);
        });
    }

    fn attr(&self, name: &str) -> Option<&Attr> {
        let found = self.attrs.iter().find(|a| a.name == name);
        if let Some(a) = found {
            a.used.set(true);
        }
        found
    }

    /// Where an attribute stands, or else the element.
    pub fn place_of(&self, name: &str) -> &Place {
        self.attrs.iter().find(|a| a.name == name).map_or(&self.place, |a| &a.place)
    }

    /// Refuses the value of an attribute.
    pub fn refuse(&self, name: &str, expected: impl std::fmt::Display) -> Error {
        let value = self.get(name).unwrap_or("");
        Error::input(self.place_of(name), format!("{} {name}", self.name), format!("'{}'", clipped(value)), expected)
    }

    /// The value of an attribute that must be there.
    pub fn required(&self, name: &str) -> Result<&str> {
        let missing = || Error::new(&self.place, format!("<{}> without '{name}': expected it", self.name));
        self.get(name).ok_or_else(missing)
    }

    /// Numbers separated by blanks, so many at least and at most.
    pub fn list(&self, name: &str, least: usize, most: usize) -> Result<Option<Vec<f64>>> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let how_many = || match (least, most) {
            (a, b) if a == b => format!("{a} finite number{}", if a == 1 { "" } else { "s" }),
            (a, usize::MAX) => format!("{a} or more finite numbers"),
            (a, b) => format!("{a} to {b} finite numbers"),
        };
        let read = |word: &str| word.parse::<f64>().ok().filter(|x| x.is_finite());
        let numbers: Option<Vec<f64>> = text.split_ascii_whitespace().map(read).collect();
        match numbers {
            Some(list) if (least..=most).contains(&list.len()) => Ok(Some(list)),
            _ => Err(self.refuse(name, how_many())),
        }
    }

    /// So many numbers.
    pub fn numbers<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>> {
        Ok(self.list(name, N, N)?.and_then(|l| l.try_into().ok()))
    }

    /// A number.
    pub fn number(&self, name: &str) -> Result<Option<f64>> {
        Ok(self.numbers::<1>(name)?.map(|[x]| x))
    }

    /// A number that is zero or more.
    pub fn weight(&self, name: &str) -> Result<Option<f64>> {
        match self.number(name)? {
            Some(x) if x < 0.0 => Err(self.refuse(name, "zero or a positive number")),
            x => Ok(x),
        }
    }

    /// Three numbers.
    pub fn vec3(&self, name: &str) -> Result<Option<Vec3>> {
        Ok(self.numbers::<3>(name)?.map(Vec3::from_array))
    }

    /// A direction, of length 1.
    pub fn direction(&self, name: &str) -> Result<Option<Vec3>> {
        let Some(v) = self.vec3(name)? else { return Ok(None) };
        match v.try_normalize() {
            Some(unit) => Ok(Some(unit)),
            None => Err(self.refuse(name, "a direction, which is not zero")),
        }
    }

    /// One of some words.
    pub fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>> {
        let Some(text) = self.get(name) else { return Ok(None) };
        match words.iter().find(|(w, _)| *w == text) {
            Some((_, value)) => Ok(Some(*value)),
            None => {
                let all: Vec<&str> = words.iter().map(|(w, _)| *w).collect();
                Err(self.refuse(name, format!("one of {}", all.join(", "))))
            }
        }
    }

    /// A switch.
    pub fn flag(&self, name: &str) -> Result<Option<bool>> {
        self.word(name, &[("true", true), ("false", false), ("1", true), ("0", false)])
    }

    /// The element with the attributes of another one that it does not have itself.
    pub fn over(&self, defaults: &Element) -> Element {
        let mut out = self.clone();
        let missing = |a: &&Attr| !self.attrs.iter().any(|own| own.name == a.name);
        out.attrs.extend(defaults.attrs.iter().filter(missing).cloned());
        out
    }

    /// Tells of each attribute that nobody asked for; those of `pictures` have no part in the motion.
    pub fn rest(&self, pictures: &[&str], report: &mut Report) {
        for a in self.attrs.iter().filter(|a| !a.used.get()) {
            let message = format!("<{}> '{}'", self.name, a.name);
            if pictures.contains(&a.name.as_str()) {
                report.unused(&a.place, message);
            } else {
                report.warn(&a.place, format!("{message} is not supported"));
            }
        }
    }
}

/// A value short enough for a message.
fn clipped(value: &str) -> String {
    const MOST: usize = 60;
    if value.chars().count() <= MOST { value.into() } else { value.chars().take(MOST).collect::<String>() + "..." }
}
