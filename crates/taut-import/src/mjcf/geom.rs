//! Geoms and the meshes that they name.

use super::heights::HeightAsset;
use super::tree::{SEEN, Tree};
use crate::assemble::compose;
use crate::model::{Geom, Mesh, Model, Shape};
use crate::report::{Error, Result};
use crate::solid::{self, Part};
use crate::xml::Element;
use std::rc::Rc;
use taut::{Pose, Quat, Vec3};

/// Density of geoms that say none, kg/m^3: MuJoCo's, that of water.
const DENSITY: f64 = 1000.0;

/// A mesh that geoms can name. It is read once one needs it.
#[derive(Clone, Debug)]
pub struct MeshAsset {
    element: Element,
    read: Option<Rc<Mesh>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Type {
    Plane,
    Sphere,
    Capsule,
    Cylinder,
    Ellipsoid,
    Box,
    Mesh,
    Heights,
    Other,
}

const TYPES: [(&str, Type); 9] = [
    ("plane", Type::Plane),
    ("sphere", Type::Sphere),
    ("capsule", Type::Capsule),
    ("cylinder", Type::Cylinder),
    ("ellipsoid", Type::Ellipsoid),
    ("box", Type::Box),
    ("mesh", Type::Mesh),
    ("hfield", Type::Heights),
    ("sdf", Type::Other),
];

impl Tree<'_, '_> {
    /// Notes the meshes of <asset>.
    pub fn assets(&mut self, root: usize) -> Result<()> {
        for k in super::sections(self.doc, root, "asset") {
            for e in self.doc.children(k) {
                match e.name.as_str() {
                    "mesh" => {
                        let element = self.defaults.fill(e, None)?;
                        let file = element.get("file").map(str::to_owned);
                        let stem = file.as_deref().map(|f| stem(f).to_owned());
                        let Some(name) = element.get("name").map(str::to_owned).or(stem) else {
                            return Err(Error::new(&e.place, "<mesh> without 'name' and 'file': expected one of them"));
                        };
                        self.meshes.insert(name, MeshAsset { element, read: None });
                    }
                    "hfield" => {
                        let stem = e.get("file").map(|f| stem(f).to_owned());
                        let Some(name) = e.get("name").map(str::to_owned).or(stem) else {
                            return Err(Error::new(
                                &e.place,
                                "<hfield> without 'name' and 'file': expected one of them",
                            ));
                        };
                        self.fields.insert(name, HeightAsset::new(e.clone()));
                    }
                    "texture" | "material" | "skin" => self.report.unused(&e.place, format!("<{}>", e.name)),
                    name => self.report.warn(&e.place, format!("<{name}> in <asset> is not supported")),
                }
            }
        }
        Ok(())
    }

    /// Reads the geoms that were met.
    pub fn read_geoms(&mut self, model: &mut Model) -> Result<()> {
        let mut parts: Vec<Vec<Part>> = vec![Vec::new(); model.links.len()];
        for (link, e, offset) in std::mem::take(&mut self.geoms) {
            let (geom, part) = self.geom(&e, &offset, link)?;
            parts[link].extend(part);
            model.links[link].geoms.extend(geom);
            e.rest(&SEEN, self.report);
        }
        for (k, parts) in parts.iter().enumerate().skip(1).filter(|(_, p)| !p.is_empty()) {
            self.weigh(parts, &mut model.links[k]);
        }
        Ok(())
    }

    /// A geom as what touches, and as what has a mass.
    fn geom(&mut self, e: &Element, offset: &Pose, link: usize) -> Result<(Option<Geom>, Option<Part>)> {
        let (kind, meshed) = Self::kind(e)?;
        let bits = |name: &str| match e.number(name)? {
            None => Ok(1),
            Some(x) if x == x.trunc() && (f64::from(i32::MIN)..=f64::from(u32::MAX)).contains(&x) => {
                Ok(x as i64 as u32)
            }
            Some(_) => Err(e.refuse(name, "a whole number of 32 bits")),
        };
        let (types, affine) = (bits("contype")?, bits("conaffinity")?);
        let touches = types != 0 || affine != 0;
        let density = e.weight("density")?.unwrap_or(DENSITY);
        let mass = e.weight("mass")?;
        let group = e.number("group")?.unwrap_or(0.0);
        let [low, high] = self.compiler.groups;
        let weighs = link != 0
            && self.by_geoms(link)
            && (low..=high).contains(&group)
            && mass.unwrap_or(density) > 0.0
            && !matches!(kind, Type::Plane | Type::Heights);
        self.contact(e)?;
        if !touches && !weighs {
            self.report.unused(&e.place, "<geom> that touches nothing and has no part in a mass");
            e.attrs.iter().for_each(|a| e.uses(&[&a.name]));
            return Ok((None, None));
        }
        if kind == Type::Other {
            self.report
                .warn(&e.place, format!("<geom> of type {} is not supported", e.get("type").unwrap_or_default()));
            e.attrs.iter().for_each(|a| e.uses(&[&a.name]));
            return Ok((None, None));
        }
        if e.flag("shellinertia")?.unwrap_or(false) {
            self.report.warn(
                e.place_of("shellinertia"),
                "<geom> 'shellinertia' is not supported: the mass is that of the solid",
            );
        }
        if meshed && kind != Type::Mesh {
            self.report.warn(&e.place, "a <geom> of a simple type with a 'mesh' is the hull of the mesh");
        }
        let (shape, pose) = self.solid(e, offset)?;
        let part = if weighs {
            let fail = |why: String| Error::new(&e.place, format!("mass of a <geom>: {why}"));
            let solid = solid::of(&shape, if mass.is_some() { DENSITY } else { density }).map_err(fail)?;
            let share = mass.map_or(1.0, |m| m / solid.mass);
            Some(Part { mass: solid.mass * share, inertia: solid.inertia * share, ..solid }.moved(&pose))
        } else {
            None
        };
        let friction = e.list("friction", 1, 3)?.map_or(1.0, |f| f[0]);
        if friction < 0.0 {
            return Err(e.refuse("friction", "coefficients of zero or more"));
        }
        let name = e.get("name").unwrap_or_default().to_owned();
        let slippery = e.number("condim")? == Some(1.0);
        let friction = if slippery { 0.0 } else { friction };
        let geom = Geom { name, shape, pose, types, affine, friction, place: e.place.clone() };
        Ok((Some(geom), part))
    }

    /// The shape of a geom and its pose in its link.
    pub fn solid(&mut self, e: &Element, offset: &Pose) -> Result<(Shape, Pose)> {
        let (kind, meshed) = Self::kind(e)?;
        let (shape, pose) = self.shape(e, if meshed { Type::Mesh } else { kind })?;
        Ok((shape, compose(offset, &pose)))
    }

    /// The type of a geom, and whether it names a mesh.
    fn kind(e: &Element) -> Result<(Type, bool)> {
        let meshed = e.get("mesh").is_some();
        Ok((e.word("type", &TYPES)?.unwrap_or(if meshed { Type::Mesh } else { Type::Sphere }), meshed))
    }

    /// What a geom says of contacts and is not taken over.
    fn contact(&mut self, e: &Element) -> Result<()> {
        let dim = e.number("condim")?.unwrap_or(3.0);
        if dim > 3.0 {
            self.report.warn(
                e.place_of("condim"),
                "<geom> 'condim' above 3: friction of rolling and twisting is not supported",
            );
        }
        for name in ["solref", "solimp"] {
            if e.get(name).is_some() {
                self.report.warn(e.place_of(name), format!("<geom> '{name}': contacts are rigid"));
            }
        }
        for name in ["margin", "gap", "priority", "fitscale", "adhesion"] {
            if e.number(name)?.is_some_and(|x| x != 0.0) {
                self.report.warn(e.place_of(name), format!("<geom> '{name}' is not supported"));
            }
        }
        if e.get("fluidshape").is_some_and(|f| f != "none") {
            self.report.warn(e.place_of("fluidshape"), "<geom> 'fluidshape' is not supported");
        }
        e.uses(&["solmix", "fluidcoef"]);
        Ok(())
    }

    /// The shape of a geom and its pose in the frame around it.
    fn shape(&mut self, e: &Element, kind: Type) -> Result<(Shape, Pose)> {
        let mut pose = self.compiler.angles.pose(e)?;
        let mut size = e.list("size", 1, 3)?.unwrap_or_default();
        if let Some([a, b, c, x, y, z]) = e.numbers::<6>("fromto")? {
            let (from, to) = (Vec3::new(a, b, c), Vec3::new(x, y, z));
            let Some(along) = (from - to).try_normalize() else {
                return Err(e.refuse("fromto", "two points apart"));
            };
            let half = 0.5 * (from - to).length();
            let radius = size.first().copied().unwrap_or_default();
            size = match kind {
                Type::Capsule | Type::Cylinder => vec![radius, half],
                Type::Box | Type::Ellipsoid => vec![radius, radius, half],
                _ => return Err(e.refuse("fromto", "it only of a capsule, cylinder, box or ellipsoid")),
            };
            pose = Pose { pos: 0.5 * (from + to), rot: solid::from_z(along) };
        }
        let needs = match kind {
            Type::Plane | Type::Mesh | Type::Heights | Type::Other => 0,
            Type::Sphere => 1,
            Type::Capsule | Type::Cylinder => 2,
            Type::Box | Type::Ellipsoid => 3,
        };
        if size.len() < needs || size.iter().take(needs).any(|x| *x <= 0.0) {
            let expected = format!("{needs} number{} of m greater than zero", if needs == 1 { "" } else { "s" });
            return match e.get("size") {
                Some(_) => Err(e.refuse("size", expected)),
                None => Err(Error::new(&e.place, format!("<geom> without 'size': expected {expected}"))),
            };
        }
        let shape = match kind {
            Type::Plane | Type::Other => Shape::Plane,
            Type::Sphere => Shape::Sphere { radius: size[0] },
            Type::Capsule => Shape::Capsule { radius: size[0], half: size[1] },
            Type::Cylinder => Shape::Cylinder { radius: size[0], half: size[1] },
            Type::Ellipsoid => Shape::Ellipsoid { semi: Vec3::new(size[0], size[1], size[2]) },
            Type::Box => Shape::Box { half: Vec3::new(size[0], size[1], size[2]) },
            Type::Mesh => Shape::Mesh(self.mesh(e.required("mesh")?, e)?),
            Type::Heights => Shape::Heights(self.heights(e.required("hfield")?, e)?),
        };
        Ok((shape, pose))
    }

    /// The path of a file, without its folders where the file says so.
    fn path<'p>(&self, file: &'p str) -> &'p str {
        if self.compiler.strip { file.rsplit(['/', '\\']).next().unwrap_or(file) } else { file }
    }

    /// The bytes of a file that an asset names, in the folder of assets.
    pub fn asset(&mut self, file: &str, e: &Element) -> Result<Vec<u8>> {
        let file = self.path(file).to_owned();
        self.files.bytes_in(&self.compiler.asset_folder, &file, e.place_of("file"))
    }

    fn mesh(&mut self, name: &str, user: &Element) -> Result<Rc<Mesh>> {
        let Some(asset) = self.meshes.get(name) else {
            return Err(user.refuse("mesh", "the name of a <mesh> in <asset>"));
        };
        if let Some(mesh) = &asset.read {
            return Ok(Rc::clone(mesh));
        }
        let element = asset.element.clone();
        let mesh = self.read_mesh(&element)?;
        if let Some(asset) = self.meshes.get_mut(name) {
            asset.read = Some(Rc::clone(&mesh));
        }
        Ok(mesh)
    }

    fn read_mesh(&mut self, e: &Element) -> Result<Rc<Mesh>> {
        let scale = e.vec3("scale")?.unwrap_or(Vec3::ONE);
        let mesh = match (e.get("file"), e.list("vertex", 12, usize::MAX)?) {
            (Some(file), _) => {
                let file = self.path(file).to_owned();
                self.files.mesh_in(&self.compiler.mesh_folder, &file, scale, e.place_of("file"), self.report)?
            }
            (None, Some(numbers)) => {
                let vertices: Vec<Vec3> = numbers.chunks_exact(3).map(|v| Vec3::from_slice(v) * scale).collect();
                let faces = e.list("face", 3, usize::MAX)?.unwrap_or_default();
                let index = |x: &f64| (*x >= 0.0 && *x < vertices.len() as f64 && *x == x.trunc()).then_some(*x as u32);
                let faces: Option<Vec<u32>> = faces.iter().map(index).collect();
                let Some(faces) = faces else {
                    return Err(
                        e.refuse("face", format!("whole numbers below {}, that of the vertices", vertices.len()))
                    );
                };
                let triangles = faces.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
                Rc::new(Mesh { vertices, triangles })
            }
            (None, None) => {
                return Err(Error::new(&e.place, "<mesh> without 'file' and 'vertex': expected one of them"));
            }
        };
        if e.get("inertia").is_some_and(|i| i == "shell") {
            self.report
                .warn(e.place_of("inertia"), "<mesh> 'inertia' shell is not supported: the mass is that of the solid");
        }
        let (at, rot) =
            (e.vec3("refpos")?.unwrap_or(Vec3::ZERO), Self::quaternion(e, "refquat")?.unwrap_or(Quat::IDENTITY));
        e.uses(&["maxhullvert", "smoothnormal", "normal", "texcoord", "content_type", "face"]);
        e.rest(&SEEN, self.report);
        if at == Vec3::ZERO && rot == Quat::IDENTITY {
            return Ok(mesh);
        }
        let frame = Pose { pos: at, rot };
        let vertices = mesh.vertices.iter().map(|v| frame.to_local(*v)).collect();
        Ok(Rc::new(Mesh { vertices, triangles: mesh.triangles.clone() }))
    }
}

/// The name of a file without folder and ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
