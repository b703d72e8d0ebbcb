//! `--plot`: energies, gaps, and height and path of the followed body.

mod draw;
mod panels;
mod record;

pub use record::Record;

use crate::format::step;
use crate::load::Loaded;
use crate::run::Done;
use plotters::prelude::*;
use std::path::Path;

/// Width and height of a picture, pixels.
const SIZE: (u32, u32) = (1200, 840);

/// Pictures are drawn this many times as large: plotters puts points on whole pixels.
const FINE: u32 = 3;

/// The kinds of picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Vector graphics.
    Svg,
    /// Pixels.
    Png,
}

impl Kind {
    /// By the ending of the file.
    pub fn of(path: &Path) -> Result<Self, String> {
        match path.extension().and_then(|e| e.to_str()).map(str::to_lowercase).as_deref() {
            Some("svg") => Ok(Kind::Svg),
            Some("png") => Ok(Kind::Png),
            _ => Err(format!("--plot = {}: expected a file ending in .svg or .png", path.display())),
        }
    }
}

/// What the picture shows.
pub fn title(loaded: &Loaded, done: &Done) -> String {
    let verdict = if done.outcome.stable { "" } else { ", diverged" };
    format!("{}: step {} s, stabiliser {}{verdict}", loaded.name, step(done.outcome.dt), done.method.stabiliser)
}

/// The picture as the bytes of a file.
pub fn draw(kind: Kind, title: &str, record: &Record) -> Result<Vec<u8>, String> {
    // The font is embedded: there may be none on the machine.
    plotters::style::register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular())
        .map_err(|_| "the embedded font is broken".to_owned())?;
    let panels = panels::panels(record);
    let large = (SIZE.0 * FINE, SIZE.1 * FINE);
    let broken = |e: &dyn std::fmt::Display| format!("--plot: {e}");
    match kind {
        Kind::Svg => {
            let mut text = String::new();
            let area = SVGBackend::with_string(&mut text, large).into_drawing_area();
            draw::draw(&area, FINE, title, &panels).map_err(|e| broken(&e))?;
            drop(area);
            let size = |(w, h): (u32, u32)| format!("width=\"{w}\" height=\"{h}\"");
            Ok(text.replacen(&size(large), &size(SIZE), 1).into_bytes())
        }
        Kind::Png => {
            let mut pixels = vec![0; (3 * large.0 * large.1) as usize];
            let area = BitMapBackend::with_buffer(&mut pixels, large).into_drawing_area();
            draw::draw(&area, FINE, title, &panels).map_err(|e| broken(&e))?;
            drop(area);
            encode(&shrink(&pixels)).map_err(|e| broken(&e))
        }
    }
}

/// Averages blocks of pixels.
fn shrink(pixels: &[u8]) -> Vec<u8> {
    let (w, h, f) = (SIZE.0 as usize, SIZE.1 as usize, FINE as usize);
    let mut out = Vec::with_capacity(3 * w * h);
    for y in 0..h {
        for x in 0..w {
            for c in 0..3 {
                let at = |dx: usize, dy: usize| usize::from(pixels[3 * ((y * f + dy) * w * f + x * f + dx) + c]);
                let sum: usize = (0..f).flat_map(|dy| (0..f).map(move |dx| (dx, dy))).map(|(dx, dy)| at(dx, dy)).sum();
                out.push((sum / (f * f)) as u8);
            }
        }
    }
    out
}

fn encode(pixels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, SIZE.0, SIZE.1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(out)
}
