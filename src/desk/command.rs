//! What a letter asks of the desk, apart from orders: CHALLENGE, STATUS, HELP, READY, WAIT, ABSENT, BACK, each at the beginning
//! of a line.

use crate::engine::{EventNo, TextLine};
use crate::results::{ORDERS_BEGIN, ORDERS_END};

/// A player's wish that is no order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// A challenge of an event, or of the results as a whole.
    Challenge {
        /// The number, as far as it is one.
        event: Option<EventNo>,
        /// The player's words, without the keyword and the number.
        text: String,
    },
    /// The sheet in force, please.
    Status,
    /// How does this work?
    Help,
    /// Close the turn, if all others are ready, too.
    Ready,
    /// I am not ready after all.
    Wait,
    /// I am away; the days as they were written.
    Absent(String),
    /// I am back, or not going.
    Back,
}

/// A letter's own words, sorted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Wishes {
    pub commands: Vec<Command>,
    /// Everything else: what may be orders.
    pub rest: Vec<TextLine>,
}

/// Sorts a letter's own lines. A challenge goes on until a blank line or the next command.
pub(super) fn sort(lines: &[TextLine]) -> Wishes {
    let mut wishes = Wishes::default();
    let mut in_challenge = false;
    for line in without_frame(lines) {
        let bare = line.text.trim();
        match command(bare) {
            Some(found) => {
                in_challenge = matches!(found, Command::Challenge { .. });
                wishes.commands.push(found);
            }
            None if in_challenge && !bare.is_empty() => {
                if let Some(Command::Challenge { text, .. }) = wishes.commands.last_mut() {
                    let join = if text.is_empty() { "" } else { "\n" };
                    text.push_str(join);
                    text.push_str(bare);
                }
            }
            None => {
                in_challenge = false;
                wishes.rest.push(line.clone());
            }
        }
    }
    wishes
}

/// An acknowledgement mailed back counts between its two marks alone.
fn without_frame(lines: &[TextLine]) -> &[TextLine] {
    let mark = |mark: &str| lines.iter().position(|line| line.text.trim() == mark);
    let Some(begin) = mark(ORDERS_BEGIN) else { return lines };
    let end = mark(ORDERS_END).filter(|end| *end > begin).unwrap_or(lines.len());
    lines.get(begin + 1..end).unwrap_or(lines)
}

fn command(line: &str) -> Option<Command> {
    let line = line.trim_start_matches(['*', '-', '•', '·', '#']).trim_start();
    let word = line.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let rest = line.strip_prefix(word).unwrap_or_default();
    let alone = rest.chars().all(|c| !c.is_alphanumeric());
    match word.to_lowercase().as_str() {
        "status" if alone => Some(Command::Status),
        "help" if alone => Some(Command::Help),
        "ready" if alone => Some(Command::Ready),
        "wait" if alone => Some(Command::Wait),
        "back" if alone => Some(Command::Back),
        "absent" if alone || says_when(rest) || word == "ABSENT" => Some(Command::Absent(rest.trim().to_owned())),
        "challenge" => Some(challenge(rest)),
        _ => None,
    }
}

/// "Absent other news, all hold" is no absence.
fn says_when(rest: &str) -> bool {
    const BEGINNINGS: [&str; 7] = ["from", "until", "till", "between", "today", "tomorrow", "on"];
    let first = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    BEGINNINGS.contains(&first.as_str()) || rest.contains(|c: char| c.is_ascii_digit())
}

/// `14: the fort ...`, ` #s3 - ...`, ` event 14, ...`, `: ...`.
fn challenge(rest: &str) -> Command {
    let rest = rest.trim_start();
    let after_word = ["event", "no.", "no", "number"]
        .iter()
        .find_map(|word| {
            let (head, tail) = rest.split_at_checked(word.len())?;
            (head.eq_ignore_ascii_case(word) && tail.starts_with([' ', '#'])).then(|| tail.trim_start())
        })
        .unwrap_or(rest);
    let marked = after_word.trim_start_matches('#');
    let digit_at = |place: usize| marked.as_bytes().get(place).is_some_and(u8::is_ascii_digit);
    // A point between digits belongs to the number of a detail: 14.2.
    let belongs = |place: usize, c: char| c.is_ascii_alphanumeric() || (c == '.' && digit_at(place + 1));
    let end = marked.char_indices().find(|(place, c)| !belongs(*place, *c)).map_or(marked.len(), |(place, _)| place);
    let (number, tail) = marked.split_at_checked(end).unwrap_or((marked, ""));
    let trimmed = |text: &str| text.trim_start_matches(|c: char| ":.,;-–—) ".contains(c)).trim().to_owned();
    match number.parse::<EventNo>() {
        Ok(event) => Command::Challenge { event: Some(event), text: trimmed(tail) },
        Err(_) => Command::Challenge { event: None, text: trimmed(rest) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<TextLine> {
        text.lines().zip(1..).map(|(text, number)| TextLine { number, text: text.to_owned() }).collect()
    }

    fn challenged(text: &str) -> (Option<EventNo>, String) {
        match sort(&lines(text)).commands.as_slice() {
            [Command::Challenge { event, text }] => (*event, text.clone()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn challenges_are_read_as_people_type_them() {
        let fourteen = Some(EventNo::Public(14));
        for text in [
            "CHALLENGE 14: the fort",
            "challenge #14 - the fort",
            "* Challenge event 14, the fort",
            "Challenge no. 14 the fort",
        ] {
            assert_eq!(challenged(text), (fourteen, "the fort".to_owned()), "{text}");
        }
        assert_eq!(challenged("CHALLENGE s3: mine"), (Some(EventNo::Secret(3)), "mine".to_owned()));
        assert_eq!(challenged("CHALLENGE 14.2: a 4 hit"), (Some(EventNo::Detail(14, 2)), "a 4 hit".to_owned()));
        assert_eq!(challenged("CHALLENGE 14. Mine"), (Some(EventNo::Public(14)), "Mine".to_owned()));
        assert_eq!(challenged("CHALLENGE: all of it"), (None, "all of it".to_owned()));
        assert_eq!(challenged("CHALLENGE the fort of Riga"), (None, "the fort of Riga".to_owned()));
        assert_eq!(
            challenged("CHALLENGE 14:\nthe fort\nis a hexagon"),
            (fourteen, "the fort\nis a hexagon".to_owned())
        );
    }

    #[test]
    fn a_challenge_ends_at_a_blank_line_and_orders_stay_orders() {
        let wishes = sort(&lines(
            "Dear Umpire,\nCHALLENGE 14: the fort\nis a hexagon\n\nArmy to Riga\nSTATUS\nHelpful allies hold",
        ));
        assert_eq!(wishes.commands.len(), 2);
        let rest: Vec<&str> = wishes.rest.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(rest, ["Dear Umpire,", "", "Army to Riga", "Helpful allies hold"]);
    }

    #[test]
    fn an_acknowledgement_mailed_back_counts_between_its_marks() {
        let text = format!("Orders close Friday\n{ORDERS_BEGIN}\nArmy to Riga\n{ORDERS_END}\nSTATUS");
        let wishes = sort(&lines(&text));
        assert_eq!((wishes.commands.len(), wishes.rest.len()), (0, 1));
        assert_eq!(wishes.rest[0].number, 3);
    }

    #[test]
    fn readiness_and_absence_are_read_as_people_type_them() {
        let only = |text: &str| match sort(&lines(text)).commands.as_slice() {
            [command] => command.clone(),
            other => panic!("{text}: {other:?}"),
        };
        for text in ["READY", "ready.", "* Ready!"] {
            assert_eq!(only(text), Command::Ready, "{text}");
        }
        assert_eq!((only("Wait!"), only("BACK")), (Command::Wait, Command::Back));
        assert_eq!(only("ABSENT from 3 Jan to 12 Jan"), Command::Absent("from 3 Jan to 12 Jan".to_owned()));
        assert_eq!(only("absent: 3-12 January"), Command::Absent(": 3-12 January".to_owned()));
        assert_eq!(only("ABSENT next week"), Command::Absent("next week".to_owned()), "he is to be asked");
        assert!(
            sort(&lines("Ready the fleet\nWait at Riga\nBack to Riga\nAbsent other news, all hold"))
                .commands
                .is_empty()
        );
    }

    #[test]
    fn words_that_only_begin_so_are_no_commands() {
        assert!(sort(&lines("Status of Riga unchanged\nhelp Riga\nChallenger 14")).commands.is_empty());
    }
}
