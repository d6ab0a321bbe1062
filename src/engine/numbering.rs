//! Which number belongs to which event, for ever: a corrected issue keeps the old numbers and appends new ones.

use super::ids::{SeatId, Viewer};
use super::report::{Audience, EventNo};
use super::working::EventId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One number of an event and who is told of the event under it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Numbered {
    id: EventId,
    no: EventNo,
    audience: Audience,
}

/// How the numbers printed in reports belong to events, for ever.
///
/// There are as many series as kinds of readers: one for all, one for each seat's own events, and one behind each public
/// event for its details. Each counts for itself, so that nobody can read from a gap how much others were told.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Numbered>", into = "Vec<Numbered>")]
pub struct Numbering {
    // An event has several numbers only if a correction changed who is told of it; the last is the one in force.
    events: BTreeMap<EventId, Vec<Numbered>>,
    last: BTreeMap<Series, u32>,
}

/// A row of numbers that counts for itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Series {
    Public,
    Details(u32),
    Seat(SeatId),
    Umpire,
}

impl Series {
    fn number(&self, n: u32) -> EventNo {
        match self {
            Series::Public => EventNo::Public(n),
            Series::Details(parent) => EventNo::Detail(*parent, n),
            Series::Seat(_) | Series::Umpire => EventNo::Secret(n),
        }
    }

    /// Of a number that was given out earlier.
    fn of(numbered: &Numbered) -> Series {
        match (numbered.no, &numbered.audience) {
            (EventNo::Public(_), _) => Series::Public,
            (EventNo::Detail(parent, _), _) => Series::Details(parent),
            (EventNo::Secret(_), Audience::Seat(seat)) => Series::Seat(seat.clone()),
            (EventNo::Secret(_), _) => Series::Umpire,
        }
    }

    /// Whether a number of `self` still serves an event that would now be counted in `now`. A detail keeps its number
    /// whichever event it is a detail of: it is unique as it stands.
    fn serves(&self, now: &Series) -> bool {
        self == now || matches!((self, now), (Series::Details(_), Series::Details(_)))
    }
}

impl Numbering {
    /// Keeps the old numbers and gives new ones to events that have none, each series counting on. Who is told of an event
    /// is taken from `audiences` for old events too.
    pub fn extend(&mut self, audiences: &[(EventId, Audience)]) {
        let is_detail = |audience: &Audience| matches!(audience, Audience::Within { .. });
        // Details last: their event must have its number first, wherever it stands in the list.
        for (id, audience) in audiences.iter().filter(|(_, a)| !is_detail(a)) {
            self.number(id, audience);
        }
        for (id, audience) in audiences.iter().filter(|(_, a)| is_detail(a)) {
            self.number(id, audience);
        }
    }

    fn number(&mut self, id: &EventId, audience: &Audience) {
        let (series, audience) = match audience {
            Audience::Everyone => (Series::Public, audience),
            Audience::Seat(seat) => (Series::Seat(seat.clone()), audience),
            Audience::UmpireOnly => (Series::Umpire, audience),
            Audience::Within { parent, .. } => match self.public(parent) {
                Some(no) => (Series::Details(no), audience),
                // A detail of nothing public is told to nobody rather than under a number that others could hold.
                None => (Series::Umpire, &Audience::UmpireOnly),
            },
        };
        let known = self.events.entry(id.clone()).or_default();
        let numbered = match known.iter().position(|old| Series::of(old).serves(&series)) {
            Some(place) => Numbered { audience: audience.clone(), ..known.remove(place) },
            None => {
                let last = self.last.entry(series.clone()).or_insert(0);
                *last += 1;
                Numbered { id: id.clone(), no: series.number(*last), audience: audience.clone() }
            }
        };
        known.push(numbered);
    }

    fn current(&self, id: &EventId) -> Option<&Numbered> {
        self.events.get(id)?.last()
    }

    fn public(&self, id: &EventId) -> Option<u32> {
        match self.current(id)?.no {
            EventNo::Public(n) => Some(n),
            EventNo::Detail(..) | EventNo::Secret(_) => None,
        }
    }

    /// The number of an event.
    pub fn of(&self, id: &EventId) -> Option<EventNo> {
        self.current(id).map(|numbered| numbered.no)
    }

    /// Whether a reader is told of an event.
    pub fn told_to(&self, id: &EventId, viewer: &Viewer) -> bool {
        self.current(id).is_some_and(|numbered| numbered.audience.includes(viewer))
    }

    /// The event that `seat` means by `no`. Without a seat it is the umpire who asks: public events and their details.
    pub fn find(&self, no: EventNo, seat: Option<&SeatId>) -> Option<&EventId> {
        let meant = |audience: &Audience| match (audience, seat) {
            (Audience::Everyone, _) | (Audience::Within { .. }, None) => true,
            (Audience::Within { seats, .. }, Some(seat)) => seats.contains(seat),
            (Audience::Seat(own), seat) => Some(own) == seat,
            (Audience::UmpireOnly, _) => false,
        };
        self.events.values().flatten().find(|numbered| numbered.no == no && meant(&numbered.audience)).map(|n| &n.id)
    }
}

impl From<Vec<Numbered>> for Numbering {
    fn from(list: Vec<Numbered>) -> Self {
        let mut numbering = Numbering::default();
        for numbered in list {
            let last = numbering.last.entry(Series::of(&numbered)).or_insert(0);
            *last = (*last).max(numbered.no.count());
            numbering.events.entry(numbered.id.clone()).or_default().push(numbered);
        }
        numbering
    }
}

impl From<Numbering> for Vec<Numbered> {
    fn from(numbering: Numbering) -> Self {
        numbering.events.into_values().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::StepName;

    fn id(subject: &str) -> EventId {
        EventId { step: StepName::new("battles"), subject: subject.to_owned(), ordinal: 1 }
    }

    fn seat(name: &str) -> SeatId {
        SeatId::new(name)
    }

    fn own(name: &str) -> Audience {
        Audience::Seat(seat(name))
    }

    fn within(parent: &str, seats: &[&str]) -> Audience {
        Audience::Within { parent: id(parent), seats: seats.iter().map(|s| seat(s)).collect() }
    }

    fn numbers(numbering: &Numbering, subjects: &[&str]) -> Vec<String> {
        subjects.iter().map(|s| numbering.of(&id(s)).map_or("-".to_owned(), |no| no.to_string())).collect()
    }

    fn first_issue() -> Vec<(EventId, Audience)> {
        vec![
            (id("march"), Audience::Everyone),
            (id("purse a"), own("a")),
            (id("purse b"), own("b")),
            (id("battle"), Audience::Everyone),
            (id("volley 1"), within("battle", &["a", "b"])),
            (id("purse b2"), own("b")),
            (id("volley 2"), within("battle", &["a", "b"])),
            (id("deck"), Audience::UmpireOnly),
            (id("control"), Audience::Everyone),
        ]
    }

    #[test]
    fn each_series_counts_for_itself() {
        let mut numbering = Numbering::default();
        numbering.extend(&first_issue());
        let all = ["march", "purse a", "purse b", "battle", "volley 1", "purse b2", "volley 2", "deck", "control"];
        assert_eq!(numbers(&numbering, &all), ["1", "s1", "s1", "2", "2.1", "s2", "2.2", "s1", "3"]);
    }

    /// What a reader is told is numbered without a gap, so that what others are told cannot be counted.
    #[test]
    fn gaps_leak_nothing() {
        let mut numbering = Numbering::default();
        numbering.extend(&first_issue());
        let told = |viewer: Viewer| {
            let ids = first_issue().into_iter().map(|(id, _)| id).filter(|id| numbering.told_to(id, &viewer));
            let mut seen: Vec<EventNo> = ids.filter_map(|id| numbering.of(&id)).collect();
            seen.sort();
            seen.iter().map(EventNo::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(told(Viewer::Public), "1 2 3");
        assert_eq!(told(Viewer::Seat(seat("c"))), "1 2 3");
        assert_eq!(told(Viewer::Seat(seat("a"))), "1 2 2.1 2.2 3 s1");
        assert_eq!(told(Viewer::Seat(seat("b"))), "1 2 2.1 2.2 3 s1 s2");
    }

    #[test]
    fn numbers_never_change() {
        let mut numbering = Numbering::default();
        numbering.extend(&first_issue());
        let all = ["march", "purse a", "purse b", "battle", "volley 1", "purse b2", "volley 2", "deck", "control"];
        let before = numbers(&numbering, &all);
        let mut second = first_issue();
        second.remove(4);
        second.insert(0, (id("card"), Audience::Everyone));
        second.insert(5, (id("volley 3"), within("battle", &["a", "b"])));
        second.push((id("purse a2"), own("a")));
        numbering.extend(&second);
        assert_eq!(numbers(&numbering, &all), before);
        assert_eq!(numbers(&numbering, &["card", "volley 3", "purse a2"]), ["4", "2.3", "s2"]);
        let again = numbering.clone();
        numbering.extend(&second);
        assert_eq!(numbering, again);
    }

    #[test]
    fn a_detail_may_come_before_its_event() {
        let mut numbering = Numbering::default();
        numbering.extend(&[(id("volley"), within("battle", &["a"])), (id("battle"), Audience::Everyone)]);
        assert_eq!(numbers(&numbering, &["battle", "volley"]), ["1", "1.1"]);
    }

    #[test]
    fn a_detail_of_nothing_public_is_told_to_nobody() {
        let mut numbering = Numbering::default();
        numbering.extend(&[(id("volley"), within("battle", &["a"]))]);
        assert!(!numbering.told_to(&id("volley"), &Viewer::Seat(seat("a"))));
        assert!(numbering.told_to(&id("volley"), &Viewer::Umpire));
    }

    #[test]
    fn a_reader_finds_only_what_he_was_told() {
        let mut numbering = Numbering::default();
        numbering.extend(&first_issue());
        let find = |no: &str, who: Option<&str>| {
            let seat = who.map(seat);
            numbering.find(no.parse().unwrap(), seat.as_ref()).map(|id| id.subject.clone())
        };
        assert_eq!(find("2", Some("c")).as_deref(), Some("battle"));
        assert_eq!(find("2.1", Some("a")).as_deref(), Some("volley 1"));
        assert_eq!(find("2.1", Some("c")), None);
        assert_eq!(find("2.1", None).as_deref(), Some("volley 1"));
        assert_eq!(find("s1", Some("a")).as_deref(), Some("purse a"));
        assert_eq!(find("s1", Some("b")).as_deref(), Some("purse b"));
        assert_eq!(find("s1", None), None);
        assert_eq!(find("9", Some("a")), None);
    }

    /// A ruling brings a third seat into the battle: the numbers stay, and it finds them too.
    #[test]
    fn who_is_told_follows_the_newest_issue() {
        let mut numbering = Numbering::default();
        numbering.extend(&first_issue());
        let third = first_issue().into_iter().map(|(id, audience)| match audience {
            Audience::Within { parent, .. } => {
                (id, Audience::Within { parent, seats: ["a", "b", "c"].map(seat).into() })
            }
            other => (id, other),
        });
        numbering.extend(&third.collect::<Vec<_>>());
        assert_eq!(numbers(&numbering, &["volley 1", "volley 2"]), ["2.1", "2.2"]);
        assert!(numbering.told_to(&id("volley 1"), &Viewer::Seat(seat("c"))));
    }

    /// An event that changes its readers gets a number in their series, which cannot be taken for one they hold already.
    #[test]
    fn a_published_secret_gets_a_public_number() {
        let mut numbering = Numbering::default();
        numbering.extend(&first_issue());
        numbering.extend(&[(id("purse b"), Audience::Everyone)]);
        assert_eq!(numbers(&numbering, &["purse b"]), ["4"]);
        assert_eq!(numbering.find(EventNo::Secret(1), Some(&seat("b"))), Some(&id("purse b")));
        numbering.extend(&[(id("purse b"), own("b"))]);
        assert_eq!(numbers(&numbering, &["purse b"]), ["s1"]);
    }

    #[test]
    fn the_journal_keeps_it() {
        let mut numbering = Numbering::default();
        numbering.extend(&first_issue());
        let json = serde_json::to_string(&numbering).unwrap();
        let mut back: Numbering = serde_json::from_str(&json).unwrap();
        assert_eq!(back, numbering);
        back.extend(&[(id("more"), Audience::Everyone), (id("volley 3"), within("battle", &["a", "b"]))]);
        assert_eq!(numbers(&back, &["more", "volley 3"]), ["4", "2.3"]);
    }
}
