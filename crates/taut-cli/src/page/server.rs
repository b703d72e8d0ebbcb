//! A server for the embedded page. Files only, nothing of the machine; one picture may be handed in under a name that only its page knows.

use super::FILES;
use super::address::{FILE, Opened};
use std::io::Read;
use std::net::SocketAddr;
use std::sync::Arc;
use tiny_http::{Header, Method, Request, Response, StatusCode};

/// The same rules as in the page, for those who only look at headers.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Largest picture that is taken, bytes.
const LARGEST: u64 = 64 << 20;

/// What a page handed in.
pub enum Received {
    /// A PNG.
    Picture(Vec<u8>),
    /// Why there is none.
    Failure(String),
}

/// A server that listens.
pub struct Server {
    inner: Arc<tiny_http::Server>,
    /// Where.
    pub address: SocketAddr,
    file: Option<String>,
}

impl Server {
    /// Listens on a host and port; port 0 is any free one.
    pub fn new(host: &str, port: u16, opened: &Opened) -> Result<Self, String> {
        let inner = tiny_http::Server::http((host, port))
            .map_err(|e| format!("{host}:{port}: {e}; expected an address of this machine and a free port"))?;
        let address = inner.server_addr().to_ip().ok_or("the server has no address")?;
        Ok(Server { inner: Arc::new(inner), address, file: opened.file.clone() })
    }

    /// The address of a page.
    pub fn url(&self, hash: &str) -> String {
        let sign = if hash.is_empty() { "" } else { "#" };
        format!("http://{}/{sign}{hash}", self.address)
    }

    /// Makes `serve` return.
    pub fn stopper(&self) -> impl Fn() + Send + Sync + 'static {
        let inner = self.inner.clone();
        move || inner.unblock()
    }

    /// Answers until it is stopped, or until a picture is handed in under the name `token`.
    pub fn serve(&self, token: Option<&str>) -> Option<Received> {
        loop {
            let Ok(mut request) = self.inner.recv() else { return None };
            let path = request.url().split(['?', '#']).next().unwrap_or("/").trim_start_matches('/').to_owned();
            let handed_in = token.is_some_and(|t| path == format!("picture/{t}"));
            if handed_in && *request.method() == Method::Post {
                let received = receive(&mut request);
                let _ = request.respond(plain(204, ""));
                return Some(received);
            }
            self.answer(request, &path);
        }
    }

    fn answer(&self, request: Request, path: &str) {
        if !matches!(request.method(), Method::Get | Method::Head) {
            let _ = request.respond(plain(405, "only GET and HEAD are answered here\n"));
            return;
        }
        let name = if path.is_empty() { "index.html" } else { path };
        let found = FILES.binary_search_by(|(n, _)| (*n).cmp(name)).ok().map(|k| FILES[k].1);
        let given = self.file.as_deref().filter(|_| name == FILE).map(str::as_bytes);
        let _ = match found.or(given) {
            Some(bytes) => request.respond(headed(Response::from_data(bytes), kind(name))),
            None => request.respond(plain(404, "no such file\n")),
        };
    }
}

/// What was handed in: a PNG by its first bytes, else a message.
fn receive(request: &mut Request) -> Received {
    let mut body = Vec::new();
    match request.as_reader().take(LARGEST).read_to_end(&mut body) {
        Ok(_) if body.starts_with(b"\x89PNG\r\n") => Received::Picture(body),
        Ok(_) => Received::Failure(String::from_utf8_lossy(&body).into_owned()),
        Err(e) => Received::Failure(e.to_string()),
    }
}

type Text = Response<std::io::Cursor<Vec<u8>>>;

fn plain(status: u16, text: &str) -> Text {
    headed(Response::from_string(text).with_status_code(StatusCode(status)), "text/plain; charset=utf-8")
}

fn headed(mut response: Text, kind: &str) -> Text {
    let headers = [
        ("Content-Type", kind),
        ("Content-Security-Policy", POLICY),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Embedder-Policy", "require-corp"),
        ("Cache-Control", "no-cache"),
    ];
    for (name, value) in headers {
        if let Ok(h) = Header::from_bytes(name, value) {
            response.add_header(h);
        }
    }
    response
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
        ask(address, &format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
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
        let post = "POST /scene-file.json HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        assert!(ask(address, post).starts_with("HTTP/1.1 405"));
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
                "POST /picture/{name} HTTP/1.1\r\nHost: x\r\nContent-Length: {n}\r\nConnection: close\r\n\r\n{body}"
            )
        };
        assert!(ask(address, &post("guess", "x")).starts_with("HTTP/1.1 405"));
        assert!(ask(address, &post("secret", "the step failed")).starts_with("HTTP/1.1 204"));
        let Some(Received::Failure(why)) = running.join().unwrap() else { panic!("expected a failure") };
        assert_eq!(why, "the step failed");
    }

    #[test]
    fn a_bad_address_is_refused() {
        let e = Server::new("203.0.113.7", 1, &Opened::default()).err().unwrap();
        assert!(e.contains("203.0.113.7:1"), "{e}");
    }
}
