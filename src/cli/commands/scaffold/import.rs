//! `tidegate import`: an add-on with the staged rollout of another tool.

use std::collections::BTreeSet;

use super::addon::repository_without;
use super::addon_files::{NewAddon, addon_files};
use super::content::{Content, Source, read};
use super::home::Home;
use super::imported_files::{imported_files, line, strategy_lines};
use super::names::{check, check_label_key};
use crate::cli::args::ImportArgs;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use tidegate_import::{Imported, Options, Report, import};
use tidegate_kustomize::yaml::{Input, Node, Provenance, manifests};
use tidegate_repository::Repository;

/// Imports the objects, prints what became of their fields, and writes the files.
pub(crate) fn run(process: &Process, args: &ImportArgs) -> Result<(), Failure> {
    check("--addon", &args.addon)?;
    args.group_label.as_deref().map_or(Ok(()), check_label_key)?;
    if args.files.iter().chain([&args.content.from]).filter(|name| *name == "-").count() > 1 {
        return Err(Failure::Usage("only one file can be the standard input".to_owned()));
    }
    let source = Source::new(&args.addon, &args.content)?;
    let repository = repository_without(&args.home.repository, &args.addon)?;
    let home = Home::find(&args.home, &repository, &args.addon)?;
    if repository.placements.keys().any(|known| known.name == args.addon) {
        return Err(Failure::Usage(format!(
            "the repository has a Placement {:?} already; choose another name",
            args.addon
        )));
    }
    if let Some(unknown) = args.approvers.iter().find(|name| !repository.settings.people.knows(name)) {
        return Err(Failure::Usage(format!(
            "--approver {unknown}: [people] in tidegate.toml does not define it, so that no one could give the approval; define it, or write an \
             address"
        )));
    }
    let namespace = namespace(&repository, args.namespace.as_deref())?;
    let mut provenance = Provenance::default();
    let nodes = parse(&args.files, &mut provenance)?;
    let options = Options {
        addon: &args.addon,
        namespace: &namespace,
        approvers: &args.approvers,
        group_label: args.group_label.as_deref(),
    };
    let content = source.content()?;
    let (imported, report) = import(&nodes, &options);
    print(process, &report, &provenance)?;
    let imported = usable(imported, &report, args.partial)?;
    let addon = NewAddon {
        name: &args.addon,
        version: source.version,
        namespace: &namespace,
        placement: &args.addon,
        strategy: strategy_lines(&imported.strategy)?,
    };
    let mut files = addon_files(&addon, &content);
    files.extend(imported_files(&imported, &report, &provenance)?);
    let home = home.write(process, files)?;
    if let Some(key) = args.group_label.as_ref().filter(|_| !imported.labels.is_empty()) {
        process.say_line(&labels(key, &imported))?;
    }
    process.say_line(&home.next(matches!(content, Content::Chart(_))))
}

/// Returns the namespace that is asked for, or the only one with Placements.
fn namespace(repository: &Repository, asked: Option<&str>) -> Result<String, Failure> {
    if let Some(asked) = asked {
        check("--namespace", asked)?;
        return Ok(asked.to_owned());
    }
    let known: BTreeSet<&str> = repository.placements.keys().map(|name| name.namespace.as_str()).collect();
    match &known.iter().collect::<Vec<_>>()[..] {
        [only] => Ok((**only).to_owned()),
        [] => Err(Failure::Usage(
            "the repository has no Placement; name the namespace of the new one with --namespace".to_owned(),
        )),
        _ => {
            let known: Vec<&str> = known.into_iter().collect();
            Err(Failure::Usage(format!(
                "there are Placements in several namespaces; name one with --namespace: {}",
                known.join(", ")
            )))
        }
    }
}

/// Reads the objects of the files.
fn parse(files: &[String], provenance: &mut Provenance) -> Result<Vec<Node>, Failure> {
    let mut nodes = Vec::new();
    for name in files {
        let text = read("FILE", name)?;
        let source = provenance.add_source(name.as_str());
        let parsed = manifests(Input::of_file(source, text.as_bytes()));
        nodes.extend(parsed.map_err(|error| Failure::Usage(provenance.resolve(error).to_string()))?);
    }
    if nodes.is_empty() {
        return Err(Failure::Usage(format!(
            "{} has no objects; name the files with the objects of the other tool",
            files.join(", ")
        )));
    }
    Ok(nodes)
}

/// Prints what became of the fields, with their places.
fn print(process: &Process, report: &Report, provenance: &Provenance) -> Result<(), Failure> {
    for entry in &report.entries {
        process.say_line(&line(entry, provenance))?;
    }
    Ok(())
}

/// Returns what can be written, or why nothing is.
fn usable(imported: Option<Imported>, report: &Report, is_partial: bool) -> Result<Imported, Failure> {
    let refused = report.refused().count();
    let Some(imported) = imported else {
        return Err(Failure::Usage(format!("nothing was written: {} cannot be imported, see above", fields(refused))));
    };
    match report.left_out().count() {
        0 => Ok(imported),
        _ if is_partial => Ok(imported),
        left => Err(Failure::Usage(format!(
            "nothing was written: {} no counterpart, see above; --partial leaves them out",
            if left == 1 { "1 field has".to_owned() } else { format!("{left} fields have") }
        ))),
    }
}

fn fields(count: usize) -> String {
    if count == 1 { "1 field".to_owned() } else { format!("{count} fields") }
}

/// Returns which clusters need which value of the group label.
fn labels(key: &str, imported: &Imported) -> String {
    let before = "before the import is merged, or in the same commit; a cluster without one does not get the add-on";
    let mut text = format!("\nGive the clusters these labels, {before}:\n");
    for (cluster, value) in &imported.labels {
        let line = match cluster {
            Some(cluster) => format!("  kubectl label managedcluster {cluster} {key}={value}\n"),
            None => format!("  {key}={value} on all others that shall get the add-on\n"),
        };
        text.push_str(&line);
    }
    text.trim_end().to_owned()
}
