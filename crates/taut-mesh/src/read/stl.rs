//! Stereolithography: triangles without shared corners.
//!
//! Text: `solid name`, then for each triangle `facet normal n n n  outer loop  vertex x y z (three times)  endloop  endfacet`, then `endsolid`.
//! Binary, least significant byte first: 80 bytes of anything, the number of triangles (4 bytes), then 50 bytes each:
//! normal and three corners as 4-byte numbers, and 2 bytes of anything. Normals are not used.

use glam::DVec3;
use taut_elements::CellKind;

use super::cursor::{Coding, Cursor, quote};
use super::draft::Draft;
use crate::error::Error;

/// Bytes before the first triangle of a binary file.
const HEADER: usize = 84;
/// Bytes of a triangle of a binary file.
const TRIANGLE: usize = 50;

/// Whether the length is exactly that of a binary file; some of those begin with the word `solid`.
pub fn is_binary(bytes: &[u8]) -> bool {
    match bytes.get(80..HEADER) {
        Some(&[a, b, c, d]) => {
            let count = u64::from(u32::from_le_bytes([a, b, c, d]));
            HEADER as u64 + TRIANGLE as u64 * count == bytes.len() as u64
        }
        _ => false,
    }
}

pub fn read(bytes: &[u8]) -> Result<Draft, Error> {
    let mut draft = Draft::default();
    draft.soup = true;
    if !is_binary(bytes) && bytes.trim_ascii_start().starts_with(b"solid") {
        text(&mut Cursor::new("STL (text)", bytes), &mut draft)?;
    } else {
        let mut c = Cursor::new("STL (binary)", bytes);
        (c.coding, c.binary) = (Coding::Little, true);
        binary(&mut c, &mut draft)?;
    }
    Ok(draft)
}

fn binary(c: &mut Cursor<'_>, draft: &mut Draft) -> Result<(), Error> {
    c.take("header", 80)?;
    let count = c.count("number of triangles", 4, TRIANGLE)?;
    for _ in 0..count {
        let at = c.at();
        c.take("normal", 12)?;
        triangle(c, draft, 0, at, |_| Ok(()))?;
        c.take("attribute", 2)?;
    }
    if c.left() > 0 {
        draft.remark("block of bytes after the last triangle was not read");
    }
    Ok(())
}

fn text(c: &mut Cursor<'_>, draft: &mut Draft) -> Result<(), Error> {
    let mut region = 0;
    while !c.ended() {
        let at = c.at();
        match c.word("keyword")? {
            "solid" => {
                let name = c.line().unwrap_or_default().trim_ascii();
                region = 0;
                if !name.is_empty() {
                    let name = String::from_utf8_lossy(name);
                    let group = draft.group(2, &name, &name);
                    region = draft.region(vec![group]);
                }
            }
            "endsolid" => drop(c.line()),
            "facet" => {
                expect(c, "normal")?;
                for axis in ["normal x", "normal y", "normal z"] {
                    c.skip(axis, 4)?;
                }
                expect(c, "outer")?;
                expect(c, "loop")?;
                triangle(c, draft, region, at, |c| expect(c, "vertex"))?;
                expect(c, "endloop")?;
                expect(c, "endfacet")?;
            }
            word => return Err(c.error(at, "keyword", quote(word.as_bytes()), "facet, endsolid or solid")),
        }
    }
    Ok(())
}

/// Three corners, and the triangle between them.
fn triangle<'a>(
    c: &mut Cursor<'a>,
    draft: &mut Draft,
    region: u32,
    at: usize,
    before: impl Fn(&mut Cursor<'a>) -> Result<(), Error>,
) -> Result<(), Error> {
    let first = draft.nodes.len() as u32;
    for _ in 0..3 {
        before(c)?;
        draft.nodes.push(DVec3::new(c.real("x", 4)?, c.real("y", 4)?, c.real("z", 4)?));
    }
    draft.push(CellKind::Tri3, &[first, first + 1, first + 2], region, c, at)
}

/// Refuses another word than this, in small or capital letters.
fn expect(c: &mut Cursor<'_>, word: &str) -> Result<(), Error> {
    c.skip_space();
    let at = c.at();
    let found = c.word(word)?;
    if found.eq_ignore_ascii_case(word) { Ok(()) } else { Err(c.error(at, "keyword", quote(found.as_bytes()), word)) }
}
