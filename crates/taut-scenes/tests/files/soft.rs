//! Deformables in scene files: read, refused, saved and read again to the same bits.

use taut::soft::{Fibre, Law, Material, Plasticity};
use taut::{Body, Collider, Deformable, Distance, Force, MassProperties, Shape, Vec3, World};
use taut_scenes::file::{self, SceneFile, build, load_meshes, parse};

const HEAD: &str = r#""taut": 1, "bodies": [{ "type": "dynamic", "name": "load", "mass": 2, "shape": { "type": "sphere", "radius": 0.1 }, "position": [1.1, 0.05, 0.05] }]"#;

fn scene(deformable: &str) -> String {
    format!("{{\n{HEAD},\n\"deformables\": [\n{deformable}\n] }}")
}

const BAR: &str = r#"{ "name": "bar", "mesh": { "type": "bar", "size": [1, 0.1, 0.1], "cells": [10, 1, 1] },
  "material": { "density": 1000, "young": 1e6, "poisson": 0.3 },
  "held": [{ "type": "plane", "point": [0, 0, 0], "normal": [-1, 0, 0] }],
  "bound": [{ "body": "load", "region": { "type": "box", "low": [1, 0, 0], "high": [1, 0.1, 0.1] } }],
  "loads": [{ "region": { "type": "nodes", "nodes": [5] }, "force": [0, -1, 0], "mass": 0.1 }] }"#;

fn refused(text: &str) -> String {
    let parsed: Result<SceneFile, _> = parse(text);
    match parsed {
        Err(e) => e.to_string(),
        Ok(file) => build(&file).unwrap_err().located(text).to_string(),
    }
}

#[test]
fn a_bar_with_regions_is_built_and_runs() {
    let file = parse(&scene(BAR)).unwrap();
    let mut scene = build(&file).unwrap();
    let id = scene.world.find_deformable("bar").unwrap();
    let view = scene.world.deformable(id).unwrap();
    let held = (0..44).filter(|&k| view.is_bound(k).unwrap()).count();
    assert_eq!((view.node_count(), held), (44, 8));
    // A node along the edge has half of the mass of a cell's length, over four nodes, and what was added.
    let node = scene.world.body(view.node(5).unwrap()).unwrap();
    assert!((node.mass() - (0.25 + 0.1)).abs() < 1e-12, "{}", node.mass());
    assert_eq!(scene.world.forces().count(), 1);
    for _ in 0..50 {
        scene.step(0.01).unwrap();
    }
    let load = scene.world.find_body("load").unwrap();
    assert!(scene.world.body(load).unwrap().position().y < 0.0);
}

#[test]
fn mistakes_are_told_with_their_place() {
    let change = |from: &str, to: &str| refused(&scene(&BAR.replace(from, to)));
    let has = |text: String, parts: &[&str]| {
        for part in parts {
            assert!(text.contains(part), "'{part}' in: {text}");
        }
    };
    has(
        change("\"poisson\": 0.3", "\"poisson\": 0.6"),
        &["deformables[0].material.poisson (line 5", "0.6", "at most 0.5"],
    );
    has(change("\"young\": 1e6", "\"yuong\": 1e6"), &["deformables[0].material", "unknown field 'yuong'"]);
    has(change("\"young\": 1e6", "\"young\": \"soft\""), &["deformables[0].material.young (line 5", "a number of Pa"]);
    has(change("\"type\": \"bar\"", "\"type\": \"baar\""), &["deformables[0].mesh.type", "unknown value 'baar'"]);
    has(change("[10, 1, 1]", "[0, 1, 1]"), &["deformables[0].mesh", "cells.x", "at least 1"]);
    has(change("\"body\": \"load\"", "\"body\": \"laod\""), &["deformables[0].bound[0].body", "did you mean 'load'"]);
    has(
        change("\"low\": [1, 0, 0]", "\"low\": [2, 0, 0]"),
        &["deformables[0].bound[0].region", "no nodes", "reaches from"],
    );
    has(change("\"nodes\": [5]", "\"nodes\": [77]"), &["deformables[0].loads[0].region.nodes[0]", "77", "below 44"]);
    has(
        change("\"nodes\": [5]", "\"nodes\": [0]"),
        &["deformables[0].loads[0].region", "node 0", "neither held nor bound"],
    );
    has(
        change("\"type\": \"nodes\", \"nodes\": [5]", "\"type\": \"group\", \"group\": \"end\""),
        &["'end'", "the name of a group"],
    );
    has(change("\"name\": \"bar\"", "\"name\": \"\""), &["deformables[0].name", "not empty"]);
    has(change("\"held\": [", "\"held\": [7, "), &["deformables[0].held[0]", "an object with a field 'type'"]);
    has(change("\"material\": {", "\"material\": 3, \"x\": {"), &["deformables[0].material", "expected an object"]);
    let twice = format!("{BAR},\n{BAR}");
    has(refused(&scene(&twice)), &["deformables[1].name", "no other deformable"]);
    let mesh = change(
        "\"type\": \"bar\", \"size\": [1, 0.1, 0.1], \"cells\": [10, 1, 1]",
        "\"type\": \"file\", \"file\": \"a.msh\"",
    );
    has(mesh, &["deformables[0].mesh.file", "beside it"]);
}

#[test]
fn meshes_beside_the_file_are_read_with_their_groups() {
    let msh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"clamp\"\n3 2 \"flesh\"\n$EndPhysicalNames\n$Nodes\n5\n\
               1 0 0 0\n2 1000 0 0\n3 0 1000 0\n4 0 0 1000\n5 1000 1000 1000\n$EndNodes\n$Elements\n3\n1 2 2 1 1 1 2 3\n2 4 2 2 2 1 2 3 4\n\
               3 4 2 2 2 2 3 4 5\n$EndElements\n";
    let text = scene(
        r#"{ "name": "lump", "mesh": { "type": "file", "file": "lump.msh", "scale": 1e-3 },
           "material": { "density": 1000, "young": 1e6, "poisson": 0.3, "law": "stable-neo-hookean" },
           "held": [{ "type": "group", "group": "clamp" }] }"#,
    );
    let mut file = parse(&text).unwrap();
    load_meshes(&mut file, |name| if name == "lump.msh" { Ok(msh.into()) } else { Err(format!("no {name}")) }).unwrap();
    let scene = build(&file).unwrap();
    let view = scene.world.deformable(scene.world.find_deformable("lump").unwrap()).unwrap();
    assert_eq!(view.node_count(), 5);
    assert_eq!((0..5).filter(|&k| view.is_bound(k).unwrap()).count(), 3);
    let mut wrong = parse(&text.replace("\"clamp\"", "\"clmp\"")).unwrap();
    load_meshes(&mut wrong, |_| Ok(msh.into())).unwrap();
    assert!(build(&wrong).unwrap_err().to_string().contains("did you mean 'clamp'"));
    let mut outside = parse(&text.replace("lump.msh", "/etc/lump.msh")).unwrap();
    let e = load_meshes(&mut outside, |_| Err("it must not be read".into())).unwrap_err();
    assert!(e.to_string().contains("from the folder of the scene file"), "{e}");
}

/// Steps of a world and of what its file makes of it.
fn same_bits(mut world: World) -> String {
    let saved = file::from_world(&world).unwrap();
    assert!(saved.warnings.is_empty(), "{:?}", saved.warnings);
    let text = file::write(&saved.file).unwrap();
    let parsed = parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let mut again = build(&parsed).unwrap_or_else(|e| panic!("{e}")).world;
    assert_eq!(file::write(&file::from_world(&again).unwrap().file).unwrap(), text);
    for k in 0..20 {
        world.step(0.01).unwrap();
        again.step(0.01).unwrap();
        assert_eq!(taut_scenes::golden::hash(&world).unwrap(), taut_scenes::golden::hash(&again).unwrap(), "step {k}");
    }
    text
}

#[test]
fn saved_deformables_take_the_same_steps() {
    let mut world = World::new();
    let tets = taut_mesh::bar(Vec3::new(0.4, 0.1, 0.1), [4, 1, 1], taut_mesh::Filling::SixTets).unwrap();
    let options = taut::soft::Options { groups: Some(tets.patches), ..Default::default() };
    let flesh = Material::new(900.0, 2e4, 0.47)
        .law(Law::StableNeoHookean)
        .damping(0.01)
        .fibre(Fibre { direction: Vec3::X, stress: 1e4 });
    let elements = taut::soft::Elements::with(&tets.mesh, &flesh, &options).unwrap();
    let soft = Deformable::of(elements).at(Vec3::new(0.1, 0.2, 0.3)).rotated(taut::Quat::from_rotation_z(0.3));
    let muscle = world.add(soft.held(|x| x.x == 0.0).moving(Vec3::Y, 0.2 * Vec3::X).named("muscle")).unwrap();
    world.set_activation(muscle, 0.25).unwrap();
    // A body after a deformable, and one that is bound at an angle.
    let ball = Body::dynamic(MassProperties::sphere(1000.0, 0.1).unwrap()).at(Vec3::new(2.0, 0.1, 0.0));
    let ball = world.add(ball.rotated(taut::Quat::from_rotation_y(0.7)).named("ball")).unwrap();
    let sheet = taut_mesh::sheet([1.0, 0.5], [4, 2], taut_mesh::SheetCells::Quads).unwrap();
    let cloth = Material::new(500.0, 1e6, 0.3).thickness(2e-3).law(Law::StVenantKirchhoff).mass_damping(0.1);
    let cloth = Deformable::new(&sheet, &cloth).unwrap().at(Vec3::X).bound(ball, |x| x.x == 1.0).named("cloth");
    let cloth = world.add(cloth).unwrap();
    let node = world.deformable(cloth).unwrap().node(0).unwrap();
    world.add(Collider::new(Shape::ball(0.02)).on(node)).unwrap();
    world.add(Force::Point { body: node, point: Vec3::ZERO, force: Vec3::new(0.0, 1.0, 0.0) }).unwrap();
    let other = world.deformable(muscle).unwrap().node(9).unwrap();
    world.add(Distance::between(node, other)).unwrap();
    let node = world.deformable(cloth).unwrap().node(6).unwrap();
    world.set_mass(node, &MassProperties::sphere(1.0, 1.0).unwrap().with_mass(0.7).unwrap()).unwrap();
    let clay = Material::new(1500.0, 1e5, 0.2).plasticity(Plasticity {
        yield_strain: 0.01,
        creep_time: 0.1,
        max_strain: f64::INFINITY,
    });
    let cube = taut_mesh::ball(0.2, 2).unwrap();
    world.add(Deformable::new(&cube, &clay).unwrap().deformed(|x| 1.1 * x).at(5.0 * Vec3::Z)).unwrap();
    let text = same_bits(world);
    assert!(text.contains("\"muscle\"") && text.contains("cloth[0]") && text.contains("deformable 2"), "{text}");
}

#[test]
fn a_mapped_node_is_saved_with_what_carries_it() {
    let mut world = World::new();
    let bone = |at: Vec3| Body::dynamic(MassProperties::sphere(1000.0, 0.05).unwrap()).at(at);
    let a = world.add(bone(Vec3::ZERO).named("a")).unwrap();
    let b = world.add(bone(Vec3::X).named("b")).unwrap();
    let rope = taut_mesh::rope(Vec3::ZERO, Vec3::X, 4).unwrap();
    let gut = Material::new(1000.0, 1e6, 0.0).area(1e-4);
    let skin = |_: usize, x: Vec3| if x.x == 0.5 { vec![(a, 0.5), (b, 0.5)] } else { Vec::new() };
    world.add(Deformable::new(&rope, &gut).unwrap().mapped(skin).named("gut")).unwrap();
    same_bits(world);
}

#[test]
fn frames_over_a_mesh_and_cords_are_read_saved_and_refused_by_name() {
    let text = scene(
        r#"{ "name": "body", "mesh": { "type": "bar", "size": [0.6, 0.2, 0.2], "cells": [6, 2, 2] },
          "frames": { "centers": [[0.1, 0.1, 0.1], [0.3, 0.1, 0.1], [0.5, 0.1, 0.1]], "radius": 0.4 },
          "material": { "density": 1000, "young": 1e5, "poisson": 0.3, "law": "st-venant-kirchhoff" },
          "held": [{ "type": "box", "low": [0, 0, 0], "high": [0.2, 0.2, 0.2] }], "skin": { "radius": 0.01 } },
        { "name": "cord", "mesh": { "type": "rope", "from": [2, 0, 0], "to": [3, 0, 0], "segments": 4 },
          "material": { "density": 1000, "young": 1e6, "poisson": 0, "area": 1e-4,
                        "law": { "type": "cord", "strain": 0.05, "young": 5e6 } },
          "held": [{ "type": "nodes", "nodes": [0, 4] }] }"#,
    );
    let world = build(&parse(&text).unwrap()).unwrap().world;
    let view = world.deformable(world.find_deformable("body").unwrap()).unwrap();
    assert_eq!((view.elements().controls(), view.node_count()), (12, 12 + 7 * 3 * 3));
    assert!((0..12).any(|k| view.is_bound(k).unwrap()));
    let saved = same_bits(world);
    assert!(saved.contains("centers") && saved.contains("cord"), "{saved}");
    for (good, bad, words) in [
        ("\"radius\": 0.4", "\"radius\": 0.1", "frames.radius"),
        ("[0.5, 0.1, 0.1]]", "[9, 0.1, 0.1]]", "deformables[0].frames"),
        ("\"strain\": 0.05", "\"strain\": -1", "deformables[1].material.law"),
        ("\"centers\"", "\"centres\"", "centers"),
    ] {
        let wrong = refused(&text.replace(good, bad));
        assert!(wrong.contains(words), "{words}: {wrong}");
    }
}

#[test]
fn follow_finds_deformables_and_their_nodes() {
    let text =
        scene(BAR).replace("\"deformables\"", "\"outputs\": { \"follow\": [\"bar\", \"bar[41]\"] }, \"deformables\"");
    let file = parse(&text).unwrap();
    let scene = build(&file).unwrap();
    assert_eq!(file.followed(&scene.world).len(), 2);
    let wrong = refused(&text.replace("\"bar\", \"bar[41]\"", "\"baar\""));
    assert!(wrong.contains("did you mean 'bar'"), "{wrong}");
}

#[test]
fn frames_are_saved_with_their_samples_and_take_the_same_steps() {
    let mut world = World::new();
    let along = taut::soft::FrameCell::along(Vec3::ZERO, Vec3::X, 4, [0.1, 0.07]).unwrap();
    let rubber = Material::new(1000.0, 1e6, 0.3);
    let beam = taut::soft::Elements::frames(&along, &rubber).unwrap();
    let beam = Deformable::of(beam).held(|x| x.x < 0.1).deformed(|x| x + 0.05 * x.x * x.x * Vec3::Y).named("beam");
    world.add(beam).unwrap();
    // A lump of samples around three centres.
    let samples: Vec<(Vec3, f64)> = (0..64)
        .map(|k| (Vec3::new((k / 16) as f64 * 0.1, (k / 4 % 4) as f64 * 0.07, (k % 4) as f64 * 0.05), 1e-4))
        .collect();
    let centres = [Vec3::ZERO, Vec3::new(0.15, 0.1, 0.05), Vec3::new(0.3, 0.2, 0.15)];
    let around = taut::soft::FrameCell::around(&centres, 0.5, &samples).unwrap();
    let lump = taut::soft::Elements::frames(&around, &Material::new(800.0, 3e4, 0.45)).unwrap();
    world.add(Deformable::of(lump).at(Vec3::Z).moving(Vec3::X, Vec3::Y).named("lump")).unwrap();
    let text = same_bits(world);
    assert!(text.contains("frame-cells") && text.contains("gradients"), "{text}");
}

#[test]
fn permanent_deformation_and_pressure_are_saved_to_the_last_bit() {
    let mut world = World::new();
    let clay = Material::new(1500.0, 1e5, 0.2).plasticity(Plasticity {
        yield_strain: 0.01,
        creep_time: 0.0,
        max_strain: f64::INFINITY,
    });
    let cube = taut_mesh::bar(Vec3::splat(0.2), [2; 3], taut_mesh::Filling::Hexahedra).unwrap().mesh;
    let squeezed = |x: Vec3| x * Vec3::new(0.8, 1.2, 1.0);
    let clay = Deformable::new(&cube, &clay).unwrap().deformed(squeezed).named("clay");
    let clay = world.add(clay.held(|x| x.y == 0.0)).unwrap();
    let jelly = Deformable::new(&cube, &Material::new(1000.0, 1e5, 0.5)).unwrap().at(Vec3::X).named("jelly");
    let jelly = world.add(jelly.held(|x| x.y == 0.0)).unwrap();
    // Frames that flow.
    let along = taut::soft::FrameCell::along(Vec3::ZERO, 0.4 * Vec3::X, 3, [0.1, 0.1]).unwrap();
    let lead =
        Material::new(3000.0, 1e6, 0.3).plasticity(Plasticity { yield_strain: 1e-3, creep_time: 0.1, max_strain: 0.5 });
    let lead = Deformable::of(taut::soft::Elements::frames(&along, &lead).unwrap()).held(|x| x.x < 0.1).named("lead");
    let lead = world.add(lead.at(3.0 * Vec3::X)).unwrap();
    for _ in 0..20 {
        world.step(0.01).unwrap();
    }
    let saved = file::from_world(&world).unwrap();
    assert!(!saved.warnings.iter().any(|w| w.contains("deformable")), "{:?}", saved.warnings);
    let text = file::write(&saved.file).unwrap();
    let again = build(&parse(&text).unwrap()).unwrap().world;
    for (id, name, count) in [(clay, "clay", 8 * 8 * 10), (jelly, "jelly", 8), (lead, "lead", 2 * 12 * 10)] {
        let (a, b) = (world.deformable(id).unwrap(), again.deformable(again.find_deformable(name).unwrap()).unwrap());
        assert_eq!(a.remembered().len(), count, "{name}");
        assert_eq!(a.remembered(), b.remembered(), "{name}");
        assert!(a.remembered().iter().any(|&x| x != 0.0 && x != 1.0), "{name}");
        assert_eq!(a.energy(), b.energy(), "{name}");
        assert!(a.positions().eq(b.positions()), "{name}");
    }
    assert_eq!(file::write(&file::from_world(&again).unwrap().file).unwrap(), text);
    // The state of the world, with all of its history, goes to bytes and back.
    let state = taut::State::from_bytes(&world.state().to_bytes()).unwrap();
    assert_eq!(&state, world.state());
    let wrong = refused(&text.replacen("\"remembered\": [", "\"remembered\": [7, ", 1));
    assert!(wrong.contains("deformables[0].remembered") && wrong.contains("641") && wrong.contains("640"), "{wrong}");
}

/// Meshes and materials that cannot be, each with the place in the file, the cell and the node.
#[test]
fn bad_meshes_of_cells_are_refused_with_cell_and_node() {
    let mesh = |nodes: &str, cells: &str| {
        refused(&scene(&format!(
            "{{ \"name\": \"lump\", \"mesh\": {{ \"type\": \"cells\", \"nodes\": {nodes}, \"cells\": [{cells}] }},\n\
             \"material\": {{ \"density\": 1000, \"young\": 1e6, \"poisson\": 0.3, \"thickness\": 1e-3, \"area\": 1e-4 }} }}"
        )))
    };
    let has = |text: String, parts: &[&str]| {
        parts.iter().for_each(|part| assert!(text.contains(part), "'{part}' in: {text}"));
    };
    let five = "[[0,0,0], [1,0,0], [0,1,0], [0,0,1], [1,1,1]]";
    let tet = |n: &str| format!("{{ \"kind\": \"tet\", \"nodes\": [{n}] }}");
    let at = "deformables[0].mesh";
    has(mesh("[[0,0,0], [1,0,0], [0,1,0], [1,1,0]]", &tet("0,1,2,3")), &[at, "degenerate", "cell 0", "0 1 2 3"]);
    has(mesh(five, &tet("1,2,3,4, 2,3,4,5")), &[at, "cells[0].nodes[7]", "5", "less than 5"]);
    has(mesh(five, &tet("0,1,2,3")), &[at, "belongs to no cell", "4"]);
    has(mesh(five, &tet("0,1,2,2, 1,2,3,4")), &[at, "twice", "cell 0"]);
    has(mesh(five, &tet("0,1,2,3, 1,2,3,4, 3,2,1,0")), &[at, "same nodes", "cell 2"]);
    has(mesh(five, &tet("0,1,2")), &[at, "cells[0].nodes", "3 numbers", "multiple of 4"]);
    has(mesh(five, &tet("0,1,2,-1")), &[at, "cells[0].nodes[3]"]);
    has(mesh(five, ""), &[at, "no cells"]);
    let fan = "{ \"kind\": \"triangle\", \"nodes\": [0,1,2, 0,1,3, 0,1,4] }";
    has(mesh(five, fan), &[at, "too many sheet cells", "0 1"]);
    has(mesh("[[0,0,0], [1,0,null]]", ""), &[at, "nodes[1]"]);
    has(mesh("[[0,0,0], [1,0,1e999]]", ""), &["nodes[1][2]", "out of range"]);
    let hex = "{ \"kind\": \"hex\", \"nodes\": [4,5,6,7,0,1,2,3] }";
    let cube = "[[0,0,0],[1,0,0],[1,1,0],[0,1,0],[0,0,1],[1,0,1],[1,1,1],[0,1,1]]";
    has(mesh(cube, hex), &[at, "cell 0"]);
    let change = |from: &str, to: &str| refused(&scene(&BAR.replace(from, to)));
    has(change("[10, 1, 1]", "[100000, 1000, 1]"), &[at, "cells", "20000000"]);
    has(change("[10, 1, 1]", "[4294967295, 4294967295, 4294967295]"), &[at, "cells"]);
    let half = change("\"poisson\": 0.3 }", "\"poisson\": 0.5 }, \"volume\": \"off\"");
    has(half, &["deformables[0].material.poisson", "0.5", "below 0.5"]);
    let frames = |what: &str| {
        refused(&scene(&format!(
            "{{ \"name\": \"f\", \"mesh\": {what}, \"material\": {{ \"density\": 1000, \"young\": 1e6, \"poisson\": 0.3 }} }}"
        )))
    };
    has(
        frames(r#"{ "type": "frames", "from": [0,0,0], "to": [1,0,0], "frames": 1, "section": [0.1, 0.1] }"#),
        &[at, "count"],
    );
    let one = |weights: &str| {
        frames(&format!(
            "{{ \"type\": \"frame-cells\", \"cells\": [{{ \"frames\": [0], \"points\": [{{ \"position\": [0,0,0], \"volume\": 1, \"weights\": [{weights}], \"gradients\": [[0,0,0]] }}] }}] }}"
        ))
    };
    has(one("0.5"), &[at, "weights", "0.5", "sum 1"]);
    has(one("1"), &[at, "frame", "not in one plane"]);
}

/// A header that announces a hundred million elements, and indices from a wrong base, by a file beside the scene.
#[test]
fn bad_mesh_files_are_refused_by_the_scene_that_names_them() {
    let text = scene(
        r#"{ "name": "lump", "mesh": { "type": "file", "file": "lump.msh" },
           "material": { "density": 1000, "young": 1e6, "poisson": 0.3 } }"#,
    );
    let read = |msh: &str| {
        let mut file = parse(&text).unwrap();
        match load_meshes(&mut file, |_| Ok(msh.into())) {
            Err(e) => e.to_string(),
            Ok(_) => build(&file).unwrap_err().to_string(),
        }
    };
    let msh = |nodes: &str, elements: &str| {
        format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{nodes}\n$EndNodes\n$Elements\n{elements}\n$EndElements\n"
        )
    };
    let four = "4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1";
    let has = |text: String, parts: &[&str]| {
        parts.iter().for_each(|part| assert!(text.contains(part), "'{part}' in: {text}"));
    };
    has(read(&msh(four, "100000000\n1 4 2 1 1 1 2 3 4")), &["deformables[0].mesh", "100000000"]);
    has(read(&msh("100000000\n1 0 0 0", "1\n1 4 2 1 1 1 2 3 4")), &["deformables[0].mesh", "100000000"]);
    has(read(&msh(four, "1\n1 4 2 1 1 0 1 2 3")), &["deformables[0].mesh", "0"]);
    has(
        read(&msh(&four.replace("2 1 0 0", "2 nan 0 0"), "1\n1 4 2 1 1 1 2 3 4")),
        &["deformables[0].mesh", "x is NaN"],
    );
    has(
        read(&msh(&four.replace("4 0 0 1", "4 1 1 0"), "1\n1 4 2 1 1 1 2 3 4")),
        &["deformables[0].mesh", "degenerate"],
    );
    has(read(&msh(&format!("5{}\n5 2 2 2", &four[1..]), "1\n1 4 2 1 1 1 2 3 4")), &["deformables[0].mesh", "no cell"]);
}
