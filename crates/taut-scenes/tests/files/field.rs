//! Water, wind, exposure, bounds of speed and load cells in scene files: reading, errors, saving.

use taut::Vec3;
use taut::field::{Exposure, Form, Gusts, Water, Wave, Wind};
use taut::{Body, MassProperties, Prismatic, Shape, SpeedLimit, World};
use taut_scenes::file;

fn scene(rest: &str) -> String {
    format!(
        r#"{{ "taut": 1, "bodies": [{{ "type": "dynamic", "name": "buoy", "shape": {{ "type": "sphere", "radius": 0.5 }},
        "density": 500, "colliders": [{{}}] BODY }}] {rest} }}"#
    )
}

fn refused(text: &str) -> String {
    match file::parse(text).and_then(|f| file::build(&f)) {
        Err(e) => e.to_string(),
        Ok(_) => panic!("accepted: {text}"),
    }
}

#[test]
fn water_and_wind_are_read_and_act() {
    let text = scene(
        r#", "water": { "level": 1, "density": 1025, "current": [0.5, 0, 0],
        "waves": [{ "height": 0.4, "period": 6, "direction": [1, 0, 0], "phase": 0.3 }] },
        "wind": { "velocity": [8, 0, 0], "gusts": { "deviation": 1.5, "period": 4, "seed": 3 } }"#,
    )
    .replace(
        "BODY",
        r#", "exposure": { "drag": 0.5, "added_mass": [0.5, 0.5, 0.5], "viscous": 20 }, "position": [0, 1, 0]"#,
    );
    let mut world = file::build(&file::parse(&text).unwrap()).unwrap().world;
    let water = world.water().unwrap().clone();
    assert_eq!((water.level, water.density, water.waves.len()), (1.0, 1025.0, 1));
    assert_eq!(world.wind().unwrap().gusts, Gusts::Spectrum { deviation: 1.5, period: 4.0, seed: 3 });
    let buoy = world.find_body("buoy").unwrap();
    assert_eq!(world.body(buoy).unwrap().exposure().viscous, [20.0, 0.0]);
    for _ in 0..600 {
        world.step(1.0 / 60.0).unwrap();
    }
    let y = world.body(buoy).unwrap().position().y;
    assert!((y - 1.0).abs() < 0.4, "{y}");
}

#[test]
fn errors_name_the_field() {
    let plain = |rest: &str| scene(rest).replace("BODY", "");
    for (text, words) in [
        (plain(r#", "water": { "density": -1 }"#), ["water.density", "-1"]),
        (plain(r#", "water": [1]"#), ["water", "object"]),
        (
            plain(r#", "water": { "waves": [{ "height": 1, "period": 0, "direction": [1, 0, 0] }] }"#),
            ["period of wave 0", "0"],
        ),
        (plain(r#", "water": { "depth": 3 }"#), ["water", "depth"]),
        (plain(r#", "wind": { "velocity": [1, 0, 0], "gusts": { "period": 2 } }"#), ["wind.gusts", "amplitude"]),
        (
            plain(r#", "wind": { "velocity": [1, 0, 0], "gusts": { "period": 2, "amplitude": 1, "seed": 1 } }"#),
            ["wind.gusts.seed", "none"],
        ),
        (scene("").replace("BODY", r#", "exposure": { "displaces": "ball" }"#), ["bodies[0].exposure", "radius"]),
        (scene("").replace("BODY", r#", "exposure": { "radius": 1 }"#), ["bodies[0].exposure.radius", "ball"]),
        (scene("").replace("BODY", r#", "exposure": { "drag": -1 }"#), ["bodies[0].exposure", "drag"]),
        (scene("").replace("BODY", r#", "top_speed": 0"#), ["bodies[0].top_speed", "positive"]),
        (
            plain(
                r#", "joints": [{ "type": "prismatic", "bodies": ["buoy", "ground"], "axis": [0, 1, 0], "point": [0, 0, 0],
            "speeds": [{ "freedom": "slide", "lower": 1 }] }]"#,
            ),
            ["joints[0].speeds[0].lower", "negative"],
        ),
        (
            plain(
                r#", "joints": [{ "type": "prismatic", "bodies": ["buoy", "ground"], "axis": [0, 1, 0], "point": [0, 0, 0],
            "speeds": [{ "freedom": "slide" }] }]"#,
            ),
            ["joints[0].speeds[0]", "lower"],
        ),
        (
            plain(
                r#", "joints": [{ "type": "prismatic", "bodies": ["buoy", "ground"], "axis": [0, 1, 0], "point": [0, 0, 0],
            "armature": -2 }]"#,
            ),
            ["joints[0].armature", "kg"],
        ),
        (
            plain(
                r#", "joints": [{ "type": "weld", "bodies": ["buoy", "ground"], "point": [0, 0, 0], "armature": 2 }]"#,
            ),
            ["joints[0].armature", "hinge"],
        ),
    ] {
        let error = refused(&text);
        assert!(words.iter().all(|w| error.contains(w)), "{error}: expected {words:?}");
    }
}

#[test]
fn a_world_with_all_of_it_is_saved_and_built_again_to_the_last_bit() {
    let mut world = World::new();
    let swell = Wave { height: 0.5, period: 7.0, direction: Vec3::new(1.0, 0.0, 0.3), phase: 0.7 };
    world.set_water(Some(Water::still(0.25).density(1025.0).current(0.2 * Vec3::Z).wave(swell))).unwrap();
    world.set_wind(Some(Wind::steady(9.0 * Vec3::X).gusts(Gusts::Sine { amplitude: 2.0, period: 5.0 }))).unwrap();
    world.add(Body::solid(Shape::capsule(1.0, 0.3), 500.0).unwrap().named("log")).unwrap();
    let prism = Form::Prism { bottom: -Vec3::Y, height: 2.0, area: 3.0, moments: [1.0, 2.0] };
    let hull = Exposure { form: prism, areas: Some(Vec3::new(1.0, 2.0, 3.0)), ..Exposure::new().viscous(5.0, 6.0) };
    let ship = Body::dynamic(MassProperties::cuboid(500.0, Vec3::new(2.0, 0.5, 0.5)).unwrap());
    world.add(ship.at(9.0 * Vec3::X).exposed(hull).top_speed(3.0, 0.5).named("ship")).unwrap();
    world.add(Body::particle(2.0).at(-5.0 * Vec3::X).exposed(Exposure::strand(0.05, 2.0)).named("line")).unwrap();
    world.add(Body::particle(2.0).at(-7.0 * Vec3::X).exposed(Exposure::area(0.3)).named("sail")).unwrap();
    let lift =
        world.add(Body::solid(Shape::ball(0.2), 3000.0).unwrap().at(5.0 * Vec3::Z).exposed(Exposure::none())).unwrap();
    let slide =
        Prismatic::between(lift, world.ground()).axis(Vec3::Y).speed_limit(SpeedLimit::new(-0.5, f64::INFINITY));
    let slide = slide.armature(40.0);
    world.add(slide.named("lift")).unwrap();
    let saved = file::from_world(&world).unwrap();
    let text = file::write(&saved.file).unwrap();
    let mut again = file::build(&file::parse(&text).unwrap()).unwrap().world;
    assert_eq!((again.water(), again.wind()), (world.water(), world.wind()));
    for _ in 0..120 {
        world.step(1.0 / 60.0).unwrap();
        again.step(1.0 / 60.0).unwrap();
    }
    assert_eq!(world.state().hash(), again.state().hash());
    let lift = world.find_joint("lift").unwrap();
    assert!((world.joint(lift).unwrap().rate().unwrap() + 0.5).abs() < 1e-9);
}

/// A load cell on a rope over a sheave, and the depth of a body, fire events.
#[test]
fn the_pull_of_a_rope_and_the_depth_of_a_body_are_conditions() {
    let text = r#"{ "taut": 1,
      "bodies": [{ "type": "particle", "name": "load", "mass": 100, "position": [1, -5, 0] },
                 { "type": "particle", "name": "counter", "mass": 300, "position": [-1, -5, 0] },
                 { "type": "particle", "name": "stone", "mass": 1, "position": [5, 0.5, 0] }],
      "water": { "level": 0 },
      "sheaves": [{ "name": "tip", "body": "ground", "point": [0, 0, 0], "axis": [0, 0, 1], "radius": 1 }],
      "ropes": [{ "name": "hoist", "path": [{ "body": "load" }, { "over": "tip" }, { "body": "counter" }] }],
      "events": [{ "name": "taut", "when": { "rope": "hoist", "measure": "tension", "span": 0, "above": 1400 } },
                 { "name": "splash", "when": { "body": "stone", "measure": "depth", "above": 0 } }] }"#;
    let parsed = file::parse(text).unwrap();
    let mut scene = file::build(&parsed).unwrap();
    for _ in 0..60 {
        scene.step(1.0 / 60.0).unwrap();
    }
    let fired = scene.drive.as_ref().map(|d| d.fired().len());
    assert_eq!(fired, Some(2));
    let bad = text.replace("\"span\": 0", "\"span\": 7");
    assert!(refused(&bad).contains("span"));
    let bad = text.replace("\"rope\": \"hoist\"", "\"rope\": \"hoits\"");
    assert!(refused(&bad).contains("did you mean 'hoist'"));
}
