//! What is printed and written of a campaign.

use super::worker::Done;
use super::{Args, Campaign};
use crate::{interrupt, output};
use indicatif::ProgressBar;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::path::PathBuf;
use taut_scenes::file;
use taut_scenes::fuzz::{Case, Finding, Kind, Verdict};

/// Part of the steps in which rows with bounds may miss their tolerance before it is told.
const UNCONVERGED: usize = 20;

/// A campaign as far as it has been told.
pub struct Told<'a> {
    args: &'a Args,
    campaign: &'a Campaign,
    worlds: usize,
    failing: usize,
    counts: [usize; Kind::ALL.len()],
    /// Worlds in which the engine refused a part.
    refused: usize,
    /// Worlds in which rows with bounds often did not converge.
    unconverged: usize,
    objects: Vec<Json>,
}

impl<'a> Told<'a> {
    pub fn new(args: &'a Args, campaign: &'a Campaign) -> Self {
        let counts = [0; Kind::ALL.len()];
        Told { args, campaign, worlds: 0, failing: 0, counts, refused: 0, unconverged: 0, objects: Vec::new() }
    }

    /// Counts a seed, and prints and writes it if something went wrong.
    pub fn tell(&mut self, bar: &ProgressBar, done: Done) -> Result<(), String> {
        self.worlds += 1;
        self.refused += usize::from(!done.case.refused.is_empty());
        self.unconverged += usize::from(done.verdict.measures.unconverged > self.campaign.steps / UNCONVERGED);
        if done.verdict.findings.is_empty() {
            return Ok(());
        }
        self.failing += 1;
        for (count, kind) in self.counts.iter_mut().zip(Kind::ALL) {
            *count += usize::from(done.verdict.of(kind).is_some());
        }
        let path = self.write(&done)?;
        if self.args.json {
            self.objects.push(object(&done, path)?);
            return Ok(());
        }
        let mut text = lines(&done, path);
        if let (true, Some((case, _))) = (self.is_single(), &done.small) {
            text += &file::write(&case.file).map_err(|e| e.to_string())?;
        }
        bar.suspend(|| output::print(&text))
    }

    /// Whether one seed was asked for: then its world is printed.
    fn is_single(&self) -> bool {
        self.campaign.seeds.end - self.campaign.seeds.start == 1 && self.args.out.is_none()
    }

    /// Writes the world of a failing seed to its file.
    fn write(&self, done: &Done) -> Result<Option<PathBuf>, String> {
        let Some(dir) = &self.args.out else { return Ok(None) };
        let case = done.small.as_ref().map_or(&done.case, |s| &s.0);
        let path = dir.join(format!("seed-{}.json", case.seed));
        let text = file::write(&case.file).map_err(|e| e.to_string())?;
        std::fs::write(&path, text).map_err(|e| format!("--out = {}: {e}", path.display()))?;
        Ok(Some(path))
    }

    /// The totals and the exit status.
    pub fn end(self, interrupted: bool) -> Result<u8, String> {
        let text = if self.args.json { self.json(interrupted)? } else { self.totals(interrupted) };
        output::print(&text)?;
        Ok(match (self.failing > 0, interrupted) {
            (true, _) => 1,
            (false, true) => interrupt::STATUS,
            (false, false) => 0,
        })
    }

    fn totals(&self, interrupted: bool) -> String {
        let found: Vec<String> = self.found().map(|(kind, n)| format!("{} {n}", kind.name())).collect();
        let found = if found.is_empty() { String::new() } else { format!(" ({})", found.join(", ")) };
        let rest = if interrupted { ", interrupted" } else { "" };
        let mut out = format!("{}, {} with findings{found}{rest}\n", count(self.worlds, "world"), self.failing);
        let _ = writeln!(out, "the engine refused a part of {} of them and built the rest", self.refused);
        let _ = writeln!(out, "rows with bounds missed their tolerance in 5 % of the steps of {}", self.unconverged);
        out
    }

    /// Kinds that were found, and in how many worlds.
    fn found(&self) -> impl Iterator<Item = (Kind, usize)> {
        Kind::ALL.into_iter().zip(self.counts).filter(|(_, n)| *n > 0)
    }

    fn json(&self, interrupted: bool) -> Result<String, String> {
        let c = self.campaign;
        let counts: serde_json::Map<String, Json> =
            self.found().map(|(kind, n)| (kind.name().into(), n.into())).collect();
        let all = json!({
            "seeds": [c.seeds.start, c.seeds.end],
            "features": c.features.names(),
            "steps": c.steps,
            "limits": { "rise": c.trial.limits.rise, "gap": c.trial.limits.gap },
            "worlds": self.worlds,
            "failing": self.failing,
            "counts": counts,
            "refused": self.refused,
            "unconverged": self.unconverged,
            "interrupted": interrupted,
            "seeds_with_findings": self.objects,
        });
        serde_json::to_string_pretty(&all).map(|t| t + "\n").map_err(|e| e.to_string())
    }
}

/// A failing seed in a few lines.
fn lines(done: &Done, path: Option<PathBuf>) -> String {
    let found: Vec<String> = done.verdict.findings.iter().map(Finding::to_string).collect();
    let mut out = format!("seed {}: {}\n", done.case.seed, found.join("; "));
    if let Some((case, verdict)) = &done.small {
        let kind = done.verdict.worst().map(|f| f.kind);
        let found = kind.and_then(|k| verdict.of(k)).map_or(String::new(), Finding::to_string);
        let _ = writeln!(out, "  smallest: {}: {found}", size(case));
        case.script.words().iter().for_each(|w| _ = writeln!(out, "    {}", short(w)));
    }
    if let Some(path) = path {
        let _ = writeln!(out, "  written to {}", path.display());
    }
    out
}

/// Most letters of a line of a script; the description of the file has all of it.
const LINE: usize = 160;

fn short(words: &str) -> String {
    if words.chars().count() <= LINE {
        return words.into();
    }
    words.chars().take(LINE).chain(" ...".chars()).collect()
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn size(case: &Case) -> String {
    let parts = [
        count(case.file.bodies.len(), "body").replace("bodys", "bodies"),
        count(case.file.joints.len(), "joint"),
        count(case.script.steps, "step"),
    ];
    format!("{} of {} s", parts.join(", "), case.file.outputs.dt())
}

fn object(done: &Done, path: Option<PathBuf>) -> Result<Json, String> {
    let small = match &done.small {
        Some((case, verdict)) => Some(small_object(case, verdict)?),
        None => None,
    };
    Ok(json!({
        "seed": done.case.seed,
        "findings": done.verdict.findings.iter().map(finding).collect::<Vec<_>>(),
        "refused": done.case.refused,
        "smallest": small,
        "file": path.map(|p| p.display().to_string()),
    }))
}

fn small_object(case: &Case, verdict: &Verdict) -> Result<Json, String> {
    Ok(json!({
        "findings": verdict.findings.iter().map(finding).collect::<Vec<_>>(),
        "steps": case.script.steps,
        "script": case.script.words(),
        "scene": file::document(&case.file).map_err(|e| e.to_string())?,
    }))
}

fn finding(f: &Finding) -> Json {
    json!({
        "kind": f.kind.name(),
        "step": f.step,
        "value": f.value,
        "length": f.measured_by[0],
        "scale": f.measured_by[1],
        "note": f.note,
    })
}
