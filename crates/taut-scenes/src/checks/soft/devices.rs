//! Things that are made of several parts: a knee, a corkscrew, a catheter, a flag.

use super::super::{Effort, Failure, Measured};
use crate::find;
use crate::scenes::soft_parts::{mean, nodes};
use crate::scenes::{catheter as wire, corkscrew as worm, flag as cloth, knee as joint};
use std::f64::consts::FRAC_PI_2;

type Values = Result<Vec<Measured>, Failure>;

/// The Lachman test with and without the anterior ligament.
pub(super) fn knee(effort: &Effort<'_>) -> Values {
    let mut out = Vec::new();
    for ligaments in ["skinned", "straight"] {
        let mut shifts = [0.0; 2];
        for (shift, anterior) in shifts.iter_mut().zip(["intact", "cut"]) {
            let (mut scene, _) = find("knee")?.with(&[("anterior", anterior), ("ligaments", ligaments)])?;
            let mut settled = 0.0;
            effort.driven(&mut scene, 0.01, 3.0, |w, _| {
                if w.time() < joint::START {
                    settled = joint::shift(w)?;
                }
                Ok(())
            })?;
            *shift = 1e3 * (joint::shift(&scene.world)? - settled);
            let tibia = scene.world.find_body("tibia")?;
            let speed = 1e3 * scene.world.body(tibia)?.velocity().length();
            let name = format!("knee, {ligaments}, anterior ligament {anterior}");
            out.push(Measured::at_most(format!("{name}, speed of the tibia at the end"), speed, 1.0, "mm/s"));
        }
        out.push(Measured::at_least(
            format!("knee, {ligaments}, shift of the tibia under 134 N"),
            shifts[0],
            3.0,
            "mm",
        ));
        out.push(Measured::at_most(format!("knee, {ligaments}, the same"), shifts[0], 6.0, "mm"));
        let more = format!("knee, {ligaments}, more without the anterior ligament");
        out.push(Measured::at_least(more, shifts[1] - shifts[0], 5.0, "mm"));
    }
    Ok(out)
}

/// Lift and force of the corkscrew.
pub(super) fn corkscrew(effort: &Effort<'_>) -> Values {
    let mut out = Vec::new();
    for radius in [worm::LIFT / FRAC_PI_2, 0.015] {
        let (mut scene, _) = find("corkscrew")?.with(&[("pinion", &radius.to_string())])?;
        let [left, right] = ["left arm motor", "right arm motor"].map(|m| scene.world.find_motor(m));
        let (left, right) = (left?, right?);
        let (mut torque, mut drawn, mut count) = (0.0, 0.0, 0.0_f64);
        effort.driven(&mut scene, 0.005, worm::DRAWN, |w, _| {
            if w.time() > worm::PRESSED + 0.2 {
                torque += w.motor(left)?.effort() + w.motor(right)?.effort();
                drawn += worm::load(w)?;
                count += 1.0;
            }
            Ok(())
        })?;
        let cork = scene.world.find_body("cork")?;
        let lift = 1e3 * (scene.world.body(cork)?.position().y + 0.5 * worm::LIFT);
        let name = format!("corkscrew, pinion of {:.1} mm", 1e3 * radius);
        out.push(Measured::near(format!("{name}, lift"), lift, 1e3 * radius * FRAC_PI_2, 0.05, "mm"));
        // The hands press on the ends of both arms.
        let hands = (torque / count).abs() / worm::ARM;
        let ratio = drawn / count / hands;
        out.push(Measured::near(
            format!("{name}, force of the cork over that of the hands"),
            ratio,
            worm::ARM / radius,
            0.02,
            "",
        ));
    }
    let (mut scene, _) = find("corkscrew")?.with(&[("ratchet", "off")])?;
    effort.driven(&mut scene, 0.005, worm::DRAWN, |_, _| Ok(()))?;
    let cork = scene.world.find_body("cork")?;
    let lift = 1e3 * (scene.world.body(cork)?.position().y + 0.5 * worm::LIFT);
    out.push(Measured::at_most("corkscrew without its ratchet, lift", lift, 1.0, "mm"));
    Ok(out)
}

/// Push, path and depth of the wire.
pub(super) fn catheter(effort: &Effort<'_>) -> Values {
    let mut out = Vec::new();
    let angles: &[f64] = effort.pick(&[0.0, 90.0, 180.0], &[90.0]);
    for &angle in angles {
        let (mut scene, p) = find("catheter")?.with(&[("angle", &angle.to_string())])?;
        let push = scene.world.find_joint("push")?;
        let (bend, dt) = (angle.to_radians(), 0.005);
        let time = (wire::BEND * bend + wire::BEYOND) / p.number("speed");
        let (mut sum, mut count, mut deep, mut reached) = (0.0, 0.0_f64, 0.0_f64, 0.0);
        effort.driven(&mut scene, dt, time, |w, _| {
            deep = deep.max(wire::depth(w, bend)?);
            if w.time() > time - 0.5 {
                sum += w.joint(push)?.force().x.abs();
                count += 1.0;
                reached = wire::tip(w, bend)?;
            }
            Ok(())
        })?;
        let name = format!("catheter, bend of {angle} deg");
        let (tip, mu) = (p.number("tip"), p.number("friction"));
        out.push(Measured::at_most(format!("{name}, wire in the wall"), 1e3 * deep, 0.05, "mm"));
        out.push(Measured::near(
            format!("{name}, way of the tip over that of the push"),
            reached / (p.number("speed") * time),
            1.0,
            // A compressed wire winds from wall to wall, which takes a few parts in a hundred of its length.
            0.05,
            "",
        ));
        let grown = sum / count / tip;
        out.push(Measured::near(
            format!("{name}, push over the force on the tip"),
            grown,
            libm::exp(mu * bend),
            0.2,
            "",
        ));
        out.push(Measured::near(
            format!("{name}, the same with the bending of the wire"),
            grown,
            wire::growth(tip, mu, bend),
            0.1,
            "",
        ));
    }
    Ok(out)
}

/// A flag follows the wind and takes no more from it than the wind's work.
pub(super) fn flag(effort: &Effort<'_>) -> Values {
    let (mut scene, _) = find("flag")?.with(&[])?;
    let id = scene.world.find_deformable("flag")?;
    let end = nodes(&scene.world, id, |x| x.x > cloth::SIZE[0] * (1.0 - 1e-9))?;
    let (first, scale) = (scene.world.energy()?.total(), scene.energy_scale);
    let (mut work, mut beyond, mut strain) = (0.0, 0.0_f64, 0.0_f64);
    let (mut swing, mut drag) = ((0.0, 0.0, 0.0, 0.0), 0.0);
    let from = 4.0;
    effort.driven(&mut scene, 0.005, 10.0, |w, r| {
        work += r.ledger.work;
        beyond = beyond.max((r.energy.total() - first - work) / scale);
        let view = w.deformable(id)?;
        strain = view.outputs().map(|o| o.stretches.x - 1.0).fold(strain, f64::max);
        if w.time() > from {
            // The first harmonic of the wind's own period, from whole periods.
            let phase = std::f64::consts::TAU * cloth::OFTEN * w.time();
            let at = mean(w, id, &end)?;
            swing.0 += at.z * libm::sin(phase);
            swing.1 += at.z * libm::cos(phase);
            swing.2 += at.z * at.z;
            swing.3 += 1.0;
            drag += cloth::air(w, id)?.x;
        }
        Ok(())
    })?;
    let count = f64::max(swing.3, 1.0);
    let amplitude = 2.0 * libm::hypot(swing.0, swing.1) / count;
    let wide = cloth::SIZE[0] * libm::sin(cloth::SWAY.to_radians());
    // Air at rest against the whole flag square to the wind.
    let most = 0.5 * cloth::AIR * cloth::PUSH * cloth::WIND * cloth::WIND * cloth::SIZE[0] * cloth::SIZE[1];
    let weight = 0.15 * cloth::SIZE[0] * cloth::SIZE[1] * 9.81;
    Ok(vec![
        Measured::at_most("flag, energy beyond the work of the wind, of the scale", beyond, 1e-3, ""),
        Measured::at_most(
            "flag, largest strain",
            strain,
            (most + weight) / (cloth::YOUNG * cloth::THICK * cloth::SIZE[1]),
            "",
        ),
        Measured::near("flag, swing of its end with the wind", amplitude, wide, 0.5, "m"),
        Measured::at_least(
            "flag, mean drag over that of the same plate square to the wind",
            drag / count / most,
            0.02,
            "",
        ),
        Measured::at_most("flag, the same", drag / count / most, 0.5, ""),
    ])
}
