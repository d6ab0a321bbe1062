//! What a template can do besides Tera's own filters. All of it is layout and grammar.

use super::{text, words};
use serde::Deserialize;
use tera::{Kwargs, State, StringInput, Tera, TeraResult, Value};

/// Makes the filters and functions known to `tera`.
pub fn register(tera: &mut Tera) {
    tera.register_filter("wrap", wrap);
    tera.register_filter("quoted", quoted);
    tera.register_filter("list", list);
    tera.register_filter("the", the);
    tera.register_filter("the_list", the_list);
    tera.register_filter("was", |name: &str, _: Kwargs, _: &State| words::was(name));
    tera.register_filter("upper_first", |s: &str, _: Kwargs, _: &State| words::upper_first(s));
    tera.register_filter("full_stop", |s: &str, _: Kwargs, _: &State| words::full_stop(s));
    tera.register_filter("number", |n: i64, _: Kwargs, _: &State| words::number(n));
    tera.register_filter("ordinal", |n: i64, _: Kwargs, _: &State| words::ordinal(n));
    tera.register_filter("times", |n: i64, _: Kwargs, _: &State| words::times(n));
    tera.register_filter("plural", plural);
    tera.register_filter("count", count);
    tera.register_filter("cites", cites);
    tera.register_filter("moment", moment);
    tera.register_filter("ranges", |n: Vec<u32>, _: Kwargs, _: &State| words::ranges(&n));
    tera.register_filter("grouped", |s: &str, _: Kwargs, _: &State| grouped(s));
    tera.register_filter("text_table", text_table);
    tera.register_function("numbered", numbered);
    tera.register_function("vary", vary);
}

fn wrap(input: StringInput, kwargs: Kwargs, _: &State) -> TeraResult<Value> {
    let indent = " ".repeat(kwargs.get::<usize>("indent")?.unwrap_or(0));
    let first = kwargs.get::<String>("first")?.unwrap_or_else(|| indent.clone());
    let rest = kwargs
        .get::<String>("rest")?
        .unwrap_or_else(|| if indent.is_empty() { " ".repeat(text::width(&first)) } else { indent });
    let columns = kwargs.get::<usize>("width")?.unwrap_or(text::WIDTH);
    Ok(input.inherit_safety(text::wrap(input.as_str(), &first, &rest, columns)))
}

fn quoted(text: &str, kwargs: Kwargs, _: &State) -> TeraResult<String> {
    let prefix = kwargs.get::<String>("prefix")?.unwrap_or_else(|| "  | ".to_owned());
    Ok(text::quoted(text, &prefix))
}

fn names(value: &Value) -> Vec<String> {
    match value.as_array() {
        Some(items) => items.iter().map(ToString::to_string).collect(),
        None if value.is_none() || value.is_undefined() => Vec::new(),
        None => vec![value.to_string()],
    }
}

fn list(value: &Value, _: Kwargs, _: &State) -> String {
    words::list(&names(value))
}

fn the(name: &str, _: Kwargs, _: &State) -> String {
    words::the(name)
}

fn the_list(value: &Value, _: Kwargs, _: &State) -> String {
    words::list(&names(value).iter().map(|n| words::the(n)).collect::<Vec<_>>())
}

/// `{{ n | plural(one="brigade") }}`: the word alone; `many` where an s will not do.
fn plural(n: i64, kwargs: Kwargs, _: &State) -> TeraResult<String> {
    let one = kwargs.must_get::<String>("one")?;
    let many = kwargs.get::<String>("many")?.unwrap_or_else(|| format!("{one}s"));
    Ok(if n == 1 { one } else { many })
}

/// `{{ n | count(one="brigade") }}`: "three brigades".
fn count(n: i64, kwargs: Kwargs, state: &State) -> TeraResult<String> {
    Ok(format!("{} {}", words::number(n), plural(n, kwargs, state)?))
}

fn cites(value: &Value, _: Kwargs, _: &State) -> String {
    let cites = names(value);
    if cites.is_empty() { String::new() } else { format!("[{}]", cites.join(", ")) }
}

#[derive(Deserialize)]
struct MomentIn {
    text: String,
    zone: String,
    away: String,
}

/// "Friday 4 December 2026, 20:00 in Stockholm"; `away=true` adds how far off it is.
fn moment(value: Value, kwargs: Kwargs, _: &State) -> TeraResult<String> {
    let moment = MomentIn::deserialize(&value).map_err(tera::Error::message)?;
    let mut out = format!("{} {}", moment.text, words::zone(&moment.zone));
    if kwargs.get::<bool>("away")?.unwrap_or(false) && !moment.away.is_empty() {
        out.push_str(&format!(" ({})", moment.away));
    }
    Ok(out)
}

/// A hash in groups of eight, for the eye; the bare one stands in the dice block.
fn grouped(hash: &str) -> String {
    let chars: Vec<char> = hash.chars().collect();
    chars.chunks(8).map(|c| c.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

#[derive(Deserialize)]
struct TableIn {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

fn text_table(value: Value, kwargs: Kwargs, _: &State) -> TeraResult<String> {
    let table = TableIn::deserialize(&value).map_err(tera::Error::message)?;
    Ok(text::table(&table.columns, &table.rows, kwargs.get::<usize>("indent")?.unwrap_or(2)))
}

fn numbered(kwargs: Kwargs, _: &State) -> TeraResult<String> {
    let note = kwargs.get::<String>("note")?.unwrap_or_default();
    Ok(text::numbered(&kwargs.must_get::<String>("no")?, &kwargs.must_get::<String>("text")?, &note))
}

/// `{{ vary(by=n, of=["marched", "moved"]) }}`: one of the phrasings, the same for the same number, never by chance.
fn vary(kwargs: Kwargs, _: &State) -> TeraResult<Value> {
    let by = kwargs.must_get::<u64>("by")?;
    let of = kwargs.must_get::<&[Value]>("of")?;
    let count = u64::try_from(of.len()).unwrap_or(0).max(1);
    let index = usize::try_from(by % count).unwrap_or(0);
    of.get(index).cloned().ok_or_else(|| tera::Error::message("vary(of=[]) has nothing to choose from"))
}
