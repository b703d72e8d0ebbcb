//! Equilibria: Newton steps with the projected stiffness, a banded Cholesky factor and a line search.

use super::{gather, total};
use glam::{DMat3, DVec3};
use taut_elements::{Elements, Input};

/// A symmetric matrix of which `band` entries below the diagonal are kept, row by row.
struct Banded {
    n: usize,
    band: usize,
    a: Vec<f64>,
}

impl Banded {
    fn at(&self, i: usize, j: usize) -> usize {
        i * (self.band + 1) + j + self.band - i
    }

    /// L L^T in place; false where a pivot is not positive.
    fn factor(&mut self) -> bool {
        for i in 0..self.n {
            let low = i.saturating_sub(self.band);
            for j in low..=i {
                let start = low.max(j.saturating_sub(self.band));
                let (ri, rj) = (self.at(i, start), self.at(j, start));
                let (left, right) = (&self.a[ri..ri + j - start], &self.a[rj..rj + j - start]);
                let sum: f64 = left.iter().zip(right).map(|(a, b)| a * b).sum();
                let (ij, jj) = (self.at(i, j), self.at(j, j));
                let rest = self.a[ij] - sum;
                if i == j {
                    if !(rest > 0.0) {
                        return false;
                    }
                    self.a[ij] = rest.sqrt();
                } else {
                    self.a[ij] = rest / self.a[jj];
                }
            }
        }
        true
    }

    fn solve(&self, b: &mut [f64]) {
        for i in 0..self.n {
            for j in i.saturating_sub(self.band)..i {
                b[i] -= self.a[self.at(i, j)] * b[j];
            }
            b[i] /= self.a[self.at(i, i)];
        }
        for i in (0..self.n).rev() {
            b[i] /= self.a[self.at(i, i)];
            for j in i.saturating_sub(self.band)..i {
                b[j] -= self.a[self.at(i, j)] * b[i];
            }
        }
    }
}

/// What is solved for.
pub struct Problem<'a> {
    pub elements: &'a Elements,
    pub fixed: &'a dyn Fn(usize) -> bool,
    pub load: &'a [DVec3],
    pub input: Input,
    /// Added to the diagonal, N/m, where rigid motions are free.
    pub shift: f64,
    /// Whether to try the stiffness as it is first.
    pub exact: bool,
}

impl Problem<'_> {
    fn places(&self, count: usize) -> (Vec<Option<usize>>, usize) {
        let mut next = 0;
        let mut place = || {
            next += 1;
            next - 1
        };
        let places = (0..count).map(|k| (!(self.fixed)(k)).then(&mut place)).collect();
        (places, next)
    }

    fn assemble(&self, x: &[DVec3], places: &[Option<usize>], free: usize, exact: bool) -> (f64, Vec<DVec3>, Banded) {
        let e = self.elements;
        let mut band = 2;
        for k in 0..e.len() {
            let p: Vec<usize> = e.nodes(k).iter().filter_map(|&n| places[n as usize]).collect();
            let (low, high) = p.iter().fold((usize::MAX, 0), |m, &p| (m.0.min(p), m.1.max(p)));
            band = band.max(3 * high.saturating_sub(low) + 2);
        }
        let n = 3 * free;
        let mut matrix = Banded { n, band, a: vec![0.0; n * (band + 1)] };
        let (mut energy, mut f) = (0.0, self.load.to_vec());
        for k in 0..e.len() {
            let here = gather(e, k, x);
            let nn = here.len();
            let (mut fe, mut ke) = (vec![DVec3::ZERO; nn], vec![DMat3::ZERO; nn * nn]);
            let run = if exact { Elements::evaluate_exact } else { Elements::evaluate };
            energy += run(e, k, &here, &[], self.input, &mut fe, &mut ke);
            for a in 0..nn {
                f[e.nodes(k)[a] as usize] += fe[a];
                for b in 0..nn {
                    let (Some(p), Some(q)) = (places[e.nodes(k)[a] as usize], places[e.nodes(k)[b] as usize]) else {
                        continue;
                    };
                    for r in 0..3 {
                        for c in 0..3 {
                            let (i, j) = (3 * p + r, 3 * q + c);
                            if i >= j {
                                let at = matrix.at(i, j);
                                matrix.a[at] += ke[a * nn + b].col(c)[r];
                            }
                        }
                    }
                }
            }
        }
        for i in 0..n {
            let at = matrix.at(i, i);
            matrix.a[at] += self.shift;
        }
        let work: f64 = x.iter().zip(self.load).map(|(x, f)| x.dot(*f)).sum();
        (energy - work, f, matrix)
    }

    fn potential(&self, x: &[DVec3]) -> f64 {
        let work: f64 = x.iter().zip(self.load).map(|(x, f)| x.dot(*f)).sum();
        total(self.elements, x, &[], self.input).0 - work
    }

    /// The equilibrium near x, and the steps it took.
    pub fn solve(&self, x: &mut [DVec3], steps: usize) -> usize {
        let (places, free) = self.places(x.len());
        for step in 0..steps {
            let (mut energy, mut f, mut matrix) = self.assemble(x, &places, free, self.exact);
            if !matrix.factor() {
                (energy, f, matrix) = self.assemble(x, &places, free, false);
                assert!(matrix.factor(), "the projected stiffness has no factor");
            }
            let mut d = vec![0.0; 3 * free];
            let mut residual = 0.0;
            for (k, place) in places.iter().enumerate() {
                if let Some(p) = place {
                    d[3 * p..3 * p + 3].copy_from_slice(&f[k].to_array());
                    residual = f64::max(residual, f[k].abs().max_element());
                }
            }
            let r = d.clone();
            matrix.solve(&mut d);
            let slope: f64 = r.iter().zip(&d).map(|(a, b)| a * b).sum();
            let moved = |t: f64| -> Vec<DVec3> {
                let by = |k: usize| places[k].map_or(DVec3::ZERO, |p| DVec3::new(d[3 * p], d[3 * p + 1], d[3 * p + 2]));
                x.iter().enumerate().map(|(k, &x)| x + by(k) * t).collect()
            };
            let mut t = 1.0;
            while t > 1e-9 && !(self.potential(&moved(t)) <= energy - 1e-4 * t * slope + 1e-13 * energy.abs()) {
                t *= 0.5;
            }
            let size = d.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
            let next = moved(t);
            x.copy_from_slice(&next);
            let scale = self.load.iter().fold(0.0, |m, f| f64::max(m, f.abs().max_element()));
            if residual < 1e-9 * scale || t * size < 1e-12 {
                return step;
            }
        }
        steps
    }
}
