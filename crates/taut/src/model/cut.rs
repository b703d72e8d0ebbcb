//! Cuts through deformables.

use crate::error::{Error, Result, finite_vec, positive};
use glam::DVec3;

/// A cut through a deformable. Two neighbouring cells part where it passes between their centres, at their present places: along faces of
/// solids, edges of sheets, nodes of bars. No cell is divided, so a cut is as fine as the mesh.
///
/// A bar falls in two when its middle is cut, and each half goes its own way.
/// ```
/// use taut::{Cut, Deformable, Vec3, World};
/// use taut::soft::{Cell, Material, Mesh};
/// let node = |k: usize| Vec3::new((k / 4) as f64, (k / 2 % 2) as f64, (k % 2) as f64) * Vec3::new(0.25, 0.1, 0.1);
/// let brick = |k: u32| Cell::hex8([0, 4, 6, 2, 1, 5, 7, 3].map(|n| 4 * k + n));
/// let mesh = Mesh { nodes: (0..20).map(node).collect(), cells: (0..4).map(brick).collect() };
/// let mut world = World::new();
/// let bar = world.add(Deformable::new(&mesh, &Material::new(1000.0, 1e6, 0.3))?.held(|x| x.x == 0.0))?;
/// let report = world.cut(bar, &Cut::plane(0.5 * Vec3::X, Vec3::X))?;
/// assert_eq!((report.seams, report.copies.len(), report.parts), (1, 4, 2));
/// for _ in 0..50 {
///     world.step(0.01)?;
/// }
/// // The free half has fallen by g t^2/2.
/// let half = world.deformable(bar)?;
/// assert!(half.position(19)?.y < -1.0 && half.position(8)?.y > -0.1);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    pub(crate) way: Way,
}

/// Where a cut goes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Way {
    /// A plane, all of it or a part.
    Plane { point: DVec3, normal: DVec3, within: Within },
    /// Between pairs of cells.
    Cells(Vec<(u32, u32)>),
}

/// Part of a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Within {
    All,
    /// About the point of the plane.
    Disc(f64),
    /// A parallelogram from the point of the plane along two edges, m.
    Edges(DVec3, DVec3),
}

impl Cut {
    /// Along the plane through a point, m, across this direction; in the world.
    pub fn plane(point: DVec3, normal: DVec3) -> Self {
        Cut { way: Way::Plane { point, normal, within: Within::All } }
    }

    /// Along a disc about a point, m, across this direction, with a radius in m.
    pub fn disc(centre: DVec3, normal: DVec3, radius: f64) -> Self {
        Cut { way: Way::Plane { point: centre, normal, within: Within::Disc(radius) } }
    }

    /// Along a rectangle, or another parallelogram, that begins at a corner and has these edges, m.
    pub fn rectangle(corner: DVec3, edges: [DVec3; 2]) -> Self {
        let within = Within::Edges(edges[0], edges[1]);
        Cut { way: Way::Plane { point: corner, normal: edges[0].cross(edges[1]), within } }
    }

    /// Along the way of a blade: its edge, from one point to the other, m, goes in this direction as deep as said, m.
    pub fn blade(from: DVec3, to: DVec3, direction: DVec3, depth: f64) -> Self {
        Cut::rectangle(from, [to - from, depth * direction.normalize_or_zero()])
    }

    /// Between pairs of neighbouring cells, by their numbers in the mesh.
    pub fn cells(pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        Cut { way: Way::Cells(pairs.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect()) }
    }

    /// Refuses numbers that are none, planes without a direction, and cells beyond the last.
    pub(crate) fn check(&self, cells: usize) -> Result<()> {
        match &self.way {
            Way::Plane { point, normal, within } => {
                finite_vec("point of the cut", *point, "m")?;
                finite_vec("normal of the cut", *normal, "(no unit)")?;
                match within {
                    Within::Disc(radius) => positive("radius of the cut", *radius, "m").map(drop)?,
                    Within::Edges(a, b) => {
                        finite_vec("edge of the cut", *a, "m")?;
                        finite_vec("edge of the cut", *b, "m")?;
                    }
                    Within::All => {}
                }
                match normal.length_squared() > 0.0 && normal.length_squared().is_finite() {
                    true => Ok(()),
                    false => Err(Error::input("normal of the cut", normal, "a direction: edges that span an area")),
                }
            }
            Way::Cells(pairs) => match pairs.iter().find(|p| p.1 as usize >= cells) {
                Some(pair) => Err(Error::input("cells of the cut", format!("{pair:?}"), format!("less than {cells}"))),
                None => Ok(()),
            },
        }
    }

    /// Whether it passes between two cells, which have their centres here, m.
    pub(crate) fn parts(&self, cells: [u32; 2], [a, b]: [DVec3; 2]) -> bool {
        match &self.way {
            Way::Cells(pairs) => pairs.contains(&(cells[0], cells[1])),
            Way::Plane { .. } => self.crosses(a, b),
        }
    }

    /// Whether it passes between two points of the world, m. A cut between cells passes between none.
    ///
    /// ```
    /// use taut::{Cut, Vec3};
    /// let blade = Cut::blade(Vec3::ZERO, Vec3::X, -Vec3::Y, 0.5);
    /// let rope = |x: f64, y: f64| [Vec3::new(x, y, -1.0), Vec3::new(x, y, 1.0)];
    /// let cuts = |[a, b]: [Vec3; 2]| blade.crosses(a, b);
    /// assert!(cuts(rope(0.5, -0.2)) && !cuts(rope(0.5, -0.6)) && !cuts(rope(1.5, -0.2)));
    /// ```
    pub fn crosses(&self, a: DVec3, b: DVec3) -> bool {
        match &self.way {
            Way::Cells(_) => false,
            Way::Plane { point, normal, within } => {
                let height = |x: DVec3| normal.dot(x - *point);
                let (low, high) = (height(a), height(b));
                if (low < 0.0) == (high < 0.0) {
                    return false;
                }
                let arm = a + (b - a) * (low / (low - high)) - *point;
                match *within {
                    Within::All => true,
                    Within::Disc(radius) => arm.length() <= radius,
                    Within::Edges(u, v) => {
                        // Coordinates along the edges, from the reciprocal basis.
                        let square = normal.length_squared();
                        let s = arm.cross(v).dot(*normal) / square;
                        let t = u.cross(arm).dot(*normal) / square;
                        (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)
                    }
                }
            }
        }
    }
}

/// What a cut did.
///
/// ```
/// use taut::{Cut, Deformable, Vec3, World};
/// use taut::soft::{Cell, Material, Mesh};
/// let mesh = Mesh { nodes: [0.0, 1.0, 2.0].map(|x| x * Vec3::X).into(), cells: [[0, 1], [1, 2]].map(Cell::bar2).into() };
/// let mut world = World::new();
/// let string = world.add(Deformable::new(&mesh, &Material::new(1000.0, 1e6, 0.0).area(1e-4))?)?;
/// let report = world.cut(string, &Cut::cells([(0, 1)]))?;
/// assert_eq!((report.copies, report.parts, report.energy), (vec![(1, 3)], 2, 0.0));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CutReport {
    /// How many seams between cells were cut.
    pub seams: usize,
    /// Nodes that were doubled, and their copies.
    pub copies: Vec<(usize, usize)>,
    /// Parts of the deformable now, without a common node.
    pub parts: usize,
    /// Change of the energy of its elements, J: what bends across a cut, or keeps its volume across it, holds none any more.
    pub energy: f64,
}
