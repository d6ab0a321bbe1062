//! The dice of a turn as lines that a letter can carry and `umpire verify` can read back out of it.
//!
//! ```text
//! -----BEGIN UMPIRE DICE-----
//! turn 1 ;
//! root 9c1e77d0... ;
//! roll battle:0205 battles volley u121@0205 1 : 6 4 2 3* ;
//! secret battle:0205 5f2c91aa... L:0a1b... R:77d0... - ;
//! -----END UMPIRE DICE-----
//! ```
//!
//! Statements end with a semicolon and line breaks mean nothing, so a mail program may quote and re-wrap the block as it
//! likes. A star marks a die that the umpire set by ruling; `ruling N` before the colon, a volley thrown again by ruling N.
//! The signs after a secret are its way up to the root: the partner's hash to the left, to the right, or none.

use crate::engine::dice::Proof;
use crate::engine::{DieKey, Hash, Revealed, Roll, RulingNo, Scope, Secret, StepName, TurnNo};
use data_encoding::HEXLOWER;
use serde_json::{Value, json};

const BEGIN: &str = "-----BEGIN UMPIRE DICE-----";
const END: &str = "-----END UMPIRE DICE-----";
const LINE: usize = 71;

/// What a letter or a page says about a turn's dice.
#[derive(Clone, PartialEq, Debug)]
pub struct DiceBlock {
    /// The turn.
    pub turn: TurnNo,
    /// The root published before its orders opened.
    pub root: Hash,
    /// The dice that the reader may see.
    pub rolls: Vec<Roll>,
    /// The secrets that the reader was given.
    pub revealed: Vec<Revealed>,
}

/// What checking a block found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Volleys that follow from a secret that stands under the root.
    pub proven: usize,
    /// Volleys whose secret the block does not hold (not official yet, or another reader's).
    pub unproven: usize,
    /// Dice set by ruling: they are named, not proven.
    pub set_by_ruling: usize,
    /// What does not hold, a sentence each; empty if all is well.
    pub faults: Vec<String>,
}

impl DiceBlock {
    /// Checks every secret against the root and every volley against its secret.
    pub fn check(&self) -> Checked {
        let mut found = Checked::default();
        for secret in self.revealed.iter().filter(|r| !r.stands_under(&self.root)) {
            found.faults.push(format!("The secret of {} does not stand under the root {}.", secret.scope, self.root));
        }
        for roll in &self.rolls {
            found.set_by_ruling += roll.set_by_ruling.len();
            if roll.key.turn != self.turn {
                found.faults.push(format!("The dice {} belong to another turn than {}.", roll.key, self.turn));
            }
            match self.revealed.iter().find(|r| r.scope == roll.scope) {
                None => found.unproven += 1,
                Some(revealed) if roll.agrees_with(&revealed.secret) => found.proven += 1,
                Some(_) => found.faults.push(format!("The dice {} do not follow from their secret.", roll.key)),
            }
        }
        found
    }
}

/// The block for a letter or a page; empty if there is no root to check against.
pub fn write(root: &str, turn: u32, rolls: &[Roll], revealed: &[Revealed]) -> String {
    if root.is_empty() {
        return String::new();
    }
    let mut statements = vec![format!("turn {turn}"), format!("root {root}")];
    statements.extend(rolls.iter().map(roll_words));
    statements.extend(revealed.iter().map(secret_words));
    let mut out = format!("{BEGIN}\n");
    for statement in statements {
        let mut line = String::new();
        for word in statement.split(' ').chain([";"]) {
            if !line.is_empty() && line.len() + 1 + word.len() > LINE {
                out.push_str(&line);
                out.push('\n');
                line = " ".to_owned();
            } else if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str(END);
    out.push('\n');
    out
}

fn roll_words(roll: &Roll) -> String {
    let key = &roll.key;
    let ruling = key.reroll.map(|r| format!(" ruling {r}")).unwrap_or_default();
    let faces: Vec<String> = roll
        .faces
        .iter()
        .enumerate()
        .map(|(i, face)| format!("{face}{}", if roll.set_by_ruling.contains(&i) { "*" } else { "" }))
        .collect();
    format!(
        "roll {} {} {} {} {}{ruling} : {}",
        packed(&roll.scope.to_string()),
        packed(key.step.as_str()),
        packed(&key.what),
        packed(&key.subject),
        key.ordinal,
        faces.join(" ")
    )
}

fn secret_words(revealed: &Revealed) -> String {
    let mut words =
        vec!["secret".to_owned(), packed(&revealed.scope.to_string()), HEXLOWER.encode(revealed.secret.as_bytes())];
    let path = serde_json::to_value(&revealed.proof).unwrap_or_default();
    for turn in path.as_array().into_iter().flatten() {
        let hash = |side: &str| turn.get(side).and_then(Value::as_str);
        words.push(match (hash("left"), hash("right")) {
            (Some(hash), _) => format!("L:{hash}"),
            (None, Some(hash)) => format!("R:{hash}"),
            (None, None) => "-".to_owned(),
        });
    }
    words.join(" ")
}

/// One word, whatever the name holds: what would be taken for the block's own signs is written as `%` and its code.
fn packed(name: &str) -> String {
    if name.is_empty() {
        return "%".to_owned();
    }
    let mut out = String::new();
    for c in name.chars() {
        if c.is_whitespace() || c.is_control() || "%;<>&".contains(c) {
            out.push_str(&format!("%{:x}.", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

fn unpacked(word: &str) -> Option<String> {
    if word == "%" {
        return Some(String::new());
    }
    let mut out = String::new();
    let mut rest = word;
    while let Some((plain, coded)) = rest.split_once('%') {
        let (code, after) = coded.split_once('.')?;
        out.push_str(plain);
        out.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// Reads the first block out of a letter, a quoted letter or a page's HTML.
///
/// # Errors
/// If there is no block in it, or the block is damaged; a sentence that says which.
pub fn read(text: &str) -> Result<DiceBlock, String> {
    let inside = text
        .split_once(BEGIN)
        .and_then(|(_, rest)| rest.split_once(END))
        .map(|(inside, _)| inside)
        .ok_or_else(|| format!("There is no dice block: it begins with {BEGIN} and ends with {END}."))?;
    let bare = without_quoting(inside);
    let mut words = Vec::new();
    let (mut turn, mut root, mut rolls, mut revealed) = (None, None, Vec::new(), Vec::new());
    for word in bare.split_whitespace() {
        if word != ";" {
            words.push(word);
            continue;
        }
        let broken = || format!("The dice block is damaged at: {}", words.join(" "));
        match words.as_slice() {
            ["turn", number] => turn = Some(TurnNo(number.parse().map_err(|_| broken())?)),
            ["root", hash] => root = Some(hash.parse::<Hash>().map_err(|_| broken())?),
            ["roll", rest @ ..] => rolls.push(read_roll(rest).ok_or_else(broken)?),
            ["secret", scope, secret, path @ ..] => {
                revealed.push(read_secret(scope, secret, path).ok_or_else(broken)?);
            }
            _ => return Err(broken()),
        }
        words.clear();
    }
    if !words.is_empty() {
        return Err(format!("The dice block breaks off at: {}", words.join(" ")));
    }
    let turn = turn.ok_or("The dice block names no turn.")?;
    let root = root.ok_or("The dice block has no root.")?;
    for roll in &mut rolls {
        roll.key.turn = turn;
    }
    Ok(DiceBlock { turn, root, rolls, revealed })
}

fn without_quoting(text: &str) -> String {
    let text = text.replace("&gt;", ">").replace("&nbsp;", " ");
    let mut lines = Vec::new();
    for line in text.lines() {
        lines.push(line.trim_start_matches(|c: char| c == '>' || c == '|' || c.is_whitespace()));
    }
    let mut out = String::new();
    for (i, part) in lines.join("\n").split('<').enumerate() {
        match part.split_once('>') {
            Some((_tag, after)) if i > 0 => {
                out.push(' ');
                out.push_str(after);
            }
            _ => out.push_str(part),
        }
    }
    out
}

fn read_roll(words: &[&str]) -> Option<Roll> {
    let colon = words.iter().position(|w| *w == ":")?;
    let (head, faces) = (words.get(..colon)?, words.get(colon + 1..)?);
    let (scope, step, what, subject, ordinal, reroll) = match head {
        [scope, step, what, subject, ordinal] => (scope, step, what, subject, ordinal, None),
        [scope, step, what, subject, ordinal, "ruling", no] => (scope, step, what, subject, ordinal, Some(no)),
        _ => return None,
    };
    let reroll = match reroll {
        Some(no) => Some(RulingNo(no.parse().ok()?)),
        None => None,
    };
    let mut roll = Roll {
        scope: unpacked(scope)?.parse::<Scope>().ok()?,
        key: DieKey {
            turn: TurnNo(0),
            step: StepName::new(&unpacked(step)?),
            what: unpacked(what)?,
            subject: unpacked(subject)?,
            ordinal: ordinal.parse().ok()?,
            reroll,
        },
        faces: Vec::new(),
        set_by_ruling: Vec::new(),
    };
    for (i, word) in faces.iter().enumerate() {
        let face = word.strip_suffix('*');
        if face.is_some() {
            roll.set_by_ruling.push(i);
        }
        roll.faces.push(face.unwrap_or(word).parse().ok().filter(|f| (1..=6).contains(f))?);
    }
    Some(roll)
}

fn read_secret(scope: &str, secret: &str, path: &[&str]) -> Option<Revealed> {
    let mut turns = Vec::new();
    for word in path {
        turns.push(match word.split_once(':') {
            Some(("L", hash)) => json!({ "left": hash }),
            Some(("R", hash)) => json!({ "right": hash }),
            None if *word == "-" => json!("alone"),
            _ => return None,
        });
    }
    let proof: Proof = serde_json::from_value(Value::Array(turns)).ok()?;
    let bytes: [u8; 32] = HEXLOWER.decode(secret.as_bytes()).ok()?.try_into().ok()?;
    Some(Revealed { scope: unpacked(scope)?.parse().ok()?, secret: Secret::from_bytes(bytes), proof })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Dice, HexId, SeatId, TurnSecret};

    fn sample() -> (DiceBlock, String) {
        let secret = TurnSecret::of(&Secret::from_bytes([7; 32]), TurnNo(3));
        let riga = Scope::Battle(HexId::new(2, 5).unwrap());
        let own = Scope::Seat(SeatId::new("saxony_poland"));
        let scopes = [Scope::Public, own.clone(), riga.clone(), Scope::Deal, Scope::Battle(HexId::new(5, 1).unwrap())];
        let mut dice = Dice::new(TurnNo(3), secret.clone());
        let step = StepName::new("battles");
        let plain = dice.roll(riga.clone(), &step, "volley", "u121@0205", 1, 4);
        dice.set(plain.key.clone(), 1, plain.faces[1] % 6 + 1);
        let crossing = dice.roll(own.clone(), &step, "crossing", "u302", 1, 1);
        dice.reroll(crossing.key, RulingNo(2));
        let rolls = vec![
            dice.roll(riga.clone(), &step, "volley", "u121@0205", 1, 4),
            dice.roll(own, &step, "crossing", "u302", 1, 1),
            dice.roll(Scope::Public, &step, "long volley; odd", "", 2, 60),
        ];
        let root = secret.commit(&scopes);
        let revealed: Vec<Revealed> =
            [Scope::Public, riga].iter().map(|s| secret.reveal(&scopes, s).unwrap()).collect();
        let text = write(&root.to_string(), 3, &rolls, &revealed);
        (DiceBlock { turn: TurnNo(3), root, rolls, revealed }, text)
    }

    #[test]
    fn what_is_written_is_read() {
        let (block, text) = sample();
        assert_eq!(read(&text), Ok(block));
        assert!(text.lines().all(|l| l.chars().count() <= 72), "{text}");
    }

    #[test]
    fn quoting_crlf_rewrapping_and_html_do_no_harm() {
        let (block, text) = sample();
        let quoted: String = text.lines().map(|l| format!("> > {l}\r\n")).collect();
        assert_eq!(read(&format!("On Friday the umpire wrote:\r\n{quoted}")), Ok(block.clone()));
        let joined = text.replace(" ;\n", " ; ").replace(BEGIN, &format!("{BEGIN}\n"));
        assert_eq!(read(&joined), Ok(block.clone()));
        let broken: String = text.replace(" : ", " :\n> ");
        assert_eq!(read(&broken), Ok(block.clone()));
        let html = format!("<html><body><pre>{}</pre>", text.replace('\n', "<br>\n"));
        assert_eq!(read(&html), Ok(block));
    }

    #[test]
    fn checking_finds_what_holds_and_what_does_not() {
        let (block, _) = sample();
        let found = block.check();
        assert_eq!((found.proven, found.unproven, found.set_by_ruling), (2, 1, 1));
        assert_eq!(found.faults, Vec::<String>::new());

        let mut forged = block.clone();
        forged.rolls[2].faces[5] = forged.rolls[2].faces[5] % 6 + 1;
        assert_eq!(forged.check().faults.len(), 1);

        let mut elsewhere = block;
        elsewhere.root = "00".repeat(32).parse().unwrap();
        assert_eq!(elsewhere.check().faults.len(), 2);
    }

    #[test]
    fn damage_is_named() {
        let (_, text) = sample();
        assert!(read("no dice here").unwrap_err().contains("no dice block"));
        assert!(read(&text.replace(" : 6", " : 9").replace(" : ", " : 9 ")).unwrap_err().contains("damaged at: roll"));
        assert!(read(&text.replace("root", "rot")).unwrap_err().contains("damaged"));
    }
}
