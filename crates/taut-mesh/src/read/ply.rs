//! The Stanford format: a header of text that names elements and their properties, then their values as text or binary.
//!
//! Used are `x`, `y`, `z` of `vertex`, the list `vertex_indices` (or `vertex_index`) of `face`, and `vertex1`, `vertex2` of `edge`.

use glam::DVec3;
use taut_elements::CellKind;

use super::cursor::{Coding, Cursor, quote};
use super::draft::Draft;
use crate::error::Error;

/// The type of a number.
#[derive(Clone, Copy, Debug)]
struct Scalar {
    /// Bytes.
    width: usize,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Signed,
    Unsigned,
    Real,
}

#[derive(Debug)]
struct Property<'a> {
    name: &'a str,
    /// The type of the count, for lists.
    list: Option<Scalar>,
    item: Scalar,
}

#[derive(Debug)]
struct Element<'a> {
    name: &'a str,
    count: u64,
    /// Where the count stands.
    at: usize,
    properties: Vec<Property<'a>>,
}

pub fn read(bytes: &[u8]) -> Result<Draft, Error> {
    let mut c = Cursor::new("PLY", bytes);
    let elements = header(&mut c)?;
    let mut draft = Draft::default();
    for element in &elements {
        // An element without properties takes no bytes, however many there are.
        if element.properties.is_empty() {
            continue;
        }
        let text = c.coding == Coding::Text;
        let least = |p: &Property<'_>| if text { 2 } else { p.list.unwrap_or(p.item).width };
        let count =
            c.fits(element.at, "number of elements", element.count, element.properties.iter().map(least).sum())?;
        for _ in 0..count {
            row(&mut c, element, &mut draft)?;
        }
    }
    Ok(draft)
}

/// One vertex, face, edge, or something else that is left behind.
fn row<'a>(c: &mut Cursor<'a>, element: &Element<'a>, draft: &mut Draft) -> Result<(), Error> {
    c.skip_text_space();
    let at = c.at();
    let (mut position, mut found) = ([0.0; 3], 0);
    let mut corners = Vec::new();
    for property in &element.properties {
        match (element.name, property.name, property.list) {
            ("vertex", axis @ ("x" | "y" | "z"), None) => {
                let place = ["x", "y", "z"].iter().position(|&name| name == axis).unwrap_or(0);
                position[place] = real(c, property)?;
                found |= 1 << place;
            }
            ("face", "vertex_indices" | "vertex_index", Some(count)) => {
                for _ in 0..length(c, property, count)? {
                    corners.push(index(c, property, draft.nodes.len())?);
                }
            }
            ("edge", "vertex1" | "vertex2", None) => corners.push(index(c, property, draft.nodes.len())?),
            (_, name, None) => c.skip(name, property.item.width)?,
            (_, name, Some(count)) => {
                for _ in 0..length(c, property, count)? {
                    c.skip(name, property.item.width)?;
                }
            }
        }
    }
    match element.name {
        "vertex" if found == 7 => draft.nodes.push(DVec3::from_array(position)),
        "vertex" => return Err(c.error(element.at, "properties of vertex", found_axes(found), "x, y and z")),
        "face" => draft.polygon(&corners, 0, c, at)?,
        "edge" => draft.push(CellKind::Bar2, &corners, 0, c, at)?,
        _ => {}
    }
    Ok(())
}

fn found_axes(found: u8) -> String {
    let named: Vec<&str> =
        ["x", "y", "z"].into_iter().enumerate().filter(|(i, _)| found & (1 << i) != 0).map(|(_, n)| n).collect();
    if named.is_empty() { "none of them".into() } else { named.join(" and ") }
}

/// The length of a list.
fn length(c: &mut Cursor<'_>, property: &Property<'_>, count: Scalar) -> Result<usize, Error> {
    let least = if c.coding == Coding::Text { 2 } else { property.item.width };
    let at = c.at();
    let length = whole(c, &format!("length of {}", property.name), count)?;
    match u64::try_from(length) {
        Ok(length) => c.fits(at, &format!("length of {}", property.name), length, least),
        Err(_) => Err(c.error(at, &format!("length of {}", property.name), length, "a number not below 0")),
    }
}

/// The index of a vertex that was read before.
fn index(c: &mut Cursor<'_>, property: &Property<'_>, count: usize) -> Result<u32, Error> {
    c.skip_text_space();
    let at = c.at();
    let index = whole(c, property.name, property.item)?;
    if (0..count as i64).contains(&index) {
        return Ok(index as u32);
    }
    let last = count as i64 - 1;
    let base = if index == count as i64 { "; do the indices count from 1?" } else { "" };
    Err(c.error(at, property.name, index, format!("0 to {last}, the vertices so far{base}")))
}

fn whole(c: &mut Cursor<'_>, name: &str, scalar: Scalar) -> Result<i64, Error> {
    match scalar.kind {
        Kind::Real => Err(c.error(c.at(), name, "of type float or double", "a whole type")),
        Kind::Signed => c.integer(name, scalar.width),
        Kind::Unsigned => c.natural(name, scalar.width).map(|n| i64::try_from(n).unwrap_or(i64::MAX)),
    }
}

fn real(c: &mut Cursor<'_>, property: &Property<'_>) -> Result<f64, Error> {
    match property.item.kind {
        Kind::Real => c.real(property.name, property.item.width),
        _ => whole(c, property.name, property.item).map(|n| n as f64),
    }
}

/// The elements that a header announces; the cursor is left at the first value.
fn header<'a>(c: &mut Cursor<'a>) -> Result<Vec<Element<'a>>, Error> {
    let mut elements: Vec<Element<'a>> = Vec::new();
    let mut coding = None;
    loop {
        c.skip_space();
        let Some(mut line) = c.line_words() else {
            return Err(c.error(c.at(), "header", "cut off", "end_header"));
        };
        let at = line.at();
        match line.word("keyword")? {
            "ply" | "comment" | "obj_info" => {}
            "format" => coding = Some(format(&mut line)?),
            "element" => {
                let name = line.word("name of the element")?;
                let count = line.natural("number of elements", 8)?;
                elements.push(Element { name, count, at, properties: Vec::new() });
            }
            "property" => match elements.last_mut() {
                Some(element) => element.properties.push(property(&mut line)?),
                None => return Err(c.error(at, "property", "before any element", "an element first")),
            },
            "end_header" => break,
            word => return Err(c.error(at, "keyword", quote(word.as_bytes()), "one of a PLY header, or end_header")),
        }
    }
    let Some(coding) = coding else {
        return Err(c.error(c.at(), "format", "missing", "a line `format ascii 1.0` or binary"));
    };
    (c.coding, c.binary) = (coding, coding != Coding::Text);
    Ok(elements)
}

fn format(line: &mut Cursor<'_>) -> Result<Coding, Error> {
    let at = line.at();
    match line.word("format")? {
        "ascii" => Ok(Coding::Text),
        "binary_little_endian" => Ok(Coding::Little),
        "binary_big_endian" => Ok(Coding::Big),
        word => {
            Err(line.error(at, "format", quote(word.as_bytes()), "ascii, binary_little_endian or binary_big_endian"))
        }
    }
}

fn property<'a>(line: &mut Cursor<'a>) -> Result<Property<'a>, Error> {
    let at = line.at();
    let list = match line.word("type")? {
        "list" => Some(scalar(line, None)?),
        word => {
            let item = scalar(line, Some((at, word)))?;
            return Ok(Property { name: line.word("name of the property")?, list: None, item });
        }
    };
    let item = scalar(line, None)?;
    Ok(Property { name: line.word("name of the property")?, list, item })
}

fn scalar(line: &mut Cursor<'_>, given: Option<(usize, &str)>) -> Result<Scalar, Error> {
    let (at, word) = match given {
        Some(given) => given,
        None => (line.at(), line.word("type")?),
    };
    let (width, kind) = match word {
        "char" | "int8" => (1, Kind::Signed),
        "uchar" | "uint8" => (1, Kind::Unsigned),
        "short" | "int16" => (2, Kind::Signed),
        "ushort" | "uint16" => (2, Kind::Unsigned),
        "int" | "int32" => (4, Kind::Signed),
        "uint" | "uint32" => (4, Kind::Unsigned),
        "float" | "float32" => (4, Kind::Real),
        "double" | "float64" => (8, Kind::Real),
        _ => {
            return Err(line.error(
                at,
                "type",
                quote(word.as_bytes()),
                "char, uchar, short, ushort, int, uint, float or double",
            ));
        }
    };
    Ok(Scalar { width, kind })
}
