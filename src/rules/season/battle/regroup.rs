//! Regrouping [003 Regrouping].

use super::super::Season;
use super::super::campaign::rule;
use super::super::event::Event;
use super::fight::{Battle, Place};
use super::led_to;
use crate::engine::{Cause, Dice, Scope, Working};

impl Battle<'_> {
    /// Every surviving brigade and leader of both sides, retreated ones too, throws a die for each step it lost in this battle
    /// and recovers one for each die of its Rally value or less [003 Regrouping, R-003-36]; so never beyond the strength with
    /// which it began. Who fell to 0 is gone and recovers nothing [R-003-37].
    pub fn regroup(&self, w: &mut Working<'_, Season>, dice: &Dice) {
        let hex = self.hex;
        for fighter in self.fighters.iter().filter(|f| f.place != Place::Gone && f.strength < f.start) {
            if !w.state().units.contains_key(&fighter.id) {
                continue;
            }
            let steps = fighter.start.saturating_sub(fighter.strength);
            let subject = format!("u{}@{hex}", fighter.id);
            let roll = dice.roll(Scope::Battle(hex), w.step(), "rally", &subject, self.ordinal(), usize::from(steps));
            let rallied = roll.faces.iter().filter(|face| **face <= fighter.rally).count();
            let recovered = u8::try_from(rallied).unwrap_or(u8::MAX);
            let cites = [rule("003 Regrouping"), rule("R-003-36")];
            let cause = Cause::new(format!("rally {subject}"), &cites).rolled(roll);
            let cause = led_to(cause, fighter.losses.iter().cloned());
            let lost = steps.saturating_sub(recovered);
            w.emit(cause, Event::Regrouped { unit: fighter.id, hex, recovered, lost });
        }
    }
}
