//! What all readers fill, and what is done with it in the end.

use std::collections::BTreeMap;

use glam::DVec3;
use taut_elements::{Cell, CellKind, Mesh};

use super::cursor::Cursor;
use super::{Group, ReadMesh, ReadOptions};
use crate::error::{Error, input};
use crate::weld::{repeats, weld};

/// Extents outside of this are likely in the wrong unit, m.
const EXTENT: [f64; 2] = [1e-3, 100.0];

/// Most groups of one cell; it bounds the memory that groups take.
pub const MOST_GROUPS: usize = 16;

/// A mesh while it is read.
#[derive(Debug, Default)]
pub struct Draft {
    /// Positions in the unit of the file.
    pub nodes: Vec<DVec3>,
    /// Cells of all dimensions.
    pub cells: Vec<Cell>,
    /// For each cell an index into `sets`.
    region: Vec<u32>,
    /// The groups of each region; the first is none.
    sets: Vec<Vec<u32>>,
    /// Regions that two regions gave together.
    unions: BTreeMap<[u32; 2], u32>,
    /// Names and dimensions of the groups.
    groups: Vec<(String, usize)>,
    /// Groups by dimension and key.
    known: BTreeMap<(usize, String), u32>,
    /// How often each remark was made, and how it is worded after the number.
    remarks: BTreeMap<&'static str, usize>,
    /// Whether equal nodes are always welded.
    pub soup: bool,
}

impl Draft {
    /// The group of a dimension by its key, made at its first use with its name.
    pub fn group(&mut self, dimension: usize, key: &str, name: &str) -> u32 {
        if let Some(&group) = self.known.get(&(dimension, key.to_string())) {
            return group;
        }
        let group = self.groups.len() as u32;
        self.known.insert((dimension, key.to_string()), group);
        self.groups.push((name.to_string(), dimension));
        group
    }

    /// A region that belongs to these groups.
    pub fn region(&mut self, groups: Vec<u32>) -> u32 {
        if self.sets.is_empty() {
            self.sets.push(Vec::new());
        }
        self.sets.push(groups);
        self.sets.len() as u32 - 1
    }

    /// Adds the groups of a region to the last cell when it is the same cell again; false when it is not.
    ///
    /// Files that give a cell one group only repeat the cell for each further one.
    pub fn join(
        &mut self,
        kind: CellKind,
        nodes: &[u32],
        region: u32,
        c: &Cursor<'_>,
        at: usize,
    ) -> Result<bool, Error> {
        let (Some(cell), Some(last)) = (self.cells.last(), self.region.last_mut()) else { return Ok(false) };
        let sets = [*last, region].map(|region| self.sets.get(region as usize).map_or(&[][..], Vec::as_slice));
        let fresh = sets[1].iter().any(|group| !sets[0].contains(group));
        if cell.kind() != kind || cell.nodes() != nodes || !fresh || sets[0].is_empty() {
            return Ok(false);
        }
        let key = [*last, region];
        if let Some(&union) = self.unions.get(&key) {
            *last = union;
            return Ok(true);
        }
        let mut union = sets.concat();
        union.sort_unstable();
        union.dedup();
        if union.len() > MOST_GROUPS {
            return Err(c.error(at, "groups of the cell", union.len(), format!("at most {MOST_GROUPS}")));
        }
        self.sets.push(union);
        *last = self.sets.len() as u32 - 1;
        self.unions.insert(key, *last);
        Ok(true)
    }

    /// Counts a remark, worded so that it follows a number.
    pub fn remark(&mut self, text: &'static str) {
        *self.remarks.entry(text).or_default() += 1;
    }

    /// Adds a cell that was read at `at`; region 0 is none. A solid with a node twice is refused, others are left out.
    pub fn push(&mut self, kind: CellKind, nodes: &[u32], region: u32, c: &Cursor<'_>, at: usize) -> Result<(), Error> {
        let Some(cell) = Cell::new(kind, nodes) else {
            return Err(c.error(at, "cell", nodes.len(), format!("{} nodes", kind.nodes())));
        };
        if !repeats(&cell) {
            self.cells.push(cell);
            self.region.push(region);
        } else if kind.dimension() == 3 {
            return Err(c.error(at, "nodes of the cell", format!("{nodes:?} (from 0)"), "no node twice"));
        } else {
            self.remark("degenerate cells with a node twice were left out");
        }
        Ok(())
    }

    /// A triangle, a quadrilateral, or a fan of triangles around the first corner.
    pub fn polygon(&mut self, corners: &[u32], region: u32, c: &Cursor<'_>, at: usize) -> Result<(), Error> {
        match corners.len() {
            0..3 => return Err(c.error(at, "corners of the face", corners.len(), "3 or more")),
            3 => return self.push(CellKind::Tri3, corners, region, c, at),
            4 => return self.push(CellKind::Quad4, corners, region, c, at),
            _ => self.remark("polygons were cut into triangles from their first corner"),
        }
        let rest = corners[1..].windows(2);
        rest.into_iter().try_for_each(|pair| self.push(CellKind::Tri3, &[corners[0], pair[0], pair[1]], region, c, at))
    }

    /// Scales, welds, leaves out what is not wanted, and collects groups and warnings.
    pub fn finish(mut self, options: &ReadOptions) -> Result<ReadMesh, Error> {
        for (index, node) in self.nodes.iter_mut().enumerate() {
            *node *= options.scale;
            if !node.is_finite() {
                return Err(input("scale", options.scale, format!("one that leaves node {index} finite")));
            }
        }
        let mut mesh = Mesh { nodes: std::mem::take(&mut self.nodes), cells: std::mem::take(&mut self.cells) };
        let tolerance = options.weld.or(self.soup.then_some(0.0));
        if let Some(tolerance) = tolerance {
            let welded = weld(&mesh, tolerance)?;
            self.region = welded.cell.iter().map(|&old| self.region[old as usize]).collect();
            self.remarks.entry("degenerate cells with a node twice were left out").and_modify(|n| *n += welded.dropped);
            self.remarks.entry("degenerate cells with a node twice were left out").or_insert(welded.dropped);
            mesh = welded.mesh;
        }
        let highest = mesh.cells.iter().map(|cell| cell.kind().dimension()).max().unwrap_or(0);
        let kept = |cell: &Cell| options.all_dimensions || cell.kind().dimension() == highest;
        let number = self.drop_unused(&mut mesh, options.drop_unused, kept);
        let groups = self.collect(&mesh, &number, kept);
        let all = mesh.cells.len();
        mesh.cells.retain(kept);
        for node in mesh.cells.iter_mut().flat_map(|cell| cell.nodes_mut()) {
            *node = number[*node as usize];
        }
        self.remarks
            .insert("cells of a lower dimension were left out; groups keep their nodes", all - mesh.cells.len());
        let warnings = self.warnings(&mesh);
        Ok(ReadMesh { mesh, groups, warnings })
    }

    /// New numbers of the nodes, `u32::MAX` for those left out.
    fn drop_unused(&mut self, mesh: &mut Mesh, drop: bool, kept: impl Fn(&Cell) -> bool) -> Vec<u32> {
        let mut number = vec![u32::MAX; mesh.nodes.len()];
        for &node in mesh.cells.iter().filter(|cell| kept(cell)).flat_map(|cell| cell.nodes()) {
            number[node as usize] = 0;
        }
        let unused = number.iter().filter(|&&n| n != 0).count();
        let text = if drop {
            "nodes of no cell were left out"
        } else {
            "nodes belong to no cell; `drop_unused` leaves them out"
        };
        self.remarks.insert(text, unused);
        if !drop {
            return (0..mesh.nodes.len() as u32).collect();
        }
        let used = number.iter_mut().filter(|n| **n == 0);
        used.zip(0..).for_each(|(number, next)| *number = next);
        let mut index = 0;
        mesh.nodes.retain(|_| {
            index += 1;
            number[index - 1] != u32::MAX
        });
        number
    }

    /// The cells and nodes of each group.
    fn collect(&self, mesh: &Mesh, number: &[u32], kept: impl Fn(&Cell) -> bool) -> Vec<Group> {
        let named = |(name, dimension): &(String, usize)| Group {
            name: name.clone(),
            dimension: *dimension,
            ..Group::default()
        };
        let mut groups: Vec<Group> = self.groups.iter().map(named).collect();
        let mut index = 0;
        for (cell, &region) in mesh.cells.iter().zip(&self.region) {
            for &group in self.sets.get(region as usize).into_iter().flatten() {
                let group = &mut groups[group as usize];
                if kept(cell) {
                    group.cells.push(index);
                }
                let nodes = cell.nodes().iter().map(|&n| number[n as usize]);
                group.nodes.extend(nodes.filter(|&n| n != u32::MAX));
            }
            index += u32::from(kept(cell));
        }
        for group in &mut groups {
            group.nodes.sort_unstable();
            group.nodes.dedup();
        }
        groups
    }

    fn warnings(&self, mesh: &Mesh) -> Vec<String> {
        let mut warnings: Vec<String> =
            self.remarks.iter().filter(|(_, n)| **n > 0).map(|(text, n)| worded(*n, text)).collect();
        let low = mesh.nodes.iter().fold(DVec3::MAX, |low, &x| low.min(x));
        let extent = mesh.nodes.iter().fold(DVec3::MIN, |high, &x| high.max(x)) - low;
        let longest = extent.max_element();
        if !(EXTENT[0]..=EXTENT[1]).contains(&longest) {
            warnings.push(format!("the mesh is {longest} m long; is `scale` right?"));
        }
        warnings
    }
}

/// A number and what it counts, in the singular where it is one.
fn worded(count: usize, text: &str) -> String {
    if count != 1 {
        return format!("{count} {text}");
    }
    let plural = [
        ("cells", "cell"),
        ("nodes belong", "node belongs"),
        ("nodes", "node"),
        ("elements", "element"),
        ("polygons", "polygon"),
        ("were", "was"),
        ("lines", "line"),
    ];
    let singular = plural.iter().fold(text.to_string(), |text, (many, one)| text.replacen(many, one, 1));
    format!("1 {singular}")
}
