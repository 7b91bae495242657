//! `tidegate addon new`: an add-on from plain manifests or from a Helm chart.

use std::path::Path;

use super::addon_files::{NewAddon, addon_files, first_strategy};
use super::content::{Content, Source};
use super::home::Home;
use super::names::check;
use crate::cli::args::{AddonArgs, AddonCommand, NewAddonArgs};
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::repository::directory;
use tidegate_model::name::NamespacedName;
use tidegate_model::near::nearest;
use tidegate_repository::{Repository, SETTINGS_FILE, load};

/// Runs a command about add-ons.
pub(crate) fn run(process: &Process, args: &AddonArgs) -> Result<(), Failure> {
    match &args.command {
        AddonCommand::New(args) => new(process, args),
    }
}

/// Writes the files of the add-on into the repository, and prints what to do next.
fn new(process: &Process, args: &NewAddonArgs) -> Result<(), Failure> {
    check("the name", &args.name)?;
    let source = Source::new(&args.name, &args.content)?;
    let repository = repository_without(&args.home.repository, &args.name)?;
    let home = Home::find(&args.home, &repository, &args.name)?;
    let placement = placement(&repository, args.placement.as_deref())?;
    let has_canary = repository.placements.get(&placement).is_some_and(|placement| {
        let strategy = placement.spec.decision_strategy.as_ref().and_then(|strategy| strategy.group_strategy.as_ref());
        strategy.is_some_and(|strategy| strategy.decision_groups.iter().any(|group| group.group_name == "canary"))
    });
    let addon = NewAddon {
        name: &args.name,
        version: source.version,
        namespace: &placement.namespace,
        placement: &placement.name,
        strategy: first_strategy(has_canary),
    };
    let content = source.content()?;
    let home = home.write(process, addon_files(&addon, &content))?;
    process.say_line(&home.next(matches!(content, Content::Chart(_))))
}

/// Loads the repository, which must not have the add-on.
pub(super) fn repository_without(root: &Path, addon: &str) -> Result<Repository, Failure> {
    let tree = directory::tree(root)?;
    if !tree.files.contains_key(SETTINGS_FILE) {
        return Err(Failure::Usage(format!(
            "{} has no {SETTINGS_FILE}; name the root of a config repository with --repository, or make one with `tidegate init`",
            root.display()
        )));
    }
    let repository = load(&tree, "").repository;
    if repository.addons.keys().any(|known| known.as_str() == addon) {
        return Err(Failure::Usage(format!("the repository has an add-on {addon:?} already; choose another name")));
    }
    Ok(repository)
}

/// Returns the placement that is asked for, or the only one.
fn placement(repository: &Repository, asked: Option<&str>) -> Result<NamespacedName, Failure> {
    let known: Vec<String> = repository.placements.keys().map(ToString::to_string).collect();
    let listed = known.join(", ");
    match asked {
        Some(asked) => {
            let mut matching =
                repository.placements.keys().filter(|name| name.to_string() == asked || name.name == asked);
            let found = matching.next();
            if matching.next().is_some() {
                return Err(Failure::Usage(format!(
                    "there are several Placements {asked:?}; add the namespace: {listed}"
                )));
            }
            let hint = || match nearest(asked, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("there are: {listed}"),
            };
            found
                .cloned()
                .ok_or_else(|| Failure::Usage(format!("the repository has no Placement {asked:?}; {}", hint())))
        }
        None => match &repository.placements.keys().collect::<Vec<_>>()[..] {
            [only] => Ok((*only).clone()),
            [] => Err(Failure::Usage(
                "the repository has no Placement, which selects clusters; `tidegate init` writes one".to_owned(),
            )),
            _ => Err(Failure::Usage(format!("there are several Placements; name one with --placement: {listed}"))),
        },
    }
}
