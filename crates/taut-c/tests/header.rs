//! The header that is kept is the one that the sources make.

use std::path::Path;

const BLESS: &str = "TAUT_BLESS=1 cargo test -p taut-c --test header";

#[test]
fn the_header_is_that_of_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let sources = ["call", "world", "snapshot", "options", "parts", "read", "control"];
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = sources.iter().fold(builder, |b, name| b.with_src(folder.join(format!("src/{name}.rs"))));
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    let (made, path) = (String::from_utf8(made).unwrap(), folder.join("include/taut.h"));
    if std::env::var_os("TAUT_BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(made == kept, "include/taut.h is not what the sources make: {BLESS} writes it");
}
