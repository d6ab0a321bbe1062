//! Letters taken together: merging, Actions, purse, what is still open.

use super::board::*;
use crate::engine::sheet::{Sheet, Superseded};
use crate::rules::season::order::Order;
use crate::rules::season::read;
use crate::rules::season::state::State;

fn words(state: &State, of: &str, sheet: &Sheet<Order>) -> Vec<String> {
    let view = view(state, of);
    sheet.orders.iter().map(|held| read::canonical(&view, &seat(of), &held.order).0).collect()
}

fn refused(sheet: &Sheet<Order>) -> Vec<Option<String>> {
    sheet.orders.iter().map(|held| held.out_of_force.as_ref().map(|c| c.message.clone())).collect()
}

/// [R-003-86]: a newer line replaces the older one for the same unit and keeps its place; new lines follow.
#[test]
fn a_newer_letter_replaces_line_for_line() {
    let state = spring();
    let first = "card 3\nFlemming alone to Doblen\nLubomirski alone to Opochka\nbuy 1 infantry";
    let second = "buy 1 cavalry\nFlemming alone to Riga, stay in the field\nbuy 2 infantry";
    let sheet = sheet(&state, "P", &[first, second]);
    assert_eq!(
        words(&state, "P", &sheet),
        [
            "Action card 3 (no. 55)",
            "Flemming alone: Mitau -> Riga, stay in the field",
            "Lubomirski alone: Polotsk -> Opochka",
            "Buy 2 infantry",
            "Buy 1 cavalry"
        ]
    );
}

/// [R-003-86]: the newest word on one unit of an army takes it out of the older order, and nothing else.
#[test]
fn a_newer_letter_takes_one_brigade_out_of_an_army() {
    let state = spring();
    let sheet = sheet(&state, "P", &["Flemming, Königin, Leibdragoner to Doblen", "Leibdragoner stays"]);
    assert_eq!(
        words(&state, "P", &sheet),
        ["Flemming with Königin: Mitau -> the Doblen country", "Leibdragoner stays"]
    );
}

/// "All his brigades" are those without another order [R-003-12]; one told to stay is not among them.
#[test]
fn all_are_not_those_told_to_stay() {
    let state = spring();
    let sheet = sheet(&state, "P", &["card 3\nFlemming to Doblen\nMitau Garrison stays"]);
    assert_eq!(
        words(&state, "P", &sheet)[1..],
        ["Flemming with Königin and Leibdragoner: Mitau -> the Doblen country", "Mitau Garrison stays"]
    );
}

#[test]
fn replace_and_withdraw() {
    let state = spring();
    let first = "card 3\nFlemming to Doblen\nbuy 1 infantry";
    assert_eq!(words(&state, "P", &sheet(&state, "P", &[first, "REPLACE\nbuy 1 cavalry"])), ["Buy 1 cavalry"]);
    assert_eq!(
        words(&state, "P", &sheet(&state, "P", &[first, "withdraw 2"])),
        ["Action card 3 (no. 55)", "Buy 1 infantry"]
    );
}

/// A question is answered by its number and letter, or by a later order for the same unit.
#[test]
fn questions_are_answered_or_overtaken() {
    let state = spring();
    let asked = sheet(&state, "P", &["Flemming to Riga"]);
    assert_eq!((asked.orders.len(), asked.questions.len()), (0, 1));
    let answered = sheet(&state, "P", &["Flemming to Riga", "1b please"]);
    assert_eq!(words(&state, "P", &answered), ["Flemming and all his brigades: Mitau -> Riga, besiege it"]);
    assert!(answered.questions.is_empty());
    let overtaken = sheet(&state, "P", &["Flemming to Riga", "Flemming to Doblen"]);
    assert!(overtaken.questions.is_empty(), "the newer order settles it");
    assert_eq!(words(&state, "P", &overtaken), ["Flemming and all his brigades: Mitau -> the Doblen country"]);
}

/// [003 Action Cards, R-003-12]: all marches of one army cost one Action, each single brigade and each brigade built one more;
/// written order decides what the card carries [R-003-101].
#[test]
fn what_the_card_does_not_carry_is_out_of_force() {
    let mut state = spring();
    state.seats.get_mut(&seat("P")).unwrap().pool.insert(crate::rules::season::campaign::Kind::Infantry, 8);
    let letter = "card 2\nFlemming with Königin to Doblen\nLeibdragoner to Windau\nPolotsk Garrison on its own to Drissa\nbuild 2 infantry at Mitau\nbesiege Riga";
    let sheet = sheet(&state, "P", &[letter]);
    let third = Some("That would be a third Action; card 2 gives two.".to_owned());
    assert_eq!(refused(&sheet), [None, None, None, None, third.clone(), third, None]);
}

#[test]
fn without_a_card_nothing_moves() {
    let state = spring();
    let sheet = sheet(&state, "P", &["Flemming to Doblen\nbuy 1 infantry\nFlemming avoids battle"]);
    assert_eq!(refused(&sheet), [Some("That takes an Action, and no Action card is chosen.".to_owned()), None, None]);
    assert!(sheet.orders[0].out_of_force.as_ref().unwrap().help.contains("Action card 2 (no. 37)"));
}

/// [R-003-09]: an Event card thrown in is an Action card of value 1.
#[test]
fn an_event_card_thrown_in_gives_one_action() {
    let state = spring();
    let sheet = sheet(
        &state,
        "P",
        &["play Force Battle as an action card\nFlemming alone to Doblen\nLubomirski alone to Opochka"],
    );
    assert_eq!(refused(&sheet)[..2], [None, None]);
    assert!(refused(&sheet)[2].is_some());
}

/// A bank of 12 and 8 men: one infantry (4, 4) and one cavalry (6, 3) can be paid, then 2 money and 1 man are left
/// [Brigade Table, R-003-101].
#[test]
fn purchases_are_weighed_in_written_order() {
    let state = spring();
    let sheet = sheet(&state, "P", &["buy 1 infantry, 1 cavalry, 1 dragoons"]);
    assert_eq!(
        refused(&sheet),
        [None, None, Some("That costs 5 money and 3 men; there are 2 money and 1 men left for it.".to_owned())]
    );
}

/// Transports cost 4 money and 1 man for 4 steps: one step costs 1 and 1, rounded up [R-003-101].
#[test]
fn ships_are_bought_by_step() {
    let state = spring();
    let view = view(&state, "S");
    let order = &reading(&state, "S", "buy 1 transport").orders[0].order;
    assert_eq!(read::canonical(&view, &seat("S"), order).1, "1 money, 1 men");
}

/// [003 Deployment, R-003-63, R-003-75]: a full brigade in the pool, a home supply city in hand and free of enemies; what is bought
/// this turn comes too late.
#[test]
fn builds_need_pool_and_place() {
    let mut state = spring();
    let short = sheet(&state, "P", &["card 3\nbuild cavalry at Mitau\nbuy 1 cavalry"]);
    assert_eq!(refused(&short)[1].as_deref(), Some("A full brigade of cavalry needs 3 steps; your pool holds 0."));
    assert!(short.orders[1].out_of_force.as_ref().unwrap().help.contains("next turn"));
    assert!(refused(&sheet(&state, "P", &["card 3\nbuild infantry at Riga"]))[1].is_some(), "Riga is Sweden's");
    besiege(&mut state, "0206", "S");
    assert_eq!(
        refused(&sheet(&state, "P", &["card 3\nbuild infantry at Mitau"]))[1].as_deref(),
        Some("Mitau is besieged.")
    );
}

#[test]
fn what_is_still_open() {
    let state = spring();
    let view = view(&state, "P");
    let open = |letter: &str| read::still_open(&view, &seat("P"), &sheet(&state, "P", &[letter]));
    assert!(open("buy 1 infantry")[0].starts_with("No Action card is chosen"));
    let some = open("card 3\nFlemming to Riga\nLubomirski alone to Opochka");
    assert_eq!(some[0], "2 of 3 Actions are not used.");
    assert_eq!(some[1], "In your hand and not played: Force Battle, Supply (two steps).");
    assert_eq!(some[2], "Question 1 waits for an answer: \"1a\" or \"1b\" or \"1c\".");
}

/// What two orders have to do with each other is symmetrical where it must be, and never between unlike things.
#[test]
fn unlike_orders_stand_beside_each_other() {
    let state = spring();
    let letter = "card 3\nFlemming to Doblen\nbuy 1 infantry\nFlemming avoids battle\nFlemming retreats at half losses\noffer peace to Sweden";
    let orders: Vec<Order> = reading(&state, "P", letter).orders.into_iter().map(|held| held.order).collect();
    for (i, a) in orders.iter().enumerate() {
        for (j, b) in orders.iter().enumerate() {
            let same = read::supersede(a, b) == Superseded::Replaced;
            assert_eq!(same, i == j, "{a:?} and {b:?}");
        }
    }
}

/// [003 Side Limits, R-003-13]: forest lets two brigades over in a turn, counted over all marches of the player.
#[test]
fn full_sides_are_said() {
    let state = spring();
    // Wenden hills - Wolmar is clear (4); Polotsk - Opochka is forest (2): Lubomirski's two brigades go, a third would not.
    let sheet = sheet(&state, "P", &["card 3\nFlemming to Doblen"]);
    assert!(sheet.complaints.is_empty());
    let letter = "card 3\nMenshikov takes Pskov Garrison, Pskov Streltsy and Pskov Levy from Pskov to the Sorot hills";
    let sheet = self::sheet(&state, "R", &[letter]);
    assert!(sheet.complaints[0].message.contains("only 2 may cross"), "{:?}", sheet.complaints);
}
