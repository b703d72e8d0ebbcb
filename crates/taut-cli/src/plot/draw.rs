//! Draws panels.

use super::axis::Axis;
use super::clip::pieces;
use super::panel::{Curve, Line, Map, Mark, Panel};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

type Area<B> = DrawingArea<B, Shift>;
type Failure<B> = DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>;
type Chart<'a, B> = ChartContext<'a, B, Cartesian2d<Axis, Axis>>;

const TEXT: RGBColor = RGBColor(30, 30, 30);
const GRID: RGBColor = RGBColor(222, 222, 222);

/// Sizes in pixels of a picture of scale 1.
const TITLE: u32 = 44;
const HEAD: u32 = 30;
const LEGEND: u32 = 20;
const MARGIN: u32 = 16;
const X_LABELS: u32 = 42;
const Y_LABELS: u32 = 66;
const LEFT: u32 = 10;
/// Width of the scale of a map, with its labels.
const SCALE: u32 = 116;
/// Length of a line in the legend, and the space after a name.
const SAMPLE: u32 = 26;
const SPACE: u32 = 18;

/// Draws the whole picture, `scale` times as large, with the panels in so many columns.
pub fn draw<B: DrawingBackend>(
    root: &Area<B>,
    scale: u32,
    title: &str,
    columns: usize,
    panels: &[Panel],
) -> Result<(), Failure<B>> {
    root.fill(&WHITE)?;
    let (top, rest) = root.split_vertically(TITLE * scale);
    let middle = ((top.dim_in_pixel().0 / 2) as i32, (TITLE * scale * 5 / 8) as i32);
    write(&top, title, 19 * scale, middle, HPos::Center)?;
    let columns = columns.max(1);
    for (area, panel) in rest.split_evenly((panels.len().div_ceil(columns), columns)).iter().zip(panels) {
        draw_panel(area, scale, panel)?;
    }
    root.present()
}

fn write<B: DrawingBackend>(
    area: &Area<B>,
    text: &str,
    size: u32,
    at: (i32, i32),
    anchor: HPos,
) -> Result<(), Failure<B>> {
    let style = ("sans-serif", size).into_font().color(&TEXT).pos(Pos::new(anchor, VPos::Center));
    area.draw_text(text, &style, at)
}

fn draw_panel<B: DrawingBackend>(area: &Area<B>, s: u32, p: &Panel) -> Result<(), Failure<B>> {
    let mut body = head(area, s, p)?;
    if let Some(map) = &p.map {
        let width = body.dim_in_pixel().0.saturating_sub(SCALE * s);
        let (left, right) = body.split_horizontally(width);
        body = left;
        draw_scale(&right, s, map)?;
    }
    let (w, h) = body.dim_in_pixel();
    let (mut x, mut y) = (p.x.clone(), p.y.clone());
    if p.equal {
        let across = f64::from(w.saturating_sub((LEFT + Y_LABELS + MARGIN) * s).max(1));
        let upright = f64::from(h.saturating_sub((X_LABELS + MARGIN) * s).max(1));
        same_scale(&mut x, &mut y, across / upright);
    }
    let mut chart = ChartBuilder::on(&body)
        .margin_left(LEFT * s)
        .margin_right(MARGIN * s)
        .margin_bottom(MARGIN * s / 2)
        .margin_top(MARGIN * s / 2)
        .x_label_area_size(X_LABELS * s)
        .y_label_area_size(Y_LABELS * s)
        .build_cartesian_2d(x.clone(), y.clone())?;
    if let Some(map) = &p.map {
        let tile = |([left, right, low, high], v): &([f64; 4], f64)| {
            Rectangle::new([(*left, *low), (*right, *high)], shade(map.scale.place(*v)).filled())
        };
        chart.draw_series(map.tiles.iter().map(tile))?;
    }
    chart
        .configure_mesh()
        .set_all_tick_mark_size(4 * s)
        .x_desc(&p.x.label)
        .y_desc(&p.y.label)
        .x_labels(8)
        .y_labels(7)
        .label_style(("sans-serif", 13 * s).into_font().color(&TEXT))
        .axis_desc_style(("sans-serif", 14 * s).into_font().color(&TEXT))
        .axis_style(TEXT.stroke_width(s))
        .bold_line_style(if p.map.is_some() { TRANSPARENT.into() } else { GRID.stroke_width(s) })
        .light_line_style(TRANSPARENT)
        .draw()?;
    for c in &p.curves {
        draw_curve(&body, &mut chart, s, c)?;
    }
    if p.ends
        && let Some(c) = p.curves.first()
    {
        draw_ends(&mut chart, s, c, &x)?;
    }
    Ok(())
}

/// The colour at a place of a scale, from 0 to 1: five colours of viridis (matplotlib, CC0), which grow lighter evenly and stay apart for the
/// colour-blind, and what is between them.
fn shade(place: f64) -> RGBColor {
    const COLOURS: [[f64; 3]; 5] =
        [[68.0, 1.0, 84.0], [59.0, 82.0, 139.0], [33.0, 145.0, 140.0], [94.0, 201.0, 98.0], [253.0, 231.0, 37.0]];
    let at = place.clamp(0.0, 1.0) * (COLOURS.len() - 1) as f64;
    let k = (at as usize).min(COLOURS.len() - 2);
    let mix = |c: usize| (COLOURS[k][c] + (at - k as f64) * (COLOURS[k + 1][c] - COLOURS[k][c])).round() as u8;
    RGBColor(mix(0), mix(1), mix(2))
}

/// The scale of a map.
fn draw_scale<B: DrawingBackend>(area: &Area<B>, s: u32, map: &Map) -> Result<(), Failure<B>> {
    const PIECES: u32 = 128;
    let mut chart = ChartBuilder::on(area)
        .margin_right(MARGIN * s)
        .margin_bottom(MARGIN * s / 2 + X_LABELS * s)
        .margin_top(MARGIN * s / 2)
        .y_label_area_size(Y_LABELS * s)
        .build_cartesian_2d(Axis::linear("", 0.0..1.0), map.scale.clone())?;
    let piece = |k: u32| {
        let [low, high] = [k, k + 1].map(|k| f64::from(k) / f64::from(PIECES));
        let at = |place| map.scale.value(place);
        Rectangle::new([(0.0, at(low)), (1.0, at(high))], shade(0.5 * (low + high)).filled())
    };
    chart.draw_series((0..PIECES).map(piece))?;
    chart
        .configure_mesh()
        .disable_mesh()
        .disable_x_axis()
        .set_all_tick_mark_size(4 * s)
        .y_desc(&map.scale.label)
        .y_labels(7)
        .label_style(("sans-serif", 13 * s).into_font().color(&TEXT))
        .axis_desc_style(("sans-serif", 14 * s).into_font().color(&TEXT))
        .axis_style(TEXT.stroke_width(s))
        .draw()
}

fn draw_curve<B: DrawingBackend>(
    body: &Area<B>,
    chart: &mut Chart<'_, B>,
    s: u32,
    c: &Curve,
) -> Result<(), Failure<B>> {
    let (x, y) = (chart.as_coord_spec().x_spec().clone(), chart.as_coord_spec().y_spec().clone());
    let corner = body.get_pixel_range();
    let style = c.colour.stroke_width((3 * s).div_ceil(2));
    // Dashes are cut anyway.
    let longest = if c.line == Line::Dashed { usize::MAX } else { 20 };
    if c.line != Line::None {
        for piece in pieces(&c.points, &x, &y, longest) {
            if c.line == Line::Dashed {
                chart.draw_series(DashedLineSeries::new(piece, 7 * s, 5 * s, style))?;
            } else {
                chart.draw_series(LineSeries::new(piece, style))?;
            }
        }
    }
    let inside = |v: f64| (-1e-9..=1.0 + 1e-9).contains(&v);
    for &at in c.points.iter().filter(|p| inside(x.place(p.0)) && inside(y.place(p.1))) {
        let (px, py) = chart.backend_coord(&at);
        sign(body, (px - corner.0.start, py - corner.1.start), c.mark, c.colour, s)?;
    }
    Ok(())
}

/// A mark around a point, in pixels of the area.
fn sign<B: DrawingBackend>(
    area: &Area<B>,
    (x, y): (i32, i32),
    mark: Mark,
    colour: RGBColor,
    s: u32,
) -> Result<(), Failure<B>> {
    let r = (7 * s / 2) as i32;
    let path = |points: &[(i32, i32)]| {
        let points: Vec<(i32, i32)> = points.iter().map(|p| (x + r * p.0, y + r * p.1)).collect();
        area.draw(&PathElement::new(points, colour.stroke_width(2 * s)))
    };
    match mark {
        Mark::None => Ok(()),
        Mark::Dot => area.draw(&Circle::new((x, y), 3 * s, colour.filled())),
        Mark::Square => {
            area.draw(&Rectangle::new([(x - r, y - r), (x + r, y + r)], WHITE.filled()))?;
            path(&[(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])
        }
        Mark::Cross => path(&[(-1, -1), (1, 1)]).and_then(|()| path(&[(-1, 1), (1, -1)])),
    }
}

fn draw_ends<B: DrawingBackend>(chart: &mut Chart<'_, B>, s: u32, c: &Curve, x: &Axis) -> Result<(), Failure<B>> {
    for (at, name) in [(c.points.first(), "start"), (c.points.last(), "end")] {
        let Some(&at) = at else { continue };
        // Inside the panel, whichever side the point is on.
        let left = x.place(at.0) > 0.5;
        let (side, anchor) = if left { (-(8 * s as i32), HPos::Right) } else { (8 * s as i32, HPos::Left) };
        let style = ("sans-serif", 13 * s).into_font().color(&TEXT).pos(Pos::new(anchor, VPos::Bottom));
        let mark = EmptyElement::at(at)
            + Circle::new((0, 0), 3 * s, TEXT.filled())
            + Text::new(name, (side, -(3 * s as i32)), style);
        chart.draw_series(std::iter::once(mark))?;
    }
    Ok(())
}

/// Title and legend; returns what is left of the area. The legend stands beside the title where it fits, else below it.
fn head<B: DrawingBackend>(area: &Area<B>, s: u32, p: &Panel) -> Result<Area<B>, Failure<B>> {
    let left = ((LEFT + Y_LABELS) * s) as i32;
    let right = area.dim_in_pixel().0 as i32 - (MARGIN * s) as i32;
    let width = |text: &str, size: u32| -> Result<i32, Failure<B>> {
        let style = ("sans-serif", size).into_font().into_text_style(area);
        Ok(area.estimate_text_size(text, &style)?.0 as i32)
    };
    write(area, &p.title, 15 * s, (left, (HEAD * s / 2) as i32), HPos::Left)?;
    let mut widths = Vec::new();
    for c in p.curves.iter().filter(|c| !c.name.is_empty()) {
        widths.push((c, width(&c.name, 13 * s)? + ((SAMPLE + 6 + SPACE) * s) as i32));
    }
    let all: i32 = widths.iter().map(|w| w.1).sum();
    let beside = left + width(&p.title, 15 * s)? + (2 * SPACE * s) as i32 + all <= right;
    let (mut x, mut y) = if beside { (right - all, (HEAD * s / 2) as i32) } else { (left, ((HEAD + 4) * s) as i32) };
    for (c, w) in widths {
        if x + w > right + (SPACE * s) as i32 && x > left {
            (x, y) = (left, y + (LEGEND * s) as i32);
        }
        legend_entry(area, s, c, (x, y))?;
        x += w;
    }
    let height = if beside || all == 0 { (HEAD * s) as i32 } else { y + (LEGEND * s / 2) as i32 };
    Ok(area.split_vertically(height).1)
}

fn legend_entry<B: DrawingBackend>(area: &Area<B>, s: u32, c: &Curve, (x, y): (i32, i32)) -> Result<(), Failure<B>> {
    let end = x + (SAMPLE * s) as i32;
    let style = c.colour.stroke_width(2 * s);
    let part = |a: i32, b: i32| PathElement::new([(x + a * s as i32, y), (x + b * s as i32, y)], style);
    match c.line {
        Line::Solid => area.draw(&part(0, SAMPLE as i32))?,
        Line::Dashed => {
            area.draw(&part(0, 10))?;
            area.draw(&part(16, SAMPLE as i32))?;
        }
        Line::None => {}
    }
    sign(area, ((x + end) / 2, y), c.mark, c.colour, s)?;
    write(area, &c.name, 13 * s, (end + (6 * s) as i32, y), HPos::Left)
}

/// Widens one of two axes so that both have the same scale in an area `aspect` times as wide as high.
fn same_scale(x: &mut Axis, y: &mut Axis, aspect: f64) {
    let (w, h) = (x.range.end - x.range.start, y.range.end - y.range.start);
    let widen = |a: &mut Axis, to: f64| {
        let middle = 0.5 * (a.range.start + a.range.end);
        a.range = middle - 0.5 * to..middle + 0.5 * to;
    };
    if w < aspect * h { widen(x, aspect * h) } else { widen(y, w / aspect) }
}
