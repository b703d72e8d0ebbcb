//! Which panels there are, what they touch, and which of them do not depend on each other.

use super::part::Part;
use super::{Island, Panel, Shape, Supernodal};
use crate::block::matrix::Pattern;
use crate::block::structure::pass_on;
use crate::tuning::T;
use std::ops::Range;

impl Supernodal {
    pub(super) fn laid_out(self, p: &Pattern, islands: &[Range<usize>]) -> Self {
        let mut s = self;
        let mut owner = vec![u32::MAX; p.size()];
        for blocks in islands {
            let first = s.shape.panels.len();
            s.shape.cut(p, blocks.clone());
            for (k, panel) in s.shape.panels.iter().enumerate().skip(first) {
                owner[panel.x..panel.x + panel.width].fill(k as u32);
            }
            let panels = first..s.shape.panels.len();
            let parts = s.parts.len();
            s.parts.extend(s.shape.divide(panels.clone(), parts, &owner));
            s.shape.islands.push(Island { first_block: blocks.start, panels, parts: parts..s.parts.len() });
            s.shape.place(p, first);
        }
        s
    }
}

impl Shape {
    /// Cuts the blocks of an island into panels.
    fn cut(&mut self, p: &Pattern, blocks: Range<usize>) {
        let first_block = blocks.start;
        let entries = |k: usize| p.of(k).iter().map(|&(a, _)| a).collect();
        let mut later: Vec<Vec<usize>> = blocks.clone().map(entries).collect();
        blocks.clone().for_each(|k| pass_on(&mut later, first_block, k));
        let of = |k: usize| &later[k - first_block];
        let below = |k: usize| of(k).iter().map(|&a| p.dims[a]).sum::<usize>();
        let mut k = blocks.start;
        while k < blocks.end {
            let first = k;
            let mut width = p.dims[k];
            let mut needed = width * (width + below(k));
            while k + 1 < blocks.end && of(k).first() == Some(&(k + 1)) {
                let d = p.dims[k + 1];
                let (wider, more) = (width + d, d * (d + below(k + 1)));
                let whole = wider * (wider + below(k + 1));
                let zeros = (whole - needed - more) as f64;
                if wider > T.factor.widest || !(wider <= T.factor.narrow || zeros <= T.factor.zeros * whole as f64) {
                    break;
                }
                (width, needed) = (wider, needed + more);
                k += 1;
            }
            let start = self.rows.len();
            for &a in of(k) {
                self.rows.extend((p.row[a]..p.row[a] + p.dims[a]).map(|x| x as u32));
            }
            let rows = start..self.rows.len();
            self.panels.push(Panel {
                blocks: first..k + 1,
                x: p.row[first],
                width,
                rows,
                part: 0,
                values: 0,
                update: 0,
                above: None,
                columns: 0,
                below: 0..0,
                places: 0,
            });
            k += 1;
        }
    }

    /// Divides the panels of an island into branches and the trunk, which comes last, and gives each its place. Branches take at most a
    /// share of all multiplications; what hangs on the trunk and takes less than a small part of that is trunk itself. The division depends
    /// on the structure alone.
    fn divide(&mut self, panels: Range<usize>, first_part: usize, owner: &[u32]) -> Vec<Part> {
        let first = panels.start;
        let mut cost: Vec<f64> = Vec::with_capacity(panels.len());
        for n in &mut self.panels[panels.clone()] {
            n.above = self.rows[n.rows.clone()].first().map(|&x| owner[x as usize] as usize);
            cost.push(0.5 * n.width as f64 * (n.stride() * n.stride()) as f64);
        }
        let all: f64 = cost.iter().sum();
        for k in panels.clone() {
            if let Some(above) = self.panels[k].above {
                cost[above - first] += cost[k - first];
            }
        }
        let whole = if all < T.factor.divided { 0.0 } else { all / T.factor.branches };
        // Later panels first: the part of the one above is known.
        let (trunk, mut branches) = (usize::MAX, 0);
        for k in panels.clone().rev() {
            let above = self.panels[k].above.map_or(trunk, |above| self.panels[above].part);
            let own = cost[k - first];
            self.panels[k].part = match above == trunk {
                true if own > whole || own < T.factor.twig * whole => trunk,
                true => {
                    branches += 1;
                    branches - 1
                }
                false => above,
            };
        }
        self.panels[panels.clone()].iter_mut().for_each(|n| n.part = first_part + n.part.min(branches));
        self.aim(panels.clone());
        self.settle(panels, first_part, branches + 1)
    }

    /// Finds the panels below each, and where their later scalars are in the front above.
    fn aim(&mut self, range: Range<usize>) {
        let Shape { panels, rows, columns, below, .. } = self;
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); range.len()];
        for k in range.clone() {
            panels[k].columns = columns.len();
            let Some(above) = panels[k].above else { continue };
            lists[above - range.start].push(k as u32);
            let (n, mut cursor) = (&panels[above], 0);
            let theirs = &rows[n.rows.clone()];
            for &r in &rows[panels[k].rows.clone()] {
                if (r as usize) < n.x + n.width {
                    columns.push(r - n.x as u32);
                    continue;
                }
                while theirs[cursor] != r {
                    cursor += 1;
                }
                columns.push((n.width + cursor) as u32);
            }
        }
        for (k, list) in range.zip(lists) {
            panels[k].below = below.len()..below.len() + list.len();
            below.extend(list);
        }
    }

    /// Gives each panel of so many parts its place, and each update a place that is free until the panel above has taken it.
    fn settle(&mut self, panels: Range<usize>, first_part: usize, count: usize) -> Vec<Part> {
        let mut parts = vec![Part::default(); count];
        // Places in use in each part, ascending: first value, the one after the last, panel.
        let mut used: Vec<Vec<(usize, usize, u32)>> = vec![Vec::new(); count];
        for k in panels {
            let (part, size) = (self.panels[k].part - first_part, self.panels[k].rows.len().pow(2));
            let used = &mut used[part];
            let mut at = (0, 0);
            while let Some(&(start, end, _)) = used.get(at.0).filter(|u| u.0 < at.1 + size) {
                at = (at.0 + 1, end.max(start));
            }
            used.insert(at.0, (at.1, at.1 + size, k as u32));
            let below = &self.below[self.panels[k].below.clone()];
            used.retain(|u| !below.contains(&u.2));
            self.panels[k].update = at.1;
            self.panels[k].values = parts[part].add(k, &self.panels[k]);
        }
        parts.iter_mut().for_each(Part::close);
        parts
    }

    /// Columns of the neighbours of every block from panel `first` on.
    fn place(&mut self, p: &Pattern, first: usize) {
        for n in &mut self.panels[first..] {
            n.places = self.places.len();
            let rows = &self.rows[n.rows.clone()];
            for k in n.blocks.clone() {
                let mut cursor = 0;
                for &(a, _) in p.of(k) {
                    let x = p.row[a];
                    if x < n.x + n.width {
                        self.places.push((x - n.x) as u32);
                    } else {
                        while rows[cursor] as usize != x {
                            cursor += 1;
                        }
                        self.places.push((n.width + cursor) as u32);
                    }
                }
            }
        }
    }
}
