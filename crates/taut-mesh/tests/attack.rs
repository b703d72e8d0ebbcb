//! Damaged files of every format: thousands of them, none of which stops the program or makes it allocate without bound.

#![allow(unsafe_code)]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use taut_mesh::{ReadOptions, read};

/// Counts the bytes that this thread holds, and the most it held.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(change: isize) {
    let _ = HELD.try_with(|held| {
        held.set(held.get() + change);
        let _ = MOST.try_with(|most| most.set(most.get().max(held.get())));
    });
}

// Every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Most bytes held for each byte of a damaged file, and beside that.
const FACTOR: usize = 30;
const BASE: usize = 10_000;
/// Most for each byte of the most wasteful files: a cell takes 40 bytes, of which a file can write one in a byte, and lists double.
const WASTE: usize = 150;

struct Random(u64);

impl Random {
    fn next(&mut self) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize
    }

    fn below(&mut self, bound: usize) -> usize {
        self.next() % bound.max(1)
    }
}

/// Numbers and words that readers stumble over.
const NASTY: [&str; 22] = [
    "nan",
    "inf",
    "-1",
    "0",
    "1e999",
    "99999999999999999999",
    "18446744073709551615",
    "100000000",
    "2147483647",
    "-2147483648",
    "4294967295",
    "$End",
    "$Nodes",
    "\r",
    "\r\n",
    "\n",
    "\0",
    "/",
    "\\",
    "\u{e9}",
    "\"",
    "end_header",
];

fn damage(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut damaged = file.to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(damaged.len());
        match random.below(8) {
            0 => damaged.truncate(at),
            1 => damaged.get_mut(at).into_iter().for_each(|byte| *byte ^= 1 << random.below(8)),
            2 => damaged.get_mut(at).into_iter().for_each(|byte| *byte = random.next() as u8),
            3 => {
                let end = (at + random.below(40)).min(damaged.len());
                damaged.drain(at..end);
            }
            4 => {
                let end = (at + random.below(200)).min(damaged.len());
                let copy = damaged[at..end].to_vec();
                let to = random.below(damaged.len());
                damaged.splice(to..to, copy);
            }
            5 => {
                let nasty = NASTY[random.below(NASTY.len())];
                damaged.splice(at..at, nasty.bytes());
            }
            6 => {
                // A number of the text, or a few bytes, become another.
                let end = at + damaged[at..].iter().take_while(|b| b.is_ascii_digit()).count();
                let nasty = NASTY[random.below(NASTY.len())];
                damaged.splice(at..end, nasty.bytes());
            }
            _ => {
                let end = (at + [4, 8][random.below(2)]).min(damaged.len());
                let fill = [0x00, 0xff, 0x7f, 0x80][random.below(4)];
                damaged[at..end].fill(fill);
            }
        }
    }
    damaged
}

/// Reads, and returns whether it was accepted, and the most bytes held meanwhile.
fn measured(bytes: &[u8], format: taut_mesh::Format, options: &ReadOptions) -> (bool, usize) {
    HELD.set(0);
    MOST.set(0);
    let result = read(bytes, format, options);
    let most = MOST.get().max(0) as usize;
    if let Ok(read) = &result {
        // Whatever is accepted can be looked at.
        let nodes = read.mesh.nodes.len();
        assert!(read.mesh.cells.iter().flat_map(|cell| cell.nodes()).all(|&n| (n as usize) < nodes));
        assert!(read.mesh.nodes.iter().all(|p| p.is_finite()));
        assert!(read.groups.iter().flat_map(|g| &g.nodes).all(|&n| (n as usize) < nodes));
        assert!(read.groups.iter().flat_map(|g| &g.cells).all(|&c| (c as usize) < read.mesh.cells.len()));
        let _ = read.mesh.errors();
    } else if let Err(error) = &result {
        assert!(error.to_string().len() < 1000, "{error}");
    }
    (result.is_ok(), most)
}

#[test]
fn damaged_files_are_refused_or_read_but_never_panic_nor_allocate_beyond_their_size() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let options = [
        ReadOptions::default(),
        ReadOptions { drop_unused: true, weld: Some(1e-3), all_dimensions: true, ..ReadOptions::default() },
    ];
    for (name, format, file) in common::files() {
        let (accepted, _) = measured(&file, format, &options[0]);
        assert!(accepted, "{name}");
        let (mut refused, mut worst) = (0, 0.0_f64);
        for round in 0..4000 {
            let damaged = damage(&file, &mut random);
            let (accepted, most) = measured(&damaged, format, &options[round % 2]);
            refused += usize::from(!accepted);
            worst = worst.max(most as f64 / (damaged.len() + BASE / FACTOR) as f64);
            assert!(most <= FACTOR * damaged.len() + BASE, "{name}, round {round}: {most} bytes for {}", damaged.len());
        }
        println!(
            "{name}: {} bytes, {refused} of 4000 refused, at most {worst:.1} bytes held for each byte",
            file.len()
        );
    }
}

#[test]
fn the_most_wasteful_files_stay_in_proportion_to_their_size() {
    use taut_mesh::Format;
    for size in [10_usize, 1000] {
        // Polygons of one byte a corner; each becomes a triangle of 40 bytes.
        let mut ply = b"ply\nformat binary_little_endian 1.0\nelement vertex 200\nproperty uchar x\nproperty uchar y\nproperty uchar z\n".to_vec();
        ply.extend(format!("element face {size}\nproperty list uchar uchar vertex_indices\nend_header\n").bytes());
        (0..200_u8).for_each(|i| ply.extend([i, 0, 0]));
        for _ in 0..size {
            ply.push(200);
            ply.extend(0..200_u8);
        }
        // Cells in sixteen groups each.
        let mut gmsh = String::from("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 1 0 0\n1 0 0 0 0 0 0 16");
        (1..=16).for_each(|group| gmsh += &format!(" {group}"));
        gmsh += " 0\n$EndEntities\n$Nodes\n1 2 1 2\n1 1 0 2\n1\n2\n0 0 0\n1 0 0\n$EndNodes\n";
        gmsh += &format!("$Elements\n1 {size} 1 {size}\n1 1 1 {size}\n");
        gmsh += &"1 1 2\n".repeat(size);
        gmsh += "$EndElements\n";
        // A name for each face.
        let mut obj = String::from("v 0 0 0\nv 1 0 0\nv 0 1 0\n");
        (0..size).for_each(|i| obj += &format!("g {i}\nf 1 2 3\n"));
        for (format, file) in [(Format::Ply, ply), (Format::Gmsh, gmsh.into_bytes()), (Format::Obj, obj.into_bytes())] {
            let (accepted, most) = measured(&file, format, &ReadOptions::default());
            assert!(accepted, "{format:?}");
            println!(
                "{format:?}, {} bytes: {:.1} bytes held for each byte",
                file.len(),
                most as f64 / file.len() as f64
            );
            assert!(most <= WASTE * file.len() + BASE, "{format:?}: {most} bytes for {}", file.len());
        }
    }
}

#[test]
fn every_truncation_of_every_file_is_survived() {
    for (name, format, file) in common::files() {
        for end in 0..file.len() {
            let (_, most) = measured(&file[..end], format, &ReadOptions::default());
            assert!(most <= FACTOR * end + BASE, "{name}, {end} bytes: {most}");
        }
    }
}

#[test]
fn noise_is_survived_by_every_reader() {
    let mut random = Random(77);
    for (_, format, file) in common::files() {
        for _ in 0..500 {
            let length = random.below(600);
            let noise: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
            measured(&noise, format, &ReadOptions::default());
            // A valid start, then noise.
            let start = [&file[..random.below(file.len())], &noise].concat();
            let (_, most) = measured(&start, format, &ReadOptions::default());
            assert!(most <= FACTOR * start.len() + BASE);
        }
    }
}
