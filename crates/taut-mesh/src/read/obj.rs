//! Wavefront objects: `v x y z`, `f a b c ...`, `l a b ...`, `g name`, `o name`. Indices count from 1, or back from -1.
//!
//! A corner may be `vertex/texture/normal`, of which the first is used. Normals, textures and materials are not read.

use glam::DVec3;
use taut_elements::CellKind;

use super::cursor::{Cursor, quote};
use super::draft::Draft;
use crate::error::Error;

/// Words at the start of a line that say nothing of the mesh.
const IGNORED: [&str; 9] = ["vn", "vt", "vp", "s", "mtllib", "usemtl", "usemap", "p", "illum"];

pub fn read(bytes: &[u8]) -> Result<Draft, Error> {
    let mut file = Cursor::new("OBJ", bytes);
    let mut draft = Draft::default();
    // The region of faces and of lines, made when first used.
    let (mut name, mut regions) = (String::new(), [None; 2]);
    let mut corners = Vec::new();
    while let Some(mut line) = file.line_words() {
        if line.ended() {
            continue;
        }
        let at = line.at();
        match line.word("keyword")? {
            "v" => {
                let node = DVec3::new(line.real("x", 8)?, line.real("y", 8)?, line.real("z", 8)?);
                draft.nodes.push(node);
            }
            word @ ("f" | "l") => {
                corners.clear();
                read_corners(&mut file, &mut line, draft.nodes.len(), &mut corners)?;
                let dimension = if word == "f" { 2 } else { 1 };
                let region = region(&mut draft, &name, dimension, &mut regions[dimension - 1]);
                if dimension == 2 {
                    draft.polygon(&corners, region, &line, at)?;
                } else {
                    polyline(&mut draft, &corners, region, &line, at)?;
                }
            }
            "g" | "o" => {
                name = String::from_utf8_lossy(line.line().unwrap_or_default().trim_ascii()).into_owned();
                regions = [None; 2];
            }
            word if word.starts_with('#') || IGNORED.contains(&word) => {}
            _ => draft.remark("lines of an unknown kind were not read"),
        }
    }
    Ok(draft)
}

/// The region of the current name, for faces or lines.
fn region(draft: &mut Draft, name: &str, dimension: usize, region: &mut Option<u32>) -> u32 {
    if name.is_empty() {
        return 0;
    }
    *region.get_or_insert_with(|| {
        let group = draft.group(dimension, name, name);
        draft.region(vec![group])
    })
}

/// The vertices of a face or line, counted from 0; a backslash goes on with the next line.
fn read_corners<'a>(
    file: &mut Cursor<'a>,
    line: &mut Cursor<'a>,
    count: usize,
    corners: &mut Vec<u32>,
) -> Result<(), Error> {
    while !line.ended() {
        let at = line.at();
        let word = line.word("corner")?;
        if word.starts_with('#') {
            break;
        }
        if word == "\\" {
            let Some(next) = file.line_words() else { break };
            *line = next;
            continue;
        }
        let vertex = word.split('/').next().unwrap_or_default();
        let refused = || {
            let expected = format!("1 to {count}, the vertices so far, or -1 back to -{count}");
            line.error(at, "vertex index", quote(vertex.as_bytes()), expected)
        };
        let number: i64 = vertex.parse().map_err(|_| refused())?;
        let index = if number < 0 { number + count as i64 } else { number - 1 };
        if !(0..count as i64).contains(&index) {
            return Err(refused());
        }
        corners.push(index as u32);
    }
    Ok(())
}

fn polyline(draft: &mut Draft, corners: &[u32], region: u32, c: &Cursor<'_>, at: usize) -> Result<(), Error> {
    if corners.len() < 2 {
        return Err(c.error(at, "corners of the line", corners.len(), "2 or more"));
    }
    corners.windows(2).try_for_each(|pair| draft.push(CellKind::Bar2, pair, region, c, at))
}
