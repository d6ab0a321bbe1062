//! `umpire verify`: the dice of a letter or page, checked against the published root. Needs no folder and no network.

use super::folder::bytes_of;
use super::{Failure, Outcome};
use crate::engine::Hash;
use crate::results::dice_block::{self, DiceBlock};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `umpire verify`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A results letter (raw or as text) or a saved page; - for standard input
    file: PathBuf,
    /// The root as it was published before orders opened: compared with the one in the file
    #[arg(long, value_name = "HEX")]
    root: Option<Hash>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let block = dice_block::read(&text_of(&args.file)?).map_err(|why| {
        Failure::new(
            why,
            "the dice stand at the foot of each results letter and page, between BEGIN UMPIRE DICE and END",
        )
    })?;
    print_rolls(&block);
    let checked = block.check();
    let mut faults = checked.faults.clone();
    if let Some(root) = args.root.filter(|root| *root != block.root) {
        faults.push(format!("The file's root is {}, not {root}.", block.root));
    }
    println!();
    println!("Root of turn {}: {}", block.turn, block.root);
    if args.root.is_none() {
        println!("Compare it with the one in your letters from before orders closed, or give it with --root.");
    }
    println!(
        "{} volleys follow from secrets under that root; {} await their secrets; {} dice were set by ruling.",
        checked.proven, checked.unproven, checked.set_by_ruling
    );
    if faults.is_empty() {
        println!(
            "{}",
            if checked.proven > 0 { "Everything that can be checked is right." } else { "Nothing can be checked yet." }
        );
        return Ok(ExitCode::SUCCESS);
    }
    for fault in &faults {
        println!("WRONG: {fault}");
    }
    Err(Failure::new(format!("{} of the dice or secrets do not agree with the root", faults.len()), ""))
}

fn print_rolls(block: &DiceBlock) {
    for roll in &block.rolls {
        let faces: Vec<String> = roll.faces.iter().map(ToString::to_string).collect();
        let secret = block.revealed.iter().find(|revealed| revealed.scope == roll.scope);
        let state = match secret {
            None => "no secret yet",
            Some(revealed) if roll.agrees_with(&revealed.secret) => "right",
            Some(_) => "WRONG",
        };
        println!("  {:<14} {:<44} {:<18} {state}", roll.scope.to_string(), roll.key.to_string(), faces.join(" "));
    }
}

/// The words of a file: of a raw letter the decoded text, of anything else all of it.
fn text_of(file: &Path) -> Result<String, Failure> {
    let bytes = bytes_of(file)?;
    let letter = mail_parser::MessageParser::default().parse(&bytes).filter(|m| m.message_id().is_some());
    let decoded = letter.and_then(|m| m.body_text(0).map(std::borrow::Cow::into_owned));
    Ok(decoded.unwrap_or_else(|| String::from_utf8_lossy(&bytes).into_owned()))
}
