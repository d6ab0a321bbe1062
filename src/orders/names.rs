//! Names and what they can stand for: in full, shortened, misspelt.

use super::fold::words_of;
use std::collections::BTreeMap;

/// How near the words came to the name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Closeness {
    /// The name as it stands in the data.
    Exact,
    /// Shortened, in a way that fits only what was found.
    Shortened,
    /// One slip of the pen away, and from nothing else.
    Slip,
}

/// What was found at a place in a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found<T> {
    /// How many words it takes.
    pub words: usize,
    /// What it can stand for, in order, without repetition.
    pub things: Vec<T>,
    /// How near.
    pub closeness: Closeness,
}

/// An index of names. That of a board with thousands of them is made once for its campaign.
#[derive(Clone, Debug)]
pub struct Names<T> {
    by_first: BTreeMap<String, Vec<(Vec<String>, T)>>,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self { by_first: BTreeMap::new() }
    }
}

impl<T: Clone + Ord> Names<T> {
    /// Adds a name for a thing. A thing may have many names, a name stand for many things.
    pub fn add(&mut self, name: &str, thing: T) {
        self.add_words(words_of(name), thing);
    }

    /// Adds a name given as folded words.
    pub fn add_words(&mut self, words: Vec<String>, thing: T) {
        let Some(first) = words.first().cloned() else { return };
        let list = self.by_first.entry(first).or_default();
        if !list.iter().any(|(have, what)| *have == words && *what == thing) {
            list.push((words, thing));
        }
    }

    /// The longest name with which `sentence` begins, word for word, and all that bear it.
    pub fn exact(&self, sentence: &[&str]) -> Option<Found<T>> {
        let list = self.by_first.get(*sentence.first()?)?;
        let fits = |words: &[String]| {
            words.len() <= sentence.len() && words.iter().zip(sentence).all(|(have, said)| have == said)
        };
        let longest = list.iter().filter(|(words, _)| fits(words)).map(|(words, _)| words.len()).max()?;
        let bearers = list.iter().filter(|(words, _)| words.len() == longest && fits(words));
        Some(found(longest, bearers.map(|(_, thing)| thing.clone()).collect(), Closeness::Exact))
    }

    /// The longest name that the first words of `sentence` shorten, each to three letters at least: `Nov Garr`. A first word
    /// that is whole counts as shortened to itself.
    pub fn shortened(&self, sentence: &[&str]) -> Option<Found<T>> {
        let first = *sentence.first()?;
        if first.len() < 3 {
            return None;
        }
        let stem = |said: &str, have: &str| said == have || (said.len() >= 3 && have.starts_with(said));
        let names = self.by_first.range(first.to_owned()..).take_while(|(key, _)| key.starts_with(first));
        let fitting: Vec<&(Vec<String>, T)> = names
            .flat_map(|(_, list)| list)
            .filter(|(words, _)| {
                words.len() <= sentence.len() && words.iter().zip(sentence).all(|(have, said)| stem(said, have))
            })
            .collect();
        let longest = fitting.iter().map(|(words, _)| words.len()).max()?;
        let things = fitting.into_iter().filter(|(words, _)| words.len() == longest).map(|(_, thing)| thing.clone());
        Some(found(longest, things.collect(), Closeness::Shortened))
    }

    /// The names of one word that are a single slip away from `word` (a letter wrong, missing, doubled or two changed
    /// round); `None` for words under five letters, where a slip could be anything.
    pub fn slip(&self, word: &str) -> Option<Found<T>> {
        if word.len() < 5 {
            return None;
        }
        let near = self.near(word, 1);
        let things: Vec<T> = near.into_iter().map(|(_, _, thing)| thing).collect();
        (!things.is_empty()).then(|| found(1, things, Closeness::Slip))
    }

    /// The names within `distance` slips of `word`, nearest first, for "did you mean".
    pub fn near(&self, word: &str, distance: usize) -> Vec<(usize, String, T)> {
        let mut near: Vec<(usize, String, T)> = Vec::new();
        let in_word = letters(word);
        for (words, thing) in self.by_first.values().flatten() {
            // A slip is sought in names of one word; thousands of names are no time for making strings.
            let [name] = words.as_slice() else { continue };
            // A slip changes two of the letters that occur at most; to see that is cheap, to count slips is not.
            let differing = (letters(name) ^ in_word).count_ones() as usize;
            if name.len().abs_diff(word.len()) > distance || differing > 2 * distance {
                continue;
            }
            let off = strsim::osa_distance(name, word);
            if off <= distance {
                near.push((off, name.clone(), thing.clone()));
            }
        }
        near.sort();
        near
    }
}

/// Which letters occur, a bit each; some letters share one.
fn letters(word: &str) -> u32 {
    word.chars().fold(0, |seen, letter| seen | 1 << (u32::from(letter) % 32))
}

fn found<T: Ord>(words: usize, mut things: Vec<T>, closeness: Closeness) -> Found<T> {
    things.sort();
    things.dedup();
    Found { words, things, closeness }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names<u32> {
        let mut names = Names::default();
        for (name, thing) in
            [("Novgorod", 1), ("Novgorod Garrison", 2), ("Novgorod Horse", 3), ("Dünamünde", 4), ("Dünaburg", 5)]
        {
            names.add(name, thing);
        }
        names
    }

    #[test]
    fn the_longest_name_wins() {
        assert_eq!(names().exact(&["novgorod", "horse", "to"]).unwrap().things, [3]);
        assert_eq!(names().exact(&["novgorod", "to"]).unwrap().things, [1]);
    }

    #[test]
    fn shortened_names_need_three_letters_and_may_fit_several() {
        assert_eq!(names().shortened(&["nov", "garr"]).unwrap().things, [2]);
        assert_eq!(names().shortened(&["dun"]).unwrap().things, [4, 5]);
        assert_eq!(names().shortened(&["no"]), None);
    }

    #[test]
    fn a_slip_is_one_letter() {
        assert_eq!(names().slip("novogrod").unwrap().things, [1]);
        assert_eq!(names().slip("novbroad"), None);
    }
}
