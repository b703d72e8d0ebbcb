//! What is printed and written of a campaign.

use super::worker::Done;
use super::{Args, Campaign};
use crate::{interrupt, output};
use indicatif::ProgressBar;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::path::PathBuf;
use taut_scenes::file;
use taut_scenes::fuzz::{Case, Features, Finding, Kind, Limits, Verdict, judged_alike};

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
    /// The first seed with a finding.
    first: Option<u64>,
    /// Seeds of `--known` that have findings, in order.
    known: Vec<u64>,
}

impl<'a> Told<'a> {
    pub fn new(args: &'a Args, campaign: &'a Campaign) -> Self {
        let counts = [0; Kind::ALL.len()];
        let objects = Vec::new();
        Told {
            args,
            campaign,
            worlds: 0,
            failing: 0,
            counts,
            refused: 0,
            unconverged: 0,
            objects,
            first: None,
            known: Vec::new(),
        }
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
        if self.args.known.contains(&done.case.seed) {
            self.known.push(done.case.seed);
        }
        self.first = self.first.or(Some(done.case.seed));
        for (count, kind) in self.counts.iter_mut().zip(Kind::ALL) {
            *count += usize::from(done.verdict.of(kind).is_some());
        }
        let path = self.write(&done)?;
        if self.args.json {
            let again = command(self.campaign, done.case.seed);
            self.objects.push(object(&done, path, again)?);
            return Ok(());
        }
        let mut text = lines(&done, path, &command(self.campaign, done.case.seed));
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
        let case = match (&done.small, done.verdict.worst()) {
            (Some((small, _)), _) => small.clone(),
            (None, Some(worst)) => judged_alike(done.case.clone(), &done.verdict, worst.kind),
            (None, None) => done.case.clone(),
        };
        let path = dir.join(format!("seed-{}.json", case.seed));
        let text = file::write(&case.file).map_err(|e| e.to_string())?;
        std::fs::write(&path, text).map_err(|e| format!("--out = {}: {e}", path.display()))?;
        Ok(Some(path))
    }

    /// The totals and the exit status.
    pub fn end(self, interrupted: bool) -> Result<u8, String> {
        let text = if self.args.json { self.json(interrupted)? } else { self.totals(interrupted) };
        output::print(&text)?;
        Ok(match (self.failing > self.known.len(), interrupted) {
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
        if !self.args.known.is_empty() {
            let run = |seed: &u64| self.campaign.seeds.contains(seed);
            let clean: Vec<String> =
                self.args.known.iter().filter(|s| run(s) && !self.known.contains(s)).map(u64::to_string).collect();
            let clean = if clean.is_empty() || interrupted {
                String::new()
            } else {
                format!("; no longer found: {}", clean.join(", "))
            };
            let _ = writeln!(out, "{} of these are known{clean}", self.known.len());
        }
        let _ = writeln!(out, "the engine refused a part of {} of them and built the rest", self.refused);
        let _ = writeln!(out, "rows with bounds missed their tolerance in 5 % of the steps of {}", self.unconverged);
        if let (Some(seed), None) = (self.first, self.campaign.budget) {
            let _ = writeln!(out, "the first one again, made small: {}", command(self.campaign, seed));
        }
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
            "known": self.known,
            "counts": counts,
            "refused": self.refused,
            "unconverged": self.unconverged,
            "interrupted": interrupted,
            "seeds_with_findings": self.objects,
        });
        serde_json::to_string_pretty(&all).map(|t| t + "\n").map_err(|e| e.to_string())
    }
}

/// The command that runs a seed again as it was run.
fn command(campaign: &Campaign, seed: u64) -> String {
    let mut words = format!("taut fuzz --seeds {seed} --steps {}", campaign.steps);
    let [on, off] = [campaign.features, Features::all().without(campaign.features)].map(Features::names);
    if on.is_empty() {
        words += " --features none";
    } else if off.len() < on.len() {
        words += &if off.is_empty() { String::new() } else { format!(" --without {}", off.join(",")) };
    } else {
        words += &format!(" --features {}", on.join(","));
    }
    if campaign.trial.limits == Limits::strict() {
        words += " --strict";
    }
    words
}

/// A failing seed in a few lines; `again` is the command that repeats it.
fn lines(done: &Done, path: Option<PathBuf>, again: &str) -> String {
    let found: Vec<String> = done.verdict.findings.iter().map(Finding::to_string).collect();
    let mut out = format!("seed {}: {}\n", done.case.seed, found.join("; "));
    if let Some((case, verdict)) = &done.small {
        let kind = done.verdict.worst().map(|f| f.kind);
        let found = kind.and_then(|k| verdict.of(k)).map_or(String::new(), Finding::to_string);
        let _ = writeln!(out, "  smallest: {}: {found}", size(case));
    }
    if done.small.is_none() && path.is_none() {
        return out;
    }
    let script = done.small.as_ref().map_or(&done.case, |s| &s.0).script.words();
    if !script.is_empty() {
        let _ =
            writeln!(out, "  its scene file is not enough: it cannot say what is done while the world runs, which is");
        script.iter().for_each(|w| _ = writeln!(out, "    {}", short(w)));
    }
    if let Some(path) = &path {
        let _ = writeln!(out, "  written to {}", path.display());
    }
    match path.filter(|_| script.is_empty()) {
        Some(path) => _ = writeln!(out, "  again: taut run {}", path.display()),
        None => _ = writeln!(out, "  again: {again}"),
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

fn object(done: &Done, path: Option<PathBuf>, again: String) -> Result<Json, String> {
    let small = match &done.small {
        Some((case, verdict)) => Some(small_object(case, verdict)?),
        None => None,
    };
    Ok(json!({
        "seed": done.case.seed,
        "findings": done.verdict.findings.iter().map(finding).collect::<Vec<_>>(),
        "refused": done.case.refused,
        "again": again,
        "smallest": small,
        "file": path.map(|p| p.display().to_string()),
    }))
}

fn small_object(case: &Case, verdict: &Verdict) -> Result<Json, String> {
    Ok(json!({
        "findings": verdict.findings.iter().map(finding).collect::<Vec<_>>(),
        "steps": case.script.steps,
        "script": case.script.words(),
        "file_is_enough": case.script.words().is_empty(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use taut::Vec3;
    use taut_scenes::fuzz::{Budget, Change, Edit, Trial, generate, shrink, try_case};

    fn campaign(without: &str) -> Campaign {
        Campaign {
            seeds: 0..10,
            features: Features::all().without(Features::parse(without).unwrap()),
            steps: 40,
            trial: Trial::default(),
            budget: Some(Budget { trials: 40, ..Budget::default() }),
        }
    }

    /// A fault that does not depend on the engine: b1 is told a velocity that is no number.
    fn planted(c: &Campaign) -> Done {
        let mut case = generate(3, c.features, c.steps);
        let linear = Vec3::new(f64::NAN, 0.0, 0.0);
        let change = Change::Velocity { body: "b1".into(), linear, angular: Vec3::ZERO };
        case.script.edits = vec![Edit { step: 4, change }];
        let verdict = try_case(&case, &c.trial);
        let kind = verdict.worst().unwrap().kind;
        let small = Some(shrink(&case, kind, &c.trial, &c.budget.unwrap()));
        Done { case, verdict, small }
    }

    #[test]
    fn what_a_scene_file_cannot_say_is_listed_with_the_command_that_repeats_it() {
        let c = campaign("kinematic");
        let done = planted(&c);
        let again = command(&c, 3);
        assert_eq!(again, "taut fuzz --seeds 3 --steps 40 --without kinematic");
        let text = lines(&done, Some("failing/seed-3.json".into()), &again);
        assert!(text.contains("  its scene file is not enough"), "{text}");
        assert!(text.contains("    before step 4: b1 is set to [NaN, 0, 0] m/s"), "{text}");
        assert!(text.ends_with(&format!("  again: {again}\n")), "{text}");
        let json = object(&done, None, again.clone()).unwrap();
        assert_eq!((&json["again"], &json["smallest"]["file_is_enough"]), (&json!(again), &json!(false)));
    }

    #[test]
    fn a_world_that_fails_by_itself_is_repeated_by_its_file() {
        let mut done = planted(&campaign("kinematic"));
        for case in [&mut done.case, &mut done.small.as_mut().unwrap().0] {
            case.script = taut_scenes::fuzz::Script { steps: 5, ..Default::default() };
        }
        let text = lines(&done, Some("failing/seed-3.json".into()), "");
        assert!(text.ends_with("  again: taut run failing/seed-3.json\n") && !text.contains("not enough"), "{text}");
        done.small = None;
        assert_eq!(lines(&done, None, "").lines().count(), 1);
    }

    #[test]
    fn snapshots_and_threads_are_told() {
        let mut done = planted(&campaign("kinematic"));
        let script = &mut done.small.as_mut().unwrap().0.script;
        (script.snapshot, script.threads) = (Some(2), true);
        let text = lines(&done, None, "");
        assert!(text.contains("    before step 2: a snapshot is taken; 10 steps later"), "{text}");
        assert!(text.contains("    all of it once more on two threads"), "{text}");
    }

    #[test]
    fn commands_name_the_features_in_the_shorter_way() {
        assert_eq!(command(&campaign("none"), 7), "taut fuzz --seeds 7 --steps 40");
        assert_eq!(command(&campaign("all"), 7), "taut fuzz --seeds 7 --steps 40 --features none");
        let few = Campaign { features: Features::parse("loops,limits").unwrap(), ..campaign("none") };
        let words = command(&few, 7);
        let given = words.split_once("--features ").unwrap().1;
        assert_eq!(Features::parse(given), Ok(few.features), "{words}");
        let strict = Campaign { trial: Trial { limits: Limits::strict(), until: None }, ..campaign("none") };
        assert!(command(&strict, 7).ends_with("--steps 40 --strict"));
    }
}
