//! Finds what kustomizations need, without rendering them.

use std::collections::BTreeSet;

use super::chart::{Declaring, charts};
use super::files::Files;
use super::names::kustomizations;
use super::need::{Need, Needs, State, Wanted};
use super::path::{is_remote_file, is_within, parent};
use super::remote::{NotRemote, RemoteDirectory};
use super::{DIRECTORY, Lock};
use crate::yaml::{self, Fields, Node, NodeBudget, Origin, Provenance, Reader, Text};
use tidegate_model::diagnostic::Diagnostic;
use tidegate_model::tree::Tree;

/// Maximum number of vendored directories inside one another: one that a file of another one names.
const MAX_NESTED: usize = 16;
/// Maximum number of kustomizations that are examined. Each counts once for each namespace that it gets.
const MAX_KUSTOMIZATIONS: usize = 10_000;
/// Maximum number of needs.
const MAX_NEEDS: usize = 1_000;

/// The fields that may name something outside the repository, and those on which that depends.
const FIELDS: [&str; 19] = [
    "resources",
    "bases",
    "components",
    "namespace",
    "helmCharts",
    "helmGlobals",
    "helmChartInflationGenerator",
    "patches",
    "patchesJson6902",
    "patchesStrategicMerge",
    "replacements",
    "configurations",
    "crds",
    "openapi",
    "configMapGenerator",
    "secretGenerator",
    "transformers",
    "generators",
    "validators",
];

/// Returns what the kustomizations of some directories need, and those that they use. Of what is vendored, the needs are included, so that
/// vendoring is complete if all needs are [`State::Current`]. Malformed kustomizations are skipped; rendering reports them.
///
/// `roots` are the directories that are rendered by themselves: the namespace of a chart may come from the overlay that uses its
/// kustomization.
pub fn needs(tree: &Tree, roots: &[String]) -> Needs {
    // Kustomizations are not kept, so the size of the tree limits their memory.
    let budget = NodeBudget::new(usize::MAX);
    let mut walk = Walk {
        files: Files::new(tree, &budget),
        provenance: Provenance::default(),
        found: Needs::default(),
        visited: BTreeSet::new(),
        waiting: Vec::new(),
    };
    if let Err(problems) = Lock::read(tree) {
        walk.found.problems = problems;
    }
    for root in roots.iter().rev() {
        let root = if root == "." { "" } else { root };
        walk.waiting.push(Visit { directory: root.to_owned(), namespace: None, nested: 0 });
    }
    while let Some(visit) = walk.waiting.pop() {
        if walk.visited.len() >= MAX_KUSTOMIZATIONS || walk.found.needs.len() >= MAX_NEEDS {
            let message = format!(
                "more than {MAX_KUSTOMIZATIONS} kustomizations or {MAX_NEEDS} remote sources are used; use fewer of them"
            );
            walk.problem(Origin::default(), message);
            break;
        }
        if walk.visited.insert((visit.directory.clone(), visit.namespace.clone())) {
            walk.visit(&visit);
        }
    }
    walk.found
}

/// A kustomization that is to be examined.
struct Visit {
    directory: String,
    /// The namespace of the nearest overlay that has one.
    namespace: Option<String>,
    /// The number of vendored directories that led here.
    nested: usize,
}

struct Walk<'t> {
    files: Files<'t>,
    provenance: Provenance,
    found: Needs,
    visited: BTreeSet<(String, Option<String>)>,
    waiting: Vec<Visit>,
}

impl Walk<'_> {
    fn visit(&mut self, visit: &Visit) {
        let mut paths = kustomizations(&visit.directory).into_iter();
        let Some(file) = paths.find_map(|path| self.files.get(&path, &mut self.provenance)) else { return };
        let Ok(Some(node)) = yaml::kustomization(file.input()) else { return };
        // What is malformed is skipped.
        let mut reader = Reader::default();
        let fields = reader.fields(&node, "a kustomization", &FIELDS);
        let namespace = reader.text(&fields, "namespace").map(|text| text.text.to_string());
        let below = Visit {
            namespace: namespace.or_else(|| visit.namespace.clone()),
            directory: visit.directory.clone(),
            ..*visit
        };
        for name in ["resources", "bases", "generators", "transformers", "validators"] {
            reader.texts(&fields, name).iter().for_each(|text| self.resource(text, true, &below));
        }
        reader.texts(&fields, "components").iter().for_each(|text| self.resource(text, false, &below));
        for text in remote_files(&fields, &mut reader) {
            self.file(&text);
        }
        for chart in charts(&fields, &mut reader) {
            chart.files().filter(|text| is_remote_file(&text.text)).for_each(|text| self.file(text));
            let at = Declaring { directory: &visit.directory, file: &file.path, namespace: below.namespace.as_deref() };
            match chart.declare(at, &mut self.files, &mut self.provenance) {
                Ok(declaration) => self.found_chart(declaration, chart.origin),
                // The chart is found once its values files are vendored.
                Err(_) if chart.files().any(|text| is_remote_file(&text.text)) => {}
                Err(error) => self.found.problems.push(self.provenance.resolve(error)),
            }
        }
    }

    /// Adds an entry of a field that names files and directories, or only directories.
    fn resource(&mut self, text: &Text, may_be_file: bool, visit: &Visit) {
        let is_url = is_remote_file(&text.text);
        let remote = RemoteDirectory::parse(&text.text);
        let wanted = match remote {
            Ok(_) | Err(NotRemote::NoRepository) if is_url && may_be_file && is_file(&text.text) => {
                return self.file(text);
            }
            Err(NotRemote::NoRepository) if is_url && may_be_file => return self.file(text),
            Ok(remote) if is_url && may_be_file && !has_marker(&remote) => Wanted::FileOrDirectory(remote),
            Ok(remote) => Wanted::Directory(remote),
            Err(NotRemote::Path) => return self.local(text, visit),
            Err(why) => return self.problem(text.origin, why.about(&text.text)),
        };
        if !is_url && matches!(self.files.find(&visit.directory, text, &mut self.provenance), Ok(super::Found::File(_)))
        {
            return;
        }
        if visit.nested > MAX_NESTED {
            let message = format!("more than {MAX_NESTED} remote directories use one another; copy what is needed");
            return self.problem(text.origin, message);
        }
        let is_local = matches!(&wanted, Wanted::Directory(remote) if remote.is_local());
        if is_local && is_within(&visit.directory, DIRECTORY) {
            let message = "a vendored kustomization may not use a directory of the machine that vendors it; remove it";
            return self.problem(text.origin, message.to_owned());
        }
        let state = self.state(text, may_be_file);
        if let Ok(super::Found::Directory(directory)) = self.files.find(&visit.directory, text, &mut self.provenance) {
            self.waiting.push(Visit { directory, namespace: visit.namespace.clone(), nested: visit.nested + 1 });
        }
        self.add(text.origin, wanted, state);
    }

    /// Adds a directory of this repository.
    fn local(&mut self, text: &Text, visit: &Visit) {
        if let Ok(super::Found::Directory(directory)) = self.files.find(&visit.directory, text, &mut self.provenance) {
            self.waiting.push(Visit { directory, namespace: visit.namespace.clone(), nested: visit.nested });
        }
    }

    fn file(&mut self, text: &Text) {
        if let Err(why @ NotRemote::Password) = RemoteDirectory::parse(&text.text) {
            return self.problem(text.origin, why.about(&text.text));
        }
        let directory = self.files.entry_of_file(&text.text);
        let state = match (self.files.vendored_file(text, &mut self.provenance), directory) {
            (Ok(Some(_)), Some(directory)) => State::Current { directory },
            (Err(error), Some(directory)) => State::Outdated { directory, why: error.message },
            _ => State::Missing,
        };
        self.add(text.origin, Wanted::File(text.text.to_string()), state);
    }

    /// Returns the state of a remote directory, or of a file in its place.
    fn state(&mut self, text: &Text, may_be_file: bool) -> State {
        let file = self.files.entry_of_file(&text.text).filter(|_| may_be_file);
        let directory = file.clone().or_else(|| self.files.entry_of_directory(&text.text));
        let problem = match file {
            Some(_) => self.files.vendored_file(text, &mut self.provenance).err(),
            None => self.files.remote_directory(text).err(),
        };
        match (directory, problem) {
            (None, _) => State::Missing,
            (Some(directory), Some(error)) => State::Outdated { directory, why: error.message },
            (Some(directory), None) => State::Current { directory },
        }
    }

    fn found_chart(&mut self, declaration: super::ChartDeclaration, at: Origin) {
        let state = self.files.chart_state(&declaration, at);
        self.add(at, Wanted::Chart(Box::new(declaration)), state);
    }

    fn add(&mut self, at: Origin, wanted: Wanted, state: State) {
        self.found.needs.push(Need { place: self.provenance.place(at), wanted, state });
    }

    fn problem(&mut self, at: Origin, message: String) {
        self.found.problems.push(self.provenance.resolve(Diagnostic::error(at, message)));
    }
}

/// Returns the remote files that a kustomization names in fields for files.
fn remote_files(fields: &Fields<'_>, reader: &mut Reader) -> Vec<Text> {
    let mut found = Vec::new();
    for name in ["configurations", "crds", "patchesStrategicMerge"] {
        found.extend(reader.texts(fields, name));
    }
    for name in ["patches", "patchesJson6902", "replacements"] {
        let paths = reader.items(fields, name).iter().filter_map(|item| item.get("path"));
        found.extend(paths.map(|path| reader.text_of(path, "path")).collect::<Vec<_>>());
    }
    found.extend(fields.get("openapi").and_then(|node| node.get("path")).map(|path| reader.text_of(path, "path")));
    for name in ["configMapGenerator", "secretGenerator"] {
        for item in reader.items(fields, name) {
            let lists = ["files", "envs"].into_iter().filter_map(|list| item.get(list).and_then(Node::as_sequence));
            let named = lists.flatten().chain(item.get("env"));
            for text in named.map(|node| reader.text_of(node, "a file")).collect::<Vec<_>>() {
                // A file may have a key in front.
                let path = text.text.split_once('=').map_or(&*text.text, |(_, path)| path).into();
                found.push(Text { text: path, ..text });
            }
        }
    }
    found.retain(|text| is_remote_file(&text.text) && !text.text.contains('\n'));
    found
}

/// Returns `true` for a URL that ends like the name of a file with objects.
fn is_file(url: &str) -> bool {
    let address = url.split('?').next().unwrap_or(url);
    let path = address.split_once("://").map_or(address, |(_, path)| path);
    !path.contains("//")
        && !parent(path).contains(".git/")
        && [".yaml", ".yml", ".json"].iter().any(|ending| address.ends_with(ending))
}

/// Returns `true` if a source names a repository expressly: by a reference, or by a part that ends its path.
fn has_marker(remote: &RemoteDirectory) -> bool {
    let address = remote.source.split('?').next().unwrap_or_default();
    let path = address.split_once("://").map_or(address, |(_, path)| path);
    remote.reference.is_some() || path.contains("//") || path.contains("_git/") || path.contains(".git")
}
