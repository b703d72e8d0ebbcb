//! Evaluations do not allocate.
#![allow(unsafe_code, reason = "an allocator that counts")]

mod common;

use common::{Random, boxes, gather, tets};
use glam::{DMat3, DVec3};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use taut_elements::{Elements, Fibre, FrameCell, Input, Law, MAX_NODES, Material, Plasticity};

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn evaluations_do_not_allocate() {
    let plasticity = Plasticity { yield_strain: 0.01, creep_time: 0.0, max_strain: 0.05 };
    let fibre = Fibre { direction: DVec3::X, stress: 1e3 };
    let solid = Material::new(1000.0, 1e4, 0.45).law(Law::StableNeoHookean).plasticity(plasticity).fibre(fibre);
    let sheet = Material::new(1000.0, 1e4, 0.3).thickness(0.01).law(Law::StVenantKirchhoff);
    let cloth = common::sheet([3, 3], [1.0, 1.0], taut_elements::CellKind::Quad4);
    let frames = FrameCell::along(DVec3::ZERO, DVec3::X, 3, [0.1, 0.1]).unwrap();
    let all = [
        Elements::new(&boxes([2, 1, 1], [1.0; 3]), &solid).unwrap(),
        Elements::new(&tets([2, 2, 2], [1.0; 3], 6).0, &solid).unwrap(),
        Elements::new(&cloth, &sheet).unwrap(),
        Elements::frames(&frames, &solid).unwrap(),
    ];
    let mut random = Random(1);
    for elements in all {
        let mut state = elements.fresh_state();
        let x: Vec<DVec3> = elements.rest().iter().map(|&x| x + random.vector() * 0.05).collect();
        let input = Input { activation: 0.5, pressure: 0.0 };
        for e in 0..elements.len() {
            let here = gather(&elements, e, &x);
            let nn = here.len();
            let (mut f, mut k) = ([DVec3::ZERO; MAX_NODES], vec![DMat3::ZERO; nn * nn]);
            let before = COUNT.get();
            elements.evaluate(e, &here, &state, input, &mut f[..nn], &mut k);
            elements.force(e, &here, &state, input, &mut f[..nn]);
            elements.energy(e, &here, &state, input);
            elements.dilatation(e, &here, &mut f[..nn]);
            elements.update_plastic(e, &here, 0.01, &mut state);
            for point in 0..elements.points(e) {
                elements.output(e, point, &here, &state, input);
            }
            assert_eq!(COUNT.get(), before);
        }
    }
}
