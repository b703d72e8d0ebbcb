//! Classes of defaults: what elements have that do not say otherwise.

use crate::report::{Error, Report, Result};
use crate::xml::{Document, Element};
use std::collections::BTreeMap;

/// Attributes of each element by class; each class has those of the ones around it too.
pub struct Defaults {
    classes: BTreeMap<String, BTreeMap<String, Element>>,
}

/// The class of what has none.
const MAIN: &str = "main";

impl Defaults {
    pub fn read(doc: &Document, root: usize, report: &mut Report) -> Result<Self> {
        let mut classes: BTreeMap<String, BTreeMap<String, Element>> = BTreeMap::new();
        classes.insert(MAIN.into(), BTreeMap::new());
        // Sections with the class around them, in the order of the file.
        let mut open: Vec<(usize, Option<String>)> = super::sections(doc, root, "default").map(|k| (k, None)).collect();
        open.reverse();
        while let Some((k, around)) = open.pop() {
            let e = doc.at(k);
            let name = match (e.get("class"), &around) {
                (Some(name), _) => name.to_owned(),
                (None, None) => MAIN.into(),
                (None, Some(_)) => {
                    return Err(Error::new(&e.place, "<default> in another one without 'class': expected it"));
                }
            };
            let base = around.as_ref().and_then(|a| classes.get(a)).cloned().unwrap_or_default();
            // Several sections may speak of one class.
            let class = classes.entry(name.clone()).or_default();
            for (tag, element) in base {
                class.entry(tag).or_insert(element);
            }
            let mut inner = Vec::new();
            for &c in &e.children {
                let element = doc.at(c);
                if element.name == "default" {
                    inner.push((c, Some(name.clone())));
                    continue;
                }
                if !element.children.is_empty() && element.name != "material" {
                    report.warn(
                        &element.place,
                        format!("elements in the defaults of <{}> are not supported", element.name),
                    );
                }
                let merged = class.get(&element.name).map_or_else(|| element.clone(), |before| element.over(before));
                class.insert(element.name.clone(), merged);
            }
            open.extend(inner.into_iter().rev());
        }
        // The outermost section may call its class as it likes; what has no class is in it.
        let outermost = super::sections(doc, root, "default").next().and_then(|k| doc.at(k).get("class"));
        for (tag, element) in outermost.and_then(|name| classes.get(name)).cloned().unwrap_or_default() {
            classes.entry(MAIN.into()).or_default().entry(tag).or_insert(element);
        }
        Ok(Defaults { classes })
    }

    /// Whether there is a class of a name.
    pub fn check(&self, e: &Element, attribute: &str) -> Result<Option<String>> {
        match e.get(attribute) {
            None => Ok(None),
            Some(name) if self.classes.contains_key(name) => Ok(Some(name.to_owned())),
            Some(_) => Err(e.refuse(attribute, "the name of a class of <default>")),
        }
    }

    /// The element with what it does not say itself: by its own class, or that of the bodies around it.
    pub fn fill(&self, e: &Element, around: Option<&str>) -> Result<Element> {
        self.fill_as(e, &[&e.name], around)
    }

    /// The same with the defaults of the first of some elements that has any.
    pub fn fill_as(&self, e: &Element, names: &[&str], around: Option<&str>) -> Result<Element> {
        let own = self.check(e, "class")?;
        let class = own.as_deref().or(around).unwrap_or(MAIN);
        let defaults = self.classes.get(class).and_then(|c| names.iter().find_map(|n| c.get(*n)));
        Ok(defaults.map_or_else(|| e.clone(), |d| e.over(d)))
    }
}
