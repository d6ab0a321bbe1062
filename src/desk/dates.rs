//! Days as players write them: "3 Jan to 12 Jan", "2027-01-03 - 2027-01-12", "3.-12.1.", "until Tuesday 12 January". What can be
//! read in two ways (3/4) is not read at all.

use jiff::Span;
use jiff::civil::{Date, date};

/// A day as far as it was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Day {
    year: Option<i16>,
    month: Option<i8>,
    day: i8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Day(Day),
    To,
    Until,
}

/// The longest absence that is believed, in days.
const LONGEST: i32 = 366;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// The first and last day of a span, seen from `today`: years that are not said are chosen so that the span is not over.
pub(super) fn span(text: &str, today: Date) -> Option<(Date, Date)> {
    let parts = parts(text, today)?;
    let (first, last) = match parts.as_slice() {
        [Part::Day(only)] => (*only, *only),
        [Part::Day(first), Part::To | Part::Until, Part::Day(last)] => (*first, *last),
        [Part::Until | Part::To, Part::Day(last)] => (whole(today), *last),
        _ => return None,
    };
    let (first, last) = settle(first, last, today)?;
    let days = first.until(last).ok()?.get_days();
    (last >= today && (0..=LONGEST).contains(&days)).then_some((first, last))
}

fn whole(date: Date) -> Day {
    Day { year: Some(date.year()), month: Some(date.month()), day: date.day() }
}

/// Fills in what was said once for both, and the year if it was not said at all.
fn settle(first: Day, last: Day, today: Date) -> Option<(Date, Date)> {
    let last_month = last.month.or(first.month)?;
    let first_month = first.month.unwrap_or(last_month);
    let on = |year: i16, month, day| Date::new(year, month, day).ok();
    match (first.year, last.year) {
        (Some(a), Some(b)) => Some((on(a, first_month, first.day)?, on(b, last_month, last.day)?)),
        (Some(a), None) => {
            let from = on(a, first_month, first.day)?;
            let to = on(a, last_month, last.day).filter(|to| *to >= from);
            Some((from, to.or_else(|| on(a + 1, last_month, last.day))?))
        }
        (None, Some(b)) => {
            let to = on(b, last_month, last.day)?;
            let from = on(b, first_month, first.day).filter(|from| *from <= to);
            Some((from.or_else(|| on(b - 1, first_month, first.day))?, to))
        }
        (None, None) => {
            // An absence may have begun last year, and may end in the next.
            let years = [today.year() - 1, today.year(), today.year() + 1];
            years.into_iter().find_map(|year| {
                let from = on(year, first_month, first.day)?;
                let to = on(year, last_month, last.day).filter(|to| *to >= from);
                let to = to.or_else(|| on(year + 1, last_month, last.day))?;
                (to >= today).then_some((from, to))
            })
        }
    }
}

fn parts(text: &str, today: Date) -> Option<Vec<Part>> {
    let words = words(text);
    let mut parts = Vec::new();
    let mut rest = words.as_slice();
    while let Some((word, tail)) = rest.split_first() {
        match word.as_str() {
            "-" | "to" | "through" | "and" => parts.push(Part::To),
            "until" | "till" | "til" => parts.push(Part::Until),
            "from" | "on" | "the" | "of" | "between" | "inclusive" | "," | "i" | "am" | "will" | "be" => {}
            "today" => parts.push(Part::Day(whole(today))),
            "tomorrow" => parts.push(Part::Day(whole(today.checked_add(Span::new().days(1)).ok()?))),
            _ if is_named(word, &WEEKDAYS).is_some() => {}
            _ => {
                let (day, used) = day(rest)?;
                parts.push(Part::Day(day));
                rest = rest.get(used..)?;
                continue;
            }
        }
        rest = tail;
    }
    Some(parts)
}

/// Words, numbers and signs: "3.-12.1." is `3 . - 12 . 1 .`, an ISO date one word.
fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace(['–', '—', '−'], "-");
    let mut words: Vec<String> = Vec::new();
    for chunk in text.split_whitespace() {
        let chunk = chunk.trim_end_matches(['!', ';', ':']);
        if let Some(iso) = iso(chunk.trim_end_matches(['.', ','])) {
            words.push(iso.to_string());
            continue;
        }
        let mut last = ' ';
        for c in chunk.chars() {
            let kind = |c: char| (c.is_numeric(), c.is_alphabetic());
            match words.last_mut() {
                Some(word) if last != ' ' && kind(last) == kind(c) && kind(c) != (false, false) => word.push(c),
                _ => words.push(c.to_string()),
            }
            last = c;
        }
    }
    words
}

fn iso(word: &str) -> Option<Date> {
    (word.len() == 10).then(|| word.parse().ok()).flatten()
}

/// A day at the beginning of `words`, and how many of them it takes.
fn day(words: &[String]) -> Option<(Day, usize)> {
    let word = |at: usize| words.get(at).map(String::as_str);
    let number = |at: usize| word(at).and_then(|w| w.parse::<i16>().ok());
    if let Some(iso) = word(0).and_then(iso) {
        return Some((whole(iso), 1));
    }
    if let Some(month) = word(0).and_then(month_named) {
        // "Jan 3", "January 3rd, 2027".
        let mut at = 1 + usize::from(word(1) == Some("."));
        let day = small(number(at)?)?;
        at += 1;
        at += usize::from(matches!(word(at), Some("st" | "nd" | "rd" | "th")));
        let comma = usize::from(word(at) == Some(","));
        let (year, used) = year(words, at + comma);
        return Some((Day { year, month: Some(month), day }, if used > 0 { at + comma + used } else { at }));
    }
    let day = small(number(0)?)?;
    let mut at = 1;
    at += usize::from(matches!(word(at), Some("st" | "nd" | "rd" | "th")));
    at += usize::from(word(at) == Some("of"));
    match (word(at), number(at + 1)) {
        // "3.1.", "3.1.2027": with points the day comes first wherever points are used.
        (Some("."), Some(month)) => {
            let month = small(month).filter(|month| *month <= 12)?;
            at += 2;
            at += usize::from(word(at) == Some("."));
            let (year, used) = year(words, at);
            Some((Day { year, month: Some(month), day }, at + used))
        }
        // "3/14" and "14/3" can be read in one way, "3/4" in two.
        (Some("/"), Some(other)) => {
            let other = small(other)?;
            let (day, month) = match (day, other) {
                (a, b) if a == b && a <= 12 => (a, b),
                (a, b) if a > 12 && b <= 12 => (a, b),
                (a, b) if b > 12 && a <= 12 => (b, a),
                _ => return None,
            };
            at += 2;
            at += usize::from(word(at) == Some("/"));
            let (year, used) = year(words, at);
            Some((Day { year, month: Some(month), day }, at + used))
        }
        _ => {
            at += usize::from(word(at) == Some("."));
            let month = word(at).and_then(month_named);
            at += usize::from(month.is_some());
            at += usize::from(month.is_some() && word(at) == Some("."));
            let (year, used) = if month.is_some() { year(words, at) } else { (None, 0) };
            Some((Day { year, month, day }, at + used))
        }
    }
}

fn small(number: i16) -> Option<i8> {
    i8::try_from(number).ok().filter(|n| (1..=31).contains(n))
}

fn year(words: &[String], at: usize) -> (Option<i16>, usize) {
    let year = words.get(at).filter(|word| word.len() == 4).and_then(|word| word.parse::<i16>().ok());
    let year = year.filter(|year| date(2000, 1, 1).year() <= *year && *year < 2200);
    (year, usize::from(year.is_some()))
}

fn month_named(word: &str) -> Option<i8> {
    is_named(word, &MONTHS).and_then(|at| i8::try_from(at + 1).ok())
}

/// The name that begins with `word`, three letters at least: "Jan", "Sept".
fn is_named(word: &str, names: &[&str]) -> Option<usize> {
    names.iter().position(|name| word.len() >= 3 && name.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Date = date(2026, 12, 20);

    fn read(text: &str) -> Option<String> {
        span(text, TODAY).map(|(from, to)| format!("{from} {to}"))
    }

    #[test]
    fn spans_are_read_as_people_type_them() {
        for text in [
            "from 3 Jan to 12 Jan",
            "3 Jan - 12 Jan",
            "3-12 January",
            "3 to 12 January 2027",
            "3rd to 12th of January",
            "the 3rd of January until the 12th of January",
            "Jan 3 to Jan 12",
            "January 3rd, 2027 – January 12th, 2027",
            "January 3 - 12",
            "2027-01-03 to 2027-01-12",
            "from 2027-01-03 until 2027-01-12.",
            "3.1. - 12.1.",
            "3.1.-12.1.2027",
            "3.-12.1.",
            "from Sunday 3 Jan. to Tuesday 12 Jan.",
            "between 3 January and 12 January",
            "3 JAN TO 12 JAN!",
        ] {
            assert_eq!(read(text).as_deref(), Some("2027-01-03 2027-01-12"), "{text}");
        }
    }

    #[test]
    fn one_day_an_open_beginning_and_the_turn_of_the_year() {
        for (text, expected) in [
            ("3 Jan", "2027-01-03 2027-01-03"),
            ("on 24 December", "2026-12-24 2026-12-24"),
            ("until 5 January", "2026-12-20 2027-01-05"),
            ("today", "2026-12-20 2026-12-20"),
            ("from tomorrow to 2 Jan", "2026-12-21 2027-01-02"),
            ("24 Dec to 5 Jan", "2026-12-24 2027-01-05"),
            ("15 Dec to 22 Dec", "2026-12-15 2026-12-22"),
            ("14/3 - 20/3", "2027-03-14 2027-03-20"),
            ("3/14 to 3/20", "2027-03-14 2027-03-20"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_span_or_two_is_not_guessed() {
        for text in [
            "",
            "next week",
            "3/4 to 5/4",
            "from the 3rd",
            "12 Jan 2027 to 3 Jan 2027",
            "31 February",
            "1 January 2020 to 5 January 2020",
            "3 Jan to 12 Jan to 14 Jan",
            "for two weeks",
            "32 Jan",
            "1 Jan 2027 to 1 Jan 2030",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn nothing_makes_it_stumble(text in "\\PC{0,40}") {
            let _ = span(&text, TODAY);
        }

        #[test]
        fn a_span_is_read_as_it_is_written(start in 0i64..300, length in 0i64..60, form in 0usize..4) {
            let from = TODAY.checked_add(Span::new().days(start)).unwrap();
            let to = from.checked_add(Span::new().days(length)).unwrap();
            let written = |d: Date| d.strftime(["%Y-%m-%d", "%-d %B %Y", "%b %-d, %Y", "%-d.%-m.%Y"][form]).to_string();
            let text = format!("from {} to {}", written(from), written(to));
            proptest::prop_assert_eq!(span(&text, TODAY), Some((from, to)), "{}", text);
        }
    }
}
