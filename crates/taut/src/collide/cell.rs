//! The scene of a world: what a step has left of it is brought up to date when a query asks, once, and then read by any number of
//! threads without a lock.

use super::scene::Scene;
use crate::model::Model;
use crate::state::BodyState;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Bounding boxes of a world, made and refreshed when they are needed.
#[derive(Debug, Default)]
pub(crate) struct SceneCell {
    /// At the present poses, if a query has asked since they last changed.
    fresh: OnceLock<Box<Scene>>,
    /// As the last step or change has left it; none when it must be made anew.
    stale: Mutex<Option<Box<Scene>>>,
}

impl SceneCell {
    /// All colliders at the present poses. The first to ask brings the boxes up to date while others wait.
    pub fn now(&self, model: &Model, bodies: &[BodyState]) -> &Scene {
        self.fresh.get_or_init(|| {
            let kept = self.lock().take();
            let mut scene = kept.unwrap_or_else(|| Box::new(Scene::new(model, bodies)));
            scene.refresh(model, bodies);
            scene
        })
    }

    /// The scene for a step, made if there is none. Queries refresh it afterwards.
    pub fn open(&mut self, model: &Model, bodies: &[BodyState]) -> &mut Scene {
        self.take_back().get_or_insert_with(|| Box::new(Scene::new(model, bodies)))
    }

    /// The scene, if there is one, to note a change of poses, shapes or filters.
    pub fn change(&mut self) -> Option<&mut Scene> {
        self.take_back().as_deref_mut()
    }

    /// Throws everything away: the structure has changed, or all poses.
    pub fn forget(&mut self) {
        *self.take_back() = None;
    }

    fn take_back(&mut self) -> &mut Option<Box<Scene>> {
        let stale = self.stale.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(scene) = self.fresh.take() {
            *stale = Some(scene);
        }
        stale
    }

    /// A thread that panicked with the lock held has left a scene or none: both are sound.
    fn lock(&self) -> MutexGuard<'_, Option<Box<Scene>>> {
        self.stale.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for SceneCell {
    fn clone(&self) -> Self {
        SceneCell { fresh: self.fresh.clone(), stale: Mutex::new(self.lock().clone()) }
    }
}
