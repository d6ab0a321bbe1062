//! Events become report entries for one viewer [R-003-83]. The words are the templates'; here are kinds and facts.
//!
//! The state is folded along while telling, so that names, places and what was there before are those of the moment.
//! [`audience`] decides who is told of an event at all; where an outsider is told less than the owner, the entry has the
//! facts of the second column and the rules that may be named to him.
//!
//! All values are names as displayed, numbers, lists of them, or slugs for the template to choose words by. Brigades are
//! `units` (names) where the reader may know them, else only `count` and `adjective` ("Saxon"); `strength` is their CS
//! together. `from`, `to`, `at`, `place` and `city` are places; facts in ( ) may be absent.
//!
//! | kind | facts | outsiders instead |
//! |---|---|---|
//! | `card_played` | seat, value, serial, unread, (name) of a card thrown in unread | no name |
//! | `sequence` | seats\[\] | |
//! | `event_played` | seat, name, (text), on\[\]: units, places, seats | no units; nothing for a Supply card |
//! | `event_returned` | seat, name, why, (because) | not told |
//! | `war` | by, on, now | |
//! | `war_began`, `peace` | a, b | |
//! | `passage` | from, to, given | |
//! | `standing` | seat, count | not told |
//! | `dealt` | seat, count, cards\[\] | not told |
//! | `arrived` | seat, adjective, count, at, units\[\], strength | no units, no strength |
//! | `moved` | seat, adjective, count, from, to, via\[\], units\[\], (leader), strength, pace, arrival | up to via |
//! | `halted` | seat, adjective, count, at, (ahead), why, units\[\], (leader), strength | not told |
//! | `crossing` | leader, from, to, river, success | not told |
//! | `forced_march` | leader, (at), success | not told |
//! | `straggled` | unit, at, lost, left | not told |
//! | `pinned` | seat, adjective, count, at, by, units\[\], (leader), strength | up to by |
//! | `void` | seat, words, why, (because) | not told |
//! | `no_battle` | place, avoided_by\[\] | |
//! | `battle_joined` | place, attackers\[\], defenders\[\], (city), attacking_count, defending_count, attacking\[\], defending\[\], attacking_strength, defending_strength, inside\[\], late\[\], divisor | up to the counts |
//! | `volley` | unit, seat, place, round, dice, faces\[\], (letter), (hits_on), hits | not told |
//! | `fort_divided` | place, round, hits, counted, carried | not told |
//! | `hits` | unit, seat, place, lost, left | not told |
//! | `eliminated` | unit, seat, place, how, (by) | not told; `gone` if it was not in battle |
//! | `leader_killed` | leader, seat, place, how, (by) | not told |
//! | `captured` | unit, seat, place, how, (by) | as `eliminated` |
//! | `levy_disbanded` | unit, seat, place, how | `gone` |
//! | `leader_left` | leader, seat, place, how | not told |
//! | `gone` | | seat, adjective, count, place |
//! | `retreated` | seat, adjective, count, from, to, units\[\], (leader), strength, round | up to to |
//! | `cannot_retreat` | unit, seat, place, round | not told |
//! | `regrouped` | unit, seat, place, recovered, lost, left | not told |
//! | `battle_ended` | place, rounds, victors\[\], losers\[\], wiped_out, toll\[\] of seat, destroyed, retreated, steps | no steps |
//! | `sovereign_fell` | seat, (killer) | |
//! | `succeeded` | seat, leader, after | |
//! | `siege_laid` | city, by | |
//! | `siege_turn` | city, turns, (by) | |
//! | `siege_raised` | city, (by) | |
//! | `out_of_supply`, `train_spent` | unit, at | not told |
//! | `supply_loss`, `winter_loss`, `steps_lost` | unit, at, lost, left | not told |
//! | `depleted` | place | |
//! | `land_recovered` | | |
//! | `control` | place, (from), (to) | |
//! | `built`, `levy_mustered`, `raised` | seat, adjective, at, unit, kind, strength | `mustered`: seat, adjective, count, at |
//! | `reinforced` | unit, at, steps, left | not told |
//! | `income` | seat, money, manpower | not told |
//! | `bought` | seat, kind, steps, money, manpower | not told |
//! | `pool_used` | seat, kind, steps | not told |
//! | `money` | seat, change, why | not told |
//! | `manpower_lost` | seat, manpower | not told |
//! | `treasury` | from, by, (money) | no money |
//! | `levels` | seat, money, manpower | not told |
//! | `leader_recovered` | leader, steps, (left), returned | not told |
//! | `conquered` | province, (from), (to) | |
//! | `surrendered` | seat, (to) | |
//! | `turn_ended` | phase | |
//! | `game_over` | winners\[\], scores\[\] of seat, score | |
//!
//! A battle's participants are told all of it. `halted.why`: enemy, stop_terrain, side_full, river_roll, no_leader,
//! no_passage, pinned_side, exhausted. `void.why`, `event_returned.why`: pinned, not_there, condition_unmet, not_enough,
//! no_place, limit, no_card, rule (then `because`). `how`: battle, march, supply, winter, captured, disbanded, left, card,
//! defeat, ruling. `pace`: normal, forced, river. `arrival`: stand, besiege, enter.

mod audience;
mod battle;
mod board;
mod land;
mod march;
mod realm;
mod scene;
mod tables;
mod telling;
#[cfg(test)]
mod tests;

use super::event::Event;
use super::state::State;
use crate::engine::board_picture::BoardPicture;
use crate::engine::report::{Audience, Entry, Report};
use crate::engine::{EventNo, Recorded, Roll, Scope, Viewer};
use scene::Scene;
pub(super) use tables::{at_hand, standing};
use telling::{Teller, Telling};

/// Who is told of each event.
pub(super) fn audiences(before: &State, events: &[Recorded<Event>]) -> Vec<Audience> {
    audience::of_all(before, events)
}

/// The turn as `viewer` may know it.
pub(super) fn report(before: &State, events: &[Recorded<Event>], viewer: &Viewer) -> Report {
    let scene = Scene::of(before, events);
    let audiences = audience::of_scene(&scene, events);
    let fought_in = scene.fought_in(viewer);
    let mut state = before.clone();
    let mut entries = Vec::new();
    let mut doings = board::Doings { battlefields: scene.battlefields(), arrows: Vec::new() };
    for (index, (recorded, audience)) in events.iter().zip(&audiences).enumerate() {
        if audience.includes(viewer) {
            let telling = Teller { viewer, scene: &scene, state: &state, index }.tell(recorded);
            let may_check = |roll: &&Roll| match &roll.scope {
                Scope::Public => true,
                Scope::Seat(seat) => viewer.may_see_secrets_of(seat),
                Scope::Battle(hex) => fought_in.contains(hex),
                Scope::Deal => *viewer == Viewer::Umpire,
            };
            entries.push(entry(recorded, telling, viewer, may_check));
            doings.arrows.extend(board::arrow(&state, &recorded.event));
        }
        state.carry_out(&recorded.event);
    }
    let board = board::picture(&state, &before.phase(), doings, viewer);
    Report { entries, tables: standing(&state, viewer), board: Some(board) }
}

/// The board as it stands now, for `viewer`.
pub(super) fn board(state: &State, viewer: &Viewer) -> BoardPicture {
    board::picture(state, &state.phase(), board::Doings::default(), viewer)
}

/// Dice are shown only with all that they decided: their key names the unit that threw them.
fn entry(recorded: &Recorded<Event>, telling: Telling, viewer: &Viewer, may_check: impl Fn(&&Roll) -> bool) -> Entry {
    let (cites, rolls) = match telling.reduced {
        Some(cites) => (cites, Vec::new()),
        None => (recorded.cites.clone(), recorded.rolls.iter().filter(may_check).cloned().collect()),
    };
    let source = recorded.source.as_ref().filter(|(seat, _)| viewer.may_see_secrets_of(seat));
    Entry {
        id: recorded.id.clone(),
        no: EventNo::Public(0),
        kind: telling.kind.to_owned(),
        facts: telling.facts,
        step: recorded.id.step.clone(),
        heading: telling.heading,
        hex: telling.hex,
        cites,
        source: source.map(|(_, source)| source.clone()),
        rolls,
        ruling: recorded.ruling,
    }
}

impl Teller<'_> {
    /// Tells an event. What no chapter can tell, since it names what is not there, is told as a bare happening: the reader's
    /// numbers have no gaps.
    fn tell(&self, recorded: &Recorded<Event>) -> Telling {
        let event = &recorded.event;
        let told = self.march(event).or_else(|| self.fighting(recorded)).or_else(|| self.land(event));
        let told = told.or_else(|| self.court(event)).or_else(|| self.purse(event)).or_else(|| self.winter(event));
        told.unwrap_or_else(|| Telling::new("untold", "Other events").reduced(&[]))
    }
}

/// All scopes of dice, in a fixed order: the board's hexes never change, so neither does the list under a turn's root.
pub(super) fn scopes(state: &State) -> Vec<Scope> {
    let seats = state.campaign.seats.iter().map(|seat| Scope::Seat(seat.id.clone()));
    let land = state.campaign.board.hexes.iter().filter(|(_, hex)| hex.ground == super::board::Ground::Land);
    let battles = land.map(|(hex, _)| Scope::Battle(*hex));
    [Scope::Public].into_iter().chain(seats).chain([Scope::Deal]).chain(battles).collect()
}

/// The scopes whose secrets `viewer` gets with a turn's official results: the public one, his own, and those of the battles he
/// fought in [R-003-83]. Never the deal's: it is revealed after the next reshuffle, which is another turn's results.
pub(super) fn revealed_to(state: &State, events: &[Recorded<Event>], viewer: &Viewer) -> Vec<Scope> {
    let fought_in = Scene::of(state, events).fought_in(viewer);
    let may_see = |scope: &Scope| match scope {
        Scope::Public => true,
        Scope::Seat(seat) => viewer.may_see_secrets_of(seat),
        Scope::Battle(hex) => *viewer == Viewer::Umpire || fought_in.contains(hex),
        Scope::Deal => false,
    };
    scopes(state).into_iter().filter(may_see).collect()
}
