//! Rounds, volleys and hits [003 Battle mechanics].

use super::super::Season;
use super::super::campaign::{Letter, Rating, rule};
use super::super::event::{Event, Loss};
use super::super::order::RetreatWhen;
use super::intent::RetreatRule;
use super::retreat::{Room, Way};
use super::{Ground, by, led_to};
use crate::engine::{Cause, Dice, EventId, HexId, Scope, SeatId, UnitId, Working};

/// Attacker or defender [R-003-29].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Attacks.
    Attacker,
    /// Defends.
    Defender,
}

impl Part {
    /// The enemy.
    pub fn other(self) -> Part {
        match self {
            Part::Attacker => Part::Defender,
            Part::Defender => Part::Attacker,
        }
    }

    /// Place in a pair of things, the attacker's first.
    pub fn index(self) -> usize {
        match self {
            Part::Attacker => 0,
            Part::Defender => 1,
        }
    }
}

/// Where a unit is in the course of a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// In reserve: neither fights nor is hit [R-003-30].
    Waiting,
    /// In the battle.
    In,
    /// Retreated.
    Left,
    /// Destroyed or taken.
    Gone,
}

/// A unit in a battle.
pub(super) struct Fighter<'o> {
    pub id: UnitId,
    pub seat: SeatId,
    pub part: Part,
    pub leader: bool,
    pub sovereign: bool,
    pub rating: Option<Rating>,
    pub rally: u8,
    pub strength: u8,
    /// Strength when the battle began.
    pub start: u8,
    pub place: Place,
    /// Its place in its owner's list of who takes hits first.
    pub rank: usize,
    pub retreats: Vec<RetreatRule<'o>>,
    /// A leader ordered to hold to the last.
    pub stays: bool,
    /// It came into the hex this turn.
    pub came_in: bool,
    /// It came along a river.
    pub by_river: bool,
    /// It has been said that it could not retreat.
    pub told: bool,
    /// The events by which it lost steps.
    pub losses: Vec<EventId>,
    /// Where it retreated to.
    pub gone_to: Option<HexId>,
}

impl Fighter<'_> {
    /// Whether it fights and can be hit.
    pub fn is_in(&self, part: Part) -> bool {
        self.part == part && self.place == Place::In
    }

    /// Whether it is a brigade that is left to its side in this battle, in reserve or not.
    pub fn holds(&self, part: Part) -> bool {
        self.part == part && !self.leader && matches!(self.place, Place::In | Place::Waiting)
    }
}

/// A volley that hit, as many times as it stands in the list of hits.
struct Volley {
    by: SeatId,
    event: EventId,
}

/// A battle being fought.
pub(super) struct Battle<'o> {
    pub hex: HexId,
    pub fighters: Vec<Fighter<'o>>,
    /// Attacking and defending seats.
    pub seats: [Vec<SeatId>; 2],
    /// What attackers' hits are divided by.
    pub divisor: u32,
    pub ways: Vec<Way>,
    /// Seats whose brigades all fire first, and better, in the first round.
    pub first_round_all: Vec<SeatId>,
    /// By how much better they fire.
    pub bonus: u8,
    pub joined: Option<EventId>,
    /// The last event by which a unit left the battle.
    pub last: Option<EventId>,
    pub round: u32,
    /// Brigades that retreated over each side in this round.
    pub room: Vec<Room>,
    /// The seats' strength when the battle began.
    pub forces: Vec<(SeatId, u32)>,
    ordinal: u32,
    quiet: u32,
    carried: u32,
}

impl<'o> Battle<'o> {
    /// A battle before its first round; `ordinal` tells several of one turn in one hex apart.
    pub fn new(ground: Ground<'o>, fighters: Vec<Fighter<'o>>, ordinal: u32) -> Self {
        let mut forces: Vec<(SeatId, u32)> = Vec::new();
        for fighter in fighters.iter().filter(|fighter| !fighter.leader) {
            match forces.iter_mut().find(|(seat, _)| *seat == fighter.seat) {
                Some((_, strength)) => *strength += u32::from(fighter.strength),
                None => forces.push((fighter.seat.clone(), u32::from(fighter.strength))),
            }
        }
        Self {
            hex: ground.hex,
            fighters,
            seats: Default::default(),
            divisor: 1,
            ways: Vec::new(),
            first_round_all: Vec::new(),
            bonus: 0,
            joined: None,
            last: None,
            round: 0,
            room: Vec::new(),
            forces,
            ordinal,
            quiet: 0,
            carried: 0,
        }
    }

    /// Which of several battles in this hex this turn.
    pub fn ordinal(&self) -> u32 {
        self.ordinal
    }

    /// The seats of a part.
    pub fn seats_of(&self, part: Part) -> &[SeatId] {
        self.seats.get(part.index()).map_or(&[], Vec::as_slice)
    }

    /// Whether a part is still there: brigades, or a leader who holds to the last.
    pub fn alive(&self, part: Part) -> bool {
        self.fighters.iter().any(|f| f.holds(part) || (f.is_in(part) && f.stays))
    }

    /// Whether one side only remains [003 Battle mechanics].
    pub fn over(&self) -> bool {
        !self.alive(Part::Attacker) || !self.alive(Part::Defender)
    }

    /// Fights round after round until one side remains, or until the attacker gives up after rounds in which nobody was hit
    /// [003 Battle mechanics, R-003-31].
    pub fn fight_out(&mut self, w: &mut Working<'_, Season>, dice: &Dice) {
        let patience = w.state().campaign.figures.quiet_rounds.max(1);
        let carry = w.state().campaign.house.fort_remainder_carried;
        loop {
            self.round += 1;
            let applied = self.fight_round(w, dice);
            if self.over() {
                break;
            }
            self.quiet = if applied == 0 { self.quiet + 1 } else { 0 };
            if self.quiet >= patience && self.break_off(w) {
                break;
            }
            if !carry {
                self.carried = 0;
            }
        }
        self.end(w);
    }

    fn fight_round(&mut self, w: &mut Working<'_, Season>, dice: &Dice) -> u32 {
        self.room.clear();
        if self.round == 2 {
            for part in [Part::Attacker, Part::Defender] {
                self.bring_in(part);
            }
        }
        let in_turn = w.state().campaign.house.defender_first;
        let mut applied = 0;
        for letter in [Letter::A, Letter::B, Letter::C] {
            let turns: &[&[Part]] = match in_turn {
                true => &[&[Part::Defender], &[Part::Attacker]],
                false => &[&[Part::Defender, Part::Attacker]],
            };
            for parts in turns {
                applied += self.letter(w, dice, letter, parts);
                if self.over() {
                    return applied;
                }
            }
        }
        applied
    }

    /// One letter's turn: who is ordered to leaves, all others of these parts fire together, then the hits fall
    /// [003 Battle mechanics, R-003-21, R-003-32].
    fn letter(&mut self, w: &mut Working<'_, Season>, dice: &Dice, letter: Letter, parts: &[Part]) -> u32 {
        for part in parts {
            self.retreat_at(w, letter, *part);
        }
        self.close_ranks(w);
        if self.over() {
            return 0;
        }
        let fired: Vec<_> = parts.iter().map(|part| (part.other(), self.fire(w, dice, letter, *part))).collect();
        let mut applied = 0;
        for (target, (volleys, hits)) in &fired {
            applied += self.take(w, *target, volleys, hits);
        }
        self.close_ranks(w);
        applied
    }

    /// Reserves of a part come in [R-003-30].
    pub fn bring_in(&mut self, part: Part) {
        for fighter in self.fighters.iter_mut().filter(|f| f.part == part && f.place == Place::Waiting) {
            fighter.place = Place::In;
        }
    }

    /// A unit's rating in this round.
    pub fn rating(&self, fighter: &Fighter<'_>) -> Option<Rating> {
        let rating = fighter.rating?;
        let all_first = self.round == 1 && !fighter.leader && self.first_round_all.contains(&fighter.seat);
        match all_first {
            true => Some(Rating { letter: Letter::A, hits_on: rating.hits_on.saturating_add(self.bonus) }),
            false => Some(rating),
        }
    }

    /// The volleys of one letter of one part: a die a strength point, a die equal to or lower than the number hits
    /// [003 Battle mechanics, R-003-20]. The second list has the place of the volley for each hit.
    fn fire(&self, w: &mut Working<'_, Season>, dice: &Dice, letter: Letter, part: Part) -> (Vec<Volley>, Vec<usize>) {
        let (mut volleys, mut hits) = (Vec::new(), Vec::new());
        let (hex, round) = (self.hex, self.round);
        for fighter in self.fighters.iter().filter(|f| f.is_in(part)) {
            let Some(rating) = self.rating(fighter).filter(|rating| rating.letter == letter) else { continue };
            let subject = format!("u{}@{hex} r{round}", fighter.id);
            let count = usize::from(fighter.strength);
            let roll = dice.roll(Scope::Battle(hex), w.step(), "volley", &subject, self.ordinal, count);
            let scored = roll.faces.iter().filter(|face| **face <= rating.hits_on).count();
            let cites = [rule("003 Battle mechanics"), rule("R-003-20"), rule("R-003-21")];
            let cause = Cause::new(format!("volley {subject}"), &cites).rolled(roll);
            let number = u32::try_from(scored).unwrap_or(u32::MAX);
            let event = w.emit(cause, Event::Volley { hex, round, unit: fighter.id, hits: number });
            hits.extend(std::iter::repeat_n(volleys.len(), scored));
            volleys.push(Volley { by: fighter.seat.clone(), event });
        }
        (volleys, hits)
    }

    /// Hits fall on `target`: divided by walls as they grow [003 Fortified Cities, R-003-40, R-003-41], each on the strongest
    /// unit at that moment [003 Battle mechanics, R-003-22]. Gives how many struck.
    fn take(&mut self, w: &mut Working<'_, Season>, target: Part, volleys: &[Volley], hits: &[usize]) -> u32 {
        let divisor = if target == Part::Defender { self.divisor.max(1) } else { 1 };
        let mut counted: Vec<usize> = Vec::with_capacity(hits.len());
        for hit in hits {
            if divisor == 1 {
                counted.push(*hit);
                continue;
            }
            self.carried += 1;
            if self.carried >= divisor {
                self.carried = 0;
                counted.push(*hit);
            }
        }
        let divided = (divisor > 1 && !hits.is_empty()).then(|| self.tell_division(w, volleys, hits, &counted));
        let mut struck: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut applied = 0;
        for hit in counted {
            let Some((place, victim)) = self.strongest(target) else { break };
            victim.strength = victim.strength.saturating_sub(1);
            applied += 1;
            match struck.iter_mut().find(|(known, _)| *known == place) {
                Some((_, by)) => by.push(hit),
                None => struck.push((place, vec![hit])),
            }
        }
        for (place, by) in struck {
            self.tell_loss(w, place, volleys, &by, divided.as_ref());
        }
        applied
    }

    fn tell_division(
        &self,
        w: &mut Working<'_, Season>,
        volleys: &[Volley],
        hits: &[usize],
        counted: &[usize],
    ) -> EventId {
        let (hex, round) = (self.hex, self.round);
        let number = |list: &[usize]| u32::try_from(list.len()).unwrap_or(u32::MAX);
        let cause = Cause::new(format!("fort @{hex} r{round}"), &by("003 Fortified Cities", "R-003-40"));
        let scored = volleys.iter().enumerate().filter(|(place, _)| hits.contains(place));
        let cause = led_to(cause, scored.map(|(_, volley)| volley.event.clone()));
        let (hits, counted) = (number(hits), number(counted));
        w.emit(cause, Event::FortDivided { hex, round, hits, counted, carried: self.carried })
    }

    /// The unit of a part that takes the next hit: the strongest at this moment; of equals brigades before leaders
    /// [R-003-38], then the owner's list, then the lower number [R-003-22].
    fn strongest(&mut self, part: Part) -> Option<(usize, &mut Fighter<'o>)> {
        let candidates = self.fighters.iter_mut().enumerate();
        let candidates = candidates.filter(|(_, f)| f.is_in(part) && f.strength > 0);
        candidates.min_by_key(|(_, f)| (std::cmp::Reverse(f.strength), f.leader, f.rank, f.id))
    }

    fn tell_loss(
        &mut self,
        w: &mut Working<'_, Season>,
        place: usize,
        volleys: &[Volley],
        hits: &[usize],
        divided: Option<&EventId>,
    ) {
        let (hex, round) = (self.hex, self.round);
        let Some(fighter) = self.fighters.get_mut(place) else { return };
        let cause = Cause::new(format!("loss u{}@{hex} r{round}", fighter.id), &by("003 Battle mechanics", "R-003-22"));
        let scored = volleys.iter().enumerate().filter(|(place, _)| hits.contains(place));
        let cause = led_to(cause, scored.map(|(_, volley)| volley.event.clone()).chain(divided.cloned()));
        let steps = u8::try_from(hits.len()).unwrap_or(u8::MAX);
        let lost = w.emit(cause, Event::StepsLost { unit: fighter.id, steps, cause: Loss::Battle, hex: Some(hex) });
        fighter.losses.push(lost.clone());
        if fighter.strength == 0 {
            let killer = hits.last().and_then(|hit| volleys.get(*hit)).map(|volley| volley.by.clone());
            self.fall(w, place, killer, lost);
        }
    }

    /// A battle's end is announced [003 Battle mechanics]; whether the losers were wiped out decides the steamroller
    /// [003 Steamroller].
    fn end(&self, w: &mut Working<'_, Season>) {
        let victor = match (self.alive(Part::Attacker), self.alive(Part::Defender)) {
            (true, false) => Some(Part::Attacker),
            (false, true) => Some(Part::Defender),
            _ => None,
        };
        let nobody = !self.alive(Part::Attacker) && !self.alive(Part::Defender);
        let losers = match victor {
            Some(part) => self.seats_of(part.other()).to_vec(),
            None if nobody => self.seats.iter().flatten().cloned().collect(),
            None => Vec::new(),
        };
        let retreated = |f: &Fighter<'_>| f.place == Place::Left && !f.leader && losers.contains(&f.seat);
        let wiped_out = !losers.is_empty() && !self.fighters.iter().any(retreated);
        let victors = victor.map(|part| self.seats_of(part).to_vec()).unwrap_or_default();
        let cites = match victor {
            None if !nobody => by("003 Battles", "R-003-31"),
            _ => by("003 Battle mechanics", "R-003-48"),
        };
        let (hex, rounds) = (self.hex, self.round);
        let cause = Cause::new(format!("battle ended @{hex}"), &cites);
        let cause = led_to(cause, self.joined.iter().chain(&self.last).cloned());
        w.emit(cause, Event::BattleEnded { hex, victors, losers, rounds, wiped_out });
    }

    /// Whether a unit has any order to leave at all; enough when a battle has come to a standstill [R-003-31].
    pub fn willing(fighter: &Fighter<'o>) -> Option<RetreatRule<'o>> {
        fighter.retreats.iter().find(|rule| rule.when != RetreatWhen::Never).copied()
    }
}
