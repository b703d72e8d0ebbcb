//! A picture as the bytes of a file.

use super::draw;
use super::panel::Panel;
use super::pdf::Page;
use crate::endings;
use plotters::prelude::*;
use std::path::Path;

/// Pictures are drawn this many times as large: plotters puts points on whole pixels.
const FINE: u32 = 3;

/// The kinds of picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Vector graphics.
    Svg,
    /// Pixels.
    Png,
    /// A page.
    Pdf,
}

impl Kind {
    /// By the ending of the file.
    pub fn of(path: &Path) -> Result<Self, String> {
        Ok(match endings::of("--plot", path, &["svg", "png", "pdf"])? {
            "svg" => Kind::Svg,
            "png" => Kind::Png,
            _ => Kind::Pdf,
        })
    }
}

/// Panels under a title.
pub struct Picture {
    /// Above all panels.
    pub title: String,
    /// Width and height, pixels.
    pub size: (u32, u32),
    /// Panels side by side.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
}

impl Picture {
    /// The bytes of a file.
    pub fn draw(&self, kind: Kind) -> Result<Vec<u8>, String> {
        // The font is embedded: there may be none on the machine.
        plotters::style::register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular())
            .map_err(|_| "the embedded font is broken".to_owned())?;
        let large = (self.size.0 * FINE, self.size.1 * FINE);
        let broken = |e: &dyn std::fmt::Display| format!("the picture: {e}");
        match kind {
            Kind::Svg => {
                let mut text = String::new();
                let area = SVGBackend::with_string(&mut text, large).into_drawing_area();
                draw::draw(&area, FINE, &self.title, self.columns, &self.panels).map_err(|e| broken(&e))?;
                drop(area);
                let size = |(w, h): (u32, u32)| format!("width=\"{w}\" height=\"{h}\"");
                Ok(text.replacen(&size(large), &size(self.size), 1).into_bytes())
            }
            Kind::Png => {
                let mut pixels = vec![0; (3 * large.0 * large.1) as usize];
                let area = BitMapBackend::with_buffer(&mut pixels, large).into_drawing_area();
                draw::draw(&area, FINE, &self.title, self.columns, &self.panels).map_err(|e| broken(&e))?;
                drop(area);
                encode(self.size, &shrink(self.size, &pixels)).map_err(|e| broken(&e))
            }
            Kind::Pdf => {
                let mut page = Page::new(large, FINE);
                let area = page.backend().into_drawing_area();
                draw::draw(&area, FINE, &self.title, self.columns, &self.panels).map_err(|e| broken(&e))?;
                drop(area);
                Ok(page.file())
            }
        }
    }
}

/// Averages blocks of pixels.
fn shrink(size: (u32, u32), pixels: &[u8]) -> Vec<u8> {
    let (w, h, f) = (size.0 as usize, size.1 as usize, FINE as usize);
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

fn encode(size: (u32, u32), pixels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, size.0, size.1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(out)
}
