//! `tidegate render`: prints the objects of an overlay as kustomize prints them, the objects of a directory of plain
//! objects, or the manifests of one cluster.

use serde_json::Value;

use super::render_cluster::for_cluster;
use crate::cli::args::{Format, RenderArgs};
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::output::document::print;
use crate::cli::process::Process;
use crate::cli::repository::overlay::{self, Choice};
use tidegate_kustomize::overlay::Rendered;

/// Prints the objects.
pub(crate) fn run(process: &Process, args: &RenderArgs) -> Result<(), Failure> {
    let Choice { tree, root, directory, options } = overlay::choose(process, &args.path, args.overlay.as_deref())?;
    match (&args.cluster, &directory) {
        (None, Some(directory)) => {
            rendered(process, &tidegate_kustomize::overlay::render_with(&tree, directory, &options), args.output)
        }
        (cluster, directory) => {
            let operator = File::read(args.operator.config.as_deref())?.operator();
            let loaded = tidegate_repository::load_with(&tree, directory.as_deref().unwrap_or_default(), &operator);
            let errors: Vec<_> = loaded.complaints.iter().filter(|complaint| complaint.is_error()).collect();
            errors.iter().for_each(|complaint| process.warn_line(&complaint.to_string()));
            match cluster {
                Some(name) => for_cluster(process, args, (&loaded.repository, &root), name)?,
                None => plain(
                    process,
                    loaded.repository.objects.values().map(|declared| declared.object.as_ref()),
                    args.output,
                )?,
            }
            if errors.is_empty() { Ok(()) } else { Err(Failure::Findings) }
        }
    }
}

/// Prints the objects of an overlay, or nothing if it could not be rendered. Complaints go to standard error.
fn rendered(process: &Process, rendered: &Rendered, format: Format) -> Result<(), Failure> {
    for complaint in &rendered.complaints {
        let severity = if complaint.is_error() { "" } else { "warning: " };
        process.warn_line(&format!("{}: {severity}{}", complaint.place, complaint.message));
    }
    if rendered.is_failed() {
        return Err(Failure::Findings);
    }
    let unwritable = |error| Failure::Usage(rendered.provenance.resolve(error).to_string());
    match format {
        Format::Yaml => process.say(&rendered.to_yaml().map_err(unwritable)?),
        Format::Json => {
            let values = rendered.objects.iter().map(|object| object.node.to_value()).collect::<Result<Vec<_>, _>>();
            process.say_line(&json(&values.map_err(unwritable)?)?)
        }
    }
}

fn plain<'a>(process: &Process, objects: impl Iterator<Item = &'a Value>, format: Format) -> Result<(), Failure> {
    match format {
        Format::Yaml => {
            let mut objects = objects;
            objects.try_for_each(|object| print(process, object))
        }
        Format::Json => process.say_line(&json(&objects.collect::<Vec<_>>())?),
    }
}

fn json(objects: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(objects).map_err(|error| Failure::internal(&error))
}
