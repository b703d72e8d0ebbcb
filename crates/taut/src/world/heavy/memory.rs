//! What a heavy rope has become, written down and taken up again.

use super::{HeavyRopeRef, World};
use crate::error::{Error, Result, positive};
use crate::ids::{BodyId, HeavyRopeId, JointId};
use crate::model::Motion;
use crate::model::heavy::{HeavyEntry, HeavyMemory, Held, Source};
use crate::state::HeavyState;
use glam::DVec3;

impl HeavyRopeRef<'_> {
    /// What it has become, in terms of the parts that it is made of: for [`HeavyRope::remembering`](crate::HeavyRope::remembering).
    pub fn memory(&self) -> HeavyMemory {
        let e = self.entry;
        let (rope, hawse, drum) = match e.source {
            Source::Guides { rope, rotor } => (Some(rope), None, rotor.map(|(_, mass, inertia)| (mass, inertia))),
            Source::Locker { body, at, .. } => (None, Some((body, at)), None),
        };
        let HeavyState { out, pieces } = self.state().clone();
        HeavyMemory {
            nodes: e.pool.clone(),
            out,
            pieces,
            rope,
            hawse,
            drum,
            density: e.density,
            segment: e.l0,
            total: e.total,
            diameter: e.diameter,
            stiffness: e.stiffness,
            adaptive: e.adaptive,
            tail: e.tail,
            held: e.held.map(|h| (h.body, [h.along, h.mark])),
            name: e.name.clone(),
        }
    }
}

impl World {
    /// Makes a heavy rope of parts that are there.
    pub(super) fn take_up(&mut self, m: HeavyMemory) -> Result<HeavyRopeId> {
        let HeavyMemory { nodes, out, mut pieces, rope, hawse, drum, density, segment, total, diameter, .. } = m;
        positive("mass of a metre of the rope", density, "kg/m")?;
        positive("segment of the rope", segment, "m")?;
        positive("total length of the rope", total, "m")?;
        crate::error::non_negative("diameter of the rope", diameter, "m")?;
        crate::error::non_negative("tail of the rope", m.tail, "m")?;
        m.stiffness.map_or(Ok(0.0), |ea| positive("stiffness of the rope", ea, "N"))?;
        if let Some((body, [along, mark])) = m.held {
            let turns = self.model.body(body)?.motion != Motion::Particle;
            let unit = |v: DVec3| (v.length() - 1.0).abs() <= 1e-9;
            if !(turns && unit(along) && unit(mark) && along.dot(mark).abs() <= 1e-9) {
                let given = format!("{} and {}", along, mark);
                let expected = "two unit vectors square to each other of a body that can turn";
                return Err(Error::input("clamp that the rope remembers", given, expected));
            }
        }
        for b in &nodes {
            if self.model.body(*b)?.motion != Motion::Particle {
                let name = self.model.body_name(b.0.slot as usize);
                return Err(Error::input("node that the rope remembers", name, "a particle"));
            }
        }
        if pieces.is_empty() {
            pieces = vec![[0.0; 2]; out.len().saturating_sub(1)];
        }
        let state = HeavyState { out, pieces };
        super::pool::check_out("nodes out that the rope remembers", &state, nodes.len())?;
        let mut rods = Vec::with_capacity(nodes.len());
        for upper in &nodes[1..] {
            rods.push(self.joint_below(*upper, "distance").ok_or_else(|| {
                let name = self.model.body_name(upper.0.slot as usize);
                Error::input(
                    "rod that the rope remembers",
                    format!("none below {name}"),
                    "a distance joint from it to the next node",
                )
            })?);
        }
        let feed = nodes[state.out[0] as usize];
        let source = match (rope, hawse) {
            (Some(rope), None) => {
                let guides = &self.model.rope(rope)?.guides;
                let (start, end) = (guides[0], guides[guides.len() - 1]);
                if end.body != feed {
                    let given = self.model.body_name(end.body.0.slot as usize);
                    let expected = format!("{}: the feed node", self.model.body_name(feed.0.slot as usize));
                    return Err(Error::input("end of the rope that leads to the nodes", given, expected));
                }
                Source::Guides { rope, rotor: drum.map(|(mass, inertia)| (start.body, mass, inertia)) }
            }
            (None, Some((body, at))) => {
                self.model.body(body)?;
                crate::error::finite_vec("hawse of the rope", at, "m")?;
                let stop = self.joint_below(feed, "rope").ok_or_else(|| {
                    let name = self.model.body_name(feed.0.slot as usize);
                    Error::input(
                        "stop that the rope remembers",
                        format!("none on {name}"),
                        "a rope joint from it to the hawse",
                    )
                })?;
                Source::Locker { body, at, stop }
            }
            _ => {
                let expected = "either a rope that leads to the nodes, or a hawse";
                return Err(Error::input("source that the rope remembers", "none or two", expected));
            }
        };
        let mut entry = HeavyEntry {
            source,
            nodes: state.out.iter().map(|&k| nodes[k as usize]).collect(),
            links: state.out[..state.out.len() - 1].iter().map(|&k| rods[k as usize - 1]).collect(),
            pool: nodes,
            rods,
            density,
            l0: segment,
            total,
            diameter,
            stiffness: m.stiffness,
            adaptive: m.adaptive,
            tail: m.tail,
            held: m.held.map(|(body, [along, mark])| Held { body, along, mark }),
            name: m.name,
            load: None,
        };
        self.fit_heavy(&mut entry, &state)?;
        Ok(self.keep_heavy(entry, state))
    }

    /// The joint of a kind that hangs below a node.
    fn joint_below(&self, node: BodyId, kind: &str) -> Option<JointId> {
        let mut on = self.model.joints_on(node).filter(|(_, j)| j.i == node && !j.owned && j.kind.name() == kind);
        on.next().map(|(k, _)| JointId(k))
    }
}
