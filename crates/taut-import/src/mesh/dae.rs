//! COLLADA: the triangles of all geometries of the scene, in metres. The up axis is not looked at, as in ROS.

use super::{Affine, MOST_TRIANGLES, Soup};
use crate::report::{Error, Place, Result};
use crate::solid;
use crate::xml::{Document, Element};
use std::collections::BTreeMap;
use taut::{Mat3, Vec3};

/// Most nodes that are placed, with those that are placed again: a file that says the same node over and over ends there.
const MOST_NODES: usize = 100_000;

pub fn read(name: &str, bytes: &[u8]) -> Result<Soup> {
    let whole = Place::file(name);
    let text = std::str::from_utf8(bytes).map_err(|e| Error::new(&whole, format!("{e}: expected text in UTF-8")))?;
    let mut doc = Document::default();
    let root = doc.add(name, text)?;
    let reader = Reader { doc: &doc, ids: ids(&doc) };
    let unit = reader.find(root, &["asset", "unit"]).map_or(Ok(None), |k| doc.at(k).number("meter"))?.unwrap_or(1.0);
    let top = Affine { linear: Mat3::from_diagonal(Vec3::splat(unit)), shift: Vec3::ZERO };
    let mut soup = Soup::default();
    let mut open: Vec<(usize, Affine)> = Vec::new();
    match reader.find(root, &["scene", "instance_visual_scene"]) {
        Some(k) => open.push((reader.target(doc.at(k), "url")?, top)),
        None => {
            for k in (0..doc.elements.len()).filter(|&k| doc.at(k).name == "geometry") {
                reader.geometry(k, &top, &mut soup)?;
            }
        }
    }
    let mut placed = 0;
    while let Some((k, outer)) = open.pop() {
        placed += 1;
        if placed > MOST_NODES || soup.triangles.len() > MOST_TRIANGLES {
            let message = format!(
                "expected at most {MOST_NODES} nodes and {MOST_TRIANGLES} triangles, with those that are placed again"
            );
            return Err(Error::new(&doc.at(k).place, message));
        }
        let mut at = outer;
        for &c in &doc.at(k).children {
            let e = doc.at(c);
            match e.name.as_str() {
                "matrix" | "translate" | "rotate" | "scale" => at = at.after(&transform(e)?),
                "node" => open.push((c, at)),
                "instance_node" => open.push((reader.target(e, "url")?, at)),
                "instance_geometry" => reader.geometry(reader.target(e, "url")?, &at, &mut soup)?,
                _ => {}
            }
        }
    }
    Ok(soup)
}

fn ids(doc: &Document) -> BTreeMap<&str, usize> {
    doc.elements.iter().enumerate().filter_map(|(k, e)| e.get("id").map(|id| (id, k))).collect()
}

/// Numbers of a text.
fn numbers(e: &Element) -> Result<Vec<f64>> {
    let read = |w: &str| {
        let refuse = || {
            Error::input(&e.place, &e.name, format!("'{}'", w.chars().take(40).collect::<String>()), "finite numbers")
        };
        w.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(refuse)
    };
    e.text.split_ascii_whitespace().map(read).collect()
}

fn transform(e: &Element) -> Result<Affine> {
    let x = numbers(e)?;
    let needs = match e.name.as_str() {
        "matrix" => 16,
        "rotate" => 4,
        _ => 3,
    };
    if x.len() != needs {
        return Err(Error::input(
            &e.place,
            format!("<{}>", e.name),
            format!("{} numbers", x.len()),
            format!("{needs}"),
        ));
    }
    Ok(match e.name.as_str() {
        "matrix" => Affine {
            linear: Mat3::from_cols(
                Vec3::new(x[0], x[4], x[8]),
                Vec3::new(x[1], x[5], x[9]),
                Vec3::new(x[2], x[6], x[10]),
            ),
            shift: Vec3::new(x[3], x[7], x[11]),
        },
        "translate" => Affine { shift: Vec3::new(x[0], x[1], x[2]), ..Affine::IDENTITY },
        "scale" => Affine { linear: Mat3::from_diagonal(Vec3::new(x[0], x[1], x[2])), ..Affine::IDENTITY },
        _ => {
            let axis = Vec3::new(x[0], x[1], x[2]).normalize_or_zero();
            Affine { linear: Mat3::from_quat(solid::turn(axis, x[3].to_radians()).normalize()), ..Affine::IDENTITY }
        }
    })
}

struct Reader<'a> {
    doc: &'a Document,
    ids: BTreeMap<&'a str, usize>,
}

impl Reader<'_> {
    fn find(&self, from: usize, path: &[&str]) -> Option<usize> {
        path.iter().try_fold(from, |k, name| self.doc.child(k, name))
    }

    /// The element that an attribute points to.
    fn target(&self, e: &Element, attribute: &str) -> Result<usize> {
        let id = e.required(attribute)?.trim_start_matches('#');
        self.ids.get(id).copied().ok_or_else(|| e.refuse(attribute, "the id of an element of this file"))
    }

    fn geometry(&self, k: usize, by: &Affine, soup: &mut Soup) -> Result<()> {
        let Some(mesh) = self.doc.child(k, "mesh") else { return Ok(()) };
        for &c in &self.doc.at(mesh).children {
            if ["triangles", "polylist", "polygons"].contains(&self.doc.at(c).name.as_str()) {
                self.faces(c, by, soup)?;
            }
        }
        Ok(())
    }

    /// Faces as fans of triangles.
    fn faces(&self, k: usize, by: &Affine, soup: &mut Soup) -> Result<()> {
        let e = self.doc.at(k);
        let mut stride = 1;
        let mut source = None;
        for input in self.doc.children(k).filter(|c| c.name == "input") {
            let offset = input.number("offset")?.unwrap_or(0.0);
            if !(0.0..64.0).contains(&offset) {
                return Err(input.refuse("offset", "a small whole number"));
            }
            stride = stride.max(offset as usize + 1);
            if input.get("semantic") == Some("VERTEX") {
                source = Some((self.target(input, "source")?, offset as usize));
            }
        }
        let Some((vertices, offset)) = source else {
            return Err(Error::new(&e.place, format!("<{}> without an <input> of VERTEX: expected one", e.name)));
        };
        let points = self.points(vertices)?;
        let place = |word: &str| {
            let refuse = || {
                Error::input(
                    &e.place,
                    "index of a vertex",
                    word.chars().take(40).collect::<String>(),
                    format!("a whole number below {}", points.len()),
                )
            };
            word.parse::<u32>().ok().filter(|n| (*n as usize) < points.len()).ok_or_else(refuse)
        };
        let mut corners = Vec::new();
        let mut polygons = Vec::new();
        for p in self.doc.children(k).filter(|c| c.name == "p") {
            let before = corners.len();
            for word in p.text.split_ascii_whitespace().skip(offset).step_by(stride) {
                corners.push(place(word)?);
            }
            polygons.push(corners.len() - before);
        }
        let counts: Vec<usize> = match (e.name.as_str(), self.doc.child(k, "vcount")) {
            ("polylist", Some(v)) => numbers(self.doc.at(v))?.iter().map(|x| *x as usize).collect(),
            ("polygons", _) => polygons,
            _ => vec![3; corners.len() / 3],
        };
        let mut triangles = Vec::new();
        let mut rest = corners.as_slice();
        for n in counts {
            if n > rest.len() {
                return Err(Error::new(&e.place, format!("<{}> with fewer indices than its polygons need", e.name)));
            }
            let (own, others) = rest.split_at(n);
            rest = others;
            triangles.extend(own.windows(2).skip(1).map(|w| [own[0], w[0], w[1]]));
        }
        soup.add(by, &points, triangles.into_iter());
        Ok(())
    }

    /// The points of a <vertices> element, or of a source itself.
    fn points(&self, k: usize) -> Result<Vec<Vec3>> {
        let e = self.doc.at(k);
        let source = if e.name == "vertices" {
            let position = self.doc.children(k).find(|c| c.get("semantic") == Some("POSITION"));
            let Some(input) = position else {
                return Err(Error::new(&e.place, "<vertices> without an <input> of POSITION: expected one"));
            };
            self.target(input, "source")?
        } else {
            k
        };
        let Some(array) = self.doc.child(source, "float_array") else {
            return Err(Error::new(&self.doc.at(source).place, "a <source> without <float_array>: expected one"));
        };
        let stride = self
            .find(source, &["technique_common", "accessor"])
            .map_or(Ok(None), |k| self.doc.at(k).number("stride"))?;
        let stride = stride.unwrap_or(3.0);
        if !(3.0..64.0).contains(&stride) {
            return Err(Error::input(&self.doc.at(source).place, "stride", stride, "3 or more"));
        }
        let x = numbers(self.doc.at(array))?;
        Ok(x.chunks_exact(stride as usize).map(Vec3::from_slice).collect())
    }
}
