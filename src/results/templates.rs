//! The templates: built in, and overridden one by one by files of the same name in an umpire's own `templates/` folder.

use super::{filters, words};
use include_dir::{Dir, include_dir};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tera::{Context, ErrorKind, Tera};

static SHIPPED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// What is wrong with a template, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", self.said())]
pub struct TemplateFault {
    /// The file: a path in the umpire's folder, or `templates/...` for a built-in one.
    pub file: String,
    /// The line, from 1; 0 if it is about the file as a whole.
    pub line: usize,
    /// What is wrong or missing, a sentence.
    pub message: String,
}

impl TemplateFault {
    fn said(&self) -> String {
        match self.line {
            0 => format!("{}: {}", self.file, self.message),
            line => format!("{}:{line}: {}", self.file, self.message),
        }
    }
}

/// All templates, parsed.
pub struct Templates {
    tera: Tera,
    origins: BTreeMap<String, PathBuf>,
    style: String,
    mark: String,
}

impl Templates {
    /// The built-in templates with those of `overrides` (a folder that need not exist) over them.
    ///
    /// # Errors
    /// The first template that cannot be read or parsed.
    pub fn load(overrides: Option<&Path>) -> Result<Self, TemplateFault> {
        let mut sources = BTreeMap::new();
        shipped(&SHIPPED, &mut sources);
        let mut origins = BTreeMap::new();
        if let Some(folder) = overrides.filter(|f| f.is_dir()) {
            own(folder, folder, &mut sources, &mut origins)?;
        }
        let mark = fingerprint(&sources);
        let style = sources.remove("shared/style.css").unwrap_or_default();
        let mut tera = Tera::new();
        filters::register(&mut tera);
        let parsed = tera.add_raw_templates(sources.iter().filter(|(name, _)| !name.ends_with(".css")));
        let templates = Self { tera, origins, style, mark };
        match parsed {
            Ok(()) => Ok(templates),
            Err(error) => Err(templates.fault("templates", &error)),
        }
    }

    /// The pages' style sheet.
    pub fn style(&self) -> &str {
        &self.style
    }

    /// A word that differs when any template does.
    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// The names of all templates, sorted: `shared/results.txt`.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.tera.get_template_names().collect();
        names.sort_unstable();
        names
    }

    /// Whether there is such a template.
    pub fn has(&self, name: &str) -> bool {
        self.tera.contains_template(name)
    }

    /// The template of this name that belongs to the system, or the shared one.
    pub fn name_for(&self, system: &str, name: &str) -> String {
        let own = format!("{system}/{name}");
        if self.has(&own) { own } else { format!("shared/{name}") }
    }

    /// Renders a template. Everything in `facts` is data: no word in it is ever read as a template.
    ///
    /// # Errors
    /// The fault, with the file and the line.
    pub fn render<T: Serialize>(&self, name: &str, facts: &T) -> Result<String, TemplateFault> {
        let context = Context::from_serialize(facts).map_err(|e| self.fault(name, &e))?;
        self.tera.render(name, &context).map_err(|e| self.fault(name, &e))
    }

    fn fault(&self, name: &str, error: &tera::Error) -> TemplateFault {
        let (file, line, message) = match error.kind() {
            ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => {
                (report.filename(), report.span().start_line, report.message().to_owned())
            }
            other => (name, 0, other.to_string()),
        };
        TemplateFault { file: self.place(file), line, message: in_plain_words(&message) }
    }

    fn place(&self, name: &str) -> String {
        match self.origins.get(name) {
            Some(path) => path.display().to_string(),
            None if name == "templates" => name.to_owned(),
            None => format!("templates/{name}"),
        }
    }
}

/// Tera's message as a sentence, without the lines that draw the place (the fault names it already).
fn in_plain_words(message: &str) -> String {
    let first = message.lines().next().unwrap_or("").trim().trim_start_matches("error: ");
    words::full_stop(&words::upper_first(first))
}

fn fingerprint(sources: &BTreeMap<String, String>) -> String {
    let mut hash = Sha256::new();
    for text in sources.iter().flat_map(|(name, text)| [name, text]) {
        hash.update(text.len().to_le_bytes());
        hash.update(text.as_bytes());
    }
    data_encoding::HEXLOWER.encode(&hash.finalize())
}

fn shipped(dir: &Dir<'static>, into: &mut BTreeMap<String, String>) {
    for file in dir.files() {
        let name = file.path().to_string_lossy().replace('\\', "/");
        if let Some(text) = file.contents_utf8().filter(|_| is_template(&name)) {
            into.insert(name, text.to_owned());
        }
    }
    for below in dir.dirs() {
        shipped(below, into);
    }
}

fn own(
    root: &Path,
    folder: &Path,
    sources: &mut BTreeMap<String, String>,
    origins: &mut BTreeMap<String, PathBuf>,
) -> Result<(), TemplateFault> {
    let unreadable = |path: &Path, e: std::io::Error| TemplateFault {
        file: path.display().to_string(),
        line: 0,
        message: format!("This cannot be read: {e}."),
    };
    let entries = fs::read_dir(folder).map_err(|e| unreadable(folder, e))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            own(root, &path, sources, origins)?;
            continue;
        }
        let Ok(relative) = path.strip_prefix(root) else { continue };
        let name = relative.to_string_lossy().replace('\\', "/");
        if is_template(&name) {
            let text = fs::read_to_string(&path).map_err(|e| unreadable(&path, e))?;
            sources.insert(name.clone(), text);
            origins.insert(name, path);
        }
    }
    Ok(())
}

fn is_template(name: &str) -> bool {
    [".txt", ".html", ".css"].iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn with(files: &[(&str, &str)]) -> Result<Templates, TemplateFault> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Templates::load(Some(folder.path()))
    }

    #[test]
    fn the_built_in_templates_parse() {
        let templates = Templates::load(None).unwrap();
        assert!(templates.names().len() > 50);
        assert!(!templates.style().is_empty());
    }

    #[test]
    fn a_missing_folder_overrides_nothing() {
        assert!(Templates::load(Some(Path::new("/nowhere/at/all"))).is_ok());
    }

    #[test]
    fn an_own_file_stands_over_the_built_in_one() {
        let templates = with(&[("shared/notice/held.txt", "Halt! {{ reason }}")]).unwrap();
        let text = templates.render("shared/notice/held.txt", &json!({ "reason": "fire" })).unwrap();
        assert_eq!(text, "Halt! fire");
    }

    #[test]
    fn faults_name_file_line_and_what_is_missing() {
        let fault = with(&[("shared/notice/held.txt", "one\ntwo {% if %}\n")]).err().unwrap();
        assert!(fault.file.ends_with("shared/notice/held.txt") && fault.line == 2, "{fault}");

        let templates = with(&[("shared/notice/held.txt", "one\n\n{{ raeson }}\n")]).unwrap();
        let fault = templates.render("shared/notice/held.txt", &json!({ "reason": "fire" })).unwrap_err();
        assert!(fault.line == 3 && fault.message.contains("raeson"), "{fault}");

        let fault = with(&[("shared/notice/held.txt", "\n{{ reason | shout }}\n")]).err().unwrap();
        assert!(fault.message.contains("shout"), "{fault}");
    }

    #[test]
    fn words_of_players_are_data() {
        let templates = with(&[("x.txt", "{{ w }}"), ("x.html", "<p>{{ w }}</p>")]).unwrap();
        let facts = json!({ "w": "{{ root }}{% include 'x' %}<script>alert(1)</script>" });
        assert_eq!(templates.render("x.txt", &facts).unwrap(), facts["w"].as_str().unwrap());
        let html = templates.render("x.html", &facts).unwrap();
        assert!(!html.contains("<script") && html.contains("{{ root }}"), "{html}");
    }
}
