//! Parameters of a scene: name, unit, default, help; and the values given for a run.

use taut::{Error, Result};

/// A parameter's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number in the parameter's unit.
    Number(f64),
    /// One of the parameter's choices.
    Choice(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(x) => write!(f, "{x}"),
            Value::Choice(s) => f.write_str(s),
        }
    }
}

/// What a scene can be asked to vary.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Name on the command line.
    pub name: &'static str,
    /// Unit, empty for pure numbers and choices.
    pub unit: &'static str,
    /// Default.
    pub default: Value,
    /// One line.
    pub help: &'static str,
    /// Smallest and largest value (numbers).
    pub range: (f64, f64),
    /// Whether it must be a whole number.
    pub whole: bool,
    /// Allowed words (choices).
    pub choices: &'static [&'static str],
}

impl Parameter {
    /// A number with a range.
    pub fn number(name: &'static str, unit: &'static str, default: f64, range: (f64, f64), help: &'static str) -> Self {
        Parameter { name, unit, default: Value::Number(default), help, range, whole: false, choices: &[] }
    }

    /// A whole number with a range.
    pub fn count(name: &'static str, default: usize, range: (usize, usize), help: &'static str) -> Self {
        Parameter {
            name,
            unit: "",
            default: Value::Number(default as f64),
            help,
            range: (range.0 as f64, range.1 as f64),
            whole: true,
            choices: &[],
        }
    }

    /// A word out of several; the first is the default.
    pub fn choice(name: &'static str, choices: &'static [&'static str], help: &'static str) -> Self {
        let default = Value::Choice(choices.first().copied().unwrap_or("").to_owned());
        Parameter { name, unit: "", default, help, range: (f64::NEG_INFINITY, f64::INFINITY), whole: false, choices }
    }

    /// What a value must look like.
    pub fn expected(&self) -> String {
        if !self.choices.is_empty() {
            return format!("one of {}", self.choices.join(", "));
        }
        let kind = if self.whole { "a whole number" } else { "a number" };
        let unit = if self.unit.is_empty() { String::new() } else { format!(" of {}", self.unit) };
        format!("{kind}{unit} from {} to {}", short(self.range.0), short(self.range.1))
    }

    /// Reads a value from text.
    pub fn parse(&self, text: &str) -> Result<Value> {
        let refuse = || Error::input(self.name, text, self.expected());
        if !self.choices.is_empty() {
            return if self.choices.contains(&text) { Ok(Value::Choice(text.to_owned())) } else { Err(refuse()) };
        }
        let x: f64 = text.parse().map_err(|_| refuse())?;
        let ok = x.is_finite() && x >= self.range.0 && x <= self.range.1 && (!self.whole || x.fract() == 0.0);
        if ok { Ok(Value::Number(x)) } else { Err(refuse()) }
    }
}

/// A bound of a range, large and small ones in powers of ten: 1e9, and not nine zeros.
fn short(x: f64) -> String {
    if x != 0.0 && x.is_finite() && !(1e-4..1e6).contains(&x.abs()) { format!("{x:e}") } else { x.to_string() }
}

/// The values of a run: every parameter of the scene has one.
#[derive(Clone, Debug)]
pub struct Parameters {
    values: Vec<(&'static str, Value)>,
}

impl Parameters {
    /// The defaults.
    pub fn defaults(list: &[Parameter]) -> Self {
        Parameters { values: list.iter().map(|p| (p.name, p.default.clone())).collect() }
    }

    /// Sets one value from text; the name must be in `list`.
    pub fn set(&mut self, list: &[Parameter], name: &str, text: &str) -> Result<()> {
        let Some(p) = list.iter().find(|p| p.name == name) else {
            let names: Vec<&str> = list.iter().map(|p| p.name).collect();
            return Err(Error::input("parameter", name, format!("one of {}", names.join(", "))));
        };
        let value = p.parse(text)?;
        for v in &mut self.values {
            if v.0 == p.name {
                v.1 = value.clone();
            }
        }
        Ok(())
    }

    /// All values, in the scene's order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.values.iter().map(|(n, v)| (*n, v))
    }

    /// A number of this scene; names are the scene's own, so a wrong one is a mistake in the scene.
    pub fn number(&self, name: &str) -> f64 {
        match self.values.iter().find(|v| v.0 == name) {
            Some((_, Value::Number(x))) => *x,
            _ => f64::NAN,
        }
    }

    /// A whole number.
    pub fn count(&self, name: &str) -> usize {
        self.number(name) as usize
    }

    /// A choice.
    pub fn choice(&self, name: &str) -> &str {
        match self.values.iter().find(|v| v.0 == name) {
            Some((_, Value::Choice(s))) => s,
            _ => "",
        }
    }
}
