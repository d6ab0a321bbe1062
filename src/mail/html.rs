//! HTML to lines of text, with the quotes, signatures and forwards that its structure shows.
//!
//! Own work and not a renderer's: renderers merge the `<div>` lines of one order list into one line or wrap one
//! order over two, and none says which lines stood in a quote. This walker keeps one line for each line that the
//! writer saw in his window. It takes time in proportion to the text, whatever the text is.

mod marks;
mod tags;

use std::collections::BTreeMap;

use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::decoders::html::add_html_token;

use super::quoting::{BodyLine, Why};
use marks::{Mark, mark_of};
use tags::{Tag, Token, Tokens};

/// How far back an inline end tag looks for its start; letters of real programs never come near it.
const INLINE_REACH: usize = 256;

/// The lines of an HTML text as its writer saw them.
pub(super) fn to_lines(html: &str) -> Vec<BodyLine> {
    let mut walker = Walker::default();
    for token in Tokens::new(html) {
        match token {
            Token::Text(text) => walker.text(text),
            Token::Open(tag) => walker.open(&tag),
            Token::Close(name) => walker.close(&name),
        }
    }
    walker.end_line();
    walker.lines
}

/// An element that is open. What it says holds for all inside it.
struct Element {
    name: String,
    block: bool,
    why: Option<Why>,
    hidden: bool,
    pre: bool,
}

#[derive(Default)]
struct Walker {
    lines: Vec<BodyLine>,
    line: String,
    line_why: Option<Why>,
    space_due: bool,
    gap_due: bool,
    open: Vec<Element>,
    open_names: BTreeMap<String, usize>,
    /// Set by the marks after which the whole rest is another's letter.
    rest: Option<Why>,
}

impl Walker {
    fn open(&mut self, tag: &Tag) {
        let name = tag.name.as_str();
        if is_block(name) {
            // Browsers end a head that nobody ended where the text begins.
            if name != "html" && self.open_names.get("head").is_some_and(|&n| n > 0) {
                self.close("head");
            }
            self.end_block();
        }
        match name {
            "br" => self.end_line(),
            "p" if !tag.is_tight() => self.gap_due = true,
            "li" => self.text("* "),
            "td" | "th" => self.space_due = true,
            _ => {}
        }
        let mark = mark_of(tag);
        if let Some(Mark::Rest(why)) = mark {
            self.rest.get_or_insert(why);
        }
        if is_void(name) {
            return;
        }
        let own = match mark {
            Some(Mark::Inside(why)) => Some(why),
            _ => None,
        };
        let parent = self.open.last();
        let element = Element {
            name: tag.name.clone(),
            block: is_block(name),
            why: parent.and_then(|p| p.why).or(own),
            hidden: parent.is_some_and(|p| p.hidden) || is_unseen(name) || tag.is_hidden(),
            pre: parent.is_some_and(|p| p.pre) || name == "pre" || tag.is_preformatted(),
        };
        *self.open_names.entry(element.name.clone()).or_default() += 1;
        self.open.push(element);
    }

    fn close(&mut self, name: &str) {
        if is_block(name) {
            self.end_block();
        }
        if self.open_names.get(name).copied().unwrap_or(0) == 0 {
            return;
        }
        // A formatting tag closed out of turn must not close the quote around it (HTML standard 13.2.6.4.7).
        if !is_block(name) {
            let reach = self.open.iter().rev().take(INLINE_REACH).take_while(|e| !e.block);
            if !reach.into_iter().any(|e| e.name == name) {
                return;
            }
        }
        while let Some(element) = self.open.pop() {
            if let Some(count) = self.open_names.get_mut(&element.name) {
                *count = count.saturating_sub(1);
            }
            if element.name == name {
                break;
            }
        }
    }

    fn text(&mut self, text: &str) {
        let (why, hidden, pre) = self.open.last().map_or((None, false, false), |e| (e.why, e.hidden, e.pre));
        if hidden {
            return;
        }
        let why = why.or(self.rest);
        for c in decoded(text).chars() {
            match c {
                '\n' if pre => self.end_line(),
                '\r' if pre => {}
                ' ' | '\t' if pre => self.push(c, why),
                ' ' | '\t' | '\n' | '\r' | '\x0c' => self.space_due = true,
                _ => self.push(c, why),
            }
        }
    }

    fn push(&mut self, c: char, why: Option<Why>) {
        if self.line.is_empty() {
            let after_text = self.lines.last().is_some_and(|l| !l.text.trim().is_empty());
            if self.gap_due && after_text {
                self.lines.push(BodyLine { text: String::new(), mark: why });
            }
            self.gap_due = false;
            self.line_why = why;
        } else if self.space_due {
            self.line.push(' ');
        }
        self.space_due = false;
        // A line of which any part is the writer's own is his own.
        if why.is_none() {
            self.line_why = None;
        }
        self.line.push(c);
    }

    /// Ends the line that is being written, if there is one.
    fn end_block(&mut self) {
        // `<li><p>` is one line: the bullet waits for its text.
        if self.line == "*" {
            return;
        }
        if !self.line.is_empty() {
            self.end_line();
        }
        self.space_due = false;
    }

    /// Ends the line, an empty one as well.
    fn end_line(&mut self) {
        // The blank before `<br>` is kept, since it tells `-- ` from `--`.
        if self.space_due && !self.line.is_empty() {
            self.line.push(' ');
        }
        self.space_due = false;
        let around = self.open.last().and_then(|e| e.why).or(self.rest);
        let mark = if self.line.is_empty() { around } else { self.line_why };
        self.lines.push(BodyLine { text: std::mem::take(&mut self.line), mark });
        self.line_why = None;
    }
}

/// Character references decoded. Numbers 128 to 159 mean Windows-1252, as browsers read them.
fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let name_len = after.bytes().take(32).take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
        match after.split_at_checked(name_len) {
            Some((name, tail)) if name_len > 0 && tail.starts_with(';') => {
                push_reference(&mut out, name);
                rest = tail.strip_prefix(';').unwrap_or(tail);
            }
            _ => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn push_reference(out: &mut String, name: &str) {
    let mut read = String::new();
    add_html_token(&mut read, format!("&{name};").as_bytes(), false);
    let mut chars = read.chars();
    match (chars.next(), chars.next()) {
        (Some(c @ '\u{80}'..='\u{9f}'), None) => {
            let byte = u8::try_from(u32::from(c)).unwrap_or(b'?');
            out.push_str(&charset_decoder(b"windows-1252").map_or(String::new(), |decode| decode(&[byte])));
        }
        _ => out.push_str(&read),
    }
}

fn is_block(name: &str) -> bool {
    const BLOCKS: [&str; 39] = [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "br",
        "center",
        "dd",
        "details",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "legend",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "tr",
        "ul",
    ];
    name != "br" && BLOCKS.binary_search(&name).is_ok()
}

fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}

fn is_unseen(name: &str) -> bool {
    matches!(name, "head" | "noscript" | "object" | "template")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(html: &str) -> Vec<(String, Option<Why>)> {
        to_lines(html).into_iter().map(|l| (l.text.trim_end().to_owned(), l.mark)).filter(|l| !l.0.is_empty()).collect()
    }

    fn own(html: &str) -> Vec<String> {
        lines(html).into_iter().filter(|l| l.1.is_none()).map(|l| l.0).collect()
    }

    #[test]
    fn each_line_of_the_window_is_a_line() {
        let html = "<html><head><title>x</title><style>p {}</style></head><body><div>card: action 2</div>\
            <div>Riga&nbsp;&#8211;<b>Mi</b>tau</div><div><br></div><ul><li>buy 2 inf<li>build at &Aring;bo</ul>one<br>two</body>";
        let expect = ["card: action 2", "Riga\u{a0}–Mitau", "* buy 2 inf", "* build at Åbo", "one", "two"];
        assert_eq!(own(html), expect);
    }

    #[test]
    fn blank_lines_are_counted_as_seen() {
        let text: Vec<String> = to_lines(
            "<div>a</div><div><br></div><div>b</div><p class=MsoNormal>c</p><p class=MsoNormal>d</p><p>e</p><p>f</p>",
        )
        .into_iter()
        .map(|l| l.text)
        .collect();
        assert_eq!(text, ["a", "", "b", "c", "d", "", "e", "", "f", ""]);
    }

    #[test]
    fn quotes_are_marked_and_an_indented_paragraph_is_not() {
        let html = "<div>mine</div><blockquote type=cite><div>old <p>older</blockquote><div>mine too</div>\
            <blockquote style=\"margin:0 0 0 40px; border: none; padding:0px\">my indented order</blockquote>";
        assert_eq!(own(html), ["mine", "mine too", "my indented order"]);
        assert_eq!(lines(html).iter().filter(|l| l.1 == Some(Why::Quoted)).count(), 2);
    }

    #[test]
    fn a_stray_end_tag_does_not_open_the_quote() {
        assert_eq!(own("<b><blockquote>old</b> still old</blockquote>mine"), ["mine"]);
        assert_eq!(own("<blockquote>old</div> old</blockquote></blockquote>mine"), ["mine"]);
        assert_eq!(own("<blockquote><table><tr><td>a</td></tr></table></span>old</blockquote>mine"), ["mine"]);
    }

    #[test]
    fn the_rest_after_outlooks_mark_is_not_the_writers() {
        let html = "<div>Riga holds</div><div id=\"appendonsend\"></div><hr><div id=divRplyFwdMsg>From: x</div><div>Riga to Mitau</div>";
        assert_eq!(own(html), ["Riga holds"]);
    }

    #[test]
    fn hidden_text_and_comments_are_not_seen() {
        let html = "<!-- Riga to Mitau --><span style='display: none'>secret<span>x</span> y</span>a &lt; b<!--[if mso]>z<![endif]--> < c";
        assert_eq!(own(html), ["a < b < c"]);
    }

    #[test]
    fn preformatted_lines_stay() {
        assert_eq!(
            own("<pre>one\r\ntwo  x\n</pre><div style=\"white-space:pre-wrap\">three\nfour</div>"),
            ["one", "two  x", "three", "four"]
        );
    }

    #[test]
    fn bombs_take_linear_time() {
        for bomb in ["<div>", "<i><span>", "</i>", "<a \"", "<!--", "<style>", "&", "<", "<i></b>", "<blockquote></i>"]
        {
            let _ = to_lines(&bomb.repeat(400_000 / bomb.len()));
        }
        let deep = format!("<i><div>{}{}", "<span>".repeat(60_000), "</i>".repeat(60_000));
        let _ = to_lines(&deep);
    }

    #[test]
    fn numbers_of_windows_1252_are_read_as_browsers_do() {
        assert_eq!(own("Riga &#150; Mitau &unknown; &amp;amp; &"), ["Riga – Mitau &unknown; &amp; &"]);
    }
}
