//! Where the sheaves, drums, rings and blocks of ropes are: parts of their bodies, and sheaves that turn by the rope that runs over them.

use crate::bodies::Pieces;
use crate::drawing::{Rope, Sheave};
use crate::{fittings, ropes};
use std::collections::BTreeMap;
use taut::parts::GuideMemory;
use taut::views::GuideView;
use taut::{BodyId, BodyRef, Mat3, Motion, Pose, Quat, Result, RopeId, Vec3, World, shapes::Solid};

/// Sheaves that turn freely, what they are read from, and half the widths of the drums of each rope, m.
#[derive(Default)]
pub(crate) struct Rigging {
    pub sheaves: Vec<Sheave>,
    pub turning: Vec<(RopeId, usize)>,
    pub drums: Vec<[f64; 2]>,
}

/// What is known of the sheaves so far.
struct Fitter<'a> {
    world: &'a World,
    pieces: &'a mut Pieces,
    out: Rigging,
    /// Free sheaves of each body, in its frame, with how far they reach and half their thickness, m.
    free: BTreeMap<BodyId, Vec<(GuideMemory, f64, f64)>>,
    /// Sheaves that have been drawn: several ropes may run over one, or one several times.
    known: Vec<(BodyId, GuideMemory, f64)>,
}

/// Puts all that ropes run over into the parts of bodies.
pub(crate) fn of(
    world: &World,
    list: &[Rope],
    ids: &[RopeId],
    number: &impl Fn(BodyId) -> usize,
    pieces: &mut Pieces,
) -> Result<Rigging> {
    let mut f = Fitter { world, pieces, out: Rigging::default(), free: BTreeMap::new(), known: Vec::new() };
    for (look, &id) in list.iter().zip(ids) {
        let rope = world.rope(id)?;
        let (memory, guides) = (rope.memory(), rope.guides().collect::<Vec<GuideView>>());
        let ways: Vec<[Vec3; 2]> = rope.ends().collect();
        let last = guides.len() - 1;
        let mut drums = [0.0; 2];
        let closed = rope.is_closed();
        for (k, (g, at)) in guides.iter().zip(&memory.guides).enumerate() {
            f.pieces.reach(g.centre);
            match (g.radius > 0.0, !closed && (k == 0 || k == last)) {
                (true, true) => drums[usize::from(k > 0)] = f.drum(g, at, look.radius)?,
                (true, false) => f.sheave(g, at, (id, g.lead.unwrap_or(k)), look.radius, number)?,
                (false, false) if ways.len() == last => {
                    // Behind its end an endless rope goes on at its start.
                    let (come, go) = ((k + last - 1) % last, k % last);
                    f.ring(g, at, [ways[come], ways[go]], look.radius)?;
                }
                (false, _) => {}
            }
        }
        for (g, ride) in rope.riding().zip(&memory.rides) {
            let at = GuideMemory { centre: ride.point, axis: Vec3::Z, mark: Vec3::X, length: 0.0, first: 0.0 };
            // It lies along the rim.
            let along = memory.guides.iter().zip(&guides).find(|(_, w)| w.grips && w.radius > 0.0);
            let along = along.map_or(Vec3::X, |(_, w)| w.axis.cross(g.centre - w.centre));
            f.ring(&g, &at, [[Vec3::ZERO, along]; 2], look.radius)?;
        }
        f.out.drums.push(drums);
    }
    f.blocks()?;
    Ok(f.out)
}

/// Turns the y axis to a direction.
fn facing(axis: Vec3) -> Quat {
    Quat::from_rotation_arc(Vec3::Y, axis)
}

impl Fitter<'_> {
    /// Whether a body has no look of its own but that of its inertia, or is a cylinder about this axis; half the height of that, m.
    fn bare(&self, body: BodyId, axis: Vec3) -> Result<Option<Option<f64>>> {
        let b = self.world.body(body)?;
        let own = b.motion() != Motion::Dynamic || !self.world.colliders_of(body)?.is_empty();
        Ok(match b.solid() {
            _ if own => None,
            None => Some(None),
            Some(Solid::Cylinder { half_height, .. }) if axis.dot(Vec3::Y).abs() > 0.999 => Some(Some(half_height)),
            Some(_) => None,
        })
    }

    fn drum(&mut self, g: &GuideView, at: &GuideMemory, rope: f64) -> Result<f64> {
        let bare = self.bare(g.body, at.axis)?;
        let half = bare.flatten().unwrap_or(ropes::BARREL * g.radius).max(3.0 * rope);
        if self.is_new(g, at) {
            let key = format!("drum {} {rope} {half}", g.radius);
            let mesh = self.pieces.mesh(key, || Ok(fittings::drum(g.radius, rope, half)))?;
            self.fit(g.body, Pose { pos: at.centre, rot: facing(at.axis) }, mesh, bare.is_some())?;
        }
        Ok(half)
    }

    fn sheave(
        &mut self,
        g: &GuideView,
        at: &GuideMemory,
        from: (RopeId, usize),
        rope: f64,
        number: &impl Fn(BodyId) -> usize,
    ) -> Result<()> {
        if !self.is_new(g, at) {
            return Ok(());
        }
        let key = format!("sheave {} {rope}", g.radius);
        let mesh = self.pieces.mesh(key, || Ok(fittings::sheave(g.radius, rope)))?;
        let local = Pose { pos: at.centre, rot: facing(at.axis) };
        if g.grips {
            let bare = self.bare(g.body, at.axis)?.is_some();
            return self.fit(g.body, local, mesh, bare);
        }
        let body = self.world.body(g.body)?.pose();
        self.pieces.surround(mesh, &Pose { pos: body.to_world(local.pos), rot: body.rot * local.rot });
        let (pos, rot) = (local.pos.to_array(), local.rot.to_array());
        self.out.sheaves.push(Sheave { body: number(g.body), mesh, pos, rot });
        self.out.turning.push(from);
        let size = (fittings::edge(g.radius, rope), fittings::thickness(g.radius, rope));
        self.free.entry(g.body).or_default().push((*at, size.0, size.1));
        Ok(())
    }

    fn ring(&mut self, g: &GuideView, at: &GuideMemory, [a, b]: [[Vec3; 2]; 2], rope: f64) -> Result<()> {
        let body = self.world.body(g.body)?;
        // A bead is drawn itself.
        if body.motion() == Motion::Particle {
            return Ok(());
        }
        let along = (a[1] - a[0]).normalize_or_zero() + (b[1] - b[0]).normalize_or_zero();
        let axis = (body.pose().rot.inverse() * along).try_normalize().unwrap_or(Vec3::Y);
        let mesh = self.pieces.mesh(format!("ring {rope}"), || Ok(fittings::ring(rope)))?;
        self.fit(g.body, Pose { pos: at.centre, rot: facing(axis) }, mesh, false)
    }

    fn is_new(&mut self, g: &GuideView, at: &GuideMemory) -> bool {
        let this = (g.body, *at, g.radius);
        let new = !self.known.contains(&this);
        if new {
            self.known.push(this);
        }
        new
    }

    /// Adds a part to a body, in place of what its inertia looks like where that is all there is.
    fn fit(&mut self, body: BodyId, local: Pose, mesh: usize, instead: bool) -> Result<()> {
        let pose = self.world.body(body)?.pose();
        let part = self.pieces.part(&pose, local, mesh, false);
        self.pieces.fitted.entry(body).or_default().push(part);
        if instead {
            self.pieces.replaced.insert(body);
        }
        Ok(())
    }

    /// Bodies that are nothing but sheaves are blocks.
    fn blocks(&mut self) -> Result<()> {
        for (body, sheaves) in std::mem::take(&mut self.free) {
            let b = self.world.body(body)?;
            if b.solid().is_some() || self.bare(body, Vec3::X)?.is_none() || self.pieces.replaced.contains(&body) {
                continue;
            }
            let (mesh, local) = self.block(&b, &sheaves)?;
            self.fit(body, local, mesh, true)?;
        }
        Ok(())
    }

    fn block(&mut self, b: &BodyRef<'_>, sheaves: &[(GuideMemory, f64, f64)]) -> Result<(usize, Pose)> {
        let axis = sheaves[0].0.axis;
        let centre = sheaves.iter().map(|s| s.0.centre).sum::<Vec3>() / sheaves.len() as f64;
        let (mut reach, mut half) = (0.0_f64, 0.0_f64);
        for (at, edge, thick) in sheaves {
            let off = at.centre - centre;
            let along = off.dot(axis);
            // The rope round the rim is seen beside them.
            reach = reach.max(0.88 * edge + (off - along * axis).length());
            half = half.max(along.abs() + 1.5 * thick);
        }
        // The hook points to what hangs on it.
        let joints = self.world.joints().filter(|j| j.bodies().0 == b.id() || j.bodies().1 == b.id());
        let ends = joints.map(|j| if j.bodies().0 == b.id() { j.points().0 } else { j.points().1 });
        let arms: Vec<Vec3> = ends.map(|p| b.pose().to_local(p) - centre).collect();
        let across = |v: Vec3| v - v.dot(axis) * axis;
        let gravity = b.pose().rot.inverse() * self.world.options().gravity;
        let hung = across(arms.iter().copied().sum());
        let down = hung.try_normalize().filter(|_| hung.length() > 0.1 * reach);
        let down = down.or_else(|| across(gravity).try_normalize()).unwrap_or_else(|| axis.any_orthonormal_vector());
        let far = arms.iter().map(|a| a.dot(down)).fold(0.0, f64::max);
        let below = (far - 0.9 * reach).clamp(1.15 * reach, 3.0 * reach);
        let turn = Mat3::from_cols(axis.cross(-down), axis, -down);
        let key = format!("block {reach} {half} {below}");
        let mesh = self.pieces.mesh(key, || Ok(fittings::block(reach, half, below)))?;
        Ok((mesh, Pose { pos: centre, rot: Quat::from_mat3(&turn) }))
    }
}
