//! A server for the embedded page. Files only, nothing of the machine; one picture may be handed in under a name that only its page knows.
//!
//! HTTP/1.1 with one request per connection, each on a thread of its own with a time limit: a client that stalls holds up nobody else.

use super::FILES;
use super::address::{FILE, Opened};
use super::host;
use std::fmt;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The same rules as in the page, for those who only look at headers.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
/// Largest picture and longest head of a request that are taken, bytes.
const LARGEST: usize = 64 << 20;
const LONGEST: usize = 16 << 10;
/// Most connections at a time.
const CROWD: usize = 64;
/// How long a client may take to send or to take the next bytes.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a page handed in.
pub enum Received {
    /// A PNG.
    Picture(Vec<u8>),
    /// Why there is none.
    Failure(String),
}

/// Why a server cannot listen.
#[derive(Debug)]
pub enum Refused {
    /// Something else listens on the port.
    Taken(u16),
    /// Anything else, in words.
    Other(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Taken(port) => write!(
                f,
                "--port {port}: the port is taken, by another `taut view` perhaps: stop that one, or choose another \
                 port with --port N (--port 0 takes any free one)"
            ),
            Refused::Other(why) => f.write_str(why),
        }
    }
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    /// Where.
    pub address: SocketAddr,
    shared: Arc<Shared>,
    received: Mutex<Receiver<Received>>,
}

/// What all connections know.
struct Shared {
    address: SocketAddr,
    /// What it was told to listen on.
    host: String,
    stopped: AtomicBool,
    open: AtomicUsize,
    file: Option<String>,
    tell: Mutex<Sender<Received>>,
}

impl Shared {
    /// Makes the listener look up.
    fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

impl Server {
    /// Listens on a host and port; port 0 is any free one.
    pub fn new(host: &str, port: u16, opened: &Opened) -> Result<Self, Refused> {
        let refuse = |e: std::io::Error| match e.kind() {
            ErrorKind::AddrInUse => Refused::Taken(port),
            _ => Refused::Other(format!("{host}:{port}: {e}; expected an address of this machine and a free port")),
        };
        let listener = TcpListener::bind((host, port)).map_err(refuse)?;
        let address = listener.local_addr().map_err(refuse)?;
        let (tell, received) = channel();
        let (stopped, open) = (AtomicBool::new(false), AtomicUsize::new(0));
        let host = host.to_owned();
        let shared = Shared { address, host, stopped, open, file: opened.file.clone(), tell: Mutex::new(tell) };
        Ok(Server { listener, address, shared: Arc::new(shared), received: Mutex::new(received) })
    }

    /// The address of a page.
    pub fn url(&self, hash: &str) -> String {
        let sign = if hash.is_empty() { "" } else { "#" };
        format!("http://{}/{sign}{hash}", self.address)
    }

    /// Makes `serve` return.
    pub fn stopper(&self) -> impl Fn() + Send + Sync + 'static {
        let shared = self.shared.clone();
        move || shared.stop()
    }

    /// Answers until it is stopped, or until a picture is handed in under the name `token`.
    pub fn serve(&self, token: Option<&str>) -> Option<Received> {
        let wanted = token.map(|t| format!("/picture/{t}"));
        for stream in self.listener.incoming() {
            if self.shared.stopped.load(Ordering::SeqCst) {
                break;
            }
            let Ok(stream) = stream else { continue };
            // Beyond that a client is turned away.
            if self.shared.open.fetch_add(1, Ordering::SeqCst) >= CROWD {
                self.shared.open.fetch_sub(1, Ordering::SeqCst);
                continue;
            }
            let (shared, wanted) = (self.shared.clone(), wanted.clone());
            std::thread::spawn(move || {
                let _ = converse(stream, &shared, wanted.as_deref());
                shared.open.fetch_sub(1, Ordering::SeqCst);
            });
        }
        self.received.lock().ok().and_then(|r| r.try_recv().ok())
    }
}

/// One request and its answer.
fn converse(mut stream: TcpStream, shared: &Shared, wanted: Option<&str>) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let Some((head, rest)) = head(&mut stream)? else {
        return answer(&mut stream, 400, "text/plain", b"bad request\n", true);
    };
    if !host::is_ours(&head, &shared.host, shared.address) {
        let text = format!("this page is at {}: no other name of this machine is answered\n", shared.address);
        return answer(&mut stream, 421, "text/plain; charset=utf-8", text.as_bytes(), true);
    }
    let mut words = head.lines().next().unwrap_or("").split(' ');
    let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    if method == "POST" && wanted == Some(target) {
        let received = receive(&mut stream, &head, rest);
        answer(&mut stream, 204, "text/plain", b"", false)?;
        if let Ok(tell) = shared.tell.lock() {
            let _ = tell.send(received);
        }
        shared.stop();
        return Ok(());
    }
    let text = "text/plain; charset=utf-8";
    if !matches!(method, "GET" | "HEAD") {
        return answer(&mut stream, 405, text, b"only GET and HEAD are answered here\n", true);
    }
    let path = target.split(['?', '#']).next().unwrap_or("").trim_start_matches('/');
    let name = if path.is_empty() { "index.html" } else { path };
    let found = FILES.binary_search_by(|(n, _)| (*n).cmp(name)).ok().map(|k| FILES[k].1);
    let given = shared.file.as_deref().filter(|_| name == FILE).map(str::as_bytes);
    match found.or(given) {
        Some(bytes) => answer(&mut stream, 200, kind(name), bytes, method == "GET"),
        None => answer(&mut stream, 404, text, b"no such file\n", method == "GET"),
    }
}

/// The head of a request, and what came after it; none when it is no text or too long.
fn head(stream: &mut TcpStream) -> std::io::Result<Option<(String, Vec<u8>)>> {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    loop {
        let n = stream.read(&mut part)?;
        bytes.extend_from_slice(&part[..n]);
        if let Some(end) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            let rest = bytes.split_off(end + 4);
            return Ok(String::from_utf8(bytes).ok().map(|head| (head, rest)));
        }
        if n == 0 || bytes.len() > LONGEST {
            return Ok(None);
        }
    }
}

/// What was handed in: a PNG by its first bytes, else a message.
fn receive(stream: &mut TcpStream, head: &str, mut body: Vec<u8>) -> Received {
    let length = head.lines().filter_map(|l| l.split_once(':')).find(|(n, _)| n.eq_ignore_ascii_case("content-length"));
    let length = length.and_then(|(_, v)| v.trim().parse::<usize>().ok()).unwrap_or(0);
    if length > LARGEST {
        return Received::Failure(format!("a picture of {length} bytes: expected at most {LARGEST}"));
    }
    let more = length.saturating_sub(body.len()) as u64;
    match stream.take(more).read_to_end(&mut body) {
        Ok(_) if body.starts_with(b"\x89PNG\r\n") => Received::Picture(body),
        Ok(_) => Received::Failure(String::from_utf8_lossy(&body).into_owned()),
        Err(e) => Received::Failure(e.to_string()),
    }
}

fn answer(stream: &mut TcpStream, status: u16, kind: &str, body: &[u8], sent: bool) -> std::io::Result<()> {
    let reason = match status {
        200 => "OK",
        204 => "No Content",
        400 => "Bad Request",
        404 => "Not Found",
        421 => "Misdirected Request",
        _ => "Method Not Allowed",
    };
    let head = format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nContent-Security-Policy: {POLICY}\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Cross-Origin-Embedder-Policy: require-corp\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    if sent {
        stream.write_all(body)?;
    }
    stream.flush()
}

/// Media type by the ending.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webmanifest" => "application/manifest+json",
        "txt" | "map" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::TcpStream;

    fn ask(address: SocketAddr, request: &str) -> String {
        let mut s = TcpStream::connect(address).unwrap();
        s.write_all(request.as_bytes()).unwrap();
        let mut out = Vec::new();
        s.read_to_end(&mut out).unwrap();
        String::from_utf8_lossy(&out).into_owned()
    }

    fn get(address: SocketAddr, path: &str) -> String {
        ask(address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"))
    }

    #[test]
    fn files_are_served_and_nothing_else() {
        let opened = Opened { hash: String::new(), file: Some("{\"taut\": 1}".into()) };
        let server = Server::new("127.0.0.1", 0, &opened).unwrap();
        let (address, stop) = (server.address, server.stopper());
        assert!(address.ip().is_loopback());
        let running = std::thread::spawn(move || server.serve(Some("secret")).is_some());
        let file = get(address, "/scene-file.json");
        assert!(file.starts_with("HTTP/1.1 200") && file.ends_with("{\"taut\": 1}"), "{file}");
        assert!(file.contains("Content-Security-Policy") && file.contains("nosniff"));
        for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/picture/secret", "/none"] {
            assert!(get(address, path).starts_with("HTTP/1.1 404"), "{path}");
        }
        let post = format!("POST /scene-file.json HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\n\r\n");
        assert!(ask(address, &post).starts_with("HTTP/1.1 405"));
        // A body that is never sent, and a client that never reads, harm nobody.
        let huge = format!("POST /x HTTP/1.1\r\nHost: {address}\r\nContent-Length: 18446744073709551615\r\n\r\nabc");
        assert!(ask(address, &huge).starts_with("HTTP/1.1 405"));
        let idle: Vec<TcpStream> = (0..8).map(|_| TcpStream::connect(address).unwrap()).collect();
        assert!(get(address, "/scene-file.json").starts_with("HTTP/1.1 200"));
        drop(idle);
        assert!(ask(address, &format!("nonsense\r\nHost: {address}\r\n\r\n")).starts_with("HTTP/1.1 405"));
        // A name that leads here by a trick (DNS rebinding) gets nothing, whatever it asks for.
        let port = address.port();
        for name in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "x@127.0.0.1"] {
            for method in ["GET", "POST"] {
                let request = format!("{method} /scene-file.json HTTP/1.1\r\nHost: {name}:{port}\r\n\r\n");
                let text = ask(address, &request);
                assert!(text.starts_with("HTTP/1.1 421") && !text.contains("taut\": 1"), "{name}: {text}");
                assert!(text.contains(&format!("this page is at {address}")), "{text}");
            }
        }
        assert!(ask(address, "GET / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 421"));
        stop();
        assert!(!running.join().unwrap());
    }

    #[test]
    fn one_picture_is_taken() {
        let server = Server::new("127.0.0.1", 0, &Opened::default()).unwrap();
        let address = server.address;
        let running = std::thread::spawn(move || server.serve(Some("secret")));
        let post = |name: &str, body: &str| {
            let n = body.len();
            format!(
                "POST /picture/{name} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {n}\r\nConnection: close\r\n\r\n{body}"
            )
        };
        assert!(ask(address, &post("guess", "x")).starts_with("HTTP/1.1 405"));
        assert!(ask(address, &post("secret", "the step failed")).starts_with("HTTP/1.1 204"));
        let Some(Received::Failure(why)) = running.join().unwrap() else { panic!("expected a failure") };
        assert_eq!(why, "the step failed");
    }

    #[test]
    fn a_bad_address_is_refused() {
        let e = Server::new("203.0.113.7", 1, &Opened::default()).err().unwrap().to_string();
        assert!(e.contains("203.0.113.7:1"), "{e}");
        let first = Server::new("127.0.0.1", 0, &Opened::default()).unwrap();
        let port = first.address.port();
        let e = Server::new("127.0.0.1", port, &Opened::default()).err().unwrap().to_string();
        assert!(e.contains(&format!("--port {port}: the port is taken")) && e.contains("--port 0"), "{e}");
    }
}
