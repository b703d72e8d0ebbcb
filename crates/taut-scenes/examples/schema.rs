//! Prints the schema of a scene file as `scene.schema.json` keeps it:
//! `cargo run -q -p taut-scenes --features schema --example schema > crates/taut-scenes/scene.schema.json`.

fn main() {
    print!("{}", taut_scenes::file::schema_text());
}
