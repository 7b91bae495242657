//! The template for the next version of an add-on: a copy of the one in use, with newer images and a newer chart.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::copy::{Copied, copied};
use super::listing::listed;
use super::newer::Newer;
use super::patched::patched;
use super::refusal::Refusal;
use super::rendered::{CHART_RELEASE, is_copy};
use super::request::{Request, Upgrade, named, upgrade};
use crate::load::load_with;
use crate::operator::OperatorRules;
use crate::other_changes::new_errors;
use crate::types::Loaded;
use tidegate_api::object_key;
use tidegate_model::name::{UnitName, version_of};
use tidegate_model::tree::Tree;

/// An add-on with newer versions of what its template contains.
#[derive(Debug, Clone, Copy)]
pub struct NextRequest<'a> {
    /// The files of the newest revision.
    pub tip: &'a Tree,
    /// The directory of declarations; empty for the one in `tidegate.toml`.
    pub path: &'a str,
    /// What the operator lets the repository do on the hub.
    pub operator: &'a Arc<OperatorRules>,
    /// The add-on.
    pub addon: &'a UnitName,
    /// What is newer.
    pub newer: &'a [Newer],
}

/// A template for the next version. No add-on refers to it yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Next {
    /// Its name.
    pub template: String,
    /// The name of the template in use.
    pub from: String,
    /// Its version.
    pub version: String,
    /// The files that change, with their new texts.
    pub files: BTreeMap<String, String>,
}

/// Returns the template for the next version.
///
/// It has the version of what is newer, if the template in use has the version of what is not. Otherwise, it is the next revision of the
/// version in use: `1.0.0-r2` after `1.0.0`.
///
/// # Errors
/// [`Refusal`] if the template in use does not contain what is newer itself, or its copy would replace a file.
pub fn next(request: &NextRequest<'_>) -> Result<Next, Refusal> {
    let NextRequest { tip, path, operator, addon, newer } = *request;
    let repository = load_with(tip, path, operator).repository;
    let declared = repository.objects.get(&object_key::addon(addon.as_str()));
    let declared = declared.ok_or_else(|| Refusal::NoAddon {
        addon: addon.clone(),
        known: repository.addons.keys().map(ToString::to_string).collect(),
    })?;
    let from = match &named(&declared.object)[..] {
        [only] => only.clone(),
        several => return Err(Refusal::NotOneTemplate { addon: addon.clone(), count: several.len() }),
    };
    let template = repository.objects.iter().find(|(key, _)| key.kind == "AddOnTemplate" && key.name == from);
    let elsewhere = |file: &str| Refusal::Uncopied { template: from.clone(), file: file.to_owned() };
    let (_, template) = template.ok_or_else(|| elsewhere(""))?;
    let file = &template.place.file;
    let text = tip.files.get(file).and_then(|bytes| std::str::from_utf8(bytes).ok()).ok_or_else(|| elsewhere(file))?;
    if let Some(by) = patched(tip, file, &from) {
        return Err(Refusal::Patched { template: from, by: by.to_owned() });
    }
    let has_release =
        template.object.pointer("/metadata/annotations").is_some_and(|all| all.get(CHART_RELEASE).is_some());
    if newer.iter().any(|newer| matches!(newer, Newer::Chart { .. })) && !has_release {
        return Err(Refusal::NoRelease { template: from, file: file.clone() });
    }
    let old = version_of(addon, &from);
    let name_of =
        |version: &str| from.strip_suffix(&old).map_or_else(|| version.to_owned(), |start| format!("{start}{version}"));
    let has = |name: &str| repository.objects.keys().any(|key| key.kind == "AddOnTemplate" && key.name == name);
    let version = match followed(&old, newer) {
        Some(version) => version,
        None => revisions(&old).find(|version| !has(&name_of(version))).unwrap_or_default(),
    };
    let name = name_of(&version);
    if has(&name) {
        return Err(Refusal::Taken { what: format!("AddOnTemplate {name}") });
    }
    let copy = Copied { addon, from: (&from, &old), to: (&name, &version), newer };
    let text = copied(text, &copy).ok_or_else(|| elsewhere(file))?;
    let new_file = file_of(file, (&old, &version), &name);
    if tip.files.contains_key(&new_file) {
        return Err(Refusal::Taken { what: new_file });
    }
    let mut files = listed(tip, file, &new_file)?;
    files.insert(new_file, text);
    Ok(Next { template: name, from, version, files })
}

/// Returns the change that lets the add-on have the next version. `tree` contains the files of the newest revision and those of the next
/// version.
///
/// # Errors
/// [`Refusal`] if the next version has errors, or as for [`upgrade`].
pub fn switched(request: &NextRequest<'_>, tree: &Tree, next: &Next) -> Result<Upgrade, Refusal> {
    let NextRequest { tip, path, operator, addon, newer } = *request;
    let (before, after) = (load_with(tip, path, operator), load_with(tree, path, operator));
    let complaints = new_errors(&before, &after);
    if !complaints.is_empty() {
        return Err(Refusal::Errors { complaints });
    }
    let template = |loaded: &Loaded, name: &str| {
        let mut all = loaded.repository.objects.iter();
        all.find(|(key, _)| key.kind == "AddOnTemplate" && key.name == name)
            .map(|(_, template)| template.object.clone())
    };
    let (old, new) = (template(&before, &next.from), template(&after, &next.template));
    if !old.zip(new).is_some_and(|(old, new)| is_copy(&old, &new, &next.template, newer)) {
        return Err(Refusal::Patched { template: next.from.clone(), by: "an overlay".to_owned() });
    }
    upgrade(&Request { tip: tree, path, operator, addon, version: &next.template })
}

/// Returns the version that follows what is newer; `None` if the version in use is that of nothing, or of several things that differ now.
fn followed(old: &str, newer: &[Newer]) -> Option<String> {
    let bare = |version: &str| version.trim_start_matches('v').to_owned();
    let same = newer.iter().map(Newer::versions).filter(|(from, _)| bare(from) == bare(old));
    let versions: BTreeSet<String> = same.map(|(_, to)| bare(to)).collect();
    let v = if old.starts_with('v') { "v" } else { "" };
    versions.first().filter(|_| versions.len() == 1).map(|version| format!("{v}{version}"))
}

/// Returns the revisions after a version: `1.0.0-r2` and so on after `1.0.0`.
fn revisions(old: &str) -> impl Iterator<Item = String> {
    let revision =
        old.rsplit_once("-r").and_then(|(base, number)| Some((base.to_owned(), number.parse::<u32>().ok()?)));
    let (base, number) = revision.unwrap_or((old.to_owned(), 1));
    (number.saturating_add(1)..).map(move |number| format!("{base}-r{number}"))
}

/// Returns the file for the next version: beside that of the version in use, with the same name if that contains the version.
fn file_of(file: &str, (old, version): (&str, &str), template: &str) -> String {
    let (directory, name) = file.rsplit_once('/').unwrap_or(("", file));
    let name = if name.contains(old) { name.replace(old, version) } else { format!("{template}.yaml") };
    if directory.is_empty() { name } else { format!("{directory}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_version_follows_what_is_newer_or_is_a_revision() {
        let image = |from: &str, to: &str| Newer::Image { name: "web".into(), from: from.into(), to: to.into() };
        for (old, newer, next) in [
            ("1.0.0", image("1.0.0", "1.1.0"), "1.1.0"),
            ("1.0.0", image("v1.0.0", "v1.1.0"), "1.1.0"),
            ("v1.0.0", image("1.0.0", "1.1.0"), "v1.1.0"),
            ("1.0.0", image("2.0.0", "2.1.0"), "1.0.0-r2"),
            ("1.0.0-r2", image("2.1.0", "2.2.0"), "1.0.0-r3"),
            ("stable-rc", image("2.1.0", "2.2.0"), "stable-rc-r2"),
        ] {
            let version = followed(old, &[newer]).or_else(|| revisions(old).next());
            assert_eq!(version.as_deref(), Some(next), "{old}");
        }
        let both = [image("1.0.0", "9.0.0"), image("1.0.0", "1.1.0")];
        assert_eq!(followed("1.0.0", &both), None);
        assert_eq!(file_of("a/template-1.0.0.yaml", ("1.0.0", "1.1.0"), "web-1.1.0"), "a/template-1.1.0.yaml");
        assert_eq!(file_of("web.yaml", ("1.0.0", "1.1.0"), "web-1.1.0"), "web-1.1.0.yaml");
    }
}
