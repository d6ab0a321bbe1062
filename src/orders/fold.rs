//! Folding: the form in which two spellings of a word meet.

/// Lower case, no accents, Latin letters: `Dünamünde`, `DUNAMUNDE` and `dunamunde` are one word, and so are `Рига` and `riga`.
///
/// Signs that some keyboards set inside a word (apostrophes, soft signs) vanish.
pub fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for c in word.chars() {
        if c.is_ascii_alphanumeric() {
            folded.push(c.to_ascii_lowercase());
        } else if !c.is_ascii() {
            let latin = deunicode::deunicode_char(c).unwrap_or("");
            folded.extend(latin.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()));
        }
    }
    folded
}

/// The folded words of a name, hyphens and spaces alike between them, possessive endings and a leading article dropped, as
/// [`tokens`](super::token::tokens) splits them.
pub fn words_of(name: &str) -> Vec<String> {
    let parts = name.split(|c: char| c.is_whitespace() || matches!(c, '-' | '‐' | '‑' | '(' | ')' | ',' | '.' | '!'));
    let stems = parts.map(|part| part.strip_suffix("'s").or_else(|| part.strip_suffix("’s")).unwrap_or(part));
    let mut words: Vec<String> = stems.map(fold).filter(|word| !word.is_empty()).collect();
    if words.len() > 1 && words.first().is_some_and(|first| first == "the") {
        words.remove(0);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_meet() {
        for (a, b) in [("Dünamünde", "dunamunde"), ("Рига", "RIGA"), ("Åbo", "abo"), ("Leszczyński", "leszczynski")]
        {
            assert_eq!(fold(a), fold(b));
        }
        assert_eq!(fold("Огре"), "ogre");
    }

    #[test]
    fn hyphens_and_articles_do_not_matter() {
        assert_eq!(words_of("the Saxony-Poland"), ["saxony", "poland"]);
        assert_eq!(words_of("Gå På!"), ["ga", "pa"]);
    }
}
