//! A picture as a PDF file: one page, lines as lines and text as text.
//!
//! The font is Helvetica, which every reader of PDF has; its widths (Adobe's font metrics) place text that is centred or ends at a point.

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontTransform,
};
use std::convert::Infallible;
use std::fmt::Write;

/// Points (1/72 inch) of a pixel at scale 1.
const POINT: f64 = 0.75;
/// Size of a font over the height that plotters gives it.
const EM: f64 = 1.0 / 1.24;

/// Widths of the characters from space to tilde, thousandths of the size of the font.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// A page that is drawn on.
pub struct Page {
    size: (u32, u32),
    scale: u32,
    content: String,
}

impl Page {
    /// A page of so many pixels, which are drawn `scale` times as small.
    pub fn new(size: (u32, u32), scale: u32) -> Self {
        Page { size, scale, content: String::new() }
    }

    /// What draws on it.
    pub fn backend(&mut self) -> Pen<'_> {
        Pen(self)
    }

    /// The bytes of the file.
    pub fn file(&self) -> Vec<u8> {
        let s = POINT / f64::from(self.scale);
        let [w, h] = [self.size.0, self.size.1].map(|x| s * f64::from(x));
        // Pixels count downwards.
        let content = format!("{s} 0 0 {} 0 {h} cm 1 J 1 j\n{}", -s, self.content);
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {w} {h}] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>"
            ),
            format!("<< /Length {} >>\nstream\n{content}endstream", content.len()),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        ];
        let (mut out, mut places) = ("%PDF-1.4\n".to_owned(), String::new());
        for (k, object) in objects.iter().enumerate() {
            let _ = writeln!(places, "{:010} 00000 n ", out.len());
            let _ = write!(out, "{} 0 obj\n{object}\nendobj\n", k + 1);
        }
        let (start, count) = (out.len(), objects.len() + 1);
        let _ = write!(out, "xref\n0 {count}\n0000000000 65535 f \n{places}");
        let _ = write!(out, "trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n");
        out.into_bytes()
    }
}

/// Draws on a page.
pub struct Pen<'a>(&'a mut Page);

/// A colour that is seen, over white where it is not opaque.
fn seen(c: BackendColor) -> Option<[f64; 3]> {
    let over = |x: u8| 1.0 - c.alpha * (1.0 - f64::from(x) / 255.0);
    (c.alpha > 0.0).then(|| [over(c.rgb.0), over(c.rgb.1), over(c.rgb.2)])
}

impl Pen<'_> {
    /// A path of points, then what is done with it.
    fn path(&mut self, points: impl IntoIterator<Item = BackendCoord>, end: &str) {
        for (k, (x, y)) in points.into_iter().enumerate() {
            let _ = write!(self.0.content, "{x} {y} {} ", if k == 0 { "m" } else { "l" });
        }
        let _ = writeln!(self.0.content, "{end}");
    }

    /// Colour and width of lines; whether they are seen.
    fn stroke<S: BackendStyle>(&mut self, style: &S) -> bool {
        let colour = seen(style.color());
        if let Some([r, g, b]) = colour {
            let _ = write!(self.0.content, "{r:.3} {g:.3} {b:.3} RG {} w ", style.stroke_width());
        }
        colour.is_some()
    }

    /// Colour of areas; whether they are seen.
    fn fill(&mut self, colour: BackendColor) -> bool {
        let colour = seen(colour);
        if let Some([r, g, b]) = colour {
            let _ = write!(self.0.content, "{r:.3} {g:.3} {b:.3} rg ");
        }
        colour.is_some()
    }
}

type Done = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for Pen<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.0.size
    }

    fn ensure_prepared(&mut self) -> Done {
        Ok(())
    }

    fn present(&mut self) -> Done {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Done {
        if self.fill(colour) {
            let _ = writeln!(self.0.content, "{x} {y} 1 1 re f");
        }
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Done {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, style: &S, fill: bool) -> Done {
        let drawn = if fill { self.fill(style.color()) } else { self.stroke(style) };
        if drawn {
            let end = if fill { "f" } else { "S" };
            let _ = writeln!(self.0.content, "{} {} {} {} re {end}", a.0, a.1, b.0 - a.0, b.1 - a.1);
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Done {
        if self.stroke(style) {
            self.path(path, "S");
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Done {
        if self.fill(style.color()) {
            self.path(path, "f");
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(&mut self, (x, y): BackendCoord, radius: u32, style: &S, fill: bool) -> Done {
        let drawn = if fill { self.fill(style.color()) } else { self.stroke(style) };
        if drawn {
            // Quarters of a circle by cubic curves.
            let (x, y, r) = (f64::from(x), f64::from(y), f64::from(radius));
            let k = 0.552_284_75 * r;
            let _ = write!(self.0.content, "{} {y} m ", x + r);
            for (c, s) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
                let at = |a: f64, b: f64| format!("{:.3} {:.3}", x + a * c - b * s, y + a * s + b * c);
                let _ = write!(self.0.content, "{} {} {} c ", at(r, k), at(k, r), at(0.0, r));
            }
            let _ = writeln!(self.0.content, "{}", if fill { "f" } else { "S" });
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Done {
        let size = EM * style.size();
        if !self.fill(style.color()) {
            return Ok(());
        }
        let back = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => 0.5 * size * width(text),
            HPos::Right => size * width(text),
        };
        let down = size
            * match style.anchor().v_pos {
                VPos::Top => 0.76,
                VPos::Center => 0.26,
                VPos::Bottom => -0.26,
            };
        // Along the line and upwards, where y counts downwards.
        let (along, up) = match style.transform() {
            FontTransform::None => ([1.0, 0.0], [0.0, -1.0]),
            FontTransform::Rotate90 => ([0.0, 1.0], [1.0, 0.0]),
            FontTransform::Rotate180 => ([-1.0, 0.0], [0.0, 1.0]),
            FontTransform::Rotate270 => ([0.0, -1.0], [-1.0, 0.0]),
        };
        let at = |k: usize, p: i32| f64::from(p) - back * along[k] - down * up[k];
        let _ = writeln!(
            self.0.content,
            "BT /F {size:.2} Tf {} {} {} {} {:.2} {:.2} Tm ({}) Tj ET",
            along[0],
            along[1],
            up[0],
            up[1],
            at(0, x),
            at(1, y),
            encoded(text)
        );
        Ok(())
    }
}

/// Width of a text over the size of the font.
fn width(text: &str) -> f64 {
    let of = |c: char| (c as usize).checked_sub(32).and_then(|k| WIDTHS.get(k)).copied().unwrap_or(556);
    text.chars().map(|c| f64::from(of(c))).sum::<f64>() / 1000.0
}

/// A text as a string of PDF. What the encoding has not is a question mark.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '(' | ')' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            '\u{a0}'..='\u{ff}' => {
                let _ = write!(out, "\\{:03o}", c as u32);
            }
            _ => out.push('?'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_encoded_and_measured() {
        assert_eq!(encoded("a (b) \\ µ λ"), "a \\(b\\) \\\\ \\265 ?");
        assert!((width("Taut 1") - (611.0 + 556.0 + 556.0 + 278.0 + 278.0 + 556.0) / 1000.0).abs() < 1e-12);
    }

    #[test]
    fn the_places_of_a_file_are_those_of_its_objects() {
        let file = String::from_utf8(Page::new((300, 200), 3).file()).unwrap();
        assert!(file.starts_with("%PDF-1.4\n") && file.ends_with("%%EOF\n"));
        let table = file.split_once("xref\n0 6\n").unwrap().1;
        for (k, line) in table.lines().skip(1).take(5).enumerate() {
            let at: usize = line[..10].parse().unwrap();
            assert!(file[at..].starts_with(&format!("{} 0 obj\n", k + 1)), "{line}");
        }
        let start: usize = file.rsplit_once("startxref\n").unwrap().1.lines().next().unwrap().parse().unwrap();
        assert!(file[start..].starts_with("xref\n"));
        assert!(file.contains("/MediaBox [0 0 75 50]"), "{file}");
    }
}
