//! `<include>`: the contents of another file in its place.

use crate::files::Files;
use crate::report::{Error, Result};
use crate::xml::Document;

/// Deepest that files include each other; a cycle is found before that.
const DEEPEST: usize = 64;

/// Puts the contents of files in the place of the elements that include them.
pub fn expand(doc: &mut Document, root: usize, files: &mut Files<'_>) -> Result<()> {
    // Elements whose children are yet to be looked at, with the files that they came through.
    let mut open: Vec<(usize, Vec<String>)> = vec![(root, vec![doc.at(root).place.file.to_string()])];
    while let Some((k, through)) = open.pop() {
        let mut at = 0;
        let mut sources: Vec<Vec<String>> = vec![through; doc.at(k).children.len()];
        while at < doc.at(k).children.len() {
            let child = doc.at(k).children[at];
            if doc.at(child).name != "include" {
                at += 1;
                continue;
            }
            let e = doc.at(child);
            let (file, place) = (e.required("file")?.to_owned(), e.place.clone());
            if sources[at].contains(&file) || sources[at].len() > DEEPEST {
                let way = sources[at].join(" > ");
                return Err(Error::new(&place, format!("'{file}' includes itself: {way} > {file}")));
            }
            let text = files.text(&file, &place)?;
            let inner = doc.add(&file, &text)?;
            let new = doc.at(inner).children.clone();
            let way: Vec<String> = sources[at].iter().cloned().chain([file]).collect();
            sources.splice(at..=at, vec![way; new.len()]);
            doc.elements[k].children.splice(at..=at, new);
        }
        let children = doc.at(k).children.clone();
        open.extend(children.into_iter().zip(sources));
    }
    Ok(())
}
