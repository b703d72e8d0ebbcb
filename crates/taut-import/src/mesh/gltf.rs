//! glTF 2.0, as text or binary (GLB): the triangles of all meshes of the scene, in metres. Axes are those of the file.

use super::{Affine, Beside, MOST_TRIANGLES, Soup};
use serde_json::Value;
use taut::{Mat3, Quat, Vec3};

/// Most nodes that are placed.
const MOST_NODES: usize = 100_000;

type Result<T> = std::result::Result<T, String>;

pub fn read(bytes: &[u8], beside: &mut Beside<'_>) -> Result<Soup> {
    let (json, binary) = if bytes.starts_with(b"glTF") { chunks(bytes)? } else { (bytes, None) };
    let root: Value = serde_json::from_slice(json).map_err(|e| format!("{e}: expected the JSON of glTF"))?;
    if let Some(needs) = list(&root, "extensionsRequired").first() {
        return Err(format!("extension {needs} is needed: expected a file without compression and other extensions"));
    }
    let mut file = File { root: &root, buffers: Vec::new() };
    for (k, b) in list(&root, "buffers").iter().enumerate() {
        file.buffers.push(match (b.get("uri").and_then(Value::as_str), binary) {
            (None, Some(binary)) if k == 0 => binary.to_vec(),
            (Some(uri), _) => match uri.split_once(";base64,") {
                Some((_, text)) => base64(text)?,
                None => beside(uri)?,
            },
            _ => return Err(format!("buffers[{k}]: expected a 'uri', or the binary part of a .glb")),
        });
    }
    let nodes = list(&root, "nodes");
    let scene = index(&root, "scene").unwrap_or(0);
    let mut open: Vec<(usize, Affine)> = match list(&root, "scenes").get(scene) {
        Some(s) => list(s, "nodes").iter().map(|n| (number(n), Affine::IDENTITY)).collect(),
        None => (0..nodes.len()).map(|k| (k, Affine::IDENTITY)).collect(),
    };
    let mut soup = Soup::default();
    let mut placed = 0;
    while let Some((k, outer)) = open.pop() {
        placed += 1;
        if placed > MOST_NODES || soup.triangles.len() > MOST_TRIANGLES {
            return Err(format!(
                "expected at most {MOST_NODES} nodes and {MOST_TRIANGLES} triangles, and no node in itself"
            ));
        }
        let node = nodes.get(k).ok_or_else(|| format!("node {k}: expected a number below {}", nodes.len()))?;
        let at = outer.after(&transform(node)?);
        open.extend(list(node, "children").iter().map(|c| (number(c), at)));
        if let Some(mesh) = index(node, "mesh") {
            file.mesh(mesh, &at, &mut soup)?;
        }
    }
    Ok(soup)
}

/// The JSON and the binary part of a GLB.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    let word = |at: usize| {
        let four = bytes.get(at..at + 4).and_then(|b| <[u8; 4]>::try_from(b).ok());
        four.map(u32::from_le_bytes).ok_or_else(|| format!("{} bytes: expected a whole GLB", bytes.len()))
    };
    let chunk = |at: usize| -> Result<(&[u8], usize)> {
        let length = word(at)? as usize;
        let end = at.checked_add(8 + length).filter(|e| *e <= bytes.len());
        end.map(|e| (&bytes[at + 8..e], e))
            .ok_or_else(|| format!("a chunk of {length} bytes: expected it within the file"))
    };
    if word(4)? != 2 {
        return Err(format!("version {}: expected 2", word(4)?));
    }
    let (json, end) = chunk(12)?;
    let binary = if end + 8 <= bytes.len() { Some(chunk(end)?.0) } else { None };
    Ok((json, binary))
}

fn list<'a>(v: &'a Value, name: &str) -> &'a [Value] {
    v.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn number(v: &Value) -> usize {
    v.as_u64().map_or(usize::MAX, |n| n as usize)
}

fn index(v: &Value, name: &str) -> Option<usize> {
    v.get(name).map(number)
}

/// So many numbers of a node.
fn numbers<const N: usize>(node: &Value, name: &str) -> Result<Option<[f64; N]>> {
    let Some(given) = node.get(name) else { return Ok(None) };
    let all: Option<Vec<f64>> = given.as_array().and_then(|a| a.iter().map(Value::as_f64).collect());
    let all = all.and_then(|a| <[f64; N]>::try_from(a).ok());
    all.map(Some).ok_or_else(|| format!("{name} = {given}: expected {N} numbers"))
}

fn transform(node: &Value) -> Result<Affine> {
    if let Some(m) = numbers::<16>(node, "matrix")? {
        let column = |k: usize| Vec3::new(m[4 * k], m[4 * k + 1], m[4 * k + 2]);
        return Ok(Affine { linear: Mat3::from_cols(column(0), column(1), column(2)), shift: column(3) });
    }
    let shift = numbers(node, "translation")?.map_or(Vec3::ZERO, Vec3::from_array);
    let scale = numbers(node, "scale")?.map_or(Vec3::ONE, Vec3::from_array);
    let q = numbers(node, "rotation")?.map_or(Quat::IDENTITY, Quat::from_array);
    let turn = if q.length_squared() > 1e-20 { Mat3::from_quat(q.normalize()) } else { Mat3::IDENTITY };
    Ok(Affine { linear: turn * Mat3::from_diagonal(scale), shift })
}

struct File<'a> {
    root: &'a Value,
    buffers: Vec<Vec<u8>>,
}

impl File<'_> {
    fn mesh(&self, k: usize, at: &Affine, soup: &mut Soup) -> Result<()> {
        let mesh = list(self.root, "meshes").get(k).ok_or_else(|| format!("mesh {k}: expected one of the file"))?;
        for p in list(mesh, "primitives") {
            // Only triangles have an inside.
            if p.get("mode").map_or(4, number) != 4 {
                continue;
            }
            let position = p.get("attributes").and_then(|a| index(a, "POSITION"));
            let position = position.ok_or_else(|| format!("meshes[{k}]: expected POSITION"))?;
            let points: Vec<Vec3> = self.accessor(position, 3)?.chunks_exact(3).map(Vec3::from_slice).collect();
            let order: Vec<u32> = match index(p, "indices") {
                Some(i) => self.accessor(i, 1)?.iter().map(|x| *x as u32).collect(),
                None => (0..points.len() as u32).collect(),
            };
            if let Some(odd) = order.iter().find(|i| **i as usize >= points.len()) {
                return Err(format!("index {odd}: expected a number below {}", points.len()));
            }
            soup.add(at, &points, order.chunks_exact(3).map(|t| [t[0], t[1], t[2]]));
        }
        Ok(())
    }

    /// The numbers of an accessor of so many components.
    fn accessor(&self, k: usize, components: usize) -> Result<Vec<f64>> {
        let a = list(self.root, "accessors").get(k).ok_or_else(|| format!("accessor {k}: expected one of the file"))?;
        let kind = index(a, "componentType").unwrap_or(0);
        let size = match kind {
            5121 => 1,
            5123 => 2,
            5125 | 5126 => 4,
            _ => return Err(format!("componentType {kind}: expected 5121, 5123, 5125 or 5126")),
        };
        if a.get("sparse").is_some() || a.get("bufferView").is_none() {
            return Err(format!("accessors[{k}]: expected plain numbers, and not sparse ones"));
        }
        let view = index(a, "bufferView").and_then(|v| list(self.root, "bufferViews").get(v));
        let view = view.ok_or_else(|| format!("accessors[{k}]: expected a bufferView of the file"))?;
        let buffer = index(view, "buffer")
            .and_then(|b| self.buffers.get(b))
            .ok_or("a bufferView without a buffer of the file")?;
        let count = index(a, "count").unwrap_or(0);
        let start = index(view, "byteOffset").unwrap_or(0).saturating_add(index(a, "byteOffset").unwrap_or(0));
        let stride = index(view, "byteStride").unwrap_or(size * components);
        if stride < size * components {
            return Err(format!("byteStride {stride}: expected {} or more", size * components));
        }
        let last =
            count.saturating_sub(1).saturating_mul(stride).saturating_add(start).saturating_add(size * components);
        if count > 0 && last > buffer.len() {
            return Err(format!("accessors[{k}]: expected it within the {} bytes of its buffer", buffer.len()));
        }
        let mut out = Vec::with_capacity(count.saturating_mul(components).min(buffer.len()));
        for n in 0..count {
            for c in 0..components {
                let b = &buffer[start + n * stride + c * size..][..size];
                out.push(match kind {
                    5121 => f64::from(b[0]),
                    5123 => f64::from(u16::from_le_bytes([b[0], b[1]])),
                    5125 => f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])),
                    _ => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
                });
            }
        }
        Ok(out)
    }
}

/// Bytes of base64.
fn base64(text: &str) -> Result<Vec<u8>> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut word, mut bits) = (0_u32, 0);
    for c in text.bytes().take_while(|c| *c != b'=') {
        let six = digit(c).ok_or_else(|| format!("'{}' in a buffer: expected base64", char::from(c)))?;
        word = word << 6 | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((word >> bits) as u8);
        }
    }
    Ok(out)
}
