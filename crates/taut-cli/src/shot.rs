//! `taut shot`: a picture of a scene at a time, drawn by the page in a headless Chromium.

use crate::output::OutputFile;
use crate::page::{self, Received, Server, Shown};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use taut_scenes::choices;

/// Arguments of `taut shot`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A scene of the library (see `taut list`), or a scene file ending in .json.
    #[arg(value_name = "SCENE|FILE.json")]
    scene: String,
    #[command(flatten)]
    shown: Shown,
    /// Simulated time of the picture in seconds; without it the start.
    #[arg(long, value_name = "S", value_parser = choices::seconds, allow_negative_numbers = true)]
    at: Option<f64>,
    /// The picture.
    #[arg(long, value_name = "FILE.png")]
    out: PathBuf,
    /// Width, pixels.
    #[arg(long, value_name = "N", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(16..=8192))]
    width: u32,
    /// Height, pixels.
    #[arg(long, value_name = "N", default_value_t = 800, value_parser = clap::value_parser!(u32).range(16..=8192))]
    height: u32,
    /// Light or dark.
    #[arg(long, value_name = "X", default_value = "light", value_parser = ["light", "dark"])]
    theme: String,
    /// A line of text in the picture.
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,
    /// Most seconds to wait for the picture.
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    wait: u32,
}

const EXAMPLES: &str = "Examples:
  taut shot crane --at 2 --out crane.png
  taut shot crane --at 2 --world none --world full --world aligned --width 1600 --out compared.png
  taut shot cloth --at 3 --hide tension --theme dark --out cloth.png

Needs a Chromium or Chrome on the PATH, or its path in the environment variable CHROMIUM.";

/// Draws and writes it.
pub fn shot(args: &Args) -> Result<u8, String> {
    page::required()?;
    let opened = args.shown.open(Some(&args.scene))?;
    let browser = browser()?;
    let out = OutputFile::open("--out", &args.out)?;
    let server = Server::new("127.0.0.1", 0, &opened)?;
    let token = token();
    let mut hash =
        format!("{}&shot=1&theme={}&to={token}&size={},{}", opened.hash, args.theme, args.width, args.height);
    hash += &args.at.map_or(String::new(), |t| format!("&at={t}"));
    hash += &args.caption.as_ref().map_or(String::new(), |c| format!("&caption={}", page::escape(c)));
    let profile = std::env::temp_dir().join(format!("taut-shot-{token}"));
    let mut child = start(&browser, &profile, (args.width, args.height), &server.url(&hash))?;
    let stop = server.stopper();
    let (wait, done) = (Duration::from_secs(args.wait.into()), std::sync::mpsc::channel::<()>());
    let (tell, told) = done;
    let watch = std::thread::spawn(move || {
        if told.recv_timeout(wait).is_err() {
            stop();
        }
    });
    let received = server.serve(Some(&token));
    let _ = tell.send(());
    let _ = watch.join();
    let _ = child.kill();
    let _ = child.wait();
    let _ = std::fs::remove_dir_all(&profile);
    match received {
        Some(Received::Picture(png)) => {
            out.begin()?.write_all(&png).map_err(|e| format!("--out = {}: {e}", args.out.display()))?;
            Ok(0)
        }
        Some(Received::Failure(why)) => Err(why),
        None => Err(format!("{browser}: no picture within {} s: expected a browser with WebGL 2", args.wait)),
    }
}

/// Names under which Chromium is found.
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

fn browser() -> Result<String, String> {
    if let Ok(path) = std::env::var("CHROMIUM") {
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
fn start(browser: &str, profile: &std::path::Path, (w, h): (u32, u32), url: &str) -> Result<Child, String> {
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
