//! What the page shows, as the part of its address after the number sign.

use crate::load;
use std::path::Path;
use taut_scenes::choices;

/// Under which the scene file is served.
pub const FILE: &str = "scene-file.json";

/// What to show: options of `taut view` and `taut shot`.
#[derive(Debug, clap::Args)]
pub struct Shown {
    /// Set a parameter of the scene, in the unit that `taut list SCENE` tells, or a place of a file, such as bodies.load.mass; may be
    /// repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = choices::assignment)]
    pub set: Vec<(String, String)>,
    /// Time step in seconds, also as a fraction such as 1/60; default: the scene's own.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub dt: Option<String>,
    /// Method of a world: STABILISER[/SOLVER[/COORDINATES]] in the words of `taut run`; up to three times for worlds side by side.
    #[arg(long, value_name = "METHOD")]
    pub world: Vec<String>,
    /// What else is drawn, separated by commas: links, joints, contacts, edges, centre, damping.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub show: Vec<String>,
    /// What is not drawn, separated by commas: shapes, cables, tension, stress, sleeping, smooth.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub hide: Vec<String>,
}

/// What can be drawn, and whether it is unless told otherwise; as in the page (`web/src/show.ts`).
const DRAWN: [(&str, bool); 12] = [
    ("shapes", true),
    ("cables", true),
    ("links", false),
    ("joints", false),
    ("contacts", false),
    ("tension", true),
    ("stress", true),
    ("edges", false),
    ("centre", false),
    ("sleeping", true),
    ("damping", false),
    ("smooth", true),
];

/// Most worlds beside each other.
const WORLDS: usize = 3;

/// A scene for the page: the address of it, and the scene file if it is one.
#[derive(Debug, Default)]
pub struct Opened {
    /// After the number sign.
    pub hash: String,
    /// Text of the scene file.
    pub file: Option<String>,
}

impl Shown {
    /// Checks everything against the scene, as `taut run` would, and writes the address. Without a scene the page chooses.
    pub fn open(&self, scene: Option<&str>) -> Result<Opened, String> {
        let Some(scene) = scene else {
            if let Some((name, _)) = self.set.first() {
                return Err(format!("--set {name}: expected a scene, whose parameter it is"));
            }
            return Ok(Opened { hash: self.rest(Vec::new())?, file: None });
        };
        let loaded = load::load(scene, &self.set)?;
        let mut out = Opened::default();
        let mut parts = Vec::new();
        if let Some(file) = &loaded.file {
            // A page cannot read the tables beside a file, nor models: they are in what is written here.
            let as_it_is = self.set.is_empty() && file.programs.is_empty() && !taut_import::is_model(Path::new(scene));
            out.file = Some(if as_it_is {
                std::fs::read_to_string(scene).map_err(|e| format!("{scene}: {e}"))?
            } else {
                taut_scenes::file::write(file).map_err(|e| format!("{scene}: {e}"))?
            });
            parts.push(format!("file={FILE}"));
        } else {
            parts.push(format!("scene={}", escape(scene)));
            parts.extend(self.set.iter().map(|(n, v)| format!("p.{}={}", escape(n), escape(v))));
        }
        out.hash = self.rest(parts)?;
        Ok(out)
    }

    fn rest(&self, mut parts: Vec<String>) -> Result<String, String> {
        if let Some(dt) = &self.dt {
            choices::seconds(dt).map_err(|e| format!("--dt {dt}: {e}"))?;
            parts.push(format!("dt={}", escape(dt.trim())));
        }
        if self.world.len() > WORLDS {
            return Err(format!("--world: {} of them: expected at most {WORLDS}", self.world.len()));
        }
        for w in &self.world {
            let words: Vec<&str> = w.split('/').collect();
            let read = |k: usize, check: &dyn Fn(&str) -> Result<(), String>| match words.get(k) {
                Some(word) if !word.is_empty() => check(word).map_err(|e| format!("--world {w}: {word}: {e}")),
                _ => Ok(()),
            };
            read(0, &|t| choices::stabiliser(t).map(drop))?;
            read(1, &|t| choices::solver(t).map(drop))?;
            read(2, &|t| choices::coordinates(t).map(drop))?;
            if words.len() > 3 {
                return Err(format!("--world {w}: expected STABILISER[/SOLVER[/COORDINATES]]"));
            }
            parts.push(format!("w={}", escape(w)));
        }
        for (option, names) in [("--show", &self.show), ("--hide", &self.hide)] {
            if let Some(wrong) = names.iter().find(|n| !DRAWN.iter().any(|(d, _)| d == n)) {
                let all: Vec<&str> = DRAWN.iter().map(|(d, _)| *d).collect();
                return Err(format!("{option} {wrong}: expected some of {}", all.join(", ")));
            }
        }
        if !self.show.is_empty() || !self.hide.is_empty() {
            let has = |list: &[String], name: &str| list.iter().any(|n| n == name);
            let drawn = |(name, on): &&(&str, bool)| (*on || has(&self.show, name)) && !has(&self.hide, name);
            let list: Vec<&str> = DRAWN.iter().filter(drawn).map(|(name, _)| *name).collect();
            parts.push(format!("show={}", list.join(",")));
        }
        Ok(parts.join("&"))
    }
}

/// Percent-encodes all but letters, digits and a few signs that are plain in an address.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for b in text.bytes() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'/' | b',' | b':' => out.push(b as char),
            _ => out += &format!("%{b:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown() -> Shown {
        Shown { set: vec![], dt: None, world: vec![], show: vec![], hide: vec![] }
    }

    #[test]
    fn addresses_carry_everything() {
        let mut s = shown();
        s.set = vec![("vehicle".into(), "2e4".into())];
        s.dt = Some("1/60".into());
        s.world = vec!["none".into(), "aligned/pgs:sweeps=20/maximal".into()];
        let hash = s.open(Some("crane")).unwrap().hash;
        assert_eq!(hash, "scene=crane&p.vehicle=2e4&dt=1/60&w=none&w=aligned/pgs:sweeps%3D20/maximal");
        assert_eq!(shown().open(None).unwrap().hash, "");
        let drawn = Shown { show: vec!["joints".into()], hide: vec!["tension".into()], ..shown() };
        assert_eq!(drawn.open(None).unwrap().hash, "show=shapes,cables,joints,stress,sleeping,smooth");
    }

    #[test]
    fn bad_input_is_refused_before_anything_opens() {
        let bad = |change: fn(&mut Shown), scene: Option<&str>| {
            let mut s = shown();
            change(&mut s);
            s.open(scene).unwrap_err()
        };
        assert!(bad(|_| (), Some("crance")).contains("did you mean crane"));
        assert!(bad(|s| s.set = vec![("vehicle".into(), "x".into())], Some("crane")).contains("vehicle"));
        assert!(bad(|s| s.set = vec![("a".into(), "1".into())], None).contains("expected a scene"));
        assert!(bad(|s| s.dt = Some("-1".into()), None).contains("--dt"));
        assert!(bad(|s| s.world = vec!["magic".into()], None).contains("magic"));
        assert!(bad(|s| s.world = vec!["none".into(); 4], None).contains("at most 3"));
        assert!(bad(|s| s.hide = vec!["magic".into()], None).contains("--hide magic: expected some of shapes"));
        assert!(bad(|s| s.world = vec!["none/auto/maximal/x".into()], None).contains("expected"));
    }
}
