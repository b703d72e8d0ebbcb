//! `<replicate>`: its contents several times, each copy in a frame of its own and with a number behind its names.

use super::place::Angles;
use crate::report::{Error, Report, Result};
use crate::xml::{Attr, Document, Element};
use std::collections::BTreeSet;
use taut::{Quat, Vec3};

/// Most elements that copies may come to.
const MOST: usize = 200_000;

/// Kinds of things with names, by the elements that have them.
const KINDS: [(&str, &[&str]); 4] =
    [("body", &["body"]), ("joint", &["joint", "freejoint"]), ("geom", &["geom"]), ("site", &["site"])];

/// Attributes that name a thing, by its kind.
const NAMING: [(&str, &[&str]); 5] = [
    ("body", &["body", "body1", "body2"]),
    ("joint", &["joint", "joint1", "joint2", "jointinparent"]),
    ("geom", &["geom", "geom1", "geom2"]),
    ("site", &["site", "site1", "site2", "sidesite", "refsite", "slidersite", "cranksite"]),
    ("tendon", &["tendon", "tendon1", "tendon2"]),
];

/// Sections whose elements are copied with what they name.
const NAMERS: [&str; 4] = ["tendon", "contact", "equality", "actuator"];

/// Names of things, each with its kind.
type Names = BTreeSet<(&'static str, String)>;

/// Puts copies in the place of each `<replicate>` of the world.
pub fn expand(doc: &mut Document, root: usize, angles: &Angles, report: &mut Report) -> Result<()> {
    let worlds: Vec<usize> = super::sections(doc, root, "worldbody").collect();
    // Each comes after the one that it is in.
    let mut found: Vec<(usize, usize)> = Vec::new();
    for world in worlds {
        let all = below(doc, world);
        found.extend(all.into_iter().filter(|&(_, k)| doc.at(k).name == "replicate"));
    }
    let mut budget = MOST;
    for (parent, k) in found.into_iter().rev() {
        let copies = copies(doc, k, angles, &mut budget, report)?;
        let place = doc.at(parent).children.iter().position(|&c| c == k).unwrap_or_default();
        let suffixes: Vec<String> = copies.iter().map(|(_, s)| s.clone()).collect();
        let names = names(doc, k);
        doc.elements[parent].children.splice(place..=place, copies.into_iter().map(|(frame, _)| frame));
        follow(doc, root, names, &suffixes, &mut budget)?;
    }
    Ok(())
}

/// All elements in one with those that they are in, which come before them.
fn below(doc: &Document, k: usize) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = doc.at(k).children.iter().map(|&c| (k, c)).collect();
    let mut at = 0;
    while at < all.len() {
        let (_, k) = all[at];
        all.extend(doc.at(k).children.iter().map(|&c| (k, c)));
        at += 1;
    }
    all
}

/// The frames with the copies of what is in an element, and what is behind the names in each.
fn copies(
    doc: &mut Document,
    k: usize,
    angles: &Angles,
    budget: &mut usize,
    report: &mut Report,
) -> Result<Vec<(usize, String)>> {
    let e = doc.at(k).clone();
    e.required("count")?;
    let count = e.number("count")?.unwrap_or_default();
    if count != count.trunc() || count < 0.0 {
        return Err(e.refuse("count", "a whole number of copies"));
    }
    let offset = e.vec3("offset")?.unwrap_or(Vec3::ZERO);
    let by = angles.euler(&e)?.unwrap_or(Quat::IDENTITY);
    // Blanks count.
    e.uses(&["sep"]);
    let separator = e.attrs.iter().find(|a| a.name == "sep").map(|a| a.value.clone()).unwrap_or_default();
    e.rest(&[], report);
    let each = 1 + below(doc, k).len();
    if count * each as f64 > *budget as f64 {
        return Err(e.refuse("count", format!("copies of no more than {MOST} elements in the whole file")));
    }
    let count = count as usize;
    let digits = count.to_string().len();
    let (mut pos, mut rot) = (Vec3::ZERO, Quat::IDENTITY);
    let mut out = Vec::new();
    for n in 0..count {
        let suffix = format!("{separator}{n:0digits$}");
        let frame = copy(doc, k, &suffix, budget);
        let [x, y, z, w] = rot.to_array();
        let attrs =
            [("pos", format!("{:e} {:e} {:e}", pos.x, pos.y, pos.z)), ("quat", format!("{w:e} {x:e} {y:e} {z:e}"))];
        let own = &mut doc.elements[frame];
        own.name = "frame".into();
        own.attrs = attrs.into_iter().map(|(name, value)| Attr::new(name, value, &e.place)).collect();
        out.push((frame, suffix));
        (pos, rot) = (pos + rot * offset, (rot * by).normalize());
    }
    Ok(out)
}

/// Copies an element with all in it, and puts something behind the names of what is in it.
fn copy(doc: &mut Document, k: usize, suffix: &str, budget: &mut usize) -> usize {
    let top = doc.elements.len();
    let mut open = vec![(k, None)];
    while let Some((from, into)) = open.pop() {
        let mut e = doc.at(from).clone();
        let own = doc.elements.len();
        open.extend(e.children.drain(..).rev().map(|c| (c, Some(own))));
        if let Some(into) = into {
            add_to_name(&mut e, "name", suffix);
            doc.elements[into].children.push(own);
        }
        doc.elements.push(e);
        *budget = budget.saturating_sub(1);
    }
    top
}

fn add_to_name(e: &mut Element, attribute: &str, suffix: &str) {
    if let Some(a) = e.attrs.iter_mut().find(|a| a.name == attribute) {
        a.value = format!("{}{suffix}", a.value.trim());
    }
}

/// Names of the things in an element.
fn names(doc: &Document, k: usize) -> Names {
    let kind = |e: &Element| KINDS.iter().find(|(_, of)| of.contains(&e.name.as_str())).map(|(kind, _)| *kind);
    below(doc, k)
        .into_iter()
        .map(|(_, k)| doc.at(k))
        .filter_map(|e| Some((kind(e)?, e.value("name")?.to_owned())))
        .collect()
}

/// Copies what names things that were copied: each copy names those of one of theirs. What names both such things and others keeps the
/// names of the others.
fn follow(doc: &mut Document, root: usize, mut names: Names, suffixes: &[String], budget: &mut usize) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    // Tendons come first, since actuators and constraints name them.
    for section in NAMERS {
        let sections: Vec<usize> = super::sections(doc, root, section).collect();
        for s in sections {
            let mut children = Vec::new();
            for k in std::mem::take(&mut doc.elements[s].children) {
                let all: Vec<usize> = std::iter::once(k).chain(below(doc, k).into_iter().map(|(_, c)| c)).collect();
                if !all.iter().any(|&c| !naming(doc.at(c), &names).is_empty()) {
                    children.push(k);
                    continue;
                }
                if all.len() * suffixes.len() > *budget {
                    let message =
                        format!("copies with a <replicate>: expected no more than {MOST} elements in the whole file");
                    return Err(Error::new(&doc.at(k).place, message));
                }
                if let (true, Some(name)) = (section == "tendon", doc.at(k).value("name")) {
                    names.insert(("tendon", name.to_owned()));
                }
                for suffix in suffixes {
                    let top = copy(doc, k, "", budget);
                    let end = doc.elements.len();
                    add_to_name(&mut doc.elements[top], "name", suffix);
                    for e in &mut doc.elements[top..end] {
                        for attribute in naming(e, &names) {
                            add_to_name(e, attribute, suffix);
                        }
                    }
                    children.push(top);
                }
            }
            doc.elements[s].children = children;
        }
    }
    Ok(())
}

/// The attributes of an element that name one of some things.
fn naming(e: &Element, names: &Names) -> Vec<&'static str> {
    let mut out = Vec::new();
    for (kind, attributes) in NAMING {
        let named = |a: &&&str| e.value(a).is_some_and(|name| names.contains(&(kind, name.to_owned())));
        out.extend(attributes.iter().filter(named));
    }
    out
}
