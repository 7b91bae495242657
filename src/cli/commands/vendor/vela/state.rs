//! Whether an application is rendered as it is declared.

use tidegate_kustomize::overlay::is_overlay;
use tidegate_kustomize::vendor::{Lock, VendoredApplication, inputs};
use tidegate_model::digest::Digest;
use tidegate_model::tree::Tree;
use tidegate_repository::Rendering;

/// Returns why an application has to be rendered; `None` if its file is as it was rendered from these files.
pub(in super::super) fn outdated(tree: &Tree, lock: &Lock, rendering: &Rendering) -> Option<String> {
    let Rendering { app, definitions, target, .. } = rendering;
    let Some(known) = lock.applications.iter().find(|known| known.file == *target) else {
        return Some(format!("{target} is not rendered; run `tidegate vendor`"));
    };
    let content = tree.files.get(target).map(|content| Digest::of(content));
    if content.as_ref() != Some(&known.content) {
        let what = if content.is_some() { "was changed after it was rendered" } else { "is missing" };
        return Some(format!("{target} {what}; restore it, or run `tidegate vendor` (change {app} instead)"));
    }
    let is_same = known.app == *app
        && known.definitions == *definitions
        && inputs(tree, app, definitions).is_ok_and(|inputs| inputs == known.inputs);
    (!is_same).then(|| format!("{app} or its definitions changed after {target} was rendered; run `tidegate vendor`"))
}

/// Returns why an application cannot be rendered where it is declared. `path` is the directory of the objects.
pub(in super::super) fn misplaced(tree: &Tree, lock: &Lock, path: &str, rendering: &Rendering) -> Option<String> {
    let Rendering { app, definitions, target, .. } = rendering;
    if let Err(unreadable) = inputs(tree, app, definitions) {
        return Some(unreadable.to_string());
    }
    let is_read = |file: &str| path == "." || file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    if !is_overlay(tree, path) {
        if is_read(app) {
            let why = "is below the directory of the objects, so it would be read as it is; move it elsewhere, and set repository.path";
            return Some(format!("{app} {why}"));
        }
        if !is_read(target) {
            return Some(format!(
                "{target} is not below {path:?}, the directory of the objects, so nothing would read it"
            ));
        }
    }
    let is_own = lock.applications.iter().any(|known| known.file == *target);
    if let Some(why) = tree.skipped.get(target) {
        return Some(format!("{target} cannot be replaced: {why}"));
    }
    (!is_own && tree.files.contains_key(target)).then(|| {
        format!("{target} exists already, and `tidegate vendor` has not written it; remove it, or choose another file")
    })
}

/// Returns the applications in the lock that nothing declares.
pub(in super::super) fn undeclared<'l>(
    lock: &'l Lock,
    renderings: &[Rendering],
) -> impl Iterator<Item = &'l VendoredApplication> {
    let declared: Vec<String> = renderings.iter().map(|rendering| rendering.target.clone()).collect();
    lock.applications.iter().filter(move |known| !declared.contains(&known.file))
}
