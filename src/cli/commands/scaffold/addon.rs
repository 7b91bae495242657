//! `tidegate addon new`: an add-on from plain manifests or from a Helm chart.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use super::addon_files::{Content, NewAddon, addon_files};
use super::home::{Home, home};
use super::init::VERSION;
use super::manifests;
use super::names::{check, check_chart, check_version};
use crate::cli::args::{AddonArgs, AddonCommand, NewAddonArgs};
use crate::cli::failure::Failure;
use crate::cli::new_files;
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
    let chart = ["oci://", "https://", "http://"].iter().any(|scheme| args.from.starts_with(scheme));
    if chart {
        check_chart(&args.from)?;
    }
    let version = match (&args.version, chart) {
        (Some(version), _) => version.as_str(),
        (None, false) => VERSION,
        (None, true) => return Err(Failure::Usage("give the version of the chart with --version".to_owned())),
    };
    check_version(&args.name, version)?;
    let chosen = args.dir.clone().map(|path| directory::inside("--dir", path)).transpose()?;
    let repository = repository(&args.repository)?;
    if repository.addons.keys().any(|known| known.as_str() == args.name) {
        return Err(Failure::Usage(format!(
            "the repository has an add-on {:?} already; choose another name",
            args.name
        )));
    }
    let placement = placement(&repository, args.placement.as_deref())?;
    let has_canary = repository.placements.get(&placement).is_some_and(|placement| {
        let strategy = placement.spec.decision_strategy.as_ref().and_then(|strategy| strategy.group_strategy.as_ref());
        strategy.is_some_and(|strategy| strategy.decision_groups.iter().any(|group| group.group_name == "canary"))
    });
    let addon =
        NewAddon { name: &args.name, version, namespace: &placement.namespace, placement: &placement.name, has_canary };
    let files = match chart {
        true => addon_files(&addon, &Content::Chart(&args.from)),
        false => addon_files(&addon, &Content::Manifests(&manifests::items(&args.from, &read(&args.from)?)?)),
    };
    let home = home(&args.repository, &repository.settings.path, &args.name, chosen)?;
    let files: BTreeMap<String, String> =
        files.into_iter().map(|(name, text)| (format!("{}/{name}", home.folder), text)).collect();
    new_files::write(&args.repository, &files)?;
    for name in files.keys() {
        process.say_line(&format!("wrote {name}"))?;
    }
    process.say_line(&next(&home, files.keys(), chart))
}

/// Loads the repository.
fn repository(root: &Path) -> Result<Repository, Failure> {
    let tree = directory::tree(root)?;
    if !tree.files.contains_key(SETTINGS_FILE) {
        return Err(Failure::Usage(format!(
            "{} has no {SETTINGS_FILE}; name the root of a config repository with --repository, or make one with `tidegate init`",
            root.display()
        )));
    }
    Ok(load(&tree, "").repository)
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

/// Reads the manifests; `-` is the standard input.
fn read(from: &str) -> Result<String, Failure> {
    let text = match from {
        "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text)
        }
        path => fs::read_to_string(path),
    };
    text.map_err(|error| {
        let hint = "name a file with manifests, - for the standard input, or a chart such as oci://registry.example.com/charts/name";
        Failure::Usage(format!("--from {from}: {error}; {hint}"))
    })
}

/// Returns what to do next.
fn next<'a>(home: &Home, files: impl Iterator<Item = &'a String>, chart: bool) -> String {
    let mut text = "\nNext:\n".to_owned();
    if let Some(directory) = &home.kustomization {
        text.push_str(&format!("  add these lines to `resources` in the kustomization of {directory}:\n"));
        for file in files {
            let inside = file.strip_prefix(directory).unwrap_or(file).trim_start_matches('/');
            text.push_str(&format!("    - {inside}\n"));
        }
    }
    if chart {
        text.push_str("  tidegate vendor      # renders the chart into vendor/\n");
    }
    text.push_str("  tidegate validate\n  tidegate plan");
    text
}
