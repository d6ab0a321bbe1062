//! English for numbers, lists and names.

use std::fmt::Display;

/// "A", "A and B", "A, B and C".
pub fn list<T: Display>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [one] => one.to_string(),
        [firsts @ .., last] => {
            let firsts: Vec<String> = firsts.iter().map(T::to_string).collect();
            format!("{} and {last}", firsts.join(", "))
        }
    }
}

/// Small numbers as words, others as digits: prose reads better, and sums stay short.
pub fn number(n: i64) -> String {
    let word = match n {
        0 => "no",
        1 => "one",
        2 => "two",
        3 => "three",
        4 => "four",
        5 => "five",
        6 => "six",
        7 => "seven",
        8 => "eight",
        9 => "nine",
        10 => "ten",
        11 => "eleven",
        12 => "twelve",
        _ => return n.to_string(),
    };
    word.to_owned()
}

/// "first", "second" ... "twelfth", then "13th".
pub fn ordinal(n: i64) -> String {
    const WORDS: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth",
    ];
    let word = usize::try_from(n).ok().and_then(|n| n.checked_sub(1)).and_then(|i| WORDS.get(i));
    if let Some(word) = word {
        return (*word).to_owned();
    }
    let ending = match (n % 100, n % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// "once", "twice", "three times".
pub fn times(n: i64) -> String {
    match n {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{} times", number(n)),
    }
}

/// Runs of numbers: "1 to 3, 5 and 7".
pub fn ranges(numbers: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for n in numbers {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*n) => *last = *n,
            _ => runs.push((*n, *n)),
        }
    }
    let mut words: Vec<String> = Vec::new();
    for (first, last) in runs {
        match last - first {
            0 => words.push(first.to_string()),
            1 => words.extend([first.to_string(), last.to_string()]),
            _ => words.push(format!("{first} to {last}")),
        }
    }
    list(&words)
}

/// A brigade's name with its article where English wants one: "the Dal Regiment", but "Weide's New Regiments", "Golovin",
/// "Charles XII", "two unknown brigades".
pub fn the(name: &str) -> String {
    let proper = name.chars().next().is_some_and(char::is_uppercase);
    let owned = name.contains("'s ") || name.contains("’s ") || name.contains("s' ") || name.contains("s’ ");
    let last = name.rsplit(' ').next().unwrap_or("");
    let king = last.chars().all(|c| "IVX".contains(c));
    let articled = ["The ", "A ", "An "].iter().any(|a| name.starts_with(a));
    if proper && name.contains(' ') && !owned && !king && !articled { format!("the {name}") } else { name.to_owned() }
}

/// "was" or "were" behind a brigade's name: some are several regiments.
pub fn was(name: &str) -> &'static str {
    let last = name.rsplit_once(' ').map_or("", |(_, last)| last);
    let many = last.ends_with('s') && !["Corps", "Charles"].contains(&last);
    if many { "were" } else { "was" }
}

/// The sentence with a capital at its head.
pub fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The sentence with a full stop, unless it ends already.
pub fn full_stop(text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() || text.ends_with(['.', '!', '?', '…']) { text.to_owned() } else { format!("{text}.") }
}

/// A zone as people say it: "Europe/Stockholm" is "Stockholm" time.
pub fn zone(zone: &str) -> String {
    match zone {
        "UTC" | "Etc/UTC" | "Etc/GMT" | "GMT" => "UTC".to_owned(),
        other => format!("in {}", other.rsplit('/').next().unwrap_or(other).replace('_', " ")),
    }
}

/// A name fit for a file and an address: "Spring 1700" is `spring-1700`.
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in deunicode::deunicode(text).chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// The letters on a counter: "Saxony-Poland" is `SP`, "Sweden" `S`.
pub fn initials(name: &str) -> String {
    let parts = name.split(|c: char| !c.is_alphanumeric()).filter_map(|w| w.chars().next());
    parts.flat_map(char::to_uppercase).take(3).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_runs() {
        assert_eq!(list::<&str>(&[]), "");
        assert_eq!(list(&["A"]), "A");
        assert_eq!(list(&["A", "B"]), "A and B");
        assert_eq!(list(&["A", "B", "C"]), "A, B and C");
        assert_eq!(ranges(&[1, 2, 3, 5, 7, 8]), "1 to 3, 5, 7 and 8");
        assert_eq!(ranges(&[4]), "4");
    }

    #[test]
    fn numbers() {
        assert_eq!(["first", "12th"].map(str::len), [5, 4]);
        assert_eq!((ordinal(3).as_str(), ordinal(21).as_str(), ordinal(112).as_str()), ("third", "21st", "112th"));
        assert_eq!((times(1).as_str(), times(2).as_str(), times(5).as_str()), ("once", "twice", "five times"));
    }

    #[test]
    fn articles() {
        for (name, with) in [
            ("Dal Regiment", "the Dal Regiment"),
            ("Life Guard of Foot", "the Life Guard of Foot"),
            ("Weide's New Regiments", "Weide's New Regiments"),
            ("Charles XII", "Charles XII"),
            ("Golovin", "Golovin"),
            ("two unknown brigades", "two unknown brigades"),
        ] {
            assert_eq!(the(name), with);
        }
    }

    #[test]
    fn slugs_and_zones() {
        assert_eq!(slug("Spring 1700 – II"), "spring-1700-ii");
        assert_eq!(slug("Dünamünde"), "dunamunde");
        assert_eq!((zone("Europe/Stockholm").as_str(), zone("UTC").as_str()), ("in Stockholm", "UTC"));
        assert_eq!((initials("saxony_poland"), initials("Sweden")), ("SP".to_owned(), "S".to_owned()));
    }
}
