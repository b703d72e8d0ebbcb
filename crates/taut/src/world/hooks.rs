//! Hooks of the user for contacts.

use super::World;
use crate::contact::hooks::{ContactHooks, Hooks};
use std::sync::Arc;

impl World {
    /// Sets what is asked for pairs of colliders and contact points in every step from now on, or nothing any more. Everything wakes:
    /// what slept on a contact may not have it any longer. Copies of the world share the hooks; a snapshot does not hold them.
    pub fn set_contact_hooks(&mut self, hooks: Option<Arc<dyn ContactHooks>>) {
        if hooks.is_none() && self.hooks.0.is_none() {
            return;
        }
        self.hooks = Hooks(hooks);
        self.wake_all();
        // Sensors look again at what stands still.
        let with_colliders = self.model.bodies.iter().filter(|(_, b)| !b.colliders.is_empty());
        self.state.stirred.extend(with_colliders.map(|(k, _)| k.slot as usize));
    }

    /// The hooks of the world.
    pub fn contact_hooks(&self) -> Option<&Arc<dyn ContactHooks>> {
        self.hooks.0.as_ref()
    }
}
