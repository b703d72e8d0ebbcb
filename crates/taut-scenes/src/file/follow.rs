//! What tables and plots follow.

use super::SceneFile;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;
use taut::{BodyId, DeformableId, JointId, World};

/// The name of a body, joint or deformable, or a list of names.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum Follow {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Follow {
    /// The names.
    pub fn names(&self) -> &[String] {
        match self {
            Follow::One(name) => std::slice::from_ref(name),
            Follow::Several(names) => names,
        }
    }
}

// By hand: serde's untagged enums lose the place of an error.
impl<'de> Deserialize<'de> for Follow {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(FollowVisitor)
    }
}

struct FollowVisitor;

impl<'de> Visitor<'de> for FollowVisitor {
    type Value = Follow;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a body, joint or deformable, or a list of names")
    }
    fn visit_str<E: Error>(self, name: &str) -> Result<Follow, E> {
        Ok(Follow::One(name.to_owned()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Follow, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = seq.next_element()? {
            names.push(name);
        }
        if names.is_empty() { Err(Error::invalid_length(0, &self)) } else { Ok(Follow::Several(names)) }
    }
}

/// Something that tables and plots follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Followed {
    /// A body.
    Body(BodyId),
    /// A joint.
    Joint(JointId),
    /// A deformable.
    Deformable(DeformableId),
}

impl SceneFile {
    /// What the file wants followed, in the world that was built from it.
    pub fn followed(&self, world: &World) -> Vec<Followed> {
        let find = |name: &String| {
            let body = world.find_body(name).map(Followed::Body);
            let part = body.or_else(|_| world.find_joint(name).map(Followed::Joint));
            let part = part.or_else(|_| world.find_deformable(name).map(Followed::Deformable));
            part.ok().or_else(|| crate::soft::node(world, name).map(Followed::Body))
        };
        self.outputs.follow.iter().flat_map(|f| f.names()).filter_map(find).collect()
    }
}
