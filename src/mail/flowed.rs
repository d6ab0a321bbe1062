//! `format=flowed` undone (RFC 3676): soft line breaks, space-stuffing, DelSp.

/// Joins the soft-broken lines of `text` and takes the stuffing spaces away. Quoted lines come back with their
/// depth in `>` and one space before them, `-- ` stays alone on its line (RFC 3676 4.3).
///
/// `del_sp` is the parameter `DelSp=yes`: the space that ends a soft-broken line is not part of the text.
pub(super) fn unflow(text: &str, del_sp: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut open: Option<Paragraph> = None;
    for raw in text.lines() {
        let (depth, body) = split_depth(raw);
        let soft = body.ends_with(' ') && body != "-- ";
        let joins = body != "-- ";
        match &mut open {
            Some(paragraph) if paragraph.depth == depth && joins => paragraph.push(body, del_sp),
            _ => {
                lines.extend(open.take().map(Paragraph::finish));
                open = Some(Paragraph { depth, text: body.to_owned() });
            }
        }
        if !soft {
            lines.extend(open.take().map(Paragraph::finish));
        }
    }
    lines.extend(open.map(Paragraph::finish));
    lines
}

struct Paragraph {
    depth: usize,
    text: String,
}

impl Paragraph {
    fn push(&mut self, body: &str, del_sp: bool) {
        if del_sp && self.text.ends_with(' ') {
            self.text.pop();
        }
        self.text.push_str(body);
    }

    fn finish(self) -> String {
        match self.depth {
            0 => self.text,
            depth => format!("{} {}", ">".repeat(depth), self.text),
        }
    }
}

/// The quote depth of a line, and its text without quote marks and stuffing (RFC 3676 4.4, 4.5).
fn split_depth(raw: &str) -> (usize, &str) {
    let unquoted = raw.trim_start_matches('>');
    let depth = raw.len() - unquoted.len();
    (depth, unquoted.strip_prefix(' ').unwrap_or(unquoted))
}

#[cfg(test)]
mod tests {
    use super::unflow;

    #[test]
    fn soft_breaks_join_at_the_same_depth_only() {
        let text = "Charles XII takes everything \nat Karlskrona\n> old \n>> older \n> old again\nnew\n";
        let expect = ["Charles XII takes everything at Karlskrona", "> old ", ">> older ", "> old again", "new"];
        assert_eq!(unflow(text, false), expect);
    }

    #[test]
    fn del_sp_takes_the_space_away() {
        assert_eq!(unflow("Dünam \nünde\n", true), ["Dünamünde"]);
    }

    #[test]
    fn stuffing_goes_and_the_signature_mark_stays() {
        let text = " From Riga to Mitau\n  indented\norders end \n-- \nKarl\n";
        assert_eq!(unflow(text, false), ["From Riga to Mitau", " indented", "orders end ", "-- ", "Karl"]);
    }
}
