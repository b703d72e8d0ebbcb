//! Layouts: made when the structure has changed, in the memory of the last one. Islands that no edit has touched are taken over.

use super::{Layout, World};
use crate::desk::Desk;
use crate::desk::inputs::Inputs;
use crate::error::{Error, Result};
use crate::forest::placed::Forest;
use crate::model::BodyEntry;
use crate::model::buried::Laid;
use crate::topology::{Edits, Topology};

/// A layout that does not fit any more, and what has changed since it did. Copies of a world do without.
#[derive(Debug, Default)]
pub(super) struct Worn {
    layout: Option<Box<Layout>>,
    /// Slots of bodies that were added or removed, or whose joints were.
    touched: Vec<usize>,
    /// Slots of bodies and of joints that were added or removed.
    bodies: Vec<usize>,
    joints: Vec<usize>,
    /// Something else has changed.
    all: bool,
    /// Memory of a layout before that.
    memory: Topology,
    /// How many layouts were made of the pieces of the last one.
    pub regrown: usize,
}

impl Worn {
    /// A body was added or removed.
    pub fn note_body(&mut self, slot: usize) {
        self.bodies.push(slot);
    }

    /// A joint was added or removed.
    pub fn note_joint(&mut self, slot: usize) {
        self.joints.push(slot);
    }
}

#[cfg(test)]
impl Worn {
    /// Whether more has changed than some bodies and their joints.
    pub fn is_all(&self) -> bool {
        self.all || self.layout.is_none()
    }
}

impl Clone for Worn {
    fn clone(&self) -> Self {
        Worn::default()
    }
}

impl World {
    /// The layout does not fit any more.
    pub(super) fn wear_out(&mut self) {
        self.worn.all = true;
        self.put_off();
    }

    /// The layout does not fit any more where some bodies are.
    pub(super) fn wear_at(&mut self, slots: impl IntoIterator<Item = usize>) {
        self.worn.touched.extend(slots);
        self.put_off();
    }

    fn put_off(&mut self) {
        if let Some(layout) = self.layout.take() {
            self.worn.layout = Some(layout);
        }
    }

    /// Makes sure that there is a layout for the next step.
    pub(super) fn lay_out(&mut self) -> Result<()> {
        let buried = self.model.buried_at(self.state.steps);
        match &self.layout {
            // Their islands are laid out anew without them.
            Some(l) if l.buried > buried => self.wear_at([]),
            Some(l) if l.buried < buried => self.wear_out(),
            _ => {}
        }
        if let Some(layout) = self.layout.as_mut().filter(|l| l.stale) {
            let Layout { t, inputs, stale, .. } = &mut **layout;
            t.renumber(&self.model);
            inputs.rows.take_laws(t);
            *stale = false;
        }
        if self.layout.is_none() {
            let Worn { layout, mut touched, mut bodies, mut joints, all, mut memory, mut regrown } =
                std::mem::take(&mut self.worn);
            for list in [&mut bodies, &mut joints] {
                list.sort_unstable();
                list.dedup();
            }
            let (layout, old) = match layout {
                Some(worn) if !all && self.may_regrow(&worn) => {
                    let edits = Edits { joints: &joints, bodies: &bodies, dead: worn.buried > 0 };
                    match worn.t.regrown(&edits, &mut memory, &self.laid(), self.awake()) {
                        Some(next) => {
                            regrown += 1;
                            (self.furnish(next, worn.inputs, worn.desk)?, worn.t)
                        }
                        None if self.may_splice(&worn) => self.spliced(*worn, &touched, memory)?,
                        None => (self.new_layout(Some(*worn))?, memory),
                    }
                }
                worn => (self.new_layout(worn.map(|w| *w))?, memory),
            };
            [&mut touched, &mut bodies, &mut joints].into_iter().for_each(Vec::clear);
            self.worn = Worn { layout: None, touched, bodies, joints, all: false, memory: old, regrown };
            self.layout = Some(Box::new(layout));
        }
        Ok(())
    }

    /// What a layout for the next step is made of.
    pub(super) fn laid(&self) -> Laid<'_> {
        Laid { model: &self.model, ropes_now: &self.state.ropes, steps: self.state.steps }
    }

    fn awake(&self) -> impl Fn(usize) -> bool {
        move |slot: usize| self.state.bodies[slot].group == 0
    }

    /// What is awake, laid out for a step.
    pub(super) fn new_layout(&self, worn: Option<Layout>) -> Result<Layout> {
        if self.plan.is_structured() && self.model.softs.len() > 0 {
            let expected = "one that factorises the matrix: the world has deformables";
            return Err(Error::input("solver", self.options.solver.name(), expected));
        }
        let (t, inputs, desk) = worn.map_or_else(Default::default, |worn| (worn.t, worn.inputs, worn.desk));
        self.furnish(t.renewed(&self.laid(), self.plan.is_structured(), self.awake()), inputs, desk)
    }

    /// Whether the pieces of a layout may be put together in another way.
    fn may_regrow(&self, worn: &Layout) -> bool {
        let direct = !self.plan.reduced && !self.plan.is_structured();
        self.model.softs.len() == 0 && direct && !worn.stale && worn.t.can_regrow()
    }

    /// Whether islands may be taken over from such a layout.
    fn may_splice(&self, worn: &Layout) -> bool {
        self.model.couplings.len() == 0 && self.model.ropes.len() == 0 && worn.t.can_move()
    }

    /// A layout with new islands where bodies were touched, and the topology before.
    fn spliced(&self, worn: Layout, touched: &[usize], memory: Topology) -> Result<(Layout, Topology)> {
        let Layout { t, inputs, desk, .. } = worn;
        let islands = t.touched(touched);
        let mut within = vec![false; self.model.bodies.slots()];
        let of_islands = t.nodes.iter().zip(&t.slot_of).filter(|(n, _)| islands[n.island]).map(|(_, &slot)| slot);
        of_islands
            .chain(touched.iter().copied())
            .filter(|&s| s < self.state.bodies.len())
            .for_each(|s| within[s] = true);
        // A large part is made sooner with the rest than by itself.
        if 2 * within.iter().filter(|w| **w).count() > t.nodes.len() {
            return Ok((self.new_layout(Some(Layout { t, inputs, desk, ..Layout::default() }))?, memory));
        }
        let free = |slot: usize| self.model.bodies.at(slot).is_some_and(BodyEntry::is_node);
        let awake = self.awake();
        let part = Topology::default().renewed(&self.laid(), false, |s| awake(s) && (within[s] || !free(s)));
        if !part.can_move() {
            return Ok((self.new_layout(Some(Layout { t, inputs, desk, ..Layout::default() }))?, memory));
        }
        let next = t.spliced((&part, &islands), memory, &self.laid(), awake);
        Ok((self.furnish(next, inputs, desk)?, t))
    }

    /// A layout with all memory that steps need.
    fn furnish(&self, mut t: Topology, inputs: Inputs, desk: Desk) -> Result<Layout> {
        t.asleep = self.potential_asleep();
        // Offsets are kept in 32 bits.
        let values = t.pattern.off_len.max(t.pattern.diag_len).max(t.jac_len).max(t.row_count);
        if values >= u32::MAX as usize {
            return Err(Error::input(
                "size of the world",
                format!("{values} matrix values"),
                "fewer than 4294967295; split it into islands of their own worlds",
            ));
        }
        World::check_memory(&t)?;
        let (inputs, desk, mut forest) = (inputs.renewed(&t), desk.renewed(&t), None);
        if self.plan.reduced {
            forest = Some(Box::new(Forest::new(&self.model, &t, &inputs.rows, self.awake())?));
        }
        let buried = self.model.buried_at(self.state.steps);
        Ok(Layout { t, inputs, desk, threads: Vec::new(), forest, stale: false, buried })
    }
}
