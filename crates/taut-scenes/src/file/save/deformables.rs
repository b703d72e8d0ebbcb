//! Deformables of a world: their meshes as nodes and cells.

use super::colliders;
use super::names::Names;
use crate::file::Skin;
use crate::file::deformable::{
    Bound, Carrier, Cord, Deformable, Fibre, FrameCellMesh, FrameSample, FrameSamples, FramesOver, Hooke, Law, Mapped,
    NodeRegion, OneNode, Orthotropic, Plasticity, Region, SoftMaterial, SoftMesh, VolumeKept,
};
use crate::file::error::{At, FileError, Path};
use crate::file::mesh::{Made, written};
use crate::file::settings::Nothing;
use crate::file::{Collider, Rotation};
use std::collections::BTreeMap;
use taut::soft::{self, Volume};
use taut::{BodyId, DeformableRef, Tie, Vec3, World};

/// All deformables in order, with the colliders of their nodes.
pub(super) fn deformables(
    world: &World,
    names: &Names,
    colliders: &mut BTreeMap<BodyId, Vec<Collider>>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Deformable>, FileError> {
    let mut out = Vec::new();
    for d in world.deformables() {
        let path = Path::of("deformables").index(out.len());
        out.push(deformable(world, &d, names, colliders, warnings).at(&path)?);
    }
    Ok(out)
}

fn deformable(
    world: &World,
    d: &DeformableRef<'_>,
    names: &Names,
    colliders: &mut BTreeMap<BodyId, Vec<Collider>>,
    warnings: &mut Vec<String>,
) -> taut::Result<Deformable> {
    let name = names.deformable(d.id()).to_owned();
    let elements = d.elements();
    let options = elements.over().map_or(elements.options(), |(_, _, options)| options);
    if options.gradients != soft::Gradients::Scaled {
        warnings.push(format!("deformable '{name}': how the gradients of its elements vary is not saved"));
    }
    let (mut held, mut bound) = (Vec::new(), BTreeMap::<BodyId, Vec<usize>>::new());
    let (mut nodes, mut velocities, mut mapped) = (Vec::new(), Vec::new(), Vec::new());
    for k in 0..elements.controls() {
        let body = d.node(k)?;
        velocities.push(d.velocity(k)?.into());
        let carriers = d.carriers(k)?;
        match d.is_bound(k)? {
            true if carriers.len() > 1 => {
                let carrier = |t: &Tie| {
                    let body = names.body(t.body?).ok()?.to_owned();
                    Some(Carrier { body, weight: t.weight.into(), local_point: t.point.map(Into::into) })
                };
                mapped.push(Mapped { node: k, carriers: carriers.iter().filter_map(carrier).collect() });
            }
            true if body == world.ground() => held.push(k),
            true => bound.entry(body).or_default().push(k),
            false => nodes.extend(node(world, k, body, elements.masses()[k], colliders)?),
        }
    }
    let region = |nodes: Vec<usize>| Region::Nodes(NodeRegion { nodes });
    let mut ties = Vec::new();
    for (body, list) in bound {
        let point = |k: usize| Ok(d.carriers(k)?.first().and_then(|t| t.point).unwrap_or(Vec3::ZERO));
        let points = list.iter().map(|&k| point(k)).collect::<taut::Result<Vec<Vec3>>>()?;
        let Ok(body) = names.body(body).map(str::to_owned) else { continue };
        ties.push(Bound { body, region: region(list), local_points: points.into_iter().map(Into::into).collect() });
    }
    let places: Vec<Vec3> = d.positions().take(elements.controls()).collect();
    let patches = options.groups.clone().unwrap_or_default();
    let still = velocities.iter().all(|v: &crate::file::quantity::Triple<_>| v.value == Vec3::ZERO);
    let mesh = match elements.over().map(|(mesh, ..)| mesh).or(elements.mesh()) {
        Some(mesh) => SoftMesh::Cells(written(&Made { mesh: mesh.clone(), patches, groups: Vec::new() })),
        None => SoftMesh::FrameCells(frames(elements.frame_cells())),
    };
    let remembered = d.remembered();
    // Zero pressures are no memory.
    let fresh = elements.fresh_state();
    let is_fresh = remembered.starts_with(&fresh) && remembered[fresh.len()..].iter().all(|&p| p == 0.0);
    Ok(Deformable {
        name,
        mesh,
        frames: elements.over().map(|(_, f, _)| FramesOver {
            centers: f.centres.iter().map(|x| (*x).into()).collect(),
            radius: f.radius.into(),
        }),
        material: material(elements.material()),
        position: Vec3::ZERO.into(),
        rotation: Rotation::Quaternion([0.0, 0.0, 0.0, 1.0]),
        velocity: Vec3::ZERO.into(),
        angular_velocity: Vec3::ZERO.into(),
        places: if places == elements.rest()[..elements.controls()] {
            Vec::new()
        } else {
            places.into_iter().map(Into::into).collect()
        },
        velocities: if still { Vec::new() } else { velocities },
        held: if held.is_empty() { Vec::new() } else { vec![region(held)] },
        bound: ties,
        mapped,
        loads: Vec::new(),
        remembered: if is_fresh { Vec::new() } else { remembered.to_vec() },
        activation: (d.activation() != 0.0).then(|| d.activation().into()),
        volume: match options.volume {
            Volume::Auto => None,
            Volume::Off => Some(VolumeKept::Off),
            Volume::Rows => Some(VolumeKept::Rows),
        },
        skin: skin(world, d)?,
        nodes,
        user_data: d.user_data(),
    })
}

/// The samples of frames.
fn frames(cells: &[soft::FrameCell]) -> FrameCellMesh {
    let point = |p: &soft::FramePoint| FrameSample {
        position: p.position.into(),
        volume: p.volume,
        weights: p.weights.clone(),
        gradients: p.gradients.iter().map(|g| g.to_array()).collect(),
    };
    let cell =
        |c: &soft::FrameCell| FrameSamples { frames: c.frames.clone(), points: c.points.iter().map(point).collect() };
    FrameCellMesh { cells: cells.iter().map(cell).collect() }
}

/// The skin, if it has one.
fn skin(world: &World, d: &DeformableRef<'_>) -> taut::Result<Option<Skin>> {
    let Some(id) = d.skin_collider() else { return Ok(None) };
    let view = world.collider(id)?;
    let groups = (view.groups != taut::shapes::Groups::ALL).then(|| colliders::groups(view.groups));
    Ok(Some(Skin {
        radius: d.skin().into(),
        material: colliders::surface(&view.material),
        groups,
        sensor: view.sensor,
    }))
}

/// What is different about a node, if anything is.
fn node(
    world: &World,
    k: usize,
    id: BodyId,
    mass: f64,
    colliders: &mut BTreeMap<BodyId, Vec<Collider>>,
) -> taut::Result<Option<OneNode>> {
    let body = world.body(id)?;
    let out = OneNode {
        node: k,
        mass: (body.mass() != mass).then(|| body.mass().into()),
        gravity_scale: (body.gravity_scale() != 1.0).then(|| body.gravity_scale().into()),
        colliders: colliders.remove(&id).unwrap_or_default(),
    };
    Ok((out.mass.is_some() || out.gravity_scale.is_some() || !out.colliders.is_empty()).then_some(out))
}

fn material(m: &soft::Material) -> SoftMaterial {
    let given = |x: f64| (x != 0.0).then_some(x);
    let law = match &m.law {
        soft::Law::Corotational => None,
        soft::Law::StableNeoHookean => Some(Law::StableNeoHookean(Nothing {})),
        soft::Law::StableNeoHookeanNoLog => Some(Law::StableNeoHookeanNoLog(Nothing {})),
        soft::Law::NeoHookean => Some(Law::NeoHookean(Nothing {})),
        soft::Law::StVenantKirchhoff => Some(Law::StVenantKirchhoff(Nothing {})),
        soft::Law::Hooke(h) => Some(Law::Hooke(Box::new(Hooke {
            stiffness: h.stiffness.map(|r| r.map(Into::into)),
            axes: (h.axes != taut::Mat3::IDENTITY).then(|| [h.axes.x_axis.into(), h.axes.y_axis.into()]),
        }))),
        soft::Law::Cord(c) => Some(Law::Cord(Cord { strain: c.strain.into(), young: c.young.into() })),
        soft::Law::Orthotropic(o) => Some(Law::Orthotropic(Orthotropic {
            along: o.young_1.into(),
            across: o.young_2.into(),
            poisson: o.poisson_12.into(),
            shear: o.shear.into(),
            axis: o.axis.into(),
        })),
    };
    SoftMaterial {
        density: m.density.into(),
        young: m.young.into(),
        poisson: m.poisson.into(),
        law,
        thickness: given(m.thickness).map(Into::into),
        area: given(m.area).map(Into::into),
        bending: m.bending.map(Into::into),
        damping: given(m.damping).map(Into::into),
        mass_damping: given(m.mass_damping).map(Into::into),
        plasticity: m.plasticity.map(|p| Plasticity {
            yield_strain: p.yield_strain.into(),
            creep_time: given(p.creep_time).map(Into::into),
            max_strain: p.max_strain.is_finite().then(|| p.max_strain.into()),
        }),
        fibre: m.fibre.map(|f| Fibre { direction: f.direction.into(), stress: f.stress.into() }),
    }
}
