//! Events that the umpire imposes, in the rulebook's terms: `lose 2 Dal`, `control Riga russia`.
//!
//! The words are read against the state in which the turn begins, and the event happens after a later step: so an event says
//! as little as it can about where a unit stands, and what it says of that is the state's to know. `after` a named step it
//! happens there; else after the step given here, in which such things happen by themselves.

mod names;
#[cfg(test)]
mod tests;
mod verbs;
mod words;

use super::event::Event;
use super::state::State;
use crate::engine::Complaint;
use words::Words;

/// One thing that can be imposed.
struct Form {
    /// The words it begins with.
    verbs: &'static [&'static str],
    /// How it is written, for complaints.
    usage: &'static str,
    /// The step after which it happens.
    step: &'static str,
    /// Reads what follows the verb.
    read: fn(&Words<'_>) -> Result<Event, Complaint>,
}

/// All that can be imposed.
const FORMS: &[Form] = &[
    Form {
        verbs: &["move", "put"],
        usage: "move UNIT, UNIT to PLACE; move army of LEADER to PLACE",
        step: "movement",
        read: verbs::go,
    },
    Form { verbs: &["lose", "loss"], usage: "lose 2 UNIT", step: "battles", read: verbs::lose },
    Form { verbs: &["gain", "reinforce"], usage: "gain 1 UNIT", step: "reinforcements", read: verbs::gain },
    Form {
        verbs: &["kill", "eliminate", "destroy", "remove"],
        usage: "kill UNIT (by SEAT)",
        step: "battles",
        read: verbs::kill,
    },
    Form { verbs: &["capture"], usage: "capture UNIT (by SEAT)", step: "battles", read: verbs::capture },
    Form {
        verbs: &["leader"],
        usage: "leader NAME killed (by SEAT); leader NAME captured (by SEAT)",
        step: "battles",
        read: verbs::leader,
    },
    Form { verbs: &["retreat"], usage: "retreat UNIT, UNIT to PLACE", step: "battles", read: verbs::retreat },
    Form { verbs: &["defeat"], usage: "defeat SEAT (by SEAT)", step: "battles", read: verbs::defeat },
    Form {
        verbs: &["siege", "besiege"],
        usage: "siege CITY SEAT; siege CITY counts 2",
        step: "sieges",
        read: verbs::siege,
    },
    Form { verbs: &["raise"], usage: "raise siege CITY", step: "sieges", read: verbs::raise },
    Form { verbs: &["depleted", "deplete"], usage: "depleted PLACE", step: "supply", read: verbs::deplete },
    Form {
        verbs: &["control"],
        usage: "control PLACE SEAT; control PLACE neutral",
        step: "control",
        read: verbs::control,
    },
    Form {
        verbs: &["province", "conquer"],
        usage: "province PROVINCE SEAT; province PROVINCE neutral",
        step: "winter",
        read: verbs::province,
    },
    Form {
        verbs: &["money"],
        usage: "money SEAT +3 because WHY; money SEAT -2",
        step: "reinforcements",
        read: verbs::money,
    },
    Form {
        verbs: &["place"],
        usage: "place KIND NAME STRENGTH at PLACE for SEAT",
        step: "reinforcements",
        read: verbs::place,
    },
    Form { verbs: &["war"], usage: "war SEAT SEAT", step: "diplomacy", read: verbs::war },
    Form { verbs: &["peace"], usage: "peace SEAT SEAT", step: "diplomacy", read: verbs::peace },
    Form {
        verbs: &["passage", "nopassage"],
        usage: "passage SEAT SEAT (the first lets the second pass); nopassage SEAT SEAT",
        step: "diplomacy",
        read: verbs::passage,
    },
];

/// Reads an event to be imposed, and the step after which it happens if the umpire names none [R-003-90].
pub(super) fn read(state: &State, words: &str) -> Result<(&'static str, Event), Complaint> {
    let words = Words::of(state, words);
    let verb = words.verb();
    let Some(form) = FORMS.iter().find(|form| form.verbs.contains(&verb)) else {
        let verbs = FORMS.iter().flat_map(|form| form.verbs).copied();
        let near = names::nearest(verb, verbs).map(|verb| format!("did you mean \"{verb}\"? "));
        let usages: Vec<&str> = FORMS.iter().map(|form| form.usage).collect();
        let what = if verb.is_empty() { "Nothing is said.".to_owned() } else { format!("\"{verb}\" is no event.") };
        let help = format!("{}Understood are: {}.", near.unwrap_or_default(), usages.join("; "));
        return Err(words.complaint(0..1, what, help));
    };
    match (form.read)(&words) {
        Ok(event) => Ok((form.step, event)),
        Err(complaint) if complaint.help.is_empty() => {
            Err(Complaint { help: format!("It is written: {}.", form.usage), ..complaint })
        }
        Err(complaint) => Err(complaint),
    }
}
