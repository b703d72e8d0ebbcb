//! Cutting and tearing of elements.

use crate::common::{Random, boxes, sheet, tets};
use glam::DVec3;
use taut_elements::{Cell, CellKind, Elements, Input, Material, Mesh, Options, Plasticity, Seam, Separated};

fn rubber(nu: f64) -> Material {
    Material::new(1000.0, 1e6, nu).thickness(0.01).area(1e-4)
}

fn mass(elements: &Elements) -> f64 {
    elements.masses().iter().sum()
}

/// Cells on either side of a plane x = a part.
fn across(elements: &Elements, a: f64) -> impl Fn(&Seam) -> bool + '_ {
    move |seam| {
        let side = |c: u32| elements.centre(c, |n| elements.rest()[n as usize]).x < a;
        side(seam.cells[0]) != side(seam.cells[1])
    }
}

/// What holds after every cut: masses add up, copies rest where their nodes do, no node is without a cell or mass, and every element has
/// the nodes of its cells.
fn holds(before: &Elements, cut: &Separated) {
    let after = &cut.elements;
    let (old, new) = (mass(before), mass(after));
    assert!((new - old).abs() < 1e-13 * old, "{old} {new}");
    assert_eq!(after.rest().len(), before.rest().len() + cut.copies.len());
    for [from, to] in &cut.copies {
        assert_eq!(after.rest()[*from as usize], after.rest()[*to as usize]);
    }
    assert!(after.masses().iter().all(|m| *m > 0.0));
    let mesh = after.mesh().unwrap();
    assert_eq!(mesh.errors(), [], "the mesh is sound");
    for e in (0..after.len()).filter(|&e| !after.is_bending(e)) {
        let mut nodes: Vec<u32> =
            after.cells(e).iter().flat_map(|&c| mesh.cells[c as usize].nodes()).copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut own = after.nodes(e).to_vec();
        own.sort_unstable();
        assert_eq!(own, nodes);
    }
    let points = |e: &Elements| (0..e.len()).map(|k| e.points(k)).sum::<usize>();
    assert_eq!(points(before), points(after));
}

/// Energy with the nodes of the mesh at `place` of where they rest.
fn energy(elements: &Elements, place: impl Fn(DVec3) -> DVec3) -> f64 {
    let x: Vec<DVec3> = elements.rest().iter().map(|&x| place(x)).collect();
    let state = elements.fresh_state();
    let of = |e: usize| {
        let x: Vec<DVec3> = elements.nodes(e).iter().map(|&n| x[n as usize]).collect();
        elements.energy(e, &x, &state, Input::default())
    };
    (0..elements.len()).map(of).sum()
}

fn bent(x: DVec3) -> DVec3 {
    x + DVec3::new(0.1 * x.x * x.y, 0.05 * x.x * x.x, 0.03 * x.y + 0.2 * x.x * x.x)
}

#[test]
fn a_bar_cut_through_is_two_parts_with_the_same_energy() {
    for mesh in [boxes([4, 2, 2], [1.0, 0.2, 0.2]), tets([4, 2, 2], [1.0, 0.2, 0.2], 5).0] {
        let bar = Elements::new(&mesh, &rubber(0.3)).unwrap();
        let cut = bar.cut(across(&bar, 0.5)).unwrap();
        holds(&bar, &cut);
        assert_eq!((cut.elements.mesh().unwrap().parts(), cut.elements.report().parts), (2, 2));
        assert_eq!(cut.copies.len(), 9);
        let (before, after) = (energy(&bar, bent), energy(&cut.elements, bent));
        assert!((before - after).abs() < 1e-14 * before, "{before} {after}");
        let part = cut.elements.mesh().unwrap().part_of_nodes();
        let masses = cut.elements.masses();
        let half: f64 = part.iter().zip(&masses).filter(|(p, _)| **p == 1).map(|(_, m)| m).sum();
        assert!((half - 20.0).abs() < 1e-12, "{half}");
    }
}

#[test]
fn a_cut_that_chooses_nothing_gives_nothing() {
    let bar = Elements::new(&boxes([2, 1, 1], [1.0, 0.2, 0.2]), &rubber(0.3)).unwrap();
    assert!(bar.cut(|_| false).is_none());
    assert!(bar.cut(across(&bar, 2.0)).is_none());
}

#[test]
fn a_cut_inside_opens_behind_its_front_only() {
    // One face of nine: every node of it is on the front.
    let block = Elements::new(&boxes([2, 3, 3], [1.0, 1.0, 1.0]), &rubber(0.3)).unwrap();
    let middle = |s: &Seam| s.cells == [4, 13];
    let cut = block.cut(middle).unwrap();
    holds(&block, &cut);
    assert!(cut.copies.is_empty() && cut.elements.mesh().unwrap().parts() == 1);
    // It is remembered: the rest of the section finishes it.
    assert!(cut.elements.seams().iter().all(|s| s.cells != [4, 13]));
    let rest = cut.elements.cut(across(&block, 0.5)).unwrap();
    holds(&cut.elements, &rest);
    assert_eq!((rest.seams.len(), rest.copies.len(), rest.elements.mesh().unwrap().parts()), (8, 16, 2));
    // A sheet cut from its edge to the middle: all but the last node of the cut.
    let cloth = Elements::new(&sheet([4, 4], [1.0, 1.0], CellKind::Quad4), &rubber(0.3)).unwrap();
    let half = |s: &Seam| across(&cloth, 0.5)(s) && s.nodes().iter().all(|&n| cloth.rest()[n as usize].y < 0.6);
    let cut = cloth.cut(half).unwrap();
    holds(&cloth, &cut);
    assert_eq!((cut.seams.len(), cut.copies.len(), cut.elements.mesh().unwrap().parts()), (2, 2, 1));
}

#[test]
fn bending_across_a_cut_edge_goes_and_that_beside_it_stays() {
    for kind in [CellKind::Tri3, CellKind::Quad4] {
        let mesh = sheet([4, 2], [1.0, 0.5], kind);
        let cloth = Elements::new(&mesh, &rubber(0.3)).unwrap();
        let cut = cloth.cut(across(&cloth, 0.5)).unwrap();
        holds(&cloth, &cut);
        let folded = |x: DVec3| if x.x > 0.5 { DVec3::new(0.5, x.y, x.x - 0.5) } else { x };
        assert!(energy(&cloth, folded) > 1e-3 && energy(&cut.elements, folded) < 1e-15);
        // The same as if the two halves had been built alone.
        let apart = Elements::new(cut.elements.mesh().unwrap(), &rubber(0.3)).unwrap();
        assert_eq!(energy(&apart, bent).to_bits(), energy(&cut.elements, bent).to_bits());
        assert!(energy(&cut.elements, bent) < energy(&cloth, bent));
    }
}

#[test]
fn everything_can_be_cut_into_single_cells() {
    let (mixed, groups) = tets([2, 2, 2], [1.0; 3], 6);
    let options = Options { groups: Some(groups), ..Options::default() };
    let sets = [
        Elements::new(&boxes([2, 2, 2], [1.0; 3]), &rubber(0.3)).unwrap(),
        Elements::new(&tets([2, 2, 2], [1.0; 3], 5).0, &rubber(0.45)).unwrap(),
        Elements::with(&mixed, &rubber(0.499), &options).unwrap(),
        Elements::new(&sheet([3, 3], [1.0; 2], CellKind::Tri3), &rubber(0.3)).unwrap(),
    ];
    for elements in sets {
        let cut = elements.cut(|_| true).unwrap();
        holds(&elements, &cut);
        let mesh = cut.elements.mesh().unwrap();
        assert_eq!(mesh.parts(), mesh.cells.len());
        assert_eq!(cut.elements.len(), mesh.cells.len());
        assert!(cut.elements.seams().is_empty() && cut.elements.cut(|_| true).is_none());
    }
}

#[test]
fn bars_part_at_their_nodes() {
    let at = |k: u32| DVec3::new(f64::from(k), 0.1 * f64::from(k * k), 0.0);
    let mesh = Mesh { nodes: (0..5).map(at).collect(), cells: [[0, 1], [1, 2], [1, 3], [3, 4]].map(Cell::bar2).into() };
    let net = Elements::new(&mesh, &rubber(0.3)).unwrap();
    // One of three bars leaves their node.
    let cut = net.cut(|s| s.nodes() == [1] && s.cells.contains(&2)).unwrap();
    holds(&net, &cut);
    assert_eq!((cut.copies.as_slice(), cut.elements.mesh().unwrap().parts()), (&[[1, 5]][..], 2));
    // Two bars that a third holds together do not part, until it goes too.
    let cut = net.cut(|s| s.cells == [0, 1]).unwrap();
    assert!(cut.copies.is_empty());
    let more = cut.elements.cut(|s| s.cells == [0, 2]).unwrap();
    holds(&cut.elements, &more);
    assert_eq!(more.copies, [[1, 5]]);
}

#[test]
fn what_hangs_on_a_node_alone_stays_on_it() {
    // Two fans of triangles that meet in node 0 only, and a bar on it.
    let nodes = [[0.0, 0.0], [1.0, -0.5], [1.0, 0.5], [0.5, 1.0], [-1.0, 0.5], [-1.0, -0.5], [0.0, -1.0]];
    let nodes = nodes.map(|[x, y]| DVec3::new(x, y, 0.0)).into();
    let cells = vec![Cell::tri3([0, 1, 2]), Cell::tri3([0, 2, 3]), Cell::tri3([0, 4, 5]), Cell::bar2([0, 6])];
    let knot = Elements::new(&Mesh { nodes, cells }, &rubber(0.3)).unwrap();
    let cut = knot.cut(|s| s.cells == [0, 1]).unwrap();
    holds(&knot, &cut);
    assert_eq!((cut.copies.len(), cut.elements.mesh().unwrap().parts()), (2, 2));
    let mesh = cut.elements.mesh().unwrap();
    assert!([0, 2, 3].iter().all(|&c: &usize| mesh.cells[c].nodes()[0] == 0) && mesh.cells[1].nodes()[0] != 0);
    // A skin goes with the solid below it.
    let mut skinned = boxes([2, 1, 1], [1.0, 0.5, 0.5]);
    let faces: Vec<Cell> = skinned.surface().iter().filter_map(|f| Cell::new(CellKind::Quad4, f.nodes())).collect();
    skinned.cells.extend(faces);
    let skinned = Elements::new(&skinned, &rubber(0.3)).unwrap();
    let cut = skinned.cut(across(&skinned, 0.5)).unwrap();
    holds(&skinned, &cut);
    assert_eq!((cut.copies.len(), cut.elements.mesh().unwrap().parts()), (4, 2));
}

#[test]
fn groups_split_where_their_cells_part_and_keep_the_state_of_their_points() {
    let (mesh, groups) = tets([4, 1, 1], [1.0, 0.25, 0.25], 6);
    let pairs: Vec<Vec<u32>> = groups.chunks(2).map(|two| two.concat()).collect();
    let options = Options { groups: Some(pairs), ..Options::default() };
    let mut material = rubber(0.49);
    material.plasticity = Some(Plasticity { yield_strain: 0.01, creep_time: 1.0, max_strain: 1.0 });
    let bar = Elements::with(&mesh, &material, &options).unwrap();
    let cut = bar.cut(across(&bar, 0.25)).unwrap();
    holds(&bar, &cut);
    assert_eq!((bar.len(), cut.elements.len(), cut.elements.mesh().unwrap().parts()), (2, 3, 2));
    // Every point keeps its numbers, wherever it goes.
    let mut state = bar.fresh_state();
    let each = state.len() / 24;
    for e in 0..bar.len() {
        for q in 0..bar.points(e) {
            state[(12 * e + q) * each + each - 1] = f64::from(bar.cell_of(e, q).unwrap());
        }
    }
    let (state, mut at) = (cut.carry(&state), 0);
    for e in 0..cut.elements.len() {
        for q in 0..cut.elements.points(e) {
            assert_eq!(state[at * each + each - 1], f64::from(cut.elements.cell_of(e, q).unwrap()));
            at += 1;
        }
    }
}

#[test]
fn random_cuts_one_after_the_other_keep_mass_and_repeat_to_the_bit() {
    let run = || {
        let mut random = Random(7);
        let (mesh, _) = tets([3, 3, 3], [1.0; 3], 5);
        let mut body = Elements::new(&mesh, &rubber(0.45)).unwrap();
        for _ in 0..100 {
            let (n, d) = (random.vector(), 0.5 * random.next());
            let half = DVec3::splat(0.5);
            let side = |c: u32, e: &Elements| (e.centre(c, |k| e.rest()[k as usize]) - half).dot(n) < d;
            let few = 0.5 * random.next();
            let chosen =
                |s: &Seam| side(s.cells[0], &body) != side(s.cells[1], &body) && f64::from(s.cells[0] % 7) / 7.0 > few;
            let Some(cut) = body.cut(chosen) else { continue };
            holds(&body, &cut);
            body = cut.elements;
        }
        body
    };
    let (a, b) = (run(), run());
    let bits = |e: &Elements| -> Vec<u64> { e.masses().iter().map(|m| m.to_bits()).collect() };
    assert_eq!((bits(&a), a.mesh().unwrap()), (bits(&b), b.mesh().unwrap()));
    assert!(a.mesh().unwrap().parts() > 10);
}

#[test]
fn the_most_stressed_section_across_the_pull_tears_first() {
    let mesh = boxes([5, 2, 2], [1.0, 0.2, 0.2]);
    let bar = Elements::new(&mesh, &rubber(0.0)).unwrap();
    // Stretched most in the middle, by 20 %.
    let stretch = |x: DVec3| DVec3::new(x.x + 0.1 * x.x + 0.3 * x.x * x.x * (1.0 - x.x) - 0.1 * x.x * x.x, x.y, x.z);
    let place = |n: u32| stretch(bar.rest()[n as usize]);
    let torn = bar.overstressed(5e4, place, &bar.fresh_state(), |_| Input::default());
    assert_eq!(torn.len(), 4, "{torn:?}");
    let at = |k: usize| torn[k].seam.nodes().iter().map(|&n| bar.rest()[n as usize].x).sum::<f64>() / 4.0;
    assert!((0..4).all(|k| (at(k) - at(0)).abs() < 1e-12), "one section");
    assert!(torn.iter().all(|t| t.stress > 5e4));
    assert!(bar.overstressed(1e9, place, &bar.fresh_state(), |_| Input::default()).is_empty());
    // Equal stress everywhere: the first section alone.
    let even = |n: u32| bar.rest()[n as usize] * DVec3::new(1.1, 1.0, 1.0);
    let torn = bar.overstressed(5e4, even, &bar.fresh_state(), |_| Input::default());
    assert_eq!(torn.len(), 4);
    assert!(torn.iter().all(|t| t.seam.nodes().iter().all(|&n| (bar.rest()[n as usize].x - 0.2).abs() < 1e-12)));
    // In triangles and tetrahedra too.
    let cloth = Elements::new(&sheet([8, 2], [1.0, 0.2], CellKind::Tri3), &rubber(0.0)).unwrap();
    let torn =
        cloth.overstressed(5e4, |n| cloth.rest()[n as usize] * DVec3::new(1.1, 1.0, 1.0), &[], |_| Input::default());
    assert_eq!(torn.len(), 2, "{torn:?}");
    let body = Elements::new(&tets([6, 2, 2], [1.0, 0.3, 0.3], 6).0, &rubber(0.0)).unwrap();
    let torn =
        body.overstressed(5e4, |n| body.rest()[n as usize] * DVec3::new(1.1, 1.0, 1.0), &[], |_| Input::default());
    assert_eq!(torn.len(), 8, "{torn:?}");
}
