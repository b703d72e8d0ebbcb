//! Bodies that somebody throws into a scene that runs, or sets down in it.

use crate::session::{Answer, Session, text};
use taut::{Body, Collider, MassProperties, Shape, Vec3};

/// Most bodies that are added by hand: a page should stay one that can be operated.
const MOST: usize = 200;
/// Friction and restitution of what is added: wood on wood, a little lively.
const FRICTION: f64 = 0.5;
const RESTITUTION: f64 = 0.2;

/// What is added.
#[derive(Clone, Copy, Debug)]
pub struct Thrown {
    /// A ball; else a cube.
    pub ball: bool,
    /// Radius of the ball, half the edge of the cube, m.
    pub size: f64,
    /// kg.
    pub mass: f64,
    /// m.
    pub at: Vec3,
    /// m/s.
    pub velocity: Vec3,
}

impl Session {
    /// Throws a body into the world. Its energy is nobody's fault.
    pub fn throw(&mut self, t: Thrown) -> Answer<()> {
        if self.thrown >= MOST {
            return Err(format!("{MOST} bodies were added by hand: expected no more than that"));
        }
        let (shape, mass) = if t.ball {
            (Shape::ball(t.size), MassProperties::sphere(1.0, t.size))
        } else {
            (Shape::cuboid(Vec3::splat(t.size)), MassProperties::cuboid(1.0, Vec3::splat(t.size)))
        };
        let mass = mass.and_then(|m| m.with_mass(t.mass)).map_err(text)?;
        let name = format!("{} {}", if t.ball { "ball" } else { "box" }, self.thrown + 1);
        let body = Body::dynamic(mass).at(t.at).moving(t.velocity, Vec3::ZERO).named(name);
        let skin = Collider::new(shape).friction(FRICTION).restitution(RESTITUTION);
        self.put_in(|s| s.scene.world.add(body.collider(skin)).map(drop).map_err(text))?;
        self.thrown += 1;
        self.refresh()
    }

    /// Surfaces that something can hit.
    pub fn surfaces(&self) -> usize {
        self.scene.world.colliders().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thrown_ball_hits_what_stands_there_and_is_drawn() {
        let mut s = Session::library("box-stack", "{}", "{}").unwrap();
        (0..10).for_each(|_| s.step(1.0 / 60.0).unwrap());
        let (bodies, surfaces) = (s.drawing().bodies.len(), s.surfaces());
        let top = s.moment().centre();
        let ball = Thrown { ball: true, size: 0.3, mass: 200.0, at: top - 4.0 * Vec3::X, velocity: 15.0 * Vec3::X };
        s.throw(ball).unwrap();
        assert_eq!((s.drawing().bodies.len(), s.surfaces(), s.edition()), (bodies + 1, surfaces + 1, 1));
        let mut hit = false;
        for _ in 0..60 {
            s.step(1.0 / 60.0).unwrap();
            let r = s.report();
            hit |= r["events"].as_array().unwrap().iter().any(|e| e.as_str().unwrap().contains("ball 1"));
            assert!(r["fault"].is_null(), "{r}");
        }
        assert!(hit || (s.moment().centre() - top).length() > 0.1);
        assert!(s.throw(Thrown { mass: -1.0, ..ball }).is_err() && s.throw(Thrown { size: f64::NAN, ..ball }).is_err());
        assert!(s.throw(Thrown { velocity: f64::INFINITY * Vec3::X, ..ball }).is_err());
        assert_eq!(s.drawing().bodies.len(), bodies + 1);
    }
}
