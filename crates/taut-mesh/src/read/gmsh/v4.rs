//! Version 4.1: entities with their physical groups; nodes and elements in blocks, one for each entity.

use glam::DVec3;

use super::{MOST_GROUPS, Reader, Shape, dimension};
use crate::error::Error;
use crate::read::cursor::Coding;

/// Fewest bytes of something that takes `words` words as text and `bytes` as binary.
fn least(reader: &Reader<'_>, words: usize, bytes: usize) -> usize {
    if reader.coding == Coding::Text { 2 * words } else { bytes }
}

/// Points: tag, place, physical groups. Others: tag, box, physical groups, boundary.
pub fn entities(reader: &mut Reader<'_>) -> Result<(), Error> {
    let width = reader.width;
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = reader.c.count("number of entities", width, least(reader, 5, 4))?;
    }
    for (dimension, count) in counts.into_iter().enumerate() {
        for _ in 0..count {
            let tag = reader.c.integer("entity tag", 4)?;
            for _ in 0..if dimension == 0 { 3 } else { 6 } {
                reader.c.skip("extent of the entity", 8)?;
            }
            let physical = list(reader, "number of physical groups")?;
            if dimension > 0 {
                boundary(reader)?;
            }
            reader.physical.insert((dimension, tag), physical);
        }
    }
    Ok(())
}

/// A few tags with their number before them.
fn list(reader: &mut Reader<'_>, name: &str) -> Result<Vec<i64>, Error> {
    let at = reader.c.at();
    let count = reader.c.count(name, reader.width, least(reader, 1, 4))?;
    if count > MOST_GROUPS {
        return Err(reader.c.error(at, name, count, format!("at most {MOST_GROUPS}")));
    }
    let mut tags = Vec::new();
    for _ in 0..count {
        // A negative tag stands for the other orientation.
        tags.push(reader.c.integer("tag", 4)?.saturating_abs());
    }
    tags.sort_unstable();
    tags.dedup();
    Ok(tags)
}

fn boundary(reader: &mut Reader<'_>) -> Result<(), Error> {
    let count = reader.c.count("number of bounding entities", reader.width, least(reader, 1, 4))?;
    (0..count).try_for_each(|_| reader.c.skip("tag of a bounding entity", 4))
}

/// Number of blocks, number of all, smallest and largest tag; the number of blocks is returned.
fn start(reader: &mut Reader<'_>, name: &str, words: usize) -> Result<(usize, usize), Error> {
    let width = reader.width;
    let blocks = reader.c.count("number of blocks", width, least(reader, 4, 12 + width))?;
    let all = reader.c.count(name, width, least(reader, words, words * width))?;
    reader.c.skip("smallest tag", width)?;
    reader.c.skip("largest tag", width)?;
    Ok((blocks, all))
}

/// The tags of all nodes of a block, then their places.
pub fn nodes(reader: &mut Reader<'_>) -> Result<(), Error> {
    let first = reader.c.at();
    let width = reader.width;
    let (blocks, all) = start(reader, "number of nodes", 4)?;
    let mut tags = Vec::new();
    for _ in 0..blocks {
        let dimension = dimension(&mut reader.c)?;
        reader.c.integer("entity tag", 4)?;
        let parametric = reader.c.integer("parametric", 4)? != 0;
        let count = reader.c.count("nodes of the block", width, least(reader, 4, width + 24))?;
        tags.clear();
        for _ in 0..count {
            tags.push(reader.c.natural("node tag", width)?);
        }
        for &tag in &tags {
            let position = DVec3::new(reader.c.real("x", 8)?, reader.c.real("y", 8)?, reader.c.real("z", 8)?);
            for _ in 0..if parametric { dimension } else { 0 } {
                reader.c.skip("parametric coordinate", 8)?;
            }
            reader.add_node(tag, position);
        }
    }
    if reader.tags.len() != all {
        return Err(reader.c.error(
            first,
            "number of nodes",
            all,
            format!("{}, the sum of the blocks", reader.tags.len()),
        ));
    }
    reader.sort_tags(first)
}

/// Blocks of elements of one type: tag and nodes of each.
pub fn elements(reader: &mut Reader<'_>) -> Result<(), Error> {
    let first = reader.c.at();
    let width = reader.width;
    let (blocks, all) = start(reader, "number of elements", 2)?;
    let mut sum = 0;
    for _ in 0..blocks {
        reader.c.skip_text_space();
        let at = reader.c.at();
        let dimension = dimension(&mut reader.c)?;
        let entity = reader.c.integer("entity tag", 4)?;
        let shape = Shape::read(&mut reader.c)?;
        if shape.dimension() != dimension {
            return Err(reader.c.error(
                at,
                "dimension",
                dimension,
                format!("{}, that of the elements", shape.dimension()),
            ));
        }
        let count = reader.c.count(
            "elements of the block",
            width,
            least(reader, 1 + shape.nodes, width * (1 + shape.nodes)),
        )?;
        let physical = reader.physical.get(&(dimension, entity)).cloned().unwrap_or_default();
        let region = if dimension == 0 { 0 } else { reader.region(dimension, entity, &physical) };
        for _ in 0..count {
            reader.c.skip_text_space();
            let at = reader.c.at();
            reader.c.skip("element tag", width)?;
            reader.element(shape, region, width, at)?;
        }
        sum += count;
    }
    if sum != all {
        return Err(reader.c.error(first, "number of elements", all, format!("{sum}, the sum of the blocks")));
    }
    Ok(())
}
