//! The way from a directory to objects.

use std::collections::BTreeSet;

use super::complaint::{Complaint, Severity};
use super::files::Files;
use super::finish::finish;
use super::id::Id;
use super::options::Options;
use super::path::join;
use super::resource::Resource;
use super::session::Session;
use super::unused::unused;
use crate::yaml::{Fault, Node, Origin, Place, Provenance, write_all};
use tidegate_model::tree::Tree;

/// What became of a kustomization.
#[derive(Debug, Clone, Default)]
pub struct Rendered {
    /// The objects, in the order in which they are written; none if there is a complaint that is an error.
    pub objects: Vec<RenderedObject>,
    /// The sources and steps that the origins in the objects speak of.
    pub provenance: Provenance,
    /// What is wrong, or should be written in another way.
    pub complaints: Vec<Complaint>,
    /// The paths of files and directories that were looked for, found or not: the result depends on nothing else.
    pub read: BTreeSet<String>,
}

/// An object of the result.
#[derive(Debug, Clone)]
pub struct RenderedObject {
    /// The object, in the form in which it is written.
    pub node: Node,
    /// Where it was read, or where its generator stands.
    pub place: Place,
    /// What it was called before the kustomizations renamed or moved it, the first id first. A missing namespace is `default`.
    pub previous: Vec<Id>,
}

impl Rendered {
    /// Returns `true` if nothing was rendered.
    pub fn is_failed(&self) -> bool {
        self.complaints.iter().any(|complaint| complaint.severity == Severity::Error)
    }

    /// Returns the objects as YAML, byte for byte as `kustomize build` prints them.
    ///
    /// # Errors
    /// [`Fault`] if an object nests too deep to be written.
    pub fn to_yaml(&self) -> Result<String, Fault> {
        write_all(self.objects.iter().map(|object| &object.node))
    }
}

/// Renders the kustomization of a directory; `.` and the empty path are the root.
///
/// Gives what kustomize 5.8.1 gives, byte for byte, and fails where it fails, but for these rows, those of [`crate::yaml`], and those
/// of [`crate::overlay::patch`] and [`crate::overlay::replacement`]:
///
/// | situation | kustomize | here |
/// | --- | --- | --- |
/// | remote files and directories, absolute paths, paths and symbolic links that leave the repository | read | refused |
/// | `helmCharts`, `generators`, `transformers`, `validators` | run programs | refused |
/// | `vars`, `crds`, `openapi`, `varReference` | done | refused |
/// | a `name` of `images` that is no regular expression | crashes | refused |
/// | lines of env files from 64 KiB on | left out with all that follows | refused |
/// | a name without `=` in an env file | read from the environment | empty |
/// | annotations of `internal.config.kubernetes.io` in resource files | obeyed | left out |
/// | `annotations` that are a list | pairs of its elements, or crashes | refused |
/// | Namespaces of several groups, and `legacySortOptions` that do not name the kind | may contradict each other | by their groups |
/// | labels and annotations of several lines, the first of which begins with a tab | refused outside of braces | written |
/// | unknown fields in files that `replacements` name | ignored | refused |
/// | `buildMetadata: [managedByLabel]` | names its own version | names 5.8.1 |
/// | paths in annotations of `buildMetadata` through symbolic links | as they are written | as they lead |
/// | more than 50,000 objects, 64 layers, 10,000 kustomizations, 64 MiB of files, or 20 million visits of entries to objects | done | refused |
///
/// # Shape
/// Needs no files but those of the tree. The same tree gives the same result.
pub fn render(tree: &Tree, directory: &str) -> Rendered {
    render_with(tree, directory, &Options::default())
}

/// Renders as [`render`] does, with what the options say besides.
pub fn render_with(tree: &Tree, directory: &str, options: &Options) -> Rendered {
    let mut files = Files::new(tree);
    let entry = join("", directory).and_then(|entry| files.follow(&entry).ok());
    let mut session = Session::new(files, entry.as_deref().unwrap_or_default(), *options);
    let result = match &entry {
        Some(_) => all(&mut session),
        None => Err(Fault::new(Origin::default(), format!("the directory {directory} leaves the repository"))),
    };
    let objects = result.unwrap_or_else(|fault| {
        session.faults.push(fault);
        Vec::new()
    });
    let Session { files, provenance, faults, warnings, .. } = session;
    let severe = faults.into_iter().map(|fault| (fault, Severity::Error));
    let slight = warnings.into_iter().map(|fault| (fault, Severity::Warning));
    let complaint = |(fault, severity): (Fault, Severity)| {
        let mut place = provenance.place(fault.origin);
        if fault.origin.line == 0 {
            place.file = directory.into();
        }
        Complaint { place, message: fault.message, severity }
    };
    let mut complaints: Vec<_> = severe.chain(slight).map(complaint).collect();
    // A base that several overlays stand on is read for each.
    complaints.sort_by(|a, b| (a.severity, a).cmp(&(b.severity, b)));
    complaints.dedup();
    if complaints.iter().all(|complaint| complaint.severity == Severity::Warning) {
        complaints.extend(unused(tree, &files.looked_at));
    }
    let object = |resource: Resource| {
        let place = provenance.place(resource.node.origin);
        RenderedObject { previous: resource.previous_ids().collect(), node: resource.node, place }
    };
    let objects = objects.into_iter().map(object).collect();
    Rendered { objects, complaints, read: files.looked_at, provenance }
}

fn all(session: &mut Session<'_>) -> Result<Vec<Resource>, Fault> {
    let entry = session.entry.clone();
    let kustomization = session.open(&entry, Origin::default())?;
    session.tells = kustomization.build_metadata.as_ref().is_some_and(|asked| !asked.is_empty());
    let gathered = session.build(&kustomization)?;
    finish(session, &kustomization, gathered)
}
