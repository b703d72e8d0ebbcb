//! Changing colliders between steps. All of it may be done at any time, wakes what it concerns, and is no part of a snapshot.

use super::World;
use crate::contact::collider::{Carrier, ColliderEntry, Groups, checked};
use crate::contact::geometry::Geometry;
use crate::contact::material::Material;
use crate::contact::shape::Shape;
use crate::error::{Error, Result};
use crate::ids::{BodyId, ColliderId};
use crate::math::pose::Pose;
use crate::model::Motion;
use std::sync::Arc;

impl World {
    /// Changes what a collider is made of.
    pub fn set_material(&mut self, id: ColliderId, material: Material) -> Result<()> {
        self.model.collider(id)?;
        material.validate()?;
        self.wake_around(self.model.collider(id)?.body);
        if let Some(c) = self.model.colliders.get_mut(id.0) {
            c.material = material;
        }
        Ok(())
    }

    /// Changes whom a collider meets.
    pub fn set_groups(&mut self, id: ColliderId, groups: Groups) -> Result<()> {
        self.change_collider(id, |c| c.groups = groups)
    }

    /// Switches a collider on or off. One that is off meets nothing and no query sees it; it keeps its handle, its material and all else.
    /// What it touched wakes, and the next step tells that its contacts have ended.
    pub fn set_collider_enabled(&mut self, id: ColliderId, enabled: bool) -> Result<()> {
        if self.model.collider(id)?.enabled == enabled {
            return Ok(());
        }
        self.change_collider(id, |c| c.enabled = enabled)
    }

    /// Makes a collider a sensor, which only tells what overlaps it, or one that pushes again.
    pub fn set_sensor(&mut self, id: ColliderId, sensor: bool) -> Result<()> {
        let c = self.model.collider(id)?;
        if c.sensor == sensor {
            return Ok(());
        }
        if c.soft.is_none() {
            self.carrier(c.body)?.takes(&c.shape, &c.pose, sensor)?;
        }
        self.change_collider(id, |c| c.sensor = sensor)
    }

    /// Gives a collider another shape. The mass of its body stays what it is. Where the new shape reaches into others, the next steps
    /// push them apart.
    pub fn set_shape(&mut self, id: ColliderId, shape: Shape) -> Result<()> {
        self.refuse_surface(id)?;
        let c = self.model.collider(id)?;
        let geometry = Geometry::new(&shape)?;
        let carrier = self.carrier(c.body)?;
        carrier.takes(&shape, &c.pose, c.sensor)?;
        let is_plane = c.geometry.plane().is_some() || geometry.plane().is_some();
        if carrier.particle {
            // Its ball is all the size that a particle has, and the layout knows it.
            self.wear_out();
        }
        self.change_collider(id, |c| (c.shape, c.geometry) = (Arc::new(shape), Arc::new(geometry)))?;
        if is_plane {
            self.scene.forget();
        } else {
            self.reshape(id);
        }
        Ok(())
    }

    /// Places a collider anew in the frame of its body, m. The mass of the body stays what it is.
    pub fn set_collider_pose(&mut self, id: ColliderId, pose: Pose) -> Result<()> {
        self.refuse_surface(id)?;
        let c = self.model.collider(id)?;
        let pose = checked(pose, false)?;
        self.carrier(c.body)?.takes(&c.shape, &pose, c.sensor)?;
        self.change_collider(id, |c| c.pose = pose)?;
        self.reshape(id);
        Ok(())
    }

    /// Gives a collider a number of the user's own.
    pub fn set_collider_user_data(&mut self, id: ColliderId, user_data: u64) -> Result<()> {
        self.model.collider(id)?;
        if let Some(c) = self.model.colliders.get_mut(id.0) {
            c.user_data = user_data;
        }
        Ok(())
    }

    /// Changes a collider, with what it touches awake; the next step looks whom it meets now.
    fn change_collider(&mut self, id: ColliderId, change: impl FnOnce(&mut ColliderEntry)) -> Result<()> {
        let body = self.model.collider(id)?.body;
        self.wake_around(body);
        if let Some(c) = self.model.colliders.get_mut(id.0) {
            change(c);
        }
        self.stir(body);
        Ok(())
    }

    /// The surface of a deformable is where its nodes are.
    fn refuse_surface(&self, id: ColliderId) -> Result<()> {
        match self.model.collider(id)?.soft {
            Some(slot) => {
                let what = self.model.deformable_name(slot as usize);
                Err(Error::input("collider", format!("surface of {what}"), "a collider with a shape of its own"))
            }
            None => Ok(()),
        }
    }

    /// The boxes of a collider are no longer those of its shape and pose.
    fn reshape(&mut self, id: ColliderId) {
        if let Some(scene) = self.scene.change() {
            scene.reshape(&self.model, id.0.slot);
        }
    }

    /// A body as far as its colliders must fit it.
    pub(super) fn carrier(&self, body: BodyId) -> Result<Carrier> {
        let on = self.model.body(body)?;
        let name = self.model.body_name(body.0.slot as usize);
        Ok(Carrier {
            moves: matches!(on.motion, Motion::Dynamic | Motion::Particle),
            particle: on.motion == Motion::Particle,
            name,
        })
    }
}
