//! `taut shot`: a picture of a scene at a time, drawn by the page in a headless Chromium.

use crate::output::OutputFile;
use crate::page::{self, Received, Server, Shown};
use crate::{endings, interrupt};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use taut_scenes::choices;

/// Arguments of `taut shot`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A scene of the library (see `taut list`), a scene file ending in .json, or a model (.urdf, .xml).
    #[arg(value_name = "SCENE|FILE")]
    scene: String,
    #[command(flatten)]
    shown: Shown,
    /// Simulated time of the picture in seconds; default: the start.
    #[arg(long, value_name = "S", value_parser = choices::moment, allow_negative_numbers = true)]
    at: Option<f64>,
    /// The picture, a file ending in .png.
    #[arg(long, value_name = "FILE.png")]
    out: PathBuf,
    /// Width, pixels.
    #[arg(long, value_name = "N", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(16..=4096))]
    width: u32,
    /// Height, pixels.
    #[arg(long, value_name = "N", default_value_t = 800, value_parser = clap::value_parser!(u32).range(16..=4096))]
    height: u32,
    /// Light or dark.
    #[arg(long, value_name = "X", default_value = "light", value_parser = ["light", "dark"])]
    theme: String,
    /// Where the eye is, m; without it as in the page.
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    from: Option<Place>,
    /// What it looks at, m; default: the middle of what there is.
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    look_at: Option<Place>,
    /// How much larger than with the whole scene in view, or from where --from says.
    #[arg(long, value_name = "N", value_parser = zoom)]
    zoom: Option<f64>,
    /// A line of text in the picture.
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,
    /// Most seconds to wait for the picture.
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    wait: u32,
}

/// A point, m.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place([f64; 3]);

/// Three numbers between commas.
fn place(text: &str) -> Result<Place, String> {
    let expected = || "expected three numbers between commas, m, such as 10,5,-3".to_owned();
    let numbers: Vec<f64> =
        text.split(',').filter_map(|t| t.trim().parse().ok()).filter(|x: &f64| x.is_finite()).collect();
    match (text.split(',').count(), numbers.as_slice()) {
        (3, &[x, y, z]) => Ok(Place([x, y, z])),
        _ => Err(expected()),
    }
}

/// How much larger.
fn zoom(text: &str) -> Result<f64, String> {
    let factor: Option<f64> = text.trim().parse().ok().filter(|x| (0.01..=1000.0).contains(x));
    factor.ok_or_else(|| "expected a number from 0.01 to 1000".into())
}

/// The camera as a part of the page's address.
fn camera(args: &Args) -> String {
    let point =
        |name: &str, at: Option<Place>| at.map_or(String::new(), |Place([x, y, z])| format!("&{name}={x},{y},{z}"));
    let zoom = args.zoom.map_or(String::new(), |z| format!("&zoom={z}"));
    point("from", args.from) + &point("look", args.look_at) + &zoom
}

const EXAMPLES: &str = "Examples:
  taut shot crane --at 2 --out crane.png
  taut shot operated-crane --look-at 14,2,0 --zoom 3 --out hook.png
  taut shot crane --at 2 --world none --world full --world aligned --width 1600 --out compared.png
  taut shot cloth --at 3 --hide tension --theme dark --out cloth.png

Needs a Chromium or Chrome on the PATH, or its path in the environment variable CHROMIUM.";

/// Draws and writes it.
pub fn shot(args: &Args) -> Result<u8, String> {
    endings::of("--out", &args.out, &["png"])?;
    page::required()?;
    let opened = args.shown.open(Some(&args.scene))?;
    let browser = browser()?;
    let same = |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if same(&args.out, Path::new(&args.scene)) {
        return Err(format!("--out = {}: expected a file other than the scene file", args.out.display()));
    }
    let out = OutputFile::open("--out", &args.out)?;
    let server = Server::new("127.0.0.1", 0, &opened).map_err(|e| e.to_string())?;
    let token = token();
    let mut hash =
        format!("{}&shot=1&theme={}&to={token}&size={},{}", opened.hash, args.theme, args.width, args.height);
    hash += &camera(args);
    hash += &args.at.map_or(String::new(), |t| format!("&at={t}"));
    hash += &args.caption.as_ref().map_or(String::new(), |c| format!("&caption={}", page::escape(c)));
    let profile = std::env::temp_dir().join(format!("taut-shot-{token}"));
    interrupt::listen();
    let mut child = start(&browser, &profile, (args.width, args.height), &server.url(&hash))?;
    let (stop, url) = (server.stopper(), token.clone());
    let serving = std::thread::spawn(move || server.serve(Some(&url)));
    let waited = wait(&mut child, &serving, Duration::from_secs(args.wait.into()));
    stop();
    let received = serving.join().ok().flatten();
    let _ = child.kill();
    let _ = child.wait();
    sweep(&profile);
    match (received, waited) {
        (Some(Received::Picture(png)), _) => {
            out.begin()?.write_all(&png).map_err(|e| format!("--out = {}: {e}", args.out.display()))?;
            Ok(0)
        }
        (Some(Received::Failure(why)), _) => Err(why),
        (None, Waited::Interrupted) => Ok(interrupt::STATUS),
        (None, Waited::Ended) => Err(format!("{browser}: it ended without a picture: expected a Chromium")),
        (None, _) => Err(format!(
            "{browser}: no picture within {} s: expected a browser with WebGL 2, or a longer --wait",
            args.wait
        )),
    }
}

/// How the waiting for a picture ended.
enum Waited {
    Served,
    Ended,
    Interrupted,
    TooLong,
}

/// Waits for the picture, the end of the browser, Ctrl-C, or long enough.
fn wait(child: &mut Child, serving: &JoinHandle<Option<Received>>, most: Duration) -> Waited {
    let begin = Instant::now();
    while begin.elapsed() < most {
        if serving.is_finished() {
            return Waited::Served;
        }
        if interrupt::pressed() {
            return Waited::Interrupted;
        }
        if child.try_wait().is_ok_and(|done| done.is_some()) {
            return Waited::Ended;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Waited::TooLong
}

/// Removes the profile; the children of the browser take a moment to let go of it.
fn sweep(profile: &Path) {
    for _ in 0..50 {
        if !profile.exists() || std::fs::remove_dir_all(profile).is_ok() && !profile.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Names under which Chromium is found.
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

fn browser() -> Result<String, String> {
    if let Some(path) = std::env::var("CHROMIUM").ok().filter(|p| !p.is_empty()) {
        return Ok(path);
    }
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let found = NAMES.iter().find(|n| std::env::split_paths(&paths).any(|p| p.join(n).is_file()));
    found
        .map(|n| (*n).to_owned())
        .ok_or_else(|| format!("no browser on the PATH: expected one of {}, or its path in CHROMIUM", NAMES.join(", ")))
}

/// What a window takes of its height for itself, at most, pixels.
const FRAME: u32 = 300;

/// A browser without a window, whose drawing needs no graphics card.
fn start(browser: &str, profile: &Path, (w, h): (u32, u32), url: &str) -> Result<Child, String> {
    let mut command = Command::new(browser);
    command.args(["--headless=new", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]);
    command.args(["--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars", "--force-device-scale-factor=1"]);
    command.arg(format!("--user-data-dir={}", profile.display())).arg(format!("--window-size={w},{}", h + FRAME));
    // The sandbox refuses to run as root.
    if cfg!(unix) && std::env::var("USER").map_or(true, |u| u == "root") {
        command.arg("--no-sandbox");
    }
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map_err(|e| format!("{browser}: {e}"))
}

/// A name that others do not guess.
fn token() -> String {
    use std::hash::{BuildHasher, Hasher};
    let word = || std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", word(), word())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_zooms_are_read_or_refused() {
        assert_eq!(place("1,-2.5, 3e1"), Ok(Place([1.0, -2.5, 30.0])));
        for bad in ["", "1,2", "1,2,3,4", "1,2,x", "1,2,nan", "1,,3"] {
            assert!(place(bad).unwrap_err().contains("three numbers"), "{bad}");
        }
        assert_eq!(zoom("2"), Ok(2.0));
        assert!(["0", "-1", "x", "inf"].iter().all(|bad| zoom(bad).is_err()));
    }
}
