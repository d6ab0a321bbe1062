//! The elements by which mail programs mark what is not the writer's own.

use super::super::quoting::Why;
use super::tags::Tag;

/// What an element says of text.
pub(super) enum Mark {
    /// Of all inside it.
    Inside(Why),
    /// Of all that follows it, to the end of the letter.
    Rest(Why),
}

/// What a start tag says of the text in or after it, by the habits of the programs named.
pub(super) fn mark_of(tag: &Tag) -> Option<Mark> {
    if tag.name == "blockquote" && !is_own_indent(tag) {
        return Some(Mark::Inside(Why::Quoted));
    }
    by_class(tag).or_else(|| by_id(tag)).or_else(|| by_other(tag))
}

/// Gmail's "indent more" is a blockquote without a bar: the writer's own words, set to the right.
fn is_own_indent(tag: &Tag) -> bool {
    let style = tag.style();
    let barless = style.contains("border:none") && !style.contains("border-left");
    let quoting_class = tag.attribute("class").is_some_and(|c| c.to_ascii_lowercase().contains("quote"));
    barless && !quoting_class && tag.attribute("type").is_none() && tag.attribute("cite").is_none()
}

fn by_class(tag: &Tag) -> Option<Mark> {
    const CLASSES: [(&str, Why); 13] = [
        ("gmail_attr", Why::Attribution),
        ("moz-cite-prefix", Why::Attribution),
        ("moz-forward-container", Why::Forwarded),
        ("moz-signature", Why::Signature),
        ("moz-txt-sig", Why::Signature),
        ("gmail_signature", Why::Signature),
        ("gmail_signature_prefix", Why::Signature),
        ("protonmail_signature_block", Why::Signature),
        ("protonmail_quote", Why::Quoted),
        ("tutanota_quote", Why::Quoted),
        ("yahoo_quoted", Why::Quoted),
        ("zmail_extra", Why::Quoted),
        ("OutlookMessageHeader", Why::OriginalMessage),
    ];
    CLASSES.iter().find(|(class, _)| tag.has_class(class)).map(|(_, why)| Mark::Inside(*why))
}

fn by_id(tag: &Tag) -> Option<Mark> {
    // Outlook on the web and its apps; Hotmail; Zimbra.
    const RESTS: [&str; 4] = ["appendonsend", "divRplyFwdMsg", "stopSpelling", "zwchr"];
    if RESTS.iter().any(|id| tag.has_id(id)) {
        return Some(Mark::Rest(Why::OriginalMessage));
    }
    const SIGNATURES: [&str; 3] = ["Signature", "AppleMailSignature", "ms-outlook-mobile-signature"];
    if SIGNATURES.iter().any(|id| tag.has_id(id)) {
        return Some(Mark::Inside(Why::Signature));
    }
    if tag.has_id("mail-editor-reference-message-container") {
        return Some(Mark::Inside(Why::OriginalMessage));
    }
    let yahoo = tag.attribute("id").is_some_and(|id| id.starts_with("yahoo_quoted"));
    yahoo.then_some(Mark::Inside(Why::Quoted))
}

fn by_other(tag: &Tag) -> Option<Mark> {
    // GMX and web.de; Zimbra; Outlook's bar at the left of an answer between the lines.
    let gmx = tag.attribute("name") == Some("quote");
    let zimbra = tag.attribute("data-marker") == Some("__QUOTED_TEXT__");
    let bar = tag.name == "div" && tag.style().contains("border-left:solidblue");
    (gmx || zimbra || bar).then_some(Mark::Inside(Why::Quoted))
}
