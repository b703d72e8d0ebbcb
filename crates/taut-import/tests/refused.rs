//! What is wrong with a file is told with its line, and damaged files never stop the program.

use std::path::Path;
use taut_import::fuzz::{Outcome, trial};
use taut_import::{Imported, Options, Result, import};

/// Imports a text; files of the list are beside it.
fn read(name: &str, text: &str, beside: &[(&str, &str)]) -> Result<Imported> {
    let mut files = |path: &Path| {
        let wanted = path.to_str().unwrap_or_default();
        let found = beside.iter().copied().chain([(name, text)]).find(|(n, _)| *n == wanted).map(|(_, t)| t.into());
        found.ok_or_else(|| "not there".to_owned())
    };
    import(Path::new(name), &mut files, &Options::default())
}

/// The message of what is refused.
fn refused(name: &str, text: &str) -> String {
    match read(name, text, &[]) {
        Err(e) => e.to_string(),
        Ok(_) => panic!("not refused: {text}"),
    }
}

const LINK: &str = r#"<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>"#;

#[test]
fn errors_of_urdf_name_line_value_and_what_was_expected() {
    let robot = |inner: &str| format!("<robot name=\"r\">\n{LINK}\n{inner}\n</robot>");
    let joint = |inner: &str| {
        robot(&format!(
            "<link name=\"b\"/>\n<joint name=\"j\" type=\"revolute\"><parent link=\"b\"/><child link=\"a\"/>{inner}</joint>"
        ))
    };
    for (text, parts) in [
        (robot("<link/>"), ["line 3", "'name'"]),
        (robot("<link name=\"a\"/>"), ["line 3", "a name that no other link has"]),
        (joint(""), ["line 4", "without <limit>"]),
        (joint("<limit lower=\"nan\" upper=\"1\"/>"), ["line 4", "limit lower = 'nan': expected 1 finite number"]),
        (joint("<limit lower=\"0\" upper=\"1e999\"/>"), ["line 4", "limit upper = '1e999'"]),
        (joint("<axis xyz=\"0 0 0\"/><limit lower=\"0\" upper=\"1\"/>"), ["line 4", "a direction, which is not zero"]),
        (joint("<limit lower=\"0\" upper=\"1\"/><mimic joint=\"k\"/>"), ["line 4", "'k': expected the name of another"]),
        (
            robot("<link name=\"b\"/><joint name=\"j\" type=\"screw\"><parent link=\"b\"/><child link=\"a\"/></joint>"),
            ["line 3", "type = 'screw'"],
        ),
        (robot("<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"c\"/></joint>"), ["line 3", "'c': expected the name of a link"]),
        (
            robot("<link name=\"b\"><inertial><mass value=\"-2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>"),
            ["line 3", "mass value = '-2': expected zero or a positive number"],
        ),
        (
            robot("<link name=\"b\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"9\"/></inertial></link>"),
            ["line 3", "expected I1 + I2 >= I3"],
        ),
        (
            robot("<link name=\"b\"><collision><geometry><mesh filename=\"no.stl\"/></geometry></collision></link>"),
            ["line 3", "file 'no.stl' cannot be read (no.stl: not there)"],
        ),
        (robot("<link name=\"b\"><collision><geometry><sphere radius=\"0\"/></geometry></collision></link>"), ["line 3", "radius = '0'"]),
        (
            "<robot>\n<link name=\"a\"/><link name=\"b\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>\n\
             <joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>\n</robot>"
                .into(),
            ["line 3", "a ring"],
        ),
    ] {
        let message = refused("r.urdf", &text);
        assert!(message.starts_with("r.urdf, ") && parts.iter().all(|p| message.contains(p)), "{message}\n{text}");
    }
}

#[test]
fn errors_of_mjcf_name_line_value_and_what_was_expected() {
    let world = |inner: &str| format!("<mujoco>\n<worldbody>\n{inner}\n</worldbody>\n</mujoco>");
    let field = |what: &str| {
        let asset = format!("<mujoco>\n<asset>\n<hfield name=\"h\" {what} size=\"1 1 1 1\"/></asset>");
        format!("{asset}<worldbody><geom type=\"hfield\" hfield=\"h\"/></worldbody></mujoco>")
    };
    let body = |inner: &str| world(&format!("<body name=\"b\"><joint name=\"j\"/>{inner}</body>"));
    for (text, parts) in [
        (body("<geom/>"), ["line 3", "without 'size'"]),
        (body("<geom size=\"-1\"/>"), ["line 3", "size = '-1'"]),
        (body("<geom type=\"cone\" size=\"1\"/>"), ["line 3", "type = 'cone': expected one of plane, sphere"]),
        (body("<geom type=\"mesh\" mesh=\"m\"/>"), ["line 3", "the name of a <mesh>"]),
        (body("<geom size=\"1\" class=\"c\"/>"), ["line 3", "the name of a class"]),
        (body("<geom size=\"1\" quat=\"0 0 0 0\"/>"), ["line 3", "not zero"]),
        (body("<joint range=\"1 0\"/><geom size=\"1\"/>"), ["line 3", "the smaller first"]),
        (body(""), ["line 3", "moves and has no mass"]),
        (body("<inertial mass=\"1\" pos=\"0 0 0\"/>"), ["line 3", "'diaginertia' or 'fullinertia'"]),
        (body("<body><freejoint/><geom size=\"1\"/></body>"), ["line 3", "only in a body of the world"]),
        (world("<joint/>"), ["line 3", "expected it in a body"]),
        (body("<geom size=\"1\"/></body><body name=\"b\">"), ["line 3", "a name that no other body has"]),
        (world("<include file=\"gone.xml\"/>"), ["line 3", "'gone.xml' cannot be read"]),
        (world("<include file=\"m.xml\"/>"), ["line 3", "includes itself: m.xml > m.xml"]),
        (world("<body></worldbody>"), ["line 3", "malformed XML"]),
        (world("<replicate/>"), ["line 3", "'count'"]),
        (world("<replicate count=\"1.5\"/>"), ["line 3", "count = '1.5': expected a whole number of copies"]),
        (world("<replicate count=\"1e6\"><geom size=\"1\"/></replicate>"), ["line 3", "no more than 200000 elements"]),
        (
            world(&format!("{}<geom/>{}", "<replicate count=\"9\">".repeat(50), "</replicate>".repeat(50))),
            ["line 3", "no more than 200000 elements"],
        ),
        (body("<geom type=\"hfield\" hfield=\"h\"/>"), ["line 3", "hfield = 'h': expected the name of an <hfield>"]),
        (
            field("nrow=\"2\" ncol=\"2\" elevation=\"1 2 3\""),
            ["line 3", "elevation = '1 2 3': expected 4 finite numbers"],
        ),
        (field("nrow=\"1\" ncol=\"2\""), ["line 3", "nrow = '1': expected a whole number from 2"]),
        (field("file=\"gone.png\""), ["line 3", "'gone.png' cannot be read"]),
        (field("file=\"m.xml\" content_type=\"image/png\""), ["line 3", "'m.xml': no PNG that can be read"]),
        (field("file=\"m.xml\""), ["line 3", "expected two whole numbers of 32 bits"]),
        ("<sdf/>".into(), ["line 1", "<robot> of a URDF or <mujoco> of an MJCF"]),
        ("".into(), ["line 1", "malformed XML"]),
    ] {
        let message = refused("m.xml", &text);
        assert!(message.starts_with("m.xml, ") && parts.iter().all(|p| message.contains(p)), "{message}\n{text}");
    }
}

/// What is not taken over is told, with its line and how often.
#[test]
fn what_is_not_supported_is_told() {
    let text = r#"<mujoco>
        <option density="1.2"/>
        <worldbody>
          <body><joint solreflimit="1 1" odd="3"/><geom size="1" solref="1 1" rgba="1 0 0 1"/><camera/></body>
          <body><joint solreflimit="1 1"/><geom size="1"/><composite/><geom type="hfield" hfield="h"/></body>
        </worldbody>
        <deformable/><asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset>
        <actuator><muscle joint="joint 0"/></actuator>
    </mujoco>"#;
    let report = read("m.xml", text, &[]).unwrap().report;
    let all: Vec<String> = report.warnings.iter().map(ToString::to_string).collect();
    for (line, what) in [
        (2, "'density'"),
        (4, "'solreflimit': stops are rigid"),
        (4, "<joint> 'odd' is not supported"),
        (4, "'solref': contacts are rigid"),
        (5, "<composite>"),
        (5, "height fields on bodies that move are not supported"),
        (7, "<deformable>"),
        (8, "<muscle>"),
    ] {
        assert!(
            all.iter().any(|w| w.contains(&format!("line {line}: ")) && w.contains(what)),
            "{what} in line {line}: {all:#?}"
        );
    }
    assert!(all.iter().any(|w| w.contains("solreflimit") && w.ends_with("(and once more)")), "{all:#?}");
    let unused: Vec<&str> = report.unused.iter().map(|n| n.message.as_str()).collect();
    assert!(unused.contains(&"<camera>") && unused.contains(&"<geom> 'rgba'"), "{unused:?}");
}

#[test]
fn entities_and_rings_of_includes_end_at_once() {
    let bomb = r#"<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]><mujoco model="&c;"/>"#;
    assert!(refused("m.xml", bomb).contains("a document type"));
    let ring = [("a.xml", "<a><include file=\"b.xml\"/></a>"), ("b.xml", "<b>\n<include file=\"a.xml\"/></b>")];
    let e = read("m.xml", "<mujoco><worldbody><include file=\"a.xml\"/></worldbody></mujoco>", &ring).unwrap_err();
    assert_eq!(e.to_string(), "b.xml, line 2: 'a.xml' includes itself: m.xml > a.xml > b.xml > a.xml");
}

/// Nothing that reads calls itself: a chain of 20,000 bodies is one.
#[test]
fn deep_nesting_is_read() {
    let depth = 20_000;
    let body = "<body pos=\"0 0 -1\"><joint axis=\"0 1 0\"/><geom size=\"0.1\" contype=\"0\" conaffinity=\"0\"/>";
    let text = format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", body.repeat(depth), "</body>".repeat(depth));
    assert_eq!(read("m.xml", &text, &[]).unwrap().file.bodies.len(), depth);
    let frames =
        format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", "<frame>".repeat(depth), "</frame>".repeat(depth));
    assert!(refused("m.xml", &frames).contains("no body moves"));
    let defaults = format!("<mujoco>{}{}</mujoco>", "<default class=\"a\">".repeat(depth), "</default>".repeat(depth));
    assert!(refused("m.xml", &defaults).contains("no body moves"));
}

/// Two fingers in 65 colliders of the ground, with a residual of 1e150 m/s: the solver of heaps gives up in time.
#[test]
fn absurd_heaps_take_bounded_time() {
    assert_eq!(trial(3432), Outcome::Ran);
}

/// `taut fuzz --files` runs thousands of these.
#[test]
fn damaged_files_are_read_or_refused() {
    let mut refused = 0;
    for seed in 0..300 {
        match trial(seed) {
            Outcome::Fault(why) => panic!("seed {seed}: {why}"),
            Outcome::Refused(message) => {
                assert!(message.contains(": "), "seed {seed}: {message}");
                refused += 1;
            }
            Outcome::Unbuilt(_) | Outcome::Ran => {}
        }
    }
    assert!((30..270).contains(&refused), "{refused} of 300 are refused: damage too heavy or too light to try much");
}
