//! `ARCHITECTURE.md` lists which module imports what, which modules are pure, and which modules use which library. These tests
//! compare it with the code, in both directions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use syn::spanned::Spanned as _;
use syn::visit::Visit;

/// One row of the table of modules.
struct Module {
    floor: usize,
    is_pure: bool,
    imports: BTreeSet<String>,
}

/// Returns the cells of a table in `ARCHITECTURE.md`, without its header.
fn table(name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string("ARCHITECTURE.md").unwrap();
    let begin = format!("<!-- {name}: begin -->");
    let end = format!("<!-- {name}: end -->");
    let table = text.split(&begin).nth(1).unwrap().split(&end).next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(2);
    rows.map(|row| {
        let row = row.strip_prefix('|').unwrap().strip_suffix('|').unwrap();
        row.split('|').map(|cell| cell.trim().to_owned()).collect()
    })
    .collect()
}

fn names(cell: &str) -> BTreeSet<String> {
    cell.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn modules() -> BTreeMap<String, Module> {
    let module = |cells: Vec<String>| {
        let is_pure = cells[2] == "yes";
        (cells[0].clone(), Module { floor: cells[1].parse().unwrap(), is_pure, imports: names(&cells[3]) })
    };
    table("floors").into_iter().map(module).collect()
}

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
}

/// Every path of a file, with its line: expanded `use` trees, and paths inside the code.
#[derive(Default)]
struct Paths(Vec<(usize, Vec<String>)>);

impl Paths {
    fn unfold(&mut self, tree: &syn::UseTree, mut before: Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.unfold(&path.tree, before);
            }
            syn::UseTree::Name(name) => {
                before.push(name.ident.to_string());
                self.0.push((name.span().start().line, before));
            }
            syn::UseTree::Rename(name) => {
                before.push(name.ident.to_string());
                self.0.push((name.span().start().line, before));
            }
            syn::UseTree::Glob(glob) => self.0.push((glob.span().start().line, before)),
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| self.unfold(item, before.clone())),
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.unfold(&item.tree, Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.0.push((path.span().start().line, segments));
        syn::visit::visit_path(self, path);
    }
}

struct Source {
    path: String,
    /// The member of the workspace, except in the program.
    member: Option<String>,
    module: String,
    text: String,
    paths: Vec<(usize, Vec<String>)>,
}

/// Members with several modules. A member that has files beside them is a module as well.
const MEMBERS: &[(&str, &[&str])] = &[
    ("consent", &["approval"]),
    ("daemon", &["hub", "monitor", "reconciler", "telemetry"]),
    ("delivery", &["registration", "status", "upstream"]),
    ("journal", &["snapshot"]),
    ("kustomize", &["fix", "format", "overlay", "vendor", "yaml"]),
    ("repository", &["adopt", "trust"]),
    ("review", &["policy", "presentation", "proposal", "rehearsal"]),
    ("rollout", &["forecast", "gate", "placement"]),
];

/// Returns the module that a path of a member starts with.
fn module_of<'a>(member: &'a str, next: Option<&'a str>) -> &'a str {
    let inner = MEMBERS.iter().find(|(name, _)| *name == member).map_or(&[][..], |(_, modules)| modules);
    next.filter(|next| inner.contains(next)).unwrap_or(member)
}

/// Returns all sources. They are parsed once for all tests.
fn all() -> &'static [Source] {
    static ALL: LazyLock<Vec<Source>> = LazyLock::new(parsed);
    &ALL
}

fn parsed() -> Vec<Source> {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    let members: BTreeSet<_> =
        members().map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned()).collect();
    let of = |path: &Path| {
        let names: Vec<_> = path.iter().skip(1).map(|name| name.to_string_lossy().into_owned()).collect();
        let names = if names[0] == "core" { &names[1..] } else { &names };
        // The root of the program belongs to no module, like those of members that only hold modules.
        let is_module =
            names.len() > 2 || names.len() == 2 && !["daemon", "kustomize", "review"].contains(&names[0].as_str());
        let module = module_of(&names[0], names.get(1).map(String::as_str));
        is_module.then(|| (members.get(&names[0]).cloned(), module.to_owned()))
    };
    let read = |path: PathBuf| {
        let (member, module) = of(&path)?;
        let text = fs::read_to_string(&path).unwrap();
        let mut paths = Paths::default();
        paths.visit_file(&syn::parse_file(&text).unwrap());
        Some(Source { path: path.display().to_string(), member, module, text, paths: paths.0 })
    };
    files.into_iter().filter_map(read).collect()
}

impl Source {
    /// Returns the modules that are imported, each with the line.
    fn imports(&self) -> impl Iterator<Item = (usize, &str)> {
        self.paths.iter().filter_map(|(line, path)| {
            let next = path.get(1).map(String::as_str);
            let name = match path.first()?.strip_prefix("tidegate_") {
                Some(member) => module_of(member, next),
                None if path[0] != "crate" => return None,
                None => self.member.as_ref().map_or(next, |member| Some(module_of(member, next)))?,
            };
            Some((*line, name))
        })
    }

    /// Returns the line of the first path that starts with `prefix`.
    fn uses(&self, prefix: &[&str]) -> Option<usize> {
        let begins = |path: &[String]| path.len() >= prefix.len() && path.iter().zip(prefix).all(|(a, b)| a == b);
        let begins = |path: &[String]| begins(path) && (path != GIVEN || prefix.len() == 1);
        self.paths.iter().find(|(_, path)| begins(path)).map(|(line, _)| *line)
    }
}

#[test]
fn every_module_imports_exactly_what_the_table_says() {
    let modules = modules();
    let mut used: BTreeMap<&str, BTreeSet<String>> =
        modules.keys().map(|name| (name.as_str(), BTreeSet::new())).collect();
    let sources = all();
    let mut problems = Vec::new();
    for source in sources {
        let Some(module) = modules.get(&source.module) else {
            panic!("{}: module `{}` has no row in the table of ARCHITECTURE.md", source.path, source.module)
        };
        for (line, target) in source.imports() {
            if target == source.module || !modules.contains_key(target) {
                continue;
            }
            used.get_mut(source.module.as_str()).unwrap().insert(target.to_owned());
            if !module.imports.contains(target) {
                problems.push(format!(
                    "{}:{line}: `{}` may not import `{target}`; pass the value in, or move what both need to a lower floor",
                    source.path, source.module
                ));
            }
        }
    }
    for (name, module) in &modules {
        let stale: Vec<_> = module.imports.difference(&used[name.as_str()]).collect();
        if !stale.is_empty() {
            problems.push(format!("`{name}` does not import {stale:?}; remove that from the table"));
        }
        let above = module.imports.iter().map(|import| modules[import].floor + 1).max().unwrap_or(0);
        if module.floor != above {
            problems.push(format!("`{name}` is on floor {above}, but the table says {}", module.floor));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// Paths to the outside world, each with what to do instead.
const WORLD: &[(&[&str], &str)] = &[
    (&["tokio"], "uses async; return a value and let the loop wait"),
    (&["std", "fs"], "does I/O; take bytes"),
    (&["std", "net", "TcpStream"], "does I/O; take values"),
    (&["std", "net", "TcpListener"], "does I/O; take values"),
    (&["std", "net", "UdpSocket"], "does I/O; take values"),
    (&["std", "net", "ToSocketAddrs"], "does I/O; take values"),
    (&["std", "io", "stdin"], "does I/O; take bytes"),
    (&["std", "io", "stdout"], "does I/O; return a value"),
    (&["std", "io", "stderr"], "does I/O; return a value"),
    (&["std", "env"], "reads the environment; take an argument"),
    (&["std", "process"], "starts processes; return a value"),
    (&["std", "thread"], "starts threads; return a value"),
    (&["std", "time", "Instant"], "reads a clock; take `now`"),
    (&["std", "time", "SystemTime"], "reads a clock; take `now`"),
    (&["std", "hash", "RandomState"], "is random; take a seed"),
    (&["ring", "rand"], "is random; take a seed"),
    (&["Timestamp", "now"], "reads a clock; take `now`"),
    (&["tracing"], "logs; return what is to be logged"),
    (&["prometheus_client"], "records metrics; return what is to be counted"),
];

/// The type of a source of random numbers that the caller passes in.
const GIVEN: &[&str] = &["ring", "rand", "SecureRandom"];

/// The one file of a pure module that has randomness: signatures with ECDSA and RSA need it.
const RANDOM: &str = "src/signature/signing.rs";

#[test]
fn pure_modules_touch_neither_clock_nor_world() {
    let modules = modules();
    let mut problems = Vec::new();
    for (name, module) in modules.iter().filter(|(_, module)| module.is_pure) {
        for import in module.imports.iter().filter(|import| !modules[*import].is_pure) {
            problems.push(format!("`{name}` is pure and imports `{import}`, which is not"));
        }
    }
    let mut impure: BTreeSet<&str> = BTreeSet::new();
    let sources = all();
    for source in sources {
        let mut found: Vec<String> = WORLD
            .iter()
            .filter(|(prefix, _)| source.path != RANDOM || *prefix != ["ring", "rand"])
            .filter_map(|(prefix, why)| Some(format!("{}:{} {why}", source.path, source.uses(prefix)?)))
            .collect();
        if source.text.contains("async fn") {
            found.push(format!("{} has an async function; return a value and let the loop wait", source.path));
        }
        if !found.is_empty() {
            impure.insert(&source.module);
        }
        if modules[&source.module].is_pure {
            problems.append(&mut found);
        }
    }
    let pure = modules.iter().filter(|(name, module)| !module.is_pure && !impure.contains(name.as_str()));
    problems.extend(pure.map(|(name, _)| format!("`{name}` is pure; mark it in the table")));
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn every_library_is_used_exactly_where_the_table_says() {
    let sources = all();
    let mut problems = Vec::new();
    for cells in table("walls") {
        let (library, said) = (cells[0].as_str(), names(&cells[1]));
        let users = || sources.iter().filter_map(|source| Some((source, source.uses(&[library])?)));
        let used: BTreeSet<String> = users().map(|(source, _)| source.module.clone()).collect();
        if used != said {
            problems.push(format!("`{library}` is used by {used:?}, but the table says {said:?}"));
        }
        let is_metrics = |source: &Source| source.module == "telemetry" || source.path.ends_with("metrics.rs");
        for (source, line) in users().filter(|(source, _)| library == "prometheus_client" && !is_metrics(source)) {
            problems.push(format!("{}:{line} uses prometheus_client outside telemetry and metrics.rs", source.path));
        }
    }
    // The client and its typed access have walls of their own, unlike the types of kube, which every module may use.
    for (path, inside) in [(["kube", "Client"], &["hub", "sandbox", "cli"][..]), (["kube", "Api"], &["hub"])] {
        for source in sources.iter().filter(|source| !inside.contains(&source.module.as_str())) {
            problems.extend(source.uses(&path).map(|line| format!("{}:{line} uses {}", source.path, path.join("::"))));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn src_contains_only_sources_and_the_data_that_they_include() {
    let mut others = Vec::new();
    let texts: String = all().iter().map(|source| source.text.as_str()).collect();
    // A source file next to it compiles a data file in.
    let is_part = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_manifest = name == "Cargo.toml" && path.with_file_name("lib.rs").exists();
        is_manifest || name == "README.md" || texts.contains(&format!("include_str!(\"{name}\")"))
    };
    let mut directories = vec![PathBuf::from("src")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_none_or(|extension| extension != "rs") && !is_part(&path) {
                others.push(path);
            }
        }
    }
    assert!(others.is_empty(), "remove {others:?}");
}

#[test]
fn no_source_file_is_too_long_or_starts_without_a_description() {
    let mut breaches = Vec::new();
    for source in all() {
        let lines = source.text.lines().count();
        let most = if source.path.ends_with("mod.rs") { 60 } else { 600 };
        if lines > most {
            breaches.push(format!("{} has {lines} lines, and at most {most} are allowed: split it", source.path));
        }
        if !source.text.starts_with("//! ") {
            breaches.push(format!("{} does not start with a comment that describes it", source.path));
        }
    }
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

/// Returns the folders of the members of the workspace, without the program.
fn members() -> impl Iterator<Item = PathBuf> {
    let folders = ["src", "src/core"].into_iter().flat_map(|above| fs::read_dir(above).unwrap());
    folders.map(|entry| entry.unwrap().path()).filter(|path| path.join("Cargo.toml").exists())
}

/// Returns the `.rs` files below a directory of tests that no `mod` line names.
fn forgotten(directory: &Path, root: &str, found: &mut Vec<PathBuf>) {
    let named = fs::read_to_string(directory.join(root)).unwrap();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_root = path.file_name().is_some_and(|name| name == root);
        let is_file = path.extension().is_some_and(|extension| extension == "rs");
        // A directory with a `main.rs` is a test binary of its own.
        let is_module = path.join("mod.rs").exists();
        if (is_file && !is_root || is_module) && !named.contains(&format!("mod {name};")) {
            found.push(path.clone());
        }
        if is_module {
            forgotten(&path, "mod.rs", found);
        }
    }
}

#[test]
fn no_test_file_is_forgotten() {
    let mut found = Vec::new();
    forgotten(Path::new("tests"), "main.rs", &mut found);
    let manifests: Vec<String> =
        members().map(|member| fs::read_to_string(member.join("Cargo.toml")).unwrap()).collect();
    for binary in ["tests", "tests/core"].into_iter().flat_map(|above| fs::read_dir(above).unwrap()) {
        let path = binary.unwrap().path();
        if path.join("main.rs").exists() {
            forgotten(&path, "main.rs", &mut found);
            let named = format!("/{}/main.rs\"", path.display());
            assert!(manifests.iter().any(|manifest| manifest.contains(&named)), "no manifest names {}", path.display());
        }
    }
    assert!(found.is_empty(), "no `mod` names {found:?}");
}

#[test]
fn every_manifest_names_exactly_the_libraries_that_are_used() {
    let mut problems = Vec::new();
    for member in members() {
        let manifest: toml::Table = fs::read_to_string(member.join("Cargo.toml")).unwrap().parse().unwrap();
        let named: BTreeSet<String> =
            manifest["dependencies"].as_table().unwrap().keys().map(|name| name.replace('-', "_")).collect();
        let mut files = Vec::new();
        sources(&member, &mut files);
        let texts: Vec<String> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
        let is_used = |name: &String| texts.iter().any(|text| text.contains(&format!("{name}::")));
        let unused: Vec<_> = named.iter().filter(|name| !is_used(name)).collect();
        if !unused.is_empty() {
            problems.push(format!("{} does not use {unused:?}", member.display()));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn every_row_of_the_semantics_names_a_rule_and_an_existing_test() {
    let document = fs::read_to_string("docs/semantics.md").unwrap();
    let mut files = Vec::new();
    sources(Path::new("tests"), &mut files);
    let tests: String = files.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let source = fs::read_to_string("src/model/semantics.rs").unwrap();
    let rules = source.split("pub struct Rules {").nth(1).unwrap().split('}').next().unwrap();
    let fields = rules.lines().filter_map(|line| line.trim().strip_prefix("pub ")?.split(':').next());
    let fields: BTreeSet<&str> = fields.collect();

    let (differences, both) = document.split_once("## In both semantics").unwrap();
    let is_head = |line: &str| line.starts_with("| ---") || line.contains("| situation |");
    let rows = |part: &'static str, text: &str| {
        let lines = text.lines().filter(|line| line.starts_with("| ") && !is_head(line));
        lines.map(|line| (part, line.to_owned())).collect::<Vec<_>>()
    };
    let mut named = BTreeSet::new();
    for (part, row) in rows("differences", differences).into_iter().chain(rows("both", both)) {
        let mut cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        if part == "differences" {
            named.insert(cells.remove(0).trim_matches('`').to_owned());
        }
        assert_eq!(cells.len(), 5, "{row}");
        let shown: Vec<&str> = cells[4].split('`').skip(1).step_by(2).collect();
        assert!(!shown.is_empty(), "no test: {row}");
        for name in shown {
            assert!(tests.contains(&format!("fn {name}(")), "docs/semantics.md names {name}, but no such test exists");
        }
    }
    assert_eq!(named.iter().map(String::as_str).collect::<BTreeSet<_>>(), fields, "rules of the rows, and of `Rules`");
}

/// Returns the paths of a cell such as `` `src/a/{b,c}.rs`, `src/d/` ``.
fn paths_of(cell: &str) -> Vec<String> {
    let quoted = cell.split('`').skip(1).step_by(2).filter(|path| path.contains('/'));
    let expand = |path: &str| match path.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?))) {
        Some((head, (names, tail))) => names.split(',').map(|name| format!("{head}{name}{tail}")).collect(),
        None => vec![path.to_owned()],
    };
    quoted.flat_map(expand).collect()
}

#[test]
fn every_path_that_the_documents_name_exists() {
    let mut missing = Vec::new();
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(document).unwrap();
        let rows = text.lines().filter(|line| line.starts_with("| "));
        let named = rows.flat_map(paths_of).filter(|path| path.starts_with("src/") && !path.contains('*'));
        missing.extend(named.filter(|path| !Path::new(path).exists()));
    }
    assert!(missing.is_empty(), "not found: {missing:?}");
}

/// The files that may say who vouches for rules, by what they may write.
///
/// The fields of `Judges` are private to the first one.
const VOUCHERS: [(&str, &[&str]); 2] = [
    ("RulesInForce::", &["src/core/consent/judges.rs", "src/core/consent/rules.rs", "src/core/plan/rules.rs"]),
    (
        "Vouched::new(",
        &[
            "src/core/consent/judges.rs",
            "src/core/consent/rules.rs",
            // A proposal is compared with what is in force.
            "src/core/plan/guards.rs",
            "src/core/review/proposal/rules.rs",
            "src/daemon/reconciler/forge/approvals.rs",
            // A change is recorded with the revision whose rules were in force.
            "src/core/consent/ledger.rs",
            // The audit decides again.
            "src/audit/proof/decided.rs",
            // Someone is simulated who vouches for changes.
            "src/core/simulation/consent.rs",
        ],
    ),
];

#[test]
fn a_change_is_put_together_with_the_rules_that_judge_it_in_one_place() {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    let mut problems = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.to_string_lossy().into_owned();
        let is_allowed = |allowed: &[&str]| allowed.contains(&name.as_str());
        for (what, _) in VOUCHERS.iter().filter(|(what, allowed)| text.contains(what) && !is_allowed(allowed)) {
            problems
                .push(format!("{name} may not write `{what}`: take what `Approvals::of` or `rules_in_force` returns"));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}
