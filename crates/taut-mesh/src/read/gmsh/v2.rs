//! Version 2: counts in text; nodes `tag x y z`; elements `tag type n tags nodes`, in a binary file `type count n` before a run of `tag tags nodes`.

use glam::DVec3;

use super::{Reader, Shape};
use crate::error::Error;
use crate::read::cursor::Coding;

/// Fewest bytes of a node and of an element, in text and binary.
const NODE: [usize; 2] = [8, 28];
const ELEMENT: [usize; 2] = [8, 8];

/// The count in text, then what follows as the file writes numbers.
fn start(reader: &mut Reader<'_>, name: &str, least: [usize; 2]) -> Result<usize, Error> {
    let binary = reader.coding != Coding::Text;
    let count = reader.c.count(name, 4, least[usize::from(binary)])?;
    if binary {
        reader.c.line();
    }
    reader.c.coding = reader.coding;
    Ok(count)
}

pub fn nodes(reader: &mut Reader<'_>) -> Result<(), Error> {
    let at = reader.c.at();
    let count = start(reader, "number of nodes", NODE)?;
    for _ in 0..count {
        let tag = reader.c.natural("node tag", 4)?;
        let position = DVec3::new(reader.c.real("x", 8)?, reader.c.real("y", 8)?, reader.c.real("z", 8)?);
        reader.add_node(tag, position);
    }
    reader.c.coding = Coding::Text;
    reader.sort_tags(at)
}

pub fn elements(reader: &mut Reader<'_>) -> Result<(), Error> {
    let count = start(reader, "number of elements", ELEMENT)?;
    let mut done = 0;
    while done < count {
        reader.c.skip_text_space();
        let at = reader.c.at();
        if reader.coding == Coding::Text {
            reader.c.natural("element tag", 4)?;
            let shape = Shape::read(&mut reader.c)?;
            let tags = reader.c.count("number of tags", 4, 2)?;
            element(reader, shape, tags, at)?;
            done += 1;
            continue;
        }
        let shape = Shape::read(&mut reader.c)?;
        let run = reader.c.count("elements of the same type", 4, 4 * shape.nodes)?;
        let tags = reader.c.count("number of tags", 4, 4)?;
        if run == 0 || run > count - done {
            return Err(reader.c.error(at, "elements of the same type", run, format!("1 to {}", count - done)));
        }
        for _ in 0..run {
            let at = reader.c.at();
            reader.c.natural("element tag", 4)?;
            element(reader, shape, tags, at)?;
        }
        done += run;
    }
    reader.c.coding = Coding::Text;
    Ok(())
}

/// The tags of an element, of which the first is its physical group, and its nodes.
fn element(reader: &mut Reader<'_>, shape: Shape, tags: usize, at: usize) -> Result<(), Error> {
    let mut physical = 0;
    for place in 0..tags {
        let tag = reader.c.integer("tag of the element", 4)?;
        if place == 0 {
            physical = tag.saturating_abs();
        }
    }
    let groups: &[i64] = if physical == 0 || shape.kind.is_none() { &[] } else { &[physical] };
    let region = reader.region(shape.dimension(), physical, groups);
    reader.element(shape, region, 4, at)
}
