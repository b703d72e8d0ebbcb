//! What can be wrong with an articulated system: which input, its value, what was expected.

use super::NONE;
use std::fmt;

/// Why a system was refused or could not be solved.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// A parent that does not come before its child; cyclic relations end here too.
    Parent {
        /// The link.
        link: usize,
        /// Its parent.
        parent: usize,
    },
    /// More than six freedoms.
    Dofs {
        /// The link.
        link: usize,
        /// Its freedoms.
        dofs: usize,
    },
    /// A pair that names no link, has more than three terms, or couples a body to itself by a block.
    Pair {
        /// The pair.
        pair: usize,
        /// First body.
        i: usize,
        /// Second body.
        j: usize,
        /// Number of terms.
        rank: usize,
        /// Number of links.
        links: usize,
    },
    /// An array of the wrong length.
    Length {
        /// The array.
        name: &'static str,
        /// Its length.
        length: usize,
        /// The length that fits.
        expected: usize,
    },
    /// A loop row that names no link.
    Row {
        /// The row.
        row: usize,
        /// The link it names.
        link: usize,
        /// Number of links.
        links: usize,
    },
    /// A compliance that is negative or not finite.
    Compliance {
        /// The row.
        row: usize,
        /// Its compliance.
        value: f64,
    },
    /// The matrix is not positive definite, or not finite.
    NotPositive {
        /// The link whose joint has no pivot.
        link: usize,
        /// Which of its freedoms, from 0.
        freedom: usize,
        /// The pivot found, in the units of the matrix.
        pivot: f64,
        /// The smallest that would have been taken.
        least: f64,
    },
    /// A direction in which the matrix is not positive, met by conjugate gradients.
    Curvature {
        /// p^T A p.
        value: f64,
    },
    /// A solve before the first successful factorisation.
    NotFactored,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Parent { link, parent } => {
                write!(f, "parent of link {link} = {parent}: expected a link before it (parents first, no cycles)")
            }
            Fault::Dofs { link, dofs } => write!(f, "dofs of link {link} = {dofs}: expected 0 to 6"),
            Fault::Pair { pair, i, j, rank, links } => {
                let j = if *j == NONE { "ground".to_string() } else { j.to_string() };
                write!(
                    f,
                    "pair {pair} = ({i}, {j}) of rank {rank}: expected two of {links} links (or the ground second), rank 0 to 3, \
                     no block of a link with itself"
                )
            }
            Fault::Length { name, length, expected } => write!(f, "length of {name} = {length}: expected {expected}"),
            Fault::Row { row, link, links } => write!(f, "loop row {row} acts on link {link}: expected one of {links}"),
            Fault::Compliance { row, value } => {
                write!(f, "compliance of loop row {row} = {value}: expected a finite number, zero or more")
            }
            Fault::NotPositive { link, freedom, pivot, least } => {
                write!(
                    f,
                    "matrix not positive definite: freedom {freedom} of link {link} has the pivot {pivot:e}, expected above {least:e}"
                )
            }
            Fault::Curvature { value } => {
                write!(
                    f,
                    "matrix not positive definite: p^T A p = {value:e} for a search direction p, expected above 0"
                )
            }
            Fault::NotFactored => write!(f, "no factors: expected a successful factorisation before the solve"),
        }
    }
}

impl std::error::Error for Fault {}

pub(crate) fn length(name: &'static str, length: usize, expected: usize) -> Result<(), Fault> {
    if length == expected { Ok(()) } else { Err(Fault::Length { name, length, expected }) }
}
