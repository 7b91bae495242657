//! Renders a directory to objects.

use std::collections::BTreeSet;

use super::options::Options;
use super::unused::unused;
use crate::overlay::build::BuildContext;
use crate::overlay::input::Files;
use crate::overlay::model::{Id, Resource};
use crate::overlay::output::finish;
use crate::vendor::path::join;
use crate::yaml::{Error, Node, NodeBudget, Origin, Provenance, write_all};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::tree::Tree;

/// The result of rendering a kustomization.
#[derive(Debug, Clone, Default)]
pub struct Rendered {
    /// The objects, in output order. Empty if any complaint is an error.
    pub objects: Vec<RenderedObject>,
    /// The sources and steps that the origins in the objects refer to.
    pub provenance: Provenance,
    /// Errors and warnings.
    pub complaints: Vec<Diagnostic>,
    /// The paths of files and directories that were looked for, found or not: the result depends on nothing else.
    pub read: BTreeSet<String>,
}

/// An object of the result.
#[derive(Debug, Clone)]
pub struct RenderedObject {
    /// The object, in its output form.
    pub node: Node,
    /// Where it was read, or where its generator is.
    pub place: Place,
    /// Its ids before the kustomizations renamed or moved it, oldest first. A missing namespace is `default`.
    pub previous: Vec<Id>,
}

impl Rendered {
    /// Returns `true` if nothing was rendered.
    pub fn is_failed(&self) -> bool {
        self.complaints.iter().any(Diagnostic::is_error)
    }

    /// Returns the objects as YAML, byte for byte as `kustomize build` prints them.
    ///
    /// # Errors
    /// [`Error`] if an object nests too deep to be written.
    pub fn to_yaml(&self) -> Result<String, Error> {
        write_all(self.objects.iter().map(|object| &object.node))
    }
}

/// Renders the kustomization of a directory. `.` and the empty path mean the root.
///
/// The result is that of kustomize 5.8.1, byte for byte, and rendering fails where kustomize fails, except for these cases and
/// those listed in [`crate::yaml`], [`crate::overlay::patch`] and [`crate::overlay::replacement`]:
///
/// | situation | kustomize | here |
/// | --- | --- | --- |
/// | remote files and directories | fetched | their vendored copies are read |
/// | `helmCharts` | run Helm | the vendored output is read |
/// | paths in annotations of `buildMetadata` for remote directories | name the repository | name the vendored directory |
/// | a URL that may be a file and a directory | fetched as a file first | as it was vendored |
/// | absolute paths, paths and symbolic links that leave the repository or a vendored directory, `vendor/` without a lock | read | refused |
/// | plugins that are not built in | run programs | refused |
/// | an OpenAPI document that is malformed, but that no patch needs | ignored | refused |
/// | types of `crds` that contain themselves | never ends | refused |
/// | a validator that adds an empty prefix or suffix | refused, unless a name had a prefix or suffix before | accepted |
/// | `$` before a character beyond ASCII, in a field in which vars are replaced | the string becomes base64 of broken text | unchanged |
/// | values of vars of more than 16 MiB in total | accepted | refused |
/// | a `name` of `images` that is not a regular expression | crashes | refused |
/// | lines of 64 KiB or more in env files | dropped with all that follow | refused |
/// | a name without `=` in an env file | read from the environment | empty |
/// | annotations of `internal.config.kubernetes.io` in resource files | applied | removed |
/// | `annotations` that are a list | reads the elements as pairs, or crashes | refused |
/// | Namespaces of several groups, with `legacySortOptions` that do not list the kind | order may be inconsistent | sorted by group |
/// | labels and annotations of several lines, the first of which starts with a tab | refused outside flow mappings | written |
/// | unknown fields in files that `replacements` name | ignored | refused |
/// | `buildMetadata: [managedByLabel]` | names its own version | names 5.8.1 |
/// | paths in annotations of `buildMetadata` through symbolic links | as written | resolved |
/// | more than 50,000 objects, 64 layers, 10,000 kustomizations, 64 MiB of files, 3 million nodes, or 20 million visits of entries to objects | accepted | refused |
///
/// # Shape
/// Needs no files except those of the tree. The same tree always gives the same result.
pub fn render(tree: &Tree, directory: &str) -> Rendered {
    render_with(tree, directory, &Options::default())
}

/// Renders like [`render`], with options.
pub fn render_with(tree: &Tree, directory: &str, options: &Options) -> Rendered {
    render_within(tree, directory, options, &NodeBudget::default())
}

/// Renders like [`render_with`], and takes the nodes of the files from a budget.
pub fn render_within(tree: &Tree, directory: &str, options: &Options, budget: &NodeBudget) -> Rendered {
    let mut files = Files::new(tree, budget);
    let entry = join("", directory).and_then(|entry| files.follow(&entry).ok());
    let mut context = BuildContext::new(files, entry.as_deref().unwrap_or_default(), *options);
    let result = match &entry {
        Some(_) => all(&mut context),
        None => Err(Origin::default().error(format!("the directory {directory} leaves the repository"))),
    };
    let objects = result.unwrap_or_else(|error| {
        context.errors.push(error);
        Vec::new()
    });
    let BuildContext { files, provenance, errors, warnings, .. } = context;
    let complaint = |problem: Diagnostic<Origin>| {
        let mut complaint = provenance.resolve(problem);
        if complaint.place.line == 0 {
            complaint.place.file = directory.to_owned();
        }
        complaint
    };
    let mut complaints: Vec<_> = errors.into_iter().chain(warnings).map(complaint).collect();
    // A base that several overlays use is read once for each of them.
    complaints.sort_by(|a, b| (a.severity, a).cmp(&(b.severity, b)));
    complaints.dedup();
    if !complaints.iter().any(Diagnostic::is_error) {
        complaints.extend(unused(tree, &files.looked_at));
    }
    let object = |resource: Resource| {
        let place = provenance.place(resource.node.origin);
        RenderedObject { previous: resource.previous_ids().collect(), node: resource.node, place }
    };
    let objects = objects.into_iter().map(object).collect();
    Rendered { objects, complaints, read: files.looked_at, provenance }
}

fn all(context: &mut BuildContext<'_>) -> Result<Vec<Resource>, Error> {
    let entry = context.entry.clone();
    context.files.check_entry(&entry)?;
    let kustomization = context.open(&entry, Origin::default())?;
    context.records_changes = kustomization.build_metadata.as_ref().is_some_and(|asked| !asked.is_empty());
    let accumulator = context.build(&kustomization)?;
    finish(context, &kustomization, accumulator)
}
