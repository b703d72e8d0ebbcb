//! A binary glTF 2.0 file in the making: one buffer, its views and accessors, and the JSON around them.

use serde_json::{Value, json};

/// Component types and targets of glTF.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const SHORT: u32 = 5123;
/// What a view is for: corners, indices; none for the rest.
pub const CORNERS: Option<u32> = Some(34962);
pub const INDICES: Option<u32> = Some(34963);

/// The buffer and what is known of it.
#[derive(Debug, Default)]
pub struct Glb {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Glb {
    fn view(&mut self, bytes: impl IntoIterator<Item = u8>, target: Option<u32>) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        // All accessors start at a multiple of four.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, view: usize, component: u32, count: usize, kind: &str) -> usize {
        self.accessors.push(json!({ "bufferView": view, "componentType": component, "count": count, "type": kind }));
        self.accessors.len() - 1
    }

    /// Numbers as rows of `N`, with their smallest and largest when asked for.
    pub fn floats<const N: usize>(
        &mut self,
        rows: &[[f32; N]],
        kind: &str,
        target: Option<u32>,
        bounds: bool,
    ) -> usize {
        let view = self.view(rows.iter().flatten().flat_map(|x| x.to_le_bytes()), target);
        let k = self.accessor(view, FLOAT, rows.len(), kind);
        if bounds {
            let over = |start: f32, pick: fn(f32, f32) -> f32| -> Vec<f32> {
                (0..N).map(|c| rows.iter().fold(start, |m, r| pick(m, r[c]))).collect()
            };
            self.accessors[k]["min"] = json!(over(f32::INFINITY, f32::min));
            self.accessors[k]["max"] = json!(over(f32::NEG_INFINITY, f32::max));
        }
        k
    }

    /// Indices of triangles.
    pub fn indices(&mut self, list: &[u32]) -> usize {
        let view = self.view(list.iter().flat_map(|x| x.to_le_bytes()), INDICES);
        self.accessor(view, UNSIGNED, list.len(), "SCALAR")
    }

    /// Joints of a skin, four per corner.
    pub fn joints(&mut self, list: &[[u16; 4]]) -> usize {
        let view = self.view(list.iter().flatten().flat_map(|x| x.to_le_bytes()), CORNERS);
        self.accessor(view, SHORT, list.len(), "VEC4")
    }

    /// The file, with `rest` as the other fields of its JSON.
    pub fn file(self, mut rest: Value) -> Vec<u8> {
        rest["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        rest["bufferViews"] = Value::Array(self.views);
        rest["accessors"] = Value::Array(self.accessors);
        let mut text = rest.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let total = 12 + 8 + text.len() + 8 + self.bytes.len();
        let mut out = Vec::with_capacity(total);
        let word = |out: &mut Vec<u8>, x: usize| out.extend((x as u32).to_le_bytes());
        out.extend(b"glTF");
        word(&mut out, 2);
        word(&mut out, total);
        word(&mut out, text.len());
        out.extend(b"JSON");
        out.extend(text);
        word(&mut out, self.bytes.len());
        out.extend(b"BIN\0");
        out.extend(self.bytes);
        out
    }
}
