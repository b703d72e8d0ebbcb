//! One page that shows the figures together.

use super::Figure;
use super::made::{Verdict, Word};
use std::fmt::Write;

const STYLE: &str =
    "body{font-family:sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;color:#1e1e1e;line-height:1.45}
img{width:100%;border:1px solid #ddd}
section{margin:3em 0}
code{background:#f2f2f2;padding:.1em .3em}
table{border-collapse:collapse}
td,th{text-align:left;padding:.25em 1em .25em 0;border-bottom:1px solid #ddd;vertical-align:top}
.short{color:#555}.better{color:#006b4e}.reproduced{color:#005a8e}.not{color:#a84300}
.word{font-weight:bold}";

/// The page of these figures; `quick` says that they were made with `--quick`.
pub fn page(made: &[(&Figure, Verdict)], quick: bool) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Taut: published figures</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>Published figures and tables, measured here</h1>\n"
    );
    if quick {
        out += "<p>Made with <code>--quick</code>: shorter runs and coarser grids.</p>\n";
    }
    out += "<table>\n<tr><th>figure</th><th>verdict</th></tr>\n";
    for (f, v) in made {
        let _ = writeln!(
            out,
            "<tr><td><a href=\"#{}\">{}</a></td><td class=\"word {}\">{}</td></tr>",
            f.name,
            escape(f.source),
            class(v.word),
            v.word
        );
    }
    out += "</table>\n";
    for (f, v) in made {
        section(&mut out, f, v, quick);
    }
    out + "</body>\n</html>\n"
}

fn section(out: &mut String, f: &Figure, v: &Verdict, quick: bool) {
    let name = f.name;
    let flag = if quick { " --quick" } else { "" };
    let _ = write!(
        out,
        "<section id=\"{name}\">\n<h2>{}: {}</h2>\n<p><img src=\"{name}.svg\" alt=\"{}\"></p>\n\
         <p><span class=\"word {}\">{}</span>: {}</p>\n<p>{}</p>\n<p>Rule of the verdict: {}</p>\n\
         <p>Made by <code>taut figure {name}{flag}</code>. \
         Numbers: <a href=\"{name}.csv\">{name}.csv</a>; picture: <a href=\"{name}.png\">{name}.png</a>.</p>\n</section>\n",
        escape(f.source),
        escape(f.title),
        escape(f.title),
        class(v.word),
        v.word,
        escape(&v.why),
        escape(f.caption),
        escape(v.rule),
    );
}

fn class(word: Word) -> &'static str {
    match word {
        Word::Better => "better",
        Word::Reproduced => "reproduced",
        Word::NotReproduced => "not",
        Word::TooShort => "short",
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
