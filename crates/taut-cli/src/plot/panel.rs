//! What a picture shows: panels with curves.

use super::axis::Axis;
use plotters::style::RGBColor;

/// Colours that most colour-blind people can tell apart (Okabe and Ito).
pub const BLUE: RGBColor = RGBColor(0, 114, 178);
pub const ORANGE: RGBColor = RGBColor(213, 94, 0);
pub const GREEN: RGBColor = RGBColor(0, 158, 115);
pub const PURPLE: RGBColor = RGBColor(204, 121, 167);
pub const DARK: RGBColor = RGBColor(30, 30, 30);

/// How the points of a curve are joined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Line {
    Solid,
    Dashed,
    None,
}

/// How the points of a curve are marked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    None,
    Dot,
    Square,
    Cross,
}

/// A curve with its name for the legend; without one it is not in the legend.
#[derive(Clone, Debug)]
pub struct Curve {
    pub name: String,
    pub colour: RGBColor,
    pub points: Vec<(f64, f64)>,
    pub line: Line,
    pub mark: Mark,
}

impl Curve {
    /// A solid line.
    pub fn line(name: impl Into<String>, colour: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Curve { name: name.into(), colour, points, line: Line::Solid, mark: Mark::None }
    }

    /// A solid line with a dot at every point: measured here.
    pub fn dots(name: impl Into<String>, colour: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Curve { mark: Mark::Dot, ..Curve::line(name, colour, points) }
    }

    /// Dots that no line joins: a cloud, or things of which none follows another.
    pub fn cloud(name: impl Into<String>, colour: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Curve { line: Line::None, ..Curve::dots(name, colour, points) }
    }

    /// A dashed line with hollow squares: printed in a paper.
    pub fn published(name: impl Into<String>, colour: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Curve { line: Line::Dashed, mark: Mark::Square, ..Curve::line(name, colour, points) }
    }

    /// A dashed line: a level or a reference.
    pub fn dashed(name: impl Into<String>, colour: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Curve { line: Line::Dashed, ..Curve::line(name, colour, points) }
    }

    /// Crosses: what failed.
    pub fn crosses(name: impl Into<String>, colour: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Curve { line: Line::None, mark: Mark::Cross, ..Curve::line(name, colour, points) }
    }
}

/// A map: rectangles (left, right, low, high) with the value that each is coloured by.
#[derive(Clone, Debug)]
pub struct Map {
    pub tiles: Vec<([f64; 4], f64)>,
    /// What the colours mean.
    pub scale: Axis,
}

/// One panel.
#[derive(Clone, Debug)]
pub struct Panel {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub curves: Vec<Curve>,
    /// Both axes to the same scale.
    pub equal: bool,
    /// Start and end of the first curve are marked.
    pub ends: bool,
    /// Under the curves, with its scale beside it.
    pub map: Option<Map>,
}

impl Panel {
    /// A panel whose axes have scales of their own.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis, curves: Vec<Curve>) -> Self {
        Panel { title: title.into(), x, y, curves, equal: false, ends: false, map: None }
    }
}
