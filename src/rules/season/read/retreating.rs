//! When to leave a battle, in words [R-003-32].

use super::condition::NEUTRAL;
use crate::orders::token::{Sign, What};
use crate::rules::season::order::RetreatWhen;

const ATTACKED: &[&str] = &["attacked", "assaulted", "engaged", "threatened", "challenged"];
const OUTNUMBERED: &[&str] = &["outnumbered", "outmatched"];

/// The condition of a retreat that these words are, every one of them accounted for.
pub(super) fn retreat_words(tokens: &[crate::orders::Token]) -> Option<RetreatWhen> {
    let words_said: Vec<&str> = tokens.iter().filter_map(|token| token.word()).collect();
    // "half or more", "50 % or worse"
    let or_more = |at: usize, word: &str| {
        let next = words_said.get(at + 1).copied();
        word == "or" && matches!(next, Some("more" | "worse" | "higher" | "greater"))
            || matches!(word, "more" | "worse" | "higher" | "greater")
                && at > 0
                && words_said.get(at - 1) == Some(&"or")
    };
    let words: Vec<&str> =
        words_said.iter().enumerate().filter(|(at, word)| !or_more(*at, word)).map(|(_, word)| *word).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let numbers: Vec<u32> = numbers(tokens);
    let allowed = |extra: &[&str]| {
        words.iter().all(|word| {
            NEUTRAL.contains(word)
                || extra.contains(word)
                || is_number_word(word)
                || matches!(*word, "half" | "third" | "thirds" | "quarter" | "quarters" | "fifth" | "tenth")
        })
    };
    if has(&["not", "never", "no", "unless", "nobody"]) {
        return None;
    }
    if has(ATTACKED) {
        return (numbers.is_empty() && allowed(ATTACKED)).then_some(RetreatWhen::AtOnce);
    }
    if has(&["once", "immediately"]) && words.len() <= 2 {
        return Some(RetreatWhen::AtOnce);
    }
    let odds =
        has(OUTNUMBERED) || has(&["odds", "twice", "double", "thrice", "stronger", "superior", "times", "superiority"]);
    if odds {
        let extra = [
            "outnumbered",
            "outmatched",
            "odds",
            "twice",
            "double",
            "thrice",
            "stronger",
            "superior",
            "times",
            "superiority",
            "worse",
            "against",
            "strong",
            "many",
            "much",
            "numbers",
            "number",
            "of",
            "enemy",
            "better",
            "our",
        ];
        return allowed(&extra).then(|| odds_percent(tokens, &words, &numbers)).flatten().map(RetreatWhen::OddsPercent);
    }
    if has(&["round", "rounds"]) {
        let extra = ["fought", "combat", "first", "second", "third", "fourth", "fifth", "sixth", "one", "end", "full"];
        let ordinal = ["first", "second", "third", "fourth", "fifth", "sixth"]
            .iter()
            .zip(1..)
            .find(|(word, _)| words.contains(word))
            .map(|(_, n)| n);
        let said = numbers.first().copied().or(ordinal)?;
        // "in the second round": before it has been fought.
        let after = has(&["after", "once", "of"]) || !has(&["in", "from"]);
        return (after && allowed(&extra) && numbers.len() <= 1 && said >= 1).then_some(RetreatWhen::AfterRound(said));
    }
    let loses = has(&["lose", "loses", "losing", "lost", "losses", "loss", "casualties"]);
    let share = share(tokens, &words, &numbers)?;
    let extra = [
        "casualties",
        "half",
        "army",
        "force",
        "half",
        "quarter",
        "reached",
        "suffered",
        "suffers",
        "suffer",
        "takes",
        "take",
        "taken",
        "third",
        "thirds",
        "a",
    ];
    let percent = tokens.iter().any(|token| token.is(Sign::Percent)) || has(&["percent", "cent"]);
    ((loses || percent || has(&["half"])) && allowed(&extra)).then_some(RetreatWhen::LossPercent(share))
}

/// A share of the force, in per cent: half, a third, two thirds, 40 %.
fn share(tokens: &[crate::orders::Token], words: &[&str], numbers: &[u32]) -> Option<u32> {
    let percent =
        tokens.iter().any(|token| token.is(Sign::Percent)) || words.iter().any(|w| matches!(*w, "percent" | "cent"));
    let multiple = numbers.first().copied().unwrap_or(1);
    let slash = tokens.iter().any(|token| token.is(Sign::Slash));
    let found = if percent {
        (numbers.len() == 1).then_some(multiple)
    } else if slash && numbers.len() == 2 {
        let under = numbers.get(1).copied().filter(|n| *n > 0)?;
        Some(per_cent(multiple, under))
    } else {
        let part = words.iter().find_map(|word| match *word {
            "half" => Some(2),
            "third" | "thirds" => Some(3),
            "quarter" | "quarters" => Some(4),
            "fifth" => Some(5),
            "tenth" => Some(10),
            _ => None,
        })?;
        (numbers.len() <= 1).then(|| per_cent(multiple, part))
    };
    found.filter(|share| (1..=100).contains(share))
}

/// A third is 33 per cent: one brigade in three lost is a third lost.
fn per_cent(of: u32, parts: u32) -> u32 {
    of.saturating_mul(100) / parts.max(1)
}

fn odds_percent(tokens: &[crate::orders::Token], words: &[&str], numbers: &[u32]) -> Option<u32> {
    let has = |word: &str| words.contains(&word);
    let colon = tokens.iter().any(|token| token.is(Sign::Colon) || token.is(Sign::Dash)) || has("to");
    match numbers {
        [a, b] if colon && *b > 0 => Some(a.saturating_mul(100) / b).filter(|n| *n >= 100),
        [a] if has("times") => Some(a.saturating_mul(100)),
        [n] if tokens.iter().any(|token| token.is(Sign::Percent)) => Some(*n),
        [] if has("twice") || has("double") => Some(200),
        [] if has("thrice") => Some(300),
        // Outnumbered at all: more than his own strength.
        [] if has("outnumbered") || has("stronger") || has("superior") || has("outmatched") => Some(101),
        _ => None,
    }
}

fn is_number_word(word: &str) -> bool {
    number_word(word).is_some()
}

fn number_word(word: &str) -> Option<u32> {
    let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    words.iter().zip(1..).find(|(have, _)| **have == word).map(|(_, n)| n)
}

fn numbers(tokens: &[crate::orders::Token]) -> Vec<u32> {
    tokens
        .iter()
        .filter_map(|token| match &token.what {
            What::Number(n) => Some(*n),
            What::Word { folded, .. } => number_word(folded),
            _ => None,
        })
        .collect()
}
