//! A scene in mid-run as bytes: the state of its world, and what has happened in it.
//!
//! ```text
//! "TAUTSCEN"  version u32  length of the state u64  state  record (JSON)  checksum u64 (of all that goes before)
//! ```

use crate::drive::Drive;
use crate::golden::fnv;
use crate::scene::Scene;
use serde::{Deserialize, Serialize};
use taut::{Error, Result, State};

const MAGIC: &[u8; 8] = b"TAUTSCEN";
const VERSION: u32 = 1;
/// Bytes before the state, and of the checksum.
const HEAD: usize = 20;
const TAIL: usize = 8;

/// What has happened so far, for programs and events: event, time (s) and whether it fired; the end that was asked for.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Happened {
    pub log: Vec<(usize, f64, bool)>,
    /// Event, time (s), message.
    pub stop: Option<(String, f64, String)>,
}

impl Scene {
    /// The scene in mid-run as bytes, which another process or machine can go on from with the same bits: see [`Scene::restore_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let state = self.world.state().to_bytes();
        let happened = self.drive.as_ref().map(Drive::happened).unwrap_or_default();
        let record = serde_json::to_vec(&happened).unwrap_or_default();
        let mut out = Vec::with_capacity(HEAD + state.len() + record.len() + TAIL);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&(state.len() as u64).to_le_bytes());
        out.extend_from_slice(&state);
        out.extend_from_slice(&record);
        let sum = fnv(out.iter().copied());
        out.extend_from_slice(&sum.to_le_bytes());
        out
    }

    /// Goes on from bytes of this scene, or of another one that was built in the same way. On an error nothing has changed.
    ///
    /// # Errors
    ///
    /// Bytes that are damaged, cut or of another scene; and those of a scene whose structure is not that of this one: something was added
    /// or removed, was cut or broke before they were made, or has since.
    pub fn restore_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let refuse = |name: &str, given: String, expected: &str| Err(Error::input(name, given, expected));
        if bytes.len() < HEAD + TAIL || &bytes[..8] != MAGIC {
            return refuse("state of the scene", format!("{} bytes", bytes.len()), "bytes made by Scene::to_bytes");
        }
        let (body, tail) = bytes.split_at(bytes.len() - TAIL);
        if fnv(body.iter().copied()).to_le_bytes() != tail {
            return refuse(
                "checksum of the state of the scene",
                "another".into(),
                "that of its bytes: they are damaged",
            );
        }
        let (head, rest) = body.split_at(HEAD);
        if head[8..12] != VERSION.to_le_bytes() {
            return refuse("version of the state of the scene", format!("{:?}", &head[8..12]), "1");
        }
        let length = head[12..].iter().rev().fold(0_u64, |sum, b| (sum << 8) | u64::from(*b));
        let Some((state, record)) = usize::try_from(length).ok().and_then(|n| rest.split_at_checked(n)) else {
            return refuse("length of the state", length.to_string(), "what is in the bytes");
        };
        let state = State::from_bytes(state)?;
        let happened: Happened = serde_json::from_slice(record)
            .map_err(|e| Error::input("record of the scene", e, "that of the same version"))?;
        match &mut self.drive {
            Some(drive) => drive.go_on(&mut self.world, &state, happened),
            None if happened.log.is_empty() && happened.stop.is_none() => self.world.restore(&state),
            None => refuse("events of the state", happened.log.len().to_string(), "none: this scene has no events"),
        }
    }
}
