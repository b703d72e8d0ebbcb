//! What water and wind do to one body at a pose: forces, and how they change with its motion.
//!
//! With V the volume below the local water plane, c its centroid, a the acceleration of the water there, g gravity:
//! ```text
//! buoyancy     -rho V (g - a) at c                  (Froude and Krylov: exact for bodies small against the waves)
//! stiffness    rho |g| (A n n^T at the cut, [n] S [n]^T + V (n.c)(1 - n n^T) about the centre of mass, what is negative of it left out)
//! added mass   Ma = rho V diag(shares) at c, moved against the water: -Ma (v' - a)
//! drag         -rho/2 Cd |w|_S S w,   w = v - u,   |w|_S = sqrt(w.S w),   S = diag(area^(2/3)) along the axes of the part
//! ```
//! A area and S second moments of the cut, n the normal of the water, u its velocity. Along an axis of the part the drag is that of its
//! area. It is the gradient of rho/6 Cd |w|_S^3, which is convex: D, its second derivative, is symmetric and not negative, and the
//! drag is -D w/2. One step of Newton's method from w, -D w+ + D w/2, leaves between a half and all of w at any step.

use super::add_form;
use crate::contact::geometry::Solid;
use crate::contact::immersed::{self, Immersed};
use crate::desk::around::Around;
use crate::math::so3::{complete, outer, skew};
use crate::model::field::{Exposure, Field, Form, Surface};
use crate::model::{BodyEntry, Model};
use glam::{DMat3, DVec3};

/// The field at a time.
#[derive(Clone, Copy)]
pub(crate) struct Weather<'a> {
    pub field: &'a Field,
    pub gravity: DVec3,
    /// s.
    pub time: f64,
    /// Density of the air, kg/m^3, and velocity of the wind, m/s.
    pub air: Option<(f64, DVec3)>,
}

impl<'a> Weather<'a> {
    pub fn at(field: &'a Field, gravity: DVec3, time: f64) -> Self {
        Weather { field, gravity, time, air: field.wind.map(|w| (w.density, w.at(time))) }
    }

    /// The water at a place.
    pub fn water(&self, place: DVec3) -> Option<(f64, Surface)> {
        let water = self.field.water.as_ref()?;
        Some((water.density, water.at(place, self.time, self.gravity)))
    }
}

/// Where a body is and how it moves; `dim` is 6, or 3 for a particle.
#[derive(Clone, Copy)]
pub(crate) struct Moving {
    pub pos: DVec3,
    pub rot: DMat3,
    pub vel: DVec3,
    pub omega: DVec3,
    pub dim: usize,
}

impl Moving {
    fn at(&self, arm: DVec3) -> DVec3 {
        if self.dim == 6 { self.vel + self.omega.cross(arm) } else { self.vel }
    }
}

/// Adds a force at an arm.
fn push(out: &mut [f64; 6], dim: usize, arm: DVec3, force: DVec3) {
    let turn = arm.cross(force);
    out[..3].iter_mut().zip(force.to_array()).for_each(|(x, f)| *x += f);
    if dim == 6 {
        out[3..].iter_mut().zip(turn.to_array()).for_each(|(x, f)| *x += f);
    }
}

/// Adds a block that acts on the angular velocity alone.
fn turn(block: &mut [f64; 36], m: DMat3) {
    for r in 0..3 {
        for c in 0..3 {
            block[(3 + r) * 6 + 3 + c] += m.col(c)[r];
        }
    }
}

/// The second derivative of the dissipation, with c rho/2 Cd.
fn second(c: f64, s: DMat3, w: DVec3) -> DMat3 {
    let sw = s * w;
    let speed = w.dot(sw).sqrt();
    if speed > 0.0 { (s * speed + outer(sw, sw) * (1.0 / speed)) * c } else { DMat3::ZERO }
}

fn two_thirds(areas: DVec3) -> DVec3 {
    areas.to_array().map(|a| libm::pow(a, 2.0 / 3.0)).into()
}

/// A part of a body in a flow.
struct Part {
    /// Axes of the part in the world, areas along them, fourth moments about them.
    axes: DMat3,
    areas: DVec3,
    turns: DVec3,
    /// Drag coefficient.
    coefficient: f64,
}

impl Around {
    /// On a body.
    pub fn of(weather: &Weather<'_>, model: &Model, body: &BodyEntry, at: &Moving) -> Self {
        let mut out = Around::default();
        let e = &body.exposure;
        match e.form {
            Form::Nothing => {}
            Form::Colliders => out.colliders(weather, model, body, at),
            Form::Ball { radius } => {
                let volume = immersed::ball_volume(radius);
                let areas = e.areas.unwrap_or(DVec3::splat(std::f64::consts::PI * radius * radius));
                let part = Part { axes: at.rot, areas, turns: DVec3::ZERO, coefficient: e.drag };
                let whole = (volume, DVec3::ZERO, radius);
                out.part(weather, body, at, (at.pos, at.rot), whole, &part, |n, d| immersed::ball(radius, n, d));
            }
            Form::Prism { bottom, height, area, moments } => {
                let widths = moments.map(|m| (12.0 * m / area).sqrt());
                let areas = e.areas.unwrap_or(DVec3::new(height * widths[0], area, height * widths[1]));
                let part = Part { axes: at.rot, areas, turns: DVec3::ZERO, coefficient: e.drag };
                let volume = area * height;
                let whole = (volume, volume * (bottom + 0.5 * height * DVec3::Y), f64::INFINITY);
                let cut = |n, d| immersed::prism(bottom, height, area, moments, n, d);
                out.part(weather, body, at, (at.pos, at.rot), whole, &part, cut);
            }
            Form::Areas => {
                let areas = e.areas.unwrap_or(DVec3::ZERO);
                let part = Part { axes: at.rot, areas, turns: DVec3::ZERO, coefficient: e.drag };
                match weather.water(at.pos).filter(|w| w.1.depth > 0.0) {
                    Some((density, water)) => {
                        out.brake(at, DVec3::ZERO, (density, water.velocity), &part, 1.0);
                        out.viscous(e, at, DVec3::ZERO, water.velocity, 1.0);
                    }
                    None => {
                        if let Some(air) = weather.air {
                            out.brake(at, DVec3::ZERO, air, &part, 1.0);
                        }
                    }
                }
            }
        }
        out
    }

    fn colliders(&mut self, weather: &Weather<'_>, model: &Model, body: &BodyEntry, at: &Moving) {
        let solids = || {
            let on = body.colliders.iter().filter_map(|c| model.collider(*c).ok());
            let on = on.filter(|c| c.enabled && !c.sensor && c.soft.is_none());
            on.flat_map(|c| c.geometry.parts.iter().map(move |p| (c, p))).filter_map(|(c, p)| match &p.solid {
                Solid::Convex(s) => Some((c.pose.compose(&p.pose), s)),
                _ => None,
            })
        };
        let all: f64 = if body.exposure.areas.is_some() { solids().map(|s| immersed::whole(s.1).0).sum() } else { 0.0 };
        for (pose, solid) in solids() {
            let (volume, moment) = immersed::whole(solid);
            let rot = at.rot * DMat3::from_quat(pose.rot);
            let place = at.pos + at.rot * pose.pos;
            let (areas, turns) = immersed::shown(solid);
            let part = match body.exposure.areas {
                Some(given) => {
                    let areas = given * (volume / all);
                    Part { axes: at.rot, areas, turns: DVec3::ZERO, coefficient: body.exposure.drag }
                }
                None => Part { axes: rot, areas, turns, coefficient: body.exposure.drag },
            };
            let whole = (volume, moment, solid.arm + solid.skin);
            self.part(weather, body, at, (place, rot), whole, &part, |n, d| immersed::below(solid, n, d));
        }
    }

    /// A part at a place, with all of its volume, the moment of that and how far it reaches.
    #[allow(clippy::too_many_arguments)]
    fn part(
        &mut self,
        weather: &Weather<'_>,
        body: &BodyEntry,
        at: &Moving,
        (place, rot): (DVec3, DMat3),
        (volume, moment, reach): (f64, DVec3, f64),
        part: &Part,
        below: impl Fn(DVec3, f64) -> Immersed,
    ) {
        let mut wet = Immersed::default();
        if let Some((density, surface)) = weather.water(place) {
            let up = if weather.gravity.length() > 0.0 { -weather.gravity.normalize() } else { DVec3::Y };
            let d = surface.normal.dot(up) * surface.depth;
            wet = if d >= reach {
                Immersed { volume, moment, ..Immersed::default() }
            } else if d <= -reach {
                Immersed::default()
            } else {
                below(rot.transpose() * surface.normal, d)
            };
            if wet.volume > 0.0 {
                let centre = place + rot * (wet.moment / wet.volume);
                let arm = if at.dim == 6 { centre - at.pos } else { DVec3::ZERO };
                let flow = weather.water(centre).map_or(surface, |w| w.1);
                self.float(weather, (density, &surface, &flow), body, at, arm, &wet, (place, rot));
                let share = (wet.volume / volume).min(1.0);
                self.brake(at, arm, (density, flow.velocity), part, share);
                self.viscous(&body.exposure, at, arm, flow.velocity, share);
            }
        }
        let dry = volume - wet.volume;
        if let Some(air) = weather.air.filter(|_| dry > 1e-12 * volume) {
            let centre = place + rot * ((moment - wet.moment) / dry);
            let arm = if at.dim == 6 { centre - at.pos } else { DVec3::ZERO };
            self.brake(at, arm, air, part, dry / volume);
        }
    }

    /// Buoyancy, its stiffness, and the water that is taken along.
    #[allow(clippy::too_many_arguments)]
    fn float(
        &mut self,
        weather: &Weather<'_>,
        (density, surface, flow): (f64, &Surface, &Surface),
        body: &BodyEntry,
        at: &Moving,
        arm: DVec3,
        wet: &Immersed,
        (place, rot): (DVec3, DMat3),
    ) {
        let displaced = density * wet.volume;
        self.volume += wet.volume;
        push(&mut self.lift, at.dim, arm, -displaced * (weather.gravity - flow.acceleration));
        let added = at.rot * DMat3::from_diagonal(displaced * body.exposure.added_mass) * at.rot.transpose();
        add_form(&mut self.mass, at.dim, arm, added);
        push(&mut self.lift, at.dim, arm, added * flow.acceleration);
        let (n, weight) = (surface.normal, density * weather.gravity.length());
        let mass = body.mass + displaced * body.exposure.added_mass.min_element();
        let lightest = if at.dim == 6 { 1.0 / least(body.inertia) } else { 0.0 };
        if wet.area > 0.0 {
            let middle = wet.area_moment / wet.area;
            let to = if at.dim == 6 { place + rot * middle - at.pos } else { DVec3::ZERO };
            add_form(&mut self.stiff, at.dim, to, outer(n, n) * (weight * wet.area));
            push(&mut self.ride, at.dim, to, weight * wet.area * surface.rise * n);
            let lever = to.cross(n).length_squared();
            self.fast += weight * wet.area * (1.0 / mass + lever * lightest);
        }
        if at.dim == 6 {
            let own = if wet.area > 0.0 {
                rot * (wet.second - outer(wet.area_moment, wet.area_moment) * (1.0 / wet.area)) * rot.transpose()
            } else {
                DMat3::ZERO
            };
            let tilt = skew(n) * own * skew(n).transpose();
            let (u, v) = complete(n);
            let [a, b, c] = [u.dot(tilt * u), u.dot(tilt * v), v.dot(tilt * v)];
            let lever = wet.volume * n.dot(arm);
            let (mean, apart) = (0.5 * (a + c) + lever, libm::hypot(0.5 * (a - c), b));
            let angle = 0.5 * libm::atan2(2.0 * b, a - c);
            let first = libm::cos(angle) * u + libm::sin(angle) * v;
            for (k, axis) in [(mean + apart, first), (mean - apart, n.cross(first))] {
                if k > 0.0 {
                    turn(&mut self.stiff, outer(axis, axis) * (weight * k));
                    self.fast += weight * k * lightest;
                }
            }
        }
    }

    /// Drag of a share of a part in a flow of a density (kg/m^3) and velocity.
    fn brake(&mut self, at: &Moving, arm: DVec3, (density, u): (f64, DVec3), part: &Part, share: f64) {
        let along = |areas: DVec3| part.axes * DMat3::from_diagonal(two_thirds(areas)) * part.axes.transpose();
        let c = 0.5 * density * part.coefficient;
        let w = at.at(arm) - u;
        self.resist(at.dim, arm, second(c, along(share * part.areas), w), 0.5 * w, u);
        if at.dim == 6 && part.turns != DVec3::ZERO {
            let d = second(c, along(share * part.turns), at.omega);
            turn(&mut self.drag, d);
            let half = 0.5 * (d * at.omega);
            self.slow[3..].iter_mut().zip(half.to_array()).for_each(|(x, f)| *x += f);
        }
    }

    fn viscous(&mut self, e: &Exposure, at: &Moving, arm: DVec3, u: DVec3, share: f64) {
        let [linear, angular] = e.viscous;
        if linear > 0.0 {
            self.resist(at.dim, arm, DMat3::from_diagonal(DVec3::splat(share * linear)), DVec3::ZERO, u);
        }
        if angular > 0.0 && at.dim == 6 {
            turn(&mut self.drag, DMat3::from_diagonal(DVec3::splat(share * angular)));
        }
    }

    /// Adds -d (v+ - u) + d `known` at an arm.
    pub fn resist(&mut self, dim: usize, arm: DVec3, d: DMat3, known: DVec3, u: DVec3) {
        add_form(&mut self.drag, dim, arm, d);
        let (slow, flow) = (d * (u + known), d * u);
        push(&mut self.slow, dim, arm, slow);
        push(&mut self.flow, dim, arm, flow);
        self.given += u.dot(slow);
    }

    /// Adds the lift and stiffness of a small ball of this volume and radius at an arm of a body of this mass.
    pub fn bead(
        &mut self,
        weather: &Weather<'_>,
        (density, surface): (f64, &Surface),
        (dim, mass): (usize, f64),
        arm: DVec3,
        (volume, radius): (f64, f64),
    ) {
        let wet = immersed::ball(radius, surface.normal, surface.depth);
        let share = volume / immersed::ball_volume(radius);
        push(&mut self.lift, dim, arm, -density * share * wet.volume * (weather.gravity - surface.acceleration));
        let k = density * weather.gravity.length() * share * wet.area;
        add_form(&mut self.stiff, dim, arm, outer(surface.normal, surface.normal) * k);
        push(&mut self.ride, dim, arm, k * surface.rise * surface.normal);
        self.fast += k / mass;
        self.volume += share * wet.volume;
    }
}

/// The smallest moment of inertia about any axis, or less, kg m^2.
fn least(inertia: DMat3) -> f64 {
    // Gershgorin; where that says nothing, 1 over the trace of the inverse.
    let row = |k: usize| {
        let c = inertia.col(k);
        2.0 * c[k] - c.abs().to_array().iter().sum::<f64>()
    };
    let bound = row(0).min(row(1)).min(row(2));
    if bound > 0.0 {
        return bound;
    }
    let inverse = inertia.inverse();
    1.0 / (inverse.x_axis.x + inverse.y_axis.y + inverse.z_axis.z)
}
