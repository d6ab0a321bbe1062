//! The archive of one game, a tar file that can be read without this program.
//!
//! ```text
//! livonia/README.txt            what is what
//! livonia/campaign/...          the campaign's files as the game uses them
//! livonia/pages/...             the public pages
//! livonia/secret/export.json    which game, and the fingerprint of its journal
//! livonia/secret/journal.jsonl  a line an entry, the fact to the byte
//! livonia/secret/in.jsonl       the letters that came, but for their bytes: those are in/000012.eml
//! livonia/secret/out.jsonl      the letters that went out: out/000001.eml
//! ```
//!
//! What stands outside `secret/` anybody may see; without it the archive is for reading only.

use super::Failure;
use crate::desk::{MovedGame, MovedLetter, MovedPost, RawEntry};
use crate::engine::GameId;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read};
use std::path::Path;
use tar::{Archive, Builder, Header};

/// Raised when an older program could not read an archive.
const FORMAT: u32 = 1;
/// No game is larger, in octets.
const LARGEST: u64 = 4 << 30;

const README: &str = "\
This is a game of `umpire`, the play-by-email umpire.

  campaign/   the campaign's files as the game uses them
  pages/      the public pages
  secret/     the journal (a JSON object a line), the letters that came (in/) and that went out (out/).
              It holds what players may not know of each other and the secret of all dice:
              it is for the umpire who is to go on with the game (`umpire import`), and for nobody else.
";

/// What `export.json` says.
#[derive(Serialize, Deserialize)]
struct Head {
    format: u32,
    game: String,
    program: String,
    entries: usize,
    letters: usize,
    post: usize,
    journal_sha256: String,
}

#[derive(Serialize, Deserialize)]
struct Line<'a> {
    seq: i64,
    at: String,
    version: u32,
    #[serde(borrow)]
    fact: &'a RawValue,
}

/// All that an archive holds.
pub(super) struct Contents<'a> {
    pub game: &'a GameId,
    pub campaign: &'a BTreeMap<String, String>,
    pub pages: &'a BTreeMap<String, String>,
    /// `None` writes an archive for reading only.
    pub secret: Option<&'a MovedGame>,
}

/// Writes an archive to a file that must not exist; it is on the disk when this returns.
pub(super) fn write(file: &Path, contents: &Contents<'_>, now: Timestamp) -> Result<(), Failure> {
    if file.exists() {
        return Err(Failure::new(format!("{} exists already", file.display()), "name another file"));
    }
    let draft = file.with_added_extension("new");
    let written = fill(&draft, contents, now).and_then(|()| Ok(fs::rename(&draft, file)?));
    written.inspect_err(|_| {
        let _ = fs::remove_file(&draft);
    })
}

fn fill(draft: &Path, contents: &Contents<'_>, now: Timestamp) -> Result<(), Failure> {
    let out = File::create(draft)?;
    super::print::private(draft)?;
    let mut to = Writing { tar: Builder::new(BufWriter::new(out)), root: contents.game.to_string(), at: now };
    to.file("README.txt", README.as_bytes())?;
    for (name, text) in contents.campaign {
        to.file(&format!("campaign/{name}"), text.as_bytes())?;
    }
    for (name, text) in contents.pages {
        to.file(&format!("pages/{name}"), text.as_bytes())?;
    }
    if let Some(moved) = contents.secret {
        secret(&mut to, contents.game, moved)?;
    }
    let out = to.tar.into_inner()?.into_inner().map_err(std::io::IntoInnerError::into_error)?;
    Ok(out.sync_all()?)
}

fn secret(to: &mut Writing, game: &GameId, moved: &MovedGame) -> Result<(), Failure> {
    let mut journal = String::new();
    for entry in &moved.journal {
        let fact = RawValue::from_string(entry.fact.clone())?;
        let line = Line { seq: entry.seq, at: entry.at.clone(), version: entry.version, fact: &fact };
        journal = journal + &serde_json::to_string(&line)? + "\n";
    }
    let head = Head {
        format: FORMAT,
        game: game.to_string(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        entries: moved.journal.len(),
        letters: moved.letters.len(),
        post: moved.post.len(),
        journal_sha256: fingerprint(journal.as_bytes()),
    };
    to.file("secret/export.json", &serde_json::to_vec_pretty(&head)?)?;
    to.file("secret/journal.jsonl", journal.as_bytes())?;
    to.file("secret/in.jsonl", lines(&moved.letters)?.as_bytes())?;
    to.file("secret/out.jsonl", lines(&moved.post)?.as_bytes())?;
    for letter in &moved.letters {
        to.file(&incoming(letter.no), &letter.raw)?;
    }
    for (post, no) in moved.post.iter().zip(1..) {
        to.file(&outgoing(no), &post.raw)?;
    }
    Ok(())
}

fn incoming(no: u32) -> String {
    format!("secret/in/{no:06}.eml")
}

fn outgoing(no: u32) -> String {
    format!("secret/out/{no:06}.eml")
}

fn fingerprint(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(bytes))
}

fn lines<T: Serialize>(rows: &[T]) -> Result<String, Failure> {
    let mut text = String::new();
    for row in rows {
        text = text + &serde_json::to_string(row)? + "\n";
    }
    Ok(text)
}

struct Writing {
    tar: Builder<BufWriter<File>>,
    root: String,
    at: Timestamp,
}

impl Writing {
    fn file(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let mut header = Header::new_gnu();
        header.set_size(u64::try_from(bytes.len())?);
        header.set_mode(if name.starts_with("secret/") { 0o600 } else { 0o644 });
        header.set_mtime(u64::try_from(self.at.as_second()).unwrap_or(0));
        Ok(self.tar.append_data(&mut header, format!("{}/{name}", self.root), bytes)?)
    }
}

/// Reads an archive: the game's name and all that is kept of it.
pub(super) fn read(file: &Path) -> Result<(GameId, MovedGame), Failure> {
    let open =
        File::open(file).map_err(|fault| Failure::new(format!("could not read {}: {fault}", file.display()), ""))?;
    let mut archive = Archive::new(BufReader::new(open).take(LARGEST));
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.to_string_lossy().into_owned();
        if let Some((_, name)) = path.split_once('/').filter(|(_, name)| name.starts_with("secret/")) {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            files.insert(name.to_owned(), bytes);
        }
    }
    let head: Head = match files.get("secret/export.json") {
        Some(bytes) => serde_json::from_slice(bytes)?,
        None => {
            let what = format!("{} holds no game that can go on: it has no secret/export.json", file.display());
            return Err(Failure::new(what, "export it again, without --without-secrets"));
        }
    };
    if head.format > FORMAT {
        let what = format!("{} was written by a newer umpire ({})", file.display(), head.program);
        return Err(Failure::new(what, "update this program"));
    }
    let moved = unpacked(files, &head).map_err(|why| damaged(file, &why))?;
    Ok((GameId::new(&head.game), moved))
}

fn damaged(file: &Path, why: &str) -> Failure {
    Failure::new(format!("{} is damaged: {why}", file.display()), "nothing was imported; export the game again")
}

fn unpacked(mut files: BTreeMap<String, Vec<u8>>, head: &Head) -> Result<MovedGame, String> {
    let mut take = |name: &str| files.remove(name).ok_or_else(|| format!("{name} is missing"));
    let journal = take("secret/journal.jsonl")?;
    if fingerprint(&journal) != head.journal_sha256 {
        return Err("its journal is not the one that was exported".to_owned());
    }
    let journal = str::from_utf8(&journal).map_err(|fault| fault.to_string())?;
    let journal = journal.lines().map(entry).collect::<Result<Vec<_>, _>>()?;
    let mut letters: Vec<MovedLetter> = rows(&take("secret/in.jsonl")?)?;
    for letter in &mut letters {
        letter.raw = take(&incoming(letter.no))?;
    }
    let mut post: Vec<MovedPost> = rows(&take("secret/out.jsonl")?)?;
    for (letter, no) in post.iter_mut().zip(1..) {
        letter.raw = take(&outgoing(no))?;
    }
    let counted = (journal.len(), letters.len(), post.len());
    if counted != (head.entries, head.letters, head.post) {
        return Err("not everything in it is what was exported".to_owned());
    }
    Ok(MovedGame { journal, letters, post })
}

fn entry(line: &str) -> Result<RawEntry, String> {
    let line: Line<'_> = serde_json::from_str(line).map_err(|fault| fault.to_string())?;
    Ok(RawEntry { seq: line.seq, at: line.at, version: line.version, fact: line.fact.get().to_owned() })
}

fn rows<T: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<T>, String> {
    let text = str::from_utf8(bytes).map_err(|fault| fault.to_string())?;
    text.lines().map(|line| serde_json::from_str(line).map_err(|fault| fault.to_string())).collect()
}
