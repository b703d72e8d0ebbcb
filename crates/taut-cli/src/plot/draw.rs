//! Draws the panels.

use super::panels::{Curve, Panel};
use crate::format::number;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

type Area<B> = DrawingArea<B, Shift>;
type Failure<B> = DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>;

const TEXT: RGBColor = RGBColor(30, 30, 30);
const GRID: RGBColor = RGBColor(222, 222, 222);

/// Sizes in pixels of a picture of scale 1.
const TITLE: u32 = 44;
const HEAD: u32 = 30;
const MARGIN: u32 = 16;
const X_LABELS: u32 = 42;
const Y_LABELS: u32 = 66;
const LEFT: u32 = 10;

/// Draws the whole picture, `scale` times as large.
pub fn draw<B: DrawingBackend>(root: &Area<B>, scale: u32, title: &str, panels: &[Panel; 4]) -> Result<(), Failure<B>> {
    root.fill(&WHITE)?;
    let (top, rest) = root.split_vertically(TITLE * scale);
    let middle = ((top.dim_in_pixel().0 / 2) as i32, (TITLE * scale * 5 / 8) as i32);
    write(&top, title, 19 * scale, middle, HPos::Center)?;
    for (area, panel) in rest.split_evenly((2, 2)).iter().zip(panels) {
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
    let (head, body) = area.split_vertically(HEAD * s);
    write(&head, &p.title, 15 * s, (((LEFT + Y_LABELS) * s) as i32, (HEAD * s / 2) as i32), HPos::Left)?;
    legend(&head, s, &p.curves)?;
    let (w, h) = body.dim_in_pixel();
    let (mut x, mut y) = (p.x.1.clone(), p.y.1.clone());
    if p.path {
        let across = f64::from(w.saturating_sub((LEFT + Y_LABELS + MARGIN) * s).max(1));
        let upright = f64::from(h.saturating_sub((X_LABELS + MARGIN) * s).max(1));
        (x, y) = same_scale(x, y, across / upright);
    }
    let mut chart = ChartBuilder::on(&body)
        .margin_left(LEFT * s)
        .margin_right(MARGIN * s)
        .margin_bottom(MARGIN * s / 2)
        .margin_top(MARGIN * s / 2)
        .x_label_area_size(X_LABELS * s)
        .y_label_area_size(Y_LABELS * s)
        .build_cartesian_2d(x.clone(), y.clone())?;
    chart
        .configure_mesh()
        .x_desc(&p.x.0)
        .y_desc(&p.y.0)
        .x_labels(8)
        .y_labels(7)
        .x_label_formatter(&|v| tick(*v, &x))
        .y_label_formatter(&|v| tick(*v, &y))
        .label_style(("sans-serif", 13 * s).into_font().color(&TEXT))
        .axis_desc_style(("sans-serif", 14 * s).into_font().color(&TEXT))
        .axis_style(TEXT.stroke_width(s))
        .bold_line_style(GRID.stroke_width(s))
        .light_line_style(TRANSPARENT)
        .draw()?;
    let size = (x.end - x.start, y.end - y.start);
    for c in &p.curves {
        let style = c.colour.stroke_width((3 * s).div_ceil(2));
        for piece in pieces(&c.points, size) {
            chart.draw_series(LineSeries::new(piece.iter().copied(), style))?;
        }
    }
    let ends = p.curves.first().filter(|_| p.path).map(|c| [(c.points.first(), "start"), (c.points.last(), "end")]);
    for (at, name) in ends.into_iter().flatten() {
        let Some(&at) = at else { continue };
        // Inside the panel, whichever side the point is on.
        let left = at.0 > 0.5 * (x.start + x.end);
        let (side, anchor) = if left { (-(8 * s as i32), HPos::Right) } else { (8 * s as i32, HPos::Left) };
        let style = ("sans-serif", 13 * s).into_font().color(&TEXT).pos(Pos::new(anchor, VPos::Bottom));
        let mark = EmptyElement::at(at)
            + Circle::new((0, 0), 3 * s, TEXT.filled())
            + Text::new(name, (side, -(3 * s as i32)), style);
        chart.draw_series(std::iter::once(mark))?;
    }
    Ok(())
}

/// Cuts a curve into short pieces without sharp turns: a thick line is filled as one polygon, which loses the parts where it runs over
/// itself.
fn pieces(points: &[(f64, f64)], size: (f64, f64)) -> Vec<&[(f64, f64)]> {
    let step = |k: usize| ((points[k + 1].0 - points[k].0) / size.0, (points[k + 1].1 - points[k].1) / size.1);
    let turns = |k: usize| {
        let (a, b) = (step(k - 1), step(k));
        a.0 * b.0 + a.1 * b.1 < 0.0
    };
    let (mut out, mut start) = (Vec::new(), 0);
    for k in 1..points.len() {
        if k + 1 == points.len() || k - start >= 20 || turns(k) {
            out.push(&points[start..=k]);
            start = k;
        }
    }
    out
}

/// Names of the curves, right-aligned in the head of the panel.
fn legend<B: DrawingBackend>(head: &Area<B>, s: u32, curves: &[Curve]) -> Result<(), Failure<B>> {
    let mut right = head.dim_in_pixel().0 as i32 - (MARGIN * s) as i32;
    let y = (HEAD * s / 2) as i32;
    for c in curves.iter().rev().filter(|c| !c.name.is_empty()) {
        write(head, c.name, 13 * s, (right, y), HPos::Right)?;
        let style = ("sans-serif", 13 * s).into_font().into_text_style(head);
        right -= head.estimate_text_size(c.name, &style)?.0 as i32 + (6 * s) as i32;
        let left = right - (22 * s) as i32;
        head.draw(&PathElement::new([(left, y), (right, y)], c.colour.stroke_width(2 * s)))?;
        right = left - (16 * s) as i32;
    }
    Ok(())
}

/// A number at an axis, with as many decimals as the range needs.
fn tick(v: f64, range: &Range<f64>) -> String {
    let step = (range.end - range.start) / 8.0;
    // Rounding leaves a tiny number where zero is meant.
    let v = if v.abs() < 1e-6 * step { 0.0 } else { v };
    if v.abs() >= 1e6 || !step.is_normal() || step < 1e-6 {
        return number(v);
    }
    let decimals = (-step.log10()).ceil().clamp(0.0, 9.0) as usize;
    format!("{v:.decimals$}")
}

/// Widens one of two ranges so that both have the same scale in an area `aspect` times as wide as high.
fn same_scale(x: Range<f64>, y: Range<f64>, aspect: f64) -> (Range<f64>, Range<f64>) {
    let (w, h) = (x.end - x.start, y.end - y.start);
    let widen = |r: Range<f64>, to: f64| {
        let middle = 0.5 * (r.start + r.end);
        middle - 0.5 * to..middle + 0.5 * to
    };
    if w < aspect * h { (widen(x, aspect * h), y) } else { (x, widen(y, w / aspect)) }
}
