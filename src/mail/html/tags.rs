//! HTML cut into tags and text, as tolerantly as browsers do it where it matters to letters.

/// How far a tag is searched for the end of a quoted attribute before its first `>` is taken for the end.
const TAG_REACH: usize = 2048;

pub(super) enum Token<'a> {
    Text(&'a str),
    Open(Tag),
    /// The name, in lower case.
    Close(String),
}

/// A start tag: names in lower case, attribute values as written.
pub(super) struct Tag {
    pub name: String,
    attributes: Vec<(String, String)>,
}

impl Tag {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The style without white space, in lower case.
    pub fn style(&self) -> String {
        let style = self.attribute("style").unwrap_or_default();
        style.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
    }

    pub fn has_class(&self, wanted: &str) -> bool {
        self.attribute("class").is_some_and(|all| all.split_whitespace().any(|c| c.eq_ignore_ascii_case(wanted)))
    }

    pub fn has_id(&self, wanted: &str) -> bool {
        self.attribute("id").is_some_and(|id| id.eq_ignore_ascii_case(wanted))
    }

    /// A paragraph shown without a blank line around it.
    pub fn is_tight(&self) -> bool {
        let style = self.style();
        let mso = self.attribute("class").is_some_and(|c| c.starts_with("Mso"));
        mso || style.contains("margin:0") || style.contains("margin-bottom:0")
    }

    pub fn is_hidden(&self) -> bool {
        let style = self.style();
        style.contains("display:none") || style.contains("visibility:hidden") || self.attribute("hidden").is_some()
    }

    pub fn is_preformatted(&self) -> bool {
        self.style().contains("white-space:pre")
    }
}

pub(super) struct Tokens<'a> {
    rest: &'a str,
    /// No comment ends behind this point: asked once, lest a bomb of `<!--` ask each time.
    no_comment_end: bool,
    no_raw_end: bool,
}

impl<'a> Tokens<'a> {
    pub fn new(html: &'a str) -> Self {
        Tokens { rest: html, no_comment_end: false, no_raw_end: false }
    }

    fn all_as_text(&mut self) -> Option<Token<'a>> {
        Some(Token::Text(std::mem::take(&mut self.rest)))
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    /// Skips `<!-- ... -->`, or `<! ... >`.
    fn skip_declaration(&mut self) -> bool {
        if self.rest.starts_with("<!--") && !self.no_comment_end {
            if let Some(end) = self.rest.find("-->") {
                self.advance(end + 3);
                return true;
            }
            self.no_comment_end = true;
        }
        match self.rest.find('>') {
            Some(end) => {
                self.advance(end + 1);
                true
            }
            None => false,
        }
    }

    /// Skips the text of an element that is never shown.
    fn skip_raw(&mut self, name: &str) {
        if self.no_raw_end {
            return;
        }
        let end = self.rest.match_indices("</").find(|(at, _)| {
            let tail = self.rest.get(at + 2..at + 2 + name.len());
            tail.is_some_and(|t| t.eq_ignore_ascii_case(name))
        });
        match end {
            Some((at, _)) => {
                self.advance(at);
            }
            None => self.no_raw_end = true,
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            let Some(after) = self.rest.strip_prefix('<') else {
                let end = self.rest.find('<').unwrap_or(self.rest.len());
                return Some(Token::Text(self.advance(end)));
            };
            let closing = after.starts_with('/');
            let first = after.trim_start_matches('/').chars().next();
            if after.starts_with(['!', '?']) {
                if self.skip_declaration() {
                    continue;
                }
                return self.all_as_text();
            }
            if !first.is_some_and(|c| c.is_ascii_alphabetic()) {
                return Some(Token::Text(self.advance(1)));
            }
            let Some(end) = tag_end(self.rest) else { return self.all_as_text() };
            let inner = self.advance(end + 1);
            let inner = inner.strip_prefix('<').and_then(|t| t.strip_suffix('>')).unwrap_or(inner);
            if closing {
                let name = inner.trim_start_matches('/').split(char::is_whitespace).next().unwrap_or_default();
                return Some(Token::Close(name.to_ascii_lowercase()));
            }
            let tag = parse_tag(inner);
            if matches!(tag.name.as_str(), "script" | "style" | "title") {
                self.skip_raw(&tag.name);
            }
            return Some(Token::Open(tag));
        }
    }
}

/// Where the `>` of the tag at the head of `text` stands.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    let mut before = b' ';
    for (at, b) in text.bytes().enumerate().take(TAG_REACH) {
        match (quote, b) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') if before == b'=' => quote = Some(b),
            (Some(q), b) if q == b => quote = None,
            _ => {}
        }
        if b != b' ' {
            before = b;
        }
    }
    text.find('>')
}

fn parse_tag(inner: &str) -> Tag {
    let inner = inner.trim_end_matches('/');
    let name_end = inner.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(inner.len());
    let (name, mut rest) = inner.split_at_checked(name_end).unwrap_or((inner, ""));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
        let (key, after) = rest.split_at_checked(end.max(1)).unwrap_or((rest, ""));
        let (value, after) = match after.trim_start().strip_prefix('=') {
            Some(after) => attribute_value(after.trim_start()),
            None => ("", after),
        };
        attributes.push((key.to_ascii_lowercase(), value.to_owned()));
        rest = after;
    }
    Tag { name: name.to_ascii_lowercase(), attributes }
}

fn attribute_value(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(after) = text.strip_prefix(quote) {
            return after.split_once(quote).unwrap_or((after, ""));
        }
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}
