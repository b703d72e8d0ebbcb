//! Deformables of a scene file into a world.

use super::Builder;
use super::colliders::{Owner, bits};
use crate::file::deformable::{
    Deformable, FrameCellMesh, FrameSample, FrameSamples, Law, Region, SoftMaterial, SoftMesh, VolumeKept,
};
use crate::file::error::{At, FileError, Path};
use crate::file::mesh::Made;
use crate::suggest::nearest;
use std::collections::BTreeSet;
use taut::soft::{self, Elements, FrameCell, FramePoint, Material};
use taut::{BodyId, DeformableId, Force, MassProperties, Tie, Vec3};

/// How far beyond the edge of a region a node may be and belong to it, in sizes of the mesh.
const EDGE: f64 = 1e-9;

impl Builder {
    pub(super) fn deformable(&mut self, d: &Deformable, path: &Path) -> Result<(), FileError> {
        if d.name.is_empty() {
            return Err(FileError::input(path.key("name"), "''", "a name that is not empty"));
        }
        if let Some((_, place)) = self.deformables.get(&d.name) {
            let expected = format!("a name that no other deformable has ({place})");
            return Err(FileError::input(path.key("name"), format!("'{}'", d.name), expected));
        }
        let made = d.mesh.made(&path.key("mesh"))?;
        let elements = elements(d, &made, path)?;
        // What frames carry cannot be chosen.
        let carried = elements.rest()[elements.controls()..].to_vec();
        let rest = elements.rest()[..elements.controls()].to_vec();
        let mut def = taut::Deformable::of(elements).at(d.position.value).named(&d.name).user_data(d.user_data);
        let (rotation, _) = d.rotation.quat(&path.key("rotation"))?;
        def = def.rotated(rotation).moving(d.velocity.value, d.angular_velocity.value);
        let count = |given: usize, field: &str| {
            let expected = format!("{}, one for each node", rest.len());
            if given == rest.len() || given == 0 {
                Ok(given > 0)
            } else {
                Err(FileError::input(path.key(field), given, expected))
            }
        };
        if count(d.places.len(), "places")? {
            def = def.shaped(d.places.iter().map(|x| x.value).chain(carried).collect());
        }
        let velocities = count(d.velocities.len(), "velocities")?;
        if !d.remembered.is_empty() {
            def = def.remembering(d.remembered.clone());
        }
        if let Some(skin) = &d.skin {
            let at = path.key("skin");
            def = def.skin(skin.radius.value).surface(skin.material.engine(&at.key("material"))?);
            if let Some(g) = &skin.groups {
                let at = at.key("groups");
                def = def.grouped(bits(g, "member", &at)?, bits(g, "with", &at)?);
            }
            if skin.sensor {
                def = def.sensing();
            }
        }
        let mut tied = BTreeSet::new();
        for (k, region) in d.held.iter().enumerate() {
            for node in nodes(region, &rest, &made, &path.key("held").index(k))? {
                // What lies in two regions is held once.
                if tied.insert(node) {
                    def = def.tied_at(node, vec![Tie { body: None, weight: 1.0, point: None }]);
                }
            }
        }
        for (k, bound) in d.bound.iter().enumerate() {
            let at = path.key("bound").index(k);
            let body = self.find(&bound.body, at.key("body"))?;
            let chosen = nodes(&bound.region, &rest, &made, &at.key("region"))?;
            if !bound.local_points.is_empty() && bound.local_points.len() != chosen.len() {
                let expected = format!("{}, one for each node of the region", chosen.len());
                return Err(FileError::input(at.key("local_points"), bound.local_points.len(), expected));
            }
            for (k, &node) in chosen.iter().enumerate() {
                if !tied.insert(node) {
                    let expected = "nodes that are neither held nor bound to another body";
                    return Err(FileError::input(at.key("region"), format!("node {node}"), expected));
                }
                let point = bound.local_points.get(k).map(|p| p.value);
                def = def.tied_at(node, vec![Tie { body: Some(body), weight: 1.0, point }]);
            }
        }
        for (k, m) in d.mapped.iter().enumerate() {
            let at = path.key("mapped").index(k);
            if m.node >= rest.len() || !tied.insert(m.node) {
                let expected = format!("a node below {} that is neither held, bound nor mapped before", rest.len());
                return Err(FileError::input(at.key("node"), m.node, expected));
            }
            let mut ties = Vec::new();
            for (k, c) in m.carriers.iter().enumerate() {
                let body = Some(self.find(&c.body, at.key("carriers").index(k).key("body"))?);
                ties.push(Tie { body, weight: c.weight.value, point: c.local_point.map(|p| p.value) });
            }
            def = def.tied_at(m.node, ties);
        }
        let fields = [
            ("weights of node", "mapped"),
            ("deformable remembers", "remembered"),
            ("permanent deformation", "remembered"),
            ("radius", "skin"),
            ("skin", "skin"),
            ("angular velocity", "angular_velocity"),
            ("velocity", "velocity"),
            ("position", "position"),
            ("rotation", "rotation"),
            ("start of node", "places"),
            ("bound", "bound"),
        ];
        let id = self.world.add(def).among(path, &fields)?;
        self.deformables.insert(d.name.clone(), (id, path.to_string()));
        if let Some(a) = d.activation {
            self.world.set_activation(id, a.value).at(&path.key("activation"))?;
        }
        if velocities {
            for (k, v) in d.velocities.iter().enumerate() {
                if !tied.contains(&k) {
                    let node = self.world.deformable(id).and_then(|d| d.node(k)).at(path)?;
                    self.world.set_velocity(node, v.value, Vec3::ZERO).at(&path.key("velocities").index(k))?;
                }
            }
        }
        self.loads(d, id, &rest, &made, path)?;
        self.measure(id, path)
    }

    /// Forces and masses on regions, and what is different about single nodes.
    fn loads(
        &mut self,
        d: &Deformable,
        id: DeformableId,
        rest: &[Vec3],
        made: &Made,
        path: &Path,
    ) -> Result<(), FileError> {
        for (k, load) in d.loads.iter().enumerate() {
            let at = path.key("loads").index(k);
            let chosen = nodes(&load.region, rest, made, &at.key("region"))?;
            if load.force.is_none() && load.mass.is_none() {
                return Err(FileError::new(at, "no load: expected 'force' or 'mass'"));
            }
            let share = 1.0 / chosen.len() as f64;
            for &k in &chosen {
                let node = self.free_node(id, k, &at.key("region"))?;
                if let Some(f) = load.force {
                    let force = Force::Point { body: node, point: Vec3::ZERO, force: share * f.value };
                    self.world.add(force).among(&at, &[("force", "force")])?;
                }
                if let Some(m) = load.mass {
                    let own = self.world.body(node).at(&at)?.mass();
                    self.set_node_mass(node, own + share * m.value, &at.key("mass"))?;
                }
            }
        }
        for (k, one) in d.nodes.iter().enumerate() {
            let at = path.key("nodes").index(k);
            let node = self.free_node(id, one.node, &at.key("node"))?;
            if let Some(m) = one.mass {
                self.set_node_mass(node, m.value, &at.key("mass"))?;
            }
            if let Some(g) = one.gravity_scale {
                self.world.set_gravity_scale(node, g.value).at(&at.key("gravity_scale"))?;
            }
        }
        Ok(())
    }

    /// The colliders of single nodes of a deformable.
    pub(super) fn node_colliders(&mut self, d: &Deformable, path: &Path) -> Result<(), FileError> {
        let Some(&(id, _)) = self.deformables.get(&d.name) else { return Ok(()) };
        for (k, one) in d.nodes.iter().enumerate() {
            let at = path.key("nodes").index(k);
            let owner = Owner { id: self.free_node(id, one.node, &at.key("node"))?, shape: None, center: Vec3::ZERO };
            for (k, c) in one.colliders.iter().enumerate() {
                self.collider(&owner, c, &at.key("colliders").index(k))?;
            }
        }
        Ok(())
    }

    fn set_node_mass(&mut self, node: BodyId, mass: f64, path: &Path) -> Result<(), FileError> {
        let mass = MassProperties::sphere(1.0, 1.0).and_then(|m| m.with_mass(mass)).at(path)?;
        self.world.set_mass(node, &mass).at(path)
    }

    /// The particle of a node.
    fn free_node(&self, id: DeformableId, k: usize, path: &Path) -> Result<BodyId, FileError> {
        let view = self.world.deformable(id).at(path)?;
        if view.is_bound(k).at(path)? {
            let expected = "a node that is neither held nor bound to a body";
            return Err(FileError::input(path.clone(), format!("node {k}"), expected));
        }
        view.node(k).at(path)
    }

    /// Extent, mass and what to follow.
    fn measure(&mut self, id: DeformableId, path: &Path) -> Result<(), FileError> {
        let view = self.world.deformable(id).at(path)?;
        for k in 0..view.node_count() {
            self.extent.add(view.position(k).at(path)?, 0.0);
            if !view.is_bound(k).at(path)? {
                self.total_mass += self.world.body(view.node(k).at(path)?).at(path)?.mass();
            }
        }
        self.tip = self.tip.or(crate::soft::tip(&view).map(|(_, node)| node));
        Ok(())
    }

    pub(super) fn find_deformable(&self, name: &str, path: Path) -> Result<DeformableId, FileError> {
        if let Some((id, _)) = self.deformables.get(name) {
            return Ok(*id);
        }
        let expected = match nearest(name, self.deformables.keys().map(String::as_str)) {
            Some(near) => format!("the name of a deformable (did you mean '{near}'?)"),
            None => "the name of a deformable of this file".into(),
        };
        Err(FileError::input(path, format!("'{name}'"), expected))
    }

    /// The node that `name[7]` means, if that is how it reads and there is such a deformable.
    pub(super) fn node_named(&self, name: &str, path: &Path) -> Option<Result<BodyId, FileError>> {
        let (of, number) = name.strip_suffix(']')?.rsplit_once('[')?;
        let (id, _) = self.deformables.get(of)?;
        Some(match number.parse::<usize>() {
            Ok(k) => self.free_node(*id, k, path),
            Err(_) => Err(FileError::input(path.clone(), format!("'{name}'"), "the number of a node in the brackets")),
        })
    }
}

/// Elements of the mesh.
fn elements(d: &Deformable, made: &Made, path: &Path) -> Result<Elements, FileError> {
    let material = d.material.engine(&path.key("material"))?;
    let volume = match d.volume {
        None | Some(VolumeKept::Auto) => soft::Volume::Auto,
        Some(VolumeKept::Off) => soft::Volume::Off,
        Some(VolumeKept::Rows) => soft::Volume::Rows,
    };
    let groups = (!made.patches.is_empty()).then(|| made.patches.clone());
    let options = soft::Options { volume, groups, ..soft::Options::default() };
    let out = match &d.mesh {
        SoftMesh::Frames(_) | SoftMesh::FrameCells(_) if d.frames.is_some() => {
            let message = "frames over frames: expected a mesh of cells";
            return Err(FileError::new(path.key("frames"), message));
        }
        SoftMesh::Frames(f) => {
            let section = f.section.map(|x| x.value);
            FrameCell::along(f.from.value, f.to.value, f.frames, section)
                .map_err(soft::Error::from)
                .and_then(|cells| Elements::frames_with(&cells, &material, &options))
        }
        SoftMesh::FrameCells(f) => Elements::frames_with(&f.engine(), &material, &options),
        _ => match &d.frames {
            None => Elements::with(&made.mesh, &material, &options),
            Some(f) => {
                let centres = f.centers.iter().map(|x| x.value).collect();
                let frames = soft::Frames { centres, radius: f.radius.value };
                Elements::frames_over(&made.mesh, &frames, &material, &options)
            }
        },
    };
    let over = d.frames.is_some();
    out.map_err(|e| match &e {
        soft::Error::Input(i) if over && i.name == "radius" => FileError::new(path.key("frames").key("radius"), e),
        soft::Error::Input(i) if over && i.name.starts_with("frame") => FileError::new(path.key("frames"), e),
        soft::Error::Input(i) if OF_FRAMES.contains(&i.name) => FileError::new(path.key("mesh"), e),
        soft::Error::Input(i) => FileError::new(path.key("material").key(field(i.name)), e),
        soft::Error::Mesh(_) => FileError::new(path.key("mesh"), e),
    })
}

/// What the elements refuse of frames and not of their material.
const OF_FRAMES: [&str; 9] =
    ["frames", "frame", "volume", "position", "weights", "gradients", "count", "length", "section"];

impl FrameCellMesh {
    /// The same for the engine.
    fn engine(&self) -> Vec<FrameCell> {
        let point = |p: &FrameSample| FramePoint {
            position: p.position.value,
            volume: p.volume,
            weights: p.weights.clone(),
            gradients: p.gradients.iter().map(|&g| Vec3::from(g)).collect(),
        };
        let cell =
            |c: &FrameSamples| FrameCell { frames: c.frames.clone(), points: c.points.iter().map(point).collect() };
        self.cells.iter().map(cell).collect()
    }
}

/// The field of a material that a name of the elements means.
fn field(name: &str) -> &str {
    match name {
        "yield_strain" | "creep_time" | "max_strain" => "plasticity",
        n if n.starts_with("fibre") => "fibre",
        n if n.starts_with("hooke") || n.starts_with("orthotropic") || n.starts_with("cord") => "law",
        other => other,
    }
}

impl SoftMaterial {
    /// The same for the engine.
    pub(crate) fn engine(&self, path: &Path) -> Result<Material, FileError> {
        let law = match &self.law {
            None | Some(Law::Corotational(_)) => soft::Law::Corotational,
            Some(Law::StableNeoHookean(_)) => soft::Law::StableNeoHookean,
            Some(Law::StableNeoHookeanNoLog(_)) => soft::Law::StableNeoHookeanNoLog,
            Some(Law::NeoHookean(_)) => soft::Law::NeoHookean,
            Some(Law::StVenantKirchhoff(_)) => soft::Law::StVenantKirchhoff,
            Some(Law::Hooke(h)) => {
                let axes = match h.axes {
                    None => taut::Mat3::IDENTITY,
                    Some([u, v]) => taut::Mat3::from_cols(u.value, v.value, u.value.cross(v.value)),
                };
                soft::Law::Hooke(Box::new(soft::Hooke { stiffness: h.stiffness.map(|r| r.map(|x| x.value)), axes }))
            }
            Some(Law::Cord(c)) => soft::Law::Cord(soft::Cord { strain: c.strain.value, young: c.young.value }),
            Some(Law::Orthotropic(o)) => soft::Law::Orthotropic(soft::Orthotropic {
                young_1: o.along.value,
                young_2: o.across.value,
                poisson_12: o.poisson.value,
                shear: o.shear.value,
                axis: o.axis.value,
            }),
        };
        let out = Material {
            density: self.density.value,
            young: self.young.value,
            poisson: self.poisson.value,
            law,
            thickness: self.thickness.map_or(0.0, |x| x.value),
            area: self.area.map_or(0.0, |x| x.value),
            bending: self.bending.map(|x| x.value),
            damping: self.damping.map_or(0.0, |x| x.value),
            mass_damping: self.mass_damping.map_or(0.0, |x| x.value),
            plasticity: self.plasticity.map(|p| soft::Plasticity {
                yield_strain: p.yield_strain.value,
                creep_time: p.creep_time.map_or(0.0, |x| x.value),
                max_strain: p.max_strain.map_or(f64::INFINITY, |x| x.value),
            }),
            fibre: self.fibre.map(|f| soft::Fibre { direction: f.direction.value, stress: f.stress.value }),
        };
        out.check().map_err(|e| FileError::new(path.key(field(e.name)), e)).map(|()| out)
    }
}

/// The nodes of a region, by number; at least one.
fn nodes(region: &Region, rest: &[Vec3], made: &Made, path: &Path) -> Result<Vec<usize>, FileError> {
    let low = rest.iter().fold(Vec3::INFINITY, |a, x| a.min(*x));
    let high = rest.iter().fold(Vec3::NEG_INFINITY, |a, x| a.max(*x));
    let edge = EDGE * (high - low).max_element().max(0.0);
    let chosen = |inside: &dyn Fn(Vec3) -> bool| (0..rest.len()).filter(|&k| inside(rest[k])).collect::<Vec<_>>();
    let out = match region {
        Region::Box(b) => {
            let (from, to) = (b.low.value - edge, b.high.value + edge);
            chosen(&|x| x.cmpge(from).all() && x.cmple(to).all())
        }
        Region::Sphere(s) => chosen(&|x| (x - s.center.value).length() <= s.radius.value + edge),
        Region::Plane(p) => {
            let n = p.normal.value.normalize_or_zero();
            if n == Vec3::ZERO {
                return Err(FileError::input(path.key("normal"), p.normal.value, "a vector that is not zero"));
            }
            chosen(&|x| (x - p.point.value).dot(n) >= -edge)
        }
        Region::Nodes(list) => {
            let mut seen = BTreeSet::new();
            for (k, &n) in list.nodes.iter().enumerate() {
                if n >= rest.len() || !seen.insert(n) {
                    let expected = format!("a number below {}, the number of nodes, once", rest.len());
                    return Err(FileError::input(path.key("nodes").index(k), n, expected));
                }
            }
            list.nodes.clone()
        }
        Region::Group(g) => {
            let Some(group) = made.groups.iter().find(|x| x.name == g.group) else {
                let expected = match nearest(&g.group, made.groups.iter().map(|x| x.name.as_str())) {
                    Some(near) => format!("the name of a group of the mesh (did you mean '{near}'?)"),
                    None => "the name of a group of the mesh".into(),
                };
                return Err(FileError::input(path.key("group"), format!("'{}'", g.group), expected));
            };
            if let Some(&n) = group.nodes.iter().find(|&&n| n as usize >= rest.len()) {
                let expected = format!("numbers below {}, the number of nodes", rest.len());
                return Err(FileError::input(path.key("group"), format!("node {n}"), expected));
            }
            group.nodes.iter().map(|&n| n as usize).collect()
        }
        Region::All(_) => (0..rest.len()).collect(),
    };
    if out.is_empty() {
        let expected = format!("a region with nodes of the mesh, which reaches from {low} to {high} m");
        return Err(FileError::input(path.clone(), "no nodes", expected));
    }
    Ok(out)
}
