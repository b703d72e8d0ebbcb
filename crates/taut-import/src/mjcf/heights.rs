//! Height fields: `<hfield>` of `<asset>`, from numbers, a PNG or a file of MuJoCo's own.

use super::tree::{SEEN, Tree};
use crate::model::Heights;
use crate::report::{Error, Result};
use crate::xml::Element;
use std::io::Cursor;
use std::rc::Rc;

/// Most heights of a field.
const MOST: usize = 4_000_000;

/// Heights that a collider can well have.
const MANY: usize = 250_000;

/// A height field that geoms can name. It is read once one needs it.
#[derive(Clone, Debug)]
pub struct HeightAsset {
    pub element: Element,
    read: Option<Rc<Heights>>,
}

impl HeightAsset {
    pub fn new(element: Element) -> Self {
        HeightAsset { element, read: None }
    }
}

impl Tree<'_, '_> {
    /// The height field that a geom names.
    pub fn heights(&mut self, name: &str, user: &Element) -> Result<Rc<Heights>> {
        let Some(asset) = self.fields.get(name) else {
            return Err(user.refuse("hfield", "the name of an <hfield> in <asset>"));
        };
        if let Some(read) = &asset.read {
            return Ok(Rc::clone(read));
        }
        let element = asset.element.clone();
        let field = Rc::new(self.read_heights(&element)?);
        if let Some(asset) = self.fields.get_mut(name) {
            asset.read = Some(Rc::clone(&field));
        }
        Ok(field)
    }

    fn read_heights(&mut self, e: &Element) -> Result<Heights> {
        e.required("size")?;
        let [x, y, top, base] = e.numbers::<4>("size")?.unwrap_or_default();
        if !(x > 0.0 && y > 0.0 && top > 0.0 && base >= 0.0) {
            let expected = "half widths along x and y, largest height and depth of the base, m, greater than zero";
            return Err(e.refuse("size", expected));
        }
        let rows = match e.get("file") {
            Some(file) => {
                let file = file.to_owned();
                let bytes = self.asset(&file, e)?;
                let fail = |why: String| Error::new(e.place_of("file"), format!("height field '{file}': {why}"));
                let kind = e.get("content_type").map(str::to_owned);
                let is_png = kind.map_or_else(|| file.to_ascii_lowercase().ends_with(".png"), |k| k == "image/png");
                if is_png { of_png(&bytes) } else { of_binary(&bytes) }.map_err(fail)?
            }
            None => {
                let count = |name: &str| {
                    e.required(name)?;
                    match e.number(name)? {
                        Some(n) if n == n.trunc() && (2.0..=MOST as f64).contains(&n) => Ok(n as usize),
                        _ => Err(e.refuse(name, format!("a whole number from 2 to {MOST}"))),
                    }
                };
                let (rows, columns) = (count("nrow")?, count("ncol")?);
                let all = rows.saturating_mul(columns);
                if all > MOST {
                    return Err(e.refuse("nrow", format!("no more than {MOST} heights")));
                }
                let heights = e.list("elevation", all, all)?.unwrap_or_else(|| vec![0.0; all]);
                heights.chunks_exact(columns).map(<[f64]>::to_vec).collect()
            }
        };
        let columns = rows.first().map_or(0, Vec::len);
        if rows.len() < 2 || columns < 2 {
            let message = format!("height field of {} x {columns} heights: expected 2 x 2 or more", rows.len());
            return Err(Error::new(&e.place, message));
        }
        if rows.len() * columns > MANY {
            self.report.warn(&e.place, format!("height fields of more than {MANY} heights make large scenes"));
        }
        e.uses(&["nrow", "ncol", "elevation"]);
        e.rest(&SEEN, self.report);
        Ok(Heights { rows: normalised(rows), half: [x, y], top })
    }
}

/// Heights from 0 to 1, as MuJoCo has them, whatever their unit was.
fn normalised(mut rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let all = || rows.iter().flatten().copied();
    let (low, high) = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), h| (a.min(h), b.max(h)));
    // Halves, so that no difference of finite numbers is infinite.
    let span = 0.5 * high - 0.5 * low;
    for h in rows.iter_mut().flatten() {
        *h = if span > 0.0 { ((0.5 * *h - 0.5 * low) / span).clamp(0.0, 1.0) } else { 0.0 };
    }
    rows
}

/// The first channel of a picture, as whole numbers of eight bits; its first row is the farthest along y.
fn of_png(bytes: &[u8]) -> std::result::Result<Vec<Vec<f64>>, String> {
    let limits = png::Limits { bytes: 8 * MOST };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|e| format!("no PNG that can be read ({e})"))?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    if width.saturating_mul(height) > MOST {
        return Err(format!("{width} x {height} pixels: expected no more than {MOST}"));
    }
    let size = reader.output_buffer_size().ok_or("a PNG that is too large")?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(|e| format!("no PNG that can be read ({e})"))?;
    let channels = info.color_type.samples();
    let rows = pixels.chunks(info.line_size.max(1)).take(info.height as usize);
    Ok(rows.map(|r| r.chunks_exact(channels).take(width).map(|p| f64::from(p[0])).collect()).collect())
}

/// Two whole numbers of 32 bits, of rows and columns, and as many numbers of single precision; the first row is the nearest along y.
fn of_binary(bytes: &[u8]) -> std::result::Result<Vec<Vec<f64>>, String> {
    let expected = "expected two whole numbers of 32 bits (rows, columns) and so many numbers of single precision";
    let words: Vec<[u8; 4]> = bytes.chunks_exact(4).filter_map(|w| w.try_into().ok()).collect();
    let [rows, columns, heights @ ..] = words.as_slice() else {
        return Err(format!("{} bytes: {expected}", bytes.len()));
    };
    let [rows, columns] = [*rows, *columns].map(i32::from_le_bytes);
    let fits = rows > 0 && columns > 0 && i64::from(rows) * i64::from(columns) == heights.len() as i64;
    if !fits || !bytes.len().is_multiple_of(4) || heights.len() > MOST {
        return Err(format!("{rows} x {columns} heights in {} bytes: {expected}", bytes.len()));
    }
    let heights: Vec<f64> = heights.iter().map(|w| f64::from(f32::from_le_bytes(*w))).collect();
    if let Some(h) = heights.iter().find(|h| !h.is_finite()) {
        return Err(format!("a height of {h}: expected finite numbers"));
    }
    Ok(heights.chunks_exact(columns as usize).rev().map(<[f64]>::to_vec).collect())
}
