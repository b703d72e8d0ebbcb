//! `taut view`: the page with the engine in it, served from this binary.

use crate::output::{self, complain};
use crate::page::{self, Refused, Server, Shown};
use std::process::{Command, Stdio};

/// Arguments of `taut view`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A scene of the library (see `taut list`), a scene file ending in .json, or a model (.urdf, .xml); without one the page opens on its comparison.
    #[arg(value_name = "SCENE|FILE")]
    scene: Option<String>,
    #[command(flatten)]
    shown: Shown,
    /// Start the browser.
    #[arg(long)]
    open: bool,
    /// Address of this machine to listen on. Anything but the default lets other machines see the page.
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// Port to listen on; 0 is any free one. When the default is taken, another is used and told.
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,
}

/// Where the page is unless told otherwise.
const PORT: u16 = 7410;

const EXAMPLES: &str = "Examples:
  taut view --open
  taut view crane --set vehicle=30000 --world none --world aligned
  taut view my-scene.json --port 0

The page runs the engine in the browser; nothing leaves this machine. Stop it with Ctrl-C.";

/// Serves until Ctrl-C.
pub fn view(args: &Args) -> Result<u8, String> {
    page::required()?;
    let opened = args.shown.open(args.scene.as_deref())?;
    let server = match Server::new(&args.host, args.port, &opened) {
        // The usual port is taken: another view runs.
        Err(Refused::Taken(port)) if port == PORT => {
            let server = Server::new(&args.host, 0, &opened).map_err(|e| e.to_string())?;
            let free = server.address.port();
            complain(&format!(
                "port {PORT} is taken, by another `taut view` perhaps; using {free} (--port N chooses one)"
            ));
            server
        }
        other => other.map_err(|e| e.to_string())?,
    };
    let url = server.url(&opened.hash);
    if !server.address.ip().is_loopback() {
        complain(&format!("warning: other machines can see this page ({})", server.address));
    }
    output::print(&format!("{url}\n"))?;
    let stop = server.stopper();
    ctrlc::set_handler(stop).map_err(|e| e.to_string())?;
    if args.open {
        start_browser(&url);
    }
    server.serve(None);
    Ok(0)
}

/// Asks the desktop for a browser.
fn start_browser(url: &str) {
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(target_os = "windows") {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program).args(first).arg(url).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(e) = started {
        complain(&format!("warning: no browser was started ({program}: {e}); open the address above"));
    }
}
