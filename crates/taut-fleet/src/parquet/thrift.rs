//! Structs in the compact form of Thrift: fields by number, with the difference to the number before and the type in one byte; numbers
//! zigzag in groups of seven bits.

use std::collections::BTreeMap;

/// A value of a struct.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// A whole number of 32 bits or fewer.
    Small(i32),
    /// A whole number.
    Large(i64),
    /// Bytes, mostly a text.
    Bytes(Vec<u8>),
    /// Values of one type.
    List(Vec<Node>),
    /// Fields by number.
    Struct(BTreeMap<i16, Node>),
}

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const SHORT: u8 = 4;
const SMALL: u8 = 5;
const LARGE: u8 = 6;
const DOUBLE: u8 = 7;
const BYTES: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

/// Most levels of structs in structs: those of Parquet have six.
const DEEPEST: usize = 16;

impl Node {
    /// A struct of fields.
    pub fn fields(list: impl IntoIterator<Item = (i16, Node)>) -> Self {
        Node::Struct(list.into_iter().collect())
    }

    /// A text.
    pub fn text(t: &str) -> Self {
        Node::Bytes(t.as_bytes().to_vec())
    }

    fn kind(&self) -> u8 {
        match self {
            Node::Small(_) => SMALL,
            Node::Large(_) => LARGE,
            Node::Bytes(_) => BYTES,
            Node::List(_) => LIST,
            Node::Struct(_) => STRUCT,
        }
    }

    /// Adds it to some bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Node::Small(n) => unsigned(zigzag(i64::from(*n)), out),
            Node::Large(n) => unsigned(zigzag(*n), out),
            Node::Bytes(b) => {
                unsigned(b.len() as u64, out);
                out.extend(b);
            }
            Node::List(list) => {
                let kind = list.first().map_or(STRUCT, Node::kind);
                if list.len() < 15 {
                    out.push(((list.len() as u8) << 4) | kind);
                } else {
                    out.push(0xf0 | kind);
                    unsigned(list.len() as u64, out);
                }
                list.iter().for_each(|node| node.write(out));
            }
            Node::Struct(fields) => {
                let mut last = 0;
                for (&number, node) in fields {
                    // Fields of Parquet are numbered from 1 and never 15 apart.
                    out.push((((number - last) as u8) << 4) | node.kind());
                    last = number;
                    node.write(out);
                }
                out.push(0);
            }
        }
    }

    /// A field of a struct.
    pub fn field(&self, number: i16) -> Option<&Node> {
        if let Node::Struct(fields) = self { fields.get(&number) } else { None }
    }

    /// A whole number in a field.
    pub fn number(&self, number: i16) -> Option<i64> {
        match self.field(number)? {
            Node::Small(n) => Some(i64::from(*n)),
            Node::Large(n) => Some(*n),
            _ => None,
        }
    }

    /// A list in a field; none where there is none.
    pub fn list(&self, number: i16) -> &[Node] {
        if let Some(Node::List(list)) = self.field(number) { list } else { &[] }
    }

    /// A text in a field.
    pub fn string(&self, number: i16) -> Option<String> {
        if let Some(Node::Bytes(b)) = self.field(number) { String::from_utf8(b.clone()).ok() } else { None }
    }
}

fn zigzag(n: i64) -> u64 {
    ((n << 1) ^ (n >> 63)) as u64
}

/// A number in groups of seven bits, the lowest first.
pub(super) fn unsigned(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push((n as u8) | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Bytes that are read one after the other.
pub(super) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// So many bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(head)
    }

    /// As many bytes as an array has.
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// A number in groups of seven bits.
    pub fn unsigned(&mut self) -> Option<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.array()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(n);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let n = self.unsigned()?;
        Some((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    /// A struct.
    pub fn fields(&mut self) -> Option<Node> {
        self.node(STRUCT, 0)
    }

    fn node(&mut self, kind: u8, depth: usize) -> Option<Node> {
        Some(match kind {
            BYTE => Node::Small(i32::from(self.array::<1>()?[0])),
            SHORT | SMALL => Node::Small(i32::try_from(self.signed()?).ok()?),
            LARGE => Node::Large(self.signed()?),
            // Nothing that is looked at is one.
            DOUBLE => Node::Bytes(self.take(8)?.to_vec()),
            BYTES => {
                let count = self.unsigned()?;
                Node::Bytes(self.take(usize::try_from(count).ok()?)?.to_vec())
            }
            LIST | SET if depth < DEEPEST => {
                let [head] = self.array()?;
                let count = if head >> 4 == 15 { self.unsigned()? } else { u64::from(head >> 4) };
                let mut list = Vec::new();
                for _ in 0..count {
                    // In a list a boolean has a byte of its own.
                    let kind = if matches!(head & 15, TRUE | FALSE) { BYTE } else { head & 15 };
                    list.push(self.node(kind, depth + 1)?);
                }
                Node::List(list)
            }
            STRUCT if depth < DEEPEST => {
                let (mut fields, mut last) = (BTreeMap::new(), 0_i16);
                loop {
                    let [head] = self.array()?;
                    if head == 0 {
                        break Node::Struct(fields);
                    }
                    last = match head >> 4 {
                        0 => i16::try_from(self.signed()?).ok()?,
                        step => last.checked_add(i16::from(step))?,
                    };
                    let node = match head & 15 {
                        kind @ (TRUE | FALSE) => Node::Small(i32::from(kind == TRUE)),
                        kind => self.node(kind, depth + 1)?,
                    };
                    fields.insert(last, node);
                }
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let long = Node::List((0..40).map(|k| Node::Small(k - 20)).collect());
        let inner = Node::fields([(1, Node::Large(i64::MIN)), (10, Node::Struct(BTreeMap::new()))]);
        let all = Node::fields([(1, Node::Small(-1)), (2, long), (3, Node::text("µm")), (6, Node::List(vec![inner]))]);
        let mut bytes = Vec::new();
        all.write(&mut bytes);
        assert_eq!(Reader(&bytes).fields(), Some(all));
        // Cut short anywhere, it is nothing.
        (0..bytes.len()).for_each(|n| assert_eq!(Reader(&bytes[..n]).fields(), None));
    }

    #[test]
    fn what_is_nested_without_end_is_refused() {
        assert_eq!(Reader(&[0x1c; 100_000]).fields(), None);
        assert_eq!(Reader(&[0x19; 100_000]).fields(), None);
    }
}
