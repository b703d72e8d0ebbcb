//! Gmsh files, versions 2.x and 4.1, text and binary: sections between `$Name` and `$EndName`.
//!
//! Read are the format, the names of physical groups, entities (4.1), nodes and elements; other sections are left behind.

mod v2;
mod v4;

use std::collections::BTreeMap;

use glam::DVec3;
use taut_elements::CellKind;

use super::cursor::{Coding, Cursor, quote};
use super::draft::{Draft, MOST_GROUPS};
use crate::error::Error;

/// What is known while a file is read.
struct Reader<'a> {
    c: Cursor<'a>,
    draft: Draft,
    /// Whether this is version 4.1; else it is 2.
    four: bool,
    /// How numbers of nodes and elements are written.
    coding: Coding,
    /// Bytes of the numbers of version 4 that count things.
    width: usize,
    /// Names of physical groups by dimension and tag.
    names: BTreeMap<(usize, i64), String>,
    /// Physical groups of each entity by dimension and tag (4.1).
    physical: BTreeMap<(usize, i64), Vec<i64>>,
    /// Regions of the draft by dimension and entity (4.1) or physical tag (2.x).
    regions: BTreeMap<(usize, i64), u32>,
    /// Tags of the nodes, ascending, with their indices.
    tags: Vec<(u64, u32)>,
}

pub fn read(bytes: &[u8]) -> Result<Draft, Error> {
    let mut reader = Reader {
        c: Cursor::new("Gmsh", bytes),
        draft: Draft::default(),
        four: false,
        coding: Coding::Text,
        width: 8,
        names: BTreeMap::new(),
        physical: BTreeMap::new(),
        regions: BTreeMap::new(),
        tags: Vec::new(),
    };
    let at = reader.c.at();
    let first = reader.c.word("first section")?;
    if first != "$MeshFormat" {
        return Err(reader.c.error(at, "first section", quote(first.as_bytes()), "$MeshFormat"));
    }
    reader.format()?;
    while !reader.c.ended() {
        reader.section()?;
    }
    Ok(reader.draft)
}

impl<'a> Reader<'a> {
    /// Version, text or binary, and width of numbers.
    fn format(&mut self) -> Result<(), Error> {
        self.c.skip_space();
        let at = self.c.at();
        self.four = match self.c.word("version")? {
            "4.1" => true,
            "2" | "2.0" | "2.1" | "2.2" => false,
            version => {
                return Err(self.c.error(
                    at,
                    "version",
                    quote(version.as_bytes()),
                    "2, 2.1, 2.2 or 4.1; Gmsh can save as these",
                ));
            }
        };
        self.c.rename(if self.four { "Gmsh 4.1" } else { "Gmsh 2" });
        let at = self.c.at();
        let binary = self.c.natural("file type", 4)?;
        let width = self.c.natural("data size", 4)?;
        if binary > 1 || !(width == 8 || (self.four && width == 4)) {
            let expected = "file type 0 or 1, data size 8 (or 4 in version 4.1)";
            return Err(self.c.error(at, "file type and data size", format!("{binary} {width}"), expected));
        }
        self.width = width as usize;
        self.c.line();
        if binary == 1 {
            self.c.binary = true;
            let at = self.c.at();
            self.coding = match self.c.take("byte order", 4)? {
                [1, 0, 0, 0] => Coding::Little,
                [0, 0, 0, 1] => Coding::Big,
                other => return Err(self.c.error(at, "byte order", format!("{other:?}"), "the number 1 in 4 bytes")),
            };
        }
        self.end("$EndMeshFormat")
    }

    /// One section.
    fn section(&mut self) -> Result<(), Error> {
        let at = self.c.at();
        let line = self.c.line().unwrap_or_default().trim_ascii();
        let name = std::str::from_utf8(line).ok().filter(|name| name.starts_with('$') && !name.starts_with("$End"));
        let Some(name) = name else {
            return Err(self.c.error(at, "section", quote(line), "a line that starts with $"));
        };
        match (name, self.four) {
            ("$PhysicalNames", _) => self.physical_names()?,
            ("$Entities", true) => self.binary_part(v4::entities)?,
            ("$Nodes", true) => self.binary_part(v4::nodes)?,
            ("$Elements", true) => self.binary_part(v4::elements)?,
            ("$Nodes", false) => v2::nodes(self)?,
            ("$Elements", false) => v2::elements(self)?,
            _ => {
                let end = format!("$End{}", &name[1..]);
                if !self.c.seek(&end) {
                    return Err(self.c.error(at, "section", quote(name.as_bytes()), end));
                }
                self.c.line();
                return Ok(());
            }
        }
        self.end(&format!("$End{}", &name[1..]))
    }

    /// Runs with numbers as the file writes them.
    fn binary_part(&mut self, part: impl Fn(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        self.c.coding = self.coding;
        part(self)?;
        self.c.coding = Coding::Text;
        Ok(())
    }

    /// The end of a section.
    fn end(&mut self, name: &str) -> Result<(), Error> {
        self.c.skip_space();
        let at = self.c.at();
        let found = self.c.word(name)?;
        self.c.line();
        if found == name { Ok(()) } else { Err(self.c.error(at, "end of the section", quote(found.as_bytes()), name)) }
    }

    /// Lines of dimension, tag and name in quotes.
    fn physical_names(&mut self) -> Result<(), Error> {
        let count = self.c.count("number of physical names", 4, 6)?;
        for _ in 0..count {
            self.c.skip_space();
            let Some(mut line) = self.c.line_words() else { break };
            let dimension = dimension(&mut line)?;
            let tag = line.integer("tag", 4)?;
            let name = line.line().unwrap_or_default().trim_ascii();
            let name = name.strip_prefix(b"\"").unwrap_or(name);
            let name = name.strip_suffix(b"\"").unwrap_or(name);
            self.names.insert((dimension, tag), String::from_utf8_lossy(name).into_owned());
        }
        Ok(())
    }

    /// The region of the draft that belongs to these physical groups; made once for each key.
    fn region(&mut self, dimension: usize, key: i64, physical: &[i64]) -> u32 {
        if physical.is_empty() {
            return 0;
        }
        if let Some(&region) = self.regions.get(&(dimension, key)) {
            return region;
        }
        let mut groups = Vec::new();
        for &tag in physical {
            let number = tag.to_string();
            let name = self.names.get(&(dimension, tag)).cloned().unwrap_or_else(|| number.clone());
            groups.push(self.draft.group(dimension, &number, &name));
        }
        let region = self.draft.region(groups);
        self.regions.insert((dimension, key), region);
        region
    }

    fn add_node(&mut self, tag: u64, position: DVec3) {
        self.tags.push((tag, self.draft.nodes.len() as u32));
        self.draft.nodes.push(position);
    }

    /// Sorts the tags, once all nodes are read.
    fn sort_tags(&mut self, at: usize) -> Result<(), Error> {
        self.tags.sort_unstable();
        match self.tags.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => {
                Err(self.c.error(at, "node tag", format!("{} twice in this section", pair[0].0), "each once"))
            }
            None => Ok(()),
        }
    }

    /// The corners of an element of a type of Gmsh, whose further nodes are left behind, and the cell between them.
    fn element(&mut self, shape: Shape, region: u32, width: usize, at: usize) -> Result<(), Error> {
        let mut corners = [0; 8];
        let used = shape.kind.map_or(0, CellKind::nodes);
        for place in 0..shape.nodes {
            if place >= used {
                self.c.skip("node of the element", width)?;
                continue;
            }
            self.c.skip_text_space();
            let start = self.c.at();
            let tag = self.c.natural("node of the element", width)?;
            match self.tags.binary_search_by_key(&tag, |&(tag, _)| tag) {
                Ok(found) => corners[place] = self.tags[found].1,
                Err(_) => return Err(self.c.error(start, "node of the element", tag, self.known_tags())),
            }
        }
        let Some(kind) = shape.kind else { return Ok(()) };
        if shape.nodes > used {
            self.draft.remark("elements of higher order were read by the corners alone");
        }
        if !self.four && self.draft.join(kind, &corners[..used], region, &self.c, at)? {
            return Ok(());
        }
        self.draft.push(kind, &corners[..used], region, &self.c, at)
    }

    fn known_tags(&self) -> String {
        match (self.tags.first(), self.tags.last()) {
            (Some(first), Some(last)) => format!("the tag of a node; those are {} to {}", first.0, last.0),
            _ => "a section $Nodes before $Elements".into(),
        }
    }
}

/// A dimension, 0 to 3.
fn dimension(c: &mut Cursor<'_>) -> Result<usize, Error> {
    c.skip_text_space();
    let at = c.at();
    match c.integer("dimension", 4)? {
        dimension @ 0..=3 => Ok(dimension as usize),
        other => Err(c.error(at, "dimension", other, "0 to 3")),
    }
}

/// What a number of Gmsh for a type of element means.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// Nodes in the file; the corners come first.
    nodes: usize,
    /// The cell of its corners; `None` for points.
    kind: Option<CellKind>,
}

impl Shape {
    /// The shape, or an error for prisms, pyramids and what is unknown.
    fn read(c: &mut Cursor<'_>) -> Result<Self, Error> {
        c.skip_text_space();
        let at = c.at();
        let number = c.natural("type of element", 4)?;
        let (nodes, kind) = match number {
            15 => return Ok(Shape { nodes: 1, kind: None }),
            1 => (2, CellKind::Bar2),
            8 => (3, CellKind::Bar2),
            26..=28 => (number as usize - 22, CellKind::Bar2),
            2 => (3, CellKind::Tri3),
            9 => (6, CellKind::Tri3),
            20 => (9, CellKind::Tri3),
            21 => (10, CellKind::Tri3),
            3 => (4, CellKind::Quad4),
            16 => (8, CellKind::Quad4),
            10 => (9, CellKind::Quad4),
            4 => (4, CellKind::Tet4),
            11 => (10, CellKind::Tet4),
            29 => (20, CellKind::Tet4),
            5 => (8, CellKind::Hex8),
            17 => (20, CellKind::Hex8),
            12 => (27, CellKind::Hex8),
            6 | 13 | 18 => return Err(c.error(at, "type of element", format!("{number}, a prism"), EXPECTED)),
            7 | 14 | 19 => return Err(c.error(at, "type of element", format!("{number}, a pyramid"), EXPECTED)),
            _ => return Err(c.error(at, "type of element", number, EXPECTED)),
        };
        Ok(Shape { nodes, kind: Some(kind) })
    }

    fn dimension(self) -> usize {
        self.kind.map_or(0, CellKind::dimension)
    }
}

const EXPECTED: &str = "lines, triangles, quadrilaterals, tetrahedra or hexahedra (types 1 to 5, or 8 to 12, 16, 17, 20, 21, 26 to 29 of higher order)";
