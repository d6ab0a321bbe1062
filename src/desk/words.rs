//! Small things that letters say: moments, receipt codes, what was left out.

use crate::engine::{LetterNo, SeatId, Secret, TurnNo};
use crate::mail::{LeftOut, Why};
use crate::results::facts::Moment;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A moment as it is told in a zone, seen from `now`. An unknown zone is told in UTC: a letter is worth more than its zone.
pub(super) fn moment(at: Timestamp, zone: &str, now: Timestamp) -> Moment {
    let (zone, name) = match TimeZone::get(zone) {
        Ok(found) => (found, zone),
        Err(_) => (TimeZone::UTC, "UTC"),
    };
    let local = at.to_zoned_datetime(zone);
    Moment {
        text: local.strftime("%A %-d %B %Y, %H:%M").to_string(),
        zone: name.to_owned(),
        away: away(at, now),
        utc: at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
    }
}

/// "in 3 days and 4 hours"; nothing for what has passed.
fn away(at: Timestamp, now: Timestamp) -> String {
    let minutes = at.duration_since(now).as_mins();
    let counted = |n: i64, what: &str| match n {
        0 => None,
        1 => Some(format!("1 {what}")),
        n => Some(format!("{n} {what}s")),
    };
    let (days, hours, minutes) = (minutes / 1440, minutes / 60 % 24, minutes % 60);
    let parts = match (days, hours) {
        _ if at <= now => return String::new(),
        (0, 0) => [counted(minutes.max(1), "minute"), None],
        (0, _) => [counted(hours, "hour"), counted(minutes, "minute")],
        _ => [counted(days, "day"), counted(hours, "hour")],
    };
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("in {}", parts.join(" and "))
}

/// A short code that stands for exactly this sheet after exactly this letter: "5F2C-91AA".
pub(super) fn receipt(
    folder: &Secret,
    seat: &SeatId,
    turn: TurnNo,
    letter: LetterNo,
    sheet: &serde_json::Value,
) -> String {
    let code = folder.derive(&format!("receipt/{seat}/{turn}/{letter}/{sheet}"));
    let hex: String = data_encoding::HEXUPPER.encode(code.as_bytes()).chars().take(8).collect();
    match hex.split_at_checked(4) {
        Some((first, second)) => format!("{first}-{second}"),
        None => hex,
    }
}

/// "lines 9 to 20, a quoted letter".
pub(super) fn left_out(part: &LeftOut) -> String {
    let what = match part.why {
        Why::Quoted => "quoted",
        Why::Attribution => "the line above a quote",
        Why::Signature => "a signature",
        Why::OriginalMessage => "an earlier letter",
        Why::Forwarded => "a letter passed on",
        Why::ListFooter => "a mailing list's footer",
        Why::DeviceLine => "your mail program's own line",
        Why::Armour => "the armour of a PGP signature",
    };
    match (part.first_line, part.last_line) {
        (first, last) if first == last => format!("line {first}, {what}"),
        (first, last) => format!("lines {first} to {last}, {what}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_moment_is_told_in_the_readers_zone() {
        let told = moment(at("2026-12-04T19:00:00Z"), "Europe/Stockholm", at("2026-12-01T15:00:00Z"));
        assert_eq!(
            (told.text.as_str(), told.away.as_str()),
            ("Friday 4 December 2026, 20:00", "in 3 days and 4 hours")
        );
        assert_eq!(told.utc, "2026-12-04T19:00:00Z");
        assert_eq!(moment(at("2026-12-04T19:00:00Z"), "Nowhere/Land", at("2027-01-01T00:00:00Z")).zone, "UTC");
    }

    #[test]
    fn how_far_away_is_said_in_two_units_at_most() {
        let away = |seconds: i64| {
            away(at("2026-12-01T00:00:00Z") + jiff::SignedDuration::from_secs(seconds), at("2026-12-01T00:00:00Z"))
        };
        let said: Vec<String> = [-5, 0, 20, 60, 3_600, 3_660, 86_400, 176_400].map(away).into();
        let expected = [
            "",
            "",
            "in 1 minute",
            "in 1 minute",
            "in 1 hour",
            "in 1 hour and 1 minute",
            "in 1 day",
            "in 2 days and 1 hour",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn a_receipt_stands_for_one_sheet() {
        let code = |letter, sheet: &str| {
            receipt(&Secret::from_bytes([5; 32]), &SeatId::new("sweden"), TurnNo(1), LetterNo(letter), &sheet.into())
        };
        assert_eq!(code(1, "a"), code(1, "a"));
        assert!(code(1, "a") != code(2, "a") && code(1, "a") != code(1, "b"));
        assert!(code(1, "a").len() == 9 && code(1, "a").chars().nth(4) == Some('-'));
    }
}
