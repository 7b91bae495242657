//! `tidegate init`: a config repository to begin with.

use std::collections::BTreeMap;

use super::addon_files::{NewAddon, addon_files, first_strategy};
use super::content::{Content, VERSION};
use super::files;
use super::manifests;
use super::names::{check, check_owner};
use super::team_files;
use super::text::filled;
use crate::cli::args::InitArgs;
use crate::cli::commands::schema;
use crate::cli::failure::Failure;
use crate::cli::new_files;
use crate::cli::process::Process;
use tidegate_go::label::{label_key_faults, value_faults};
use tidegate_repository::is_system_namespace;

/// Writes the repository, and prints what to do next.
pub(crate) fn run(process: &Process, args: &InitArgs) -> Result<(), Failure> {
    let (key, value) = checked(args)?;
    new_files::check_empty(&args.dir)?;
    let files = repository(args, key, value)?;
    new_files::write(&args.dir, &files)?;
    process.say(&summary(args, files.len()))
}

/// Checks the names, and returns the label of the clusters.
fn checked(args: &InitArgs) -> Result<(&str, &str), Failure> {
    check("--addon", &args.addon)?;
    check("--placement", &args.placement)?;
    check("--namespace", &args.namespace)?;
    if is_system_namespace(&args.namespace) {
        return Err(Failure::Usage(format!("--namespace {:?} belongs to the hub; choose another one", args.namespace)));
    }
    args.overlays.iter().try_for_each(|overlay| check("--overlays", overlay))?;
    args.owners.iter().try_for_each(|owner| check_owner(owner))?;
    let label = || {
        let (key, value) = args.clusters.split_once('=')?;
        (!key.is_empty() && !value.is_empty()).then_some((key, value))
    };
    let Some((key, value)) = label() else {
        let given = &args.clusters;
        return Err(Failure::Usage(format!(
            "--clusters {given:?}: write a label as key=value, such as fleet=production"
        )));
    };
    match label_key_faults(key).into_iter().chain(value_faults(value)).next() {
        None => Ok((key, value)),
        Some(fault) => Err(Failure::Usage(format!("--clusters {:?}: {fault}", args.clusters))),
    }
}

/// Returns all files by their paths.
fn repository(args: &InitArgs, key: &str, value: &str) -> Result<BTreeMap<String, String>, Failure> {
    let root = if args.overlays.is_empty() { "fleet" } else { "base" };
    let path = args.overlays.first().map_or_else(|| root.to_owned(), |overlay| format!("overlays/{overlay}"));
    let about_overlays = match args.overlays.is_empty() {
        true => String::new(),
        false => "| `overlays/` | what is different on each hub; its daemon reads it with `--path overlays/NAME` |\n"
            .to_owned(),
    };
    let values = [
        ("ADDON", args.addon.as_str()),
        ("KEY", key),
        ("NAMESPACE", &args.namespace),
        ("OVERLAYS", &about_overlays),
        ("PATH", &path),
        ("PLACEMENT", &args.placement),
        ("ROOT", root),
        ("VALUE", value),
        ("VERSION", VERSION),
    ];
    let mut declarations = BTreeMap::from([
        ("clusters/fleet.yaml".to_owned(), filled(files::CLUSTERS, &values)),
        (format!("placements/{}.yaml", args.placement), filled(files::PLACEMENT, &values)),
    ]);
    let addon = NewAddon {
        name: &args.addon,
        version: VERSION,
        namespace: &args.namespace,
        placement: &args.placement,
        strategy: first_strategy(true),
    };
    let hello = manifests::items("hello.yaml", &filled(files::HELLO, &values))?;
    for (name, text) in addon_files(&addon, &Content::Manifests(hello)) {
        declarations.insert(format!("addons/{}/{name}", args.addon), text);
    }
    if !args.overlays.is_empty() {
        declarations.insert("kustomization.yaml".to_owned(), kustomization(declarations.keys()));
    }

    let mut files: BTreeMap<String, String> =
        declarations.into_iter().map(|(name, text)| (format!("{root}/{name}"), text)).collect();
    for overlay in &args.overlays {
        let values = [&values[..], &[("OVERLAY", overlay)]].concat();
        files.insert(format!("overlays/{overlay}/kustomization.yaml"), filled(files::OVERLAY, &values));
        files.insert(format!("overlays/{overlay}/config.yaml"), filled(files::OVERLAY_CONFIG, &values));
    }
    files.insert("tidegate.toml".to_owned(), filled(files::SETTINGS, &values));
    files.insert("README.md".to_owned(), filled(files::README, &values));
    files.extend(team_files::editors(&format!("{root}/**/*.yaml")));
    let hubs = team_files::hubs(&args.overlays);
    files.extend(args.forge.iter().flat_map(|forge| team_files::pipelines(*forge, &hubs, args.newer)));
    if !args.owners.is_empty() {
        files.extend([team_files::owners(args.forge, &args.owners)]);
    }
    for name in ["control", "repository", "settings"] {
        files.insert(format!("schemas/{name}.json"), schema::text_of(name)?);
    }
    Ok(files)
}

/// Returns the kustomization of the base.
fn kustomization<'a>(files: impl Iterator<Item = &'a String>) -> String {
    let resources: String = files.map(|file| format!("  - {file}\n")).collect();
    format!("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n{resources}")
}

/// Returns what was written, and what to do next.
fn summary(args: &InitArgs, count: usize) -> String {
    let directory = args.dir.display();
    let is_here = args.dir.as_os_str() == ".";
    let enter = if is_here { String::new() } else { format!("  cd {directory}\n") };
    let begin = if args.dir.join(".git").exists() { "" } else { "git init --quiet --initial-branch main && " };
    let demo = match args.clusters.as_str() {
        "fleet=demo" => "  tidegate demo --repository .    # on simulated clusters\n",
        _ => "",
    };
    let owners = match args.owners.is_empty() {
        true => "\nNo one is named who has to review changes: add a CODEOWNERS file, or begin again with --owner.\n",
        false => "",
    };
    format!(
        "wrote {count} files to {directory}\n\nNext:\n{enter}  \
         {begin}git add --all && git commit --quiet --message 'The first declarations'\n  \
         tidegate validate\n{demo}  \
         tidegate doctor --source URL    # with the hub and the forge\n{owners}"
    )
}
