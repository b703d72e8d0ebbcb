//! Products with the Jacobian against finite differences and against each other, on random trees of every chart.

use super::edge::Moving;
use super::kinematics::Kinematics;
use super::testing::{Random, random_tree};
use super::tree::Tree;
#[cfg(test)]
use crate::joints::chart::Chart;
use crate::math::pose::Pose;
use crate::math::so3::{exp, log};
use crate::math::twist::Twist;
use crate::world::World;

/// Where a body that the tree hangs on is after t seconds: it moves like a kinematic one.
fn root(t: f64) -> Moving {
    let twist = Twist::new(glam::DVec3::new(0.3, -0.4, 0.2), glam::DVec3::new(0.5, 0.1, -0.7));
    Moving { pose: Pose { pos: t * twist.lin, rot: exp(t * twist.ang) }, twist }
}

fn now(w: &World, slot: usize) -> Moving {
    let b = &w.parts().1.bodies[slot];
    if slot == 0 {
        return root(0.0);
    }
    Moving { pose: Pose { pos: b.pos, rot: b.rot }, twist: Twist::new(b.vel, b.omega) }
}

fn trees() -> impl Iterator<Item = (World, Tree, Kinematics, Random)> {
    (0..40).map(|seed| {
        let mut r = Random::new(100 + seed);
        let (w, _) = random_tree(2 + seed as usize % 12, seed % 3 == 0, &mut r);
        let tree = Tree::new(w.parts().0, |_| true).unwrap();
        let mut kin = Kinematics::default();
        kin.read(&tree, |slot| now(&w, slot));
        (w, tree, kin, r)
    })
}

fn length(t: Twist) -> f64 {
    t.lin.length() + t.ang.length()
}

#[test]
fn velocities_and_accelerations_match_finite_differences() {
    let e = 1e-5;
    let mut seen = [0; Chart::ALL.len()];
    for (_, tree, kin, _) in trees() {
        tree.links.iter().for_each(|l| seen[Chart::ALL.iter().position(|c| *c == l.edge.chart).unwrap()] += 1);
        let moved = |t: f64| {
            let mut k = kin.clone();
            k.advance(&tree, &kin.y, t);
            k.forward(&tree, |_| root(t));
            k
        };
        let (a, b) = (moved(-e), moved(e));
        let mut bias = vec![Twist::default(); tree.links.len()];
        kin.bias(&tree, |_| root(0.0), &mut bias);
        for i in 0..tree.links.len() {
            let fd = Twist::new(b.pose[i].pos - a.pose[i].pos, log(b.pose[i].rot * a.pose[i].rot.inverse()));
            let off = (0.5 / e) * fd - kin.twist[i];
            assert!(length(off) < 1e-7, "link {i} of {:?}: velocity off by {off:?}", tree.links[i]);
            let off = (0.5 / e) * (b.twist[i] - a.twist[i]) - bias[i];
            assert!(length(off) < 1e-6, "link {i} of {:?}: acceleration off by {off:?}", tree.links[i]);
        }
    }
    assert!(seen.iter().all(|&n| n > 0), "{seen:?}");
}

#[test]
fn the_transposed_product_is_that_of_the_matrix() {
    for (_, tree, kin, mut r) in trees() {
        let n = tree.links.len();
        let y: Vec<f64> = (0..tree.dofs).map(|_| r.number()).collect();
        let f: Vec<Twist> = (0..n).map(|_| Twist::new(r.vec(), r.vec())).collect();
        let (mut v, mut used, mut t) = (vec![Twist::default(); n], f.clone(), vec![0.0; tree.dofs]);
        kin.times(&tree, &y, &mut v);
        kin.transposed(&tree, &mut used, &mut t);
        let power: f64 = v.iter().zip(&f).map(|(v, f)| v.dot(*f)).sum();
        let joints: f64 = y.iter().zip(&t).map(|(y, t)| y * t).sum();
        assert!((power - joints).abs() < 1e-11 * (1.0 + power.abs()), "{power} {joints}");
        // What is not the tree's own is carried along by the roots.
        kin.times(&tree, &kin.y, &mut v);
        for i in 0..n {
            assert!(length(kin.twist[i] - kin.carried[i] - v[i]) < 1e-11, "link {i}");
        }
    }
}

#[test]
fn coordinates_read_off_the_bodies_put_them_back() {
    for (_, tree, kin, _) in trees() {
        let mut again = Kinematics::default();
        again.read(&tree, |slot| match tree.link_of[slot] {
            super::tree::NONE => root(0.0),
            i => Moving { pose: kin.pose[i], twist: kin.twist[i] },
        });
        for i in 0..tree.links.len() {
            assert!((again.pose[i].pos - kin.pose[i].pos).length() < 1e-12, "link {i}");
            assert!(length(again.twist[i] - kin.twist[i]) < 1e-11, "link {i}");
        }
    }
}
