//! The law of the floors: `ARCHITECTURE.md` says what may import what, and this refuses the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::spanned::Spanned as _;
use syn::visit::Visit;

/// What the table in `ARCHITECTURE.md` says: module to floor and allowed imports.
fn law() -> BTreeMap<String, (u8, BTreeSet<String>)> {
    let text = fs::read_to_string("ARCHITECTURE.md").unwrap();
    let table = text.split("<!-- floors: begin -->").nth(1).unwrap().split("<!-- floors: end -->").next().unwrap();
    let rows = table
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| module") && !line.starts_with("| ---"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let allowed = cells[2].split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect();
        (cells[0].to_owned(), (cells[1].parse().unwrap(), allowed))
    })
    .collect()
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

/// Every path of a file, with its line: `use` trees unfolded, and paths inside the code.
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
    module: String,
    text: String,
    paths: Vec<(usize, Vec<String>)>,
}

fn all() -> Vec<Source> {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    files
        .into_iter()
        .filter(|path| !path.ends_with("src/lib.rs") && !path.ends_with("src/main.rs"))
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let module =
                path.components().nth(1).unwrap().as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned();
            let mut paths = Paths::default();
            paths.visit_file(&syn::parse_file(&text).unwrap());
            Source { path: path.display().to_string(), module, text, paths: paths.0 }
        })
        .collect()
}

#[test]
fn every_module_imports_only_what_its_floor_allows() {
    let law = law();
    let mut breaches = Vec::new();
    for source in all() {
        let (floor, allowed) = law.get(&source.module).unwrap_or_else(|| {
            panic!("{}: module `{}` has no line in the table of ARCHITECTURE.md", source.path, source.module)
        });
        for (line, path) in &source.paths {
            let (Some("crate"), Some(target)) = (path.first().map(String::as_str), path.get(1)) else { continue };
            let Some((target_floor, _)) = law.get(target) else { continue };
            if *target != source.module && !allowed.contains(target) {
                breaches.push(format!(
                    "{}:{line} imports `{target}`: floor {floor} (`{}`) may not import floor {target_floor} (`{target}`); pass the value in, or move what both need to a lower floor",
                    source.path, source.module
                ));
            }
        }
    }
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

#[test]
fn the_table_has_no_circle_and_no_way_up() {
    let law = law();
    for (module, (floor, allowed)) in &law {
        for target in allowed {
            let (target_floor, _) =
                law.get(target).unwrap_or_else(|| panic!("`{module}` may import `{target}`, which has no line"));
            let is_named_exception = matches!(
                (module.as_str(), target.as_str()),
                ("api" | "approval" | "cel" | "signature" | "yaml", "model")
                    | ("journal" | "audit", "plan")
                    | ("audit", "journal")
                    | ("repository", "overlay")
            );
            assert!(
                target_floor < floor || is_named_exception,
                "`{module}` (floor {floor}) may not import `{target}` (floor {target_floor})"
            );
        }
    }
}

#[test]
fn pure_floors_touch_neither_clock_nor_world() {
    let pure = [
        "model",
        "yaml",
        "overlay",
        "api",
        "approval",
        "signature",
        "repository",
        "placement",
        "rollout",
        "delivery",
        "plan",
        "journal",
        "audit",
        "checker",
    ];
    let forbidden: &[(&[&str], &str)] = &[
        (&["tokio"], "has async; return a value and let the loop wait"),
        (&["std", "fs"], "does I/O; take bytes"),
        (&["std", "net"], "does I/O; take values"),
        (&["std", "env"], "reads the environment; take an argument"),
        (&["std", "process"], "starts processes; return a value"),
        (&["std", "thread"], "starts threads; return a value"),
        (&["std", "time", "Instant"], "reads a clock; take `now`"),
        (&["std", "time", "SystemTime"], "reads a clock; take `now`"),
        (&["Timestamp", "now"], "reads a clock; take `now`"),
        (&["tracing"], "logs; return what is to be told"),
        (&["prometheus_client"], "counts; return what is to be counted"),
    ];
    let mut breaches = Vec::new();
    for source in all().iter().filter(|source| pure.contains(&source.module.as_str())) {
        for (line, path) in &source.paths {
            for (prefix, why) in forbidden {
                if path.len() >= prefix.len() && path.iter().zip(*prefix).all(|(a, b)| a == b) {
                    breaches.push(format!("{}:{line} uses `{}`, which {why}", source.path, path.join("::")));
                }
            }
        }
        if source.text.contains("async fn") {
            breaches.push(format!("{} has an async function: floors 0 to 2 are synchronous", source.path));
        }
    }
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

#[test]
fn libraries_stay_behind_their_walls() {
    let walls: &[(&[&str], &[&str])] = &[
        (&["gix"], &["git"]),
        (&["gix_pack"], &["git"]),
        (&["kube", "Client"], &["hub", "sandbox", "cli"]),
        (&["kube", "Api"], &["hub"]),
        (&["axum"], &["sandbox", "monitor"]),
        (&["clap"], &["cli"]),
        (&["pgp"], &["signature"]),
        (&["ssh_key"], &["signature"]),
    ];
    let mut breaches = Vec::new();
    for source in all() {
        for (line, path) in &source.paths {
            for (prefix, inside) in walls {
                let is_it = path.len() >= prefix.len() && path.iter().zip(*prefix).all(|(a, b)| a == b);
                if is_it && !inside.contains(&source.module.as_str()) {
                    breaches.push(format!(
                        "{}:{line} uses `{}`, which belongs to {}",
                        source.path,
                        path.join("::"),
                        inside.join(", ")
                    ));
                }
            }
            let is_metrics = source.module == "telemetry" || source.path.ends_with("metrics.rs");
            if path.first().is_some_and(|first| first == "prometheus_client") && !is_metrics {
                breaches
                    .push(format!("{}:{line} uses prometheus_client outside telemetry and metrics.rs", source.path));
            }
        }
    }
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

#[test]
fn no_file_holds_more_than_it_can() {
    let mut breaches = Vec::new();
    for source in all() {
        let lines = source.text.lines().count();
        let most = if source.path.ends_with("mod.rs") { 60 } else { 600 };
        if lines > most {
            breaches.push(format!("{} has {lines} lines; {most} is the most: split it", source.path));
        }
        if !source.text.starts_with("//! ") {
            breaches.push(format!("{} does not begin with what it is", source.path));
        }
    }
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

#[test]
fn no_test_file_is_forgotten() {
    let main = fs::read_to_string("tests/main.rs").unwrap();
    for entry in fs::read_dir("tests").unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_module = path.join("mod.rs").exists() || path.extension().is_some_and(|e| e == "rs");
        if name != "main" && is_module {
            assert!(main.contains(&format!("mod {name};")), "tests/main.rs does not name {name}");
        }
        if path.is_dir() && path.join("mod.rs").exists() {
            let module = fs::read_to_string(path.join("mod.rs")).unwrap();
            for file in fs::read_dir(&path).unwrap() {
                let file = file.unwrap().path();
                let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
                if file.extension().is_some_and(|e| e == "rs") && stem != "mod" {
                    assert!(module.contains(&format!("mod {stem};")), "{}/mod.rs does not name {stem}", path.display());
                }
            }
        }
    }
}

#[test]
fn every_difference_of_the_semantics_has_the_test_that_it_names() {
    let document = fs::read_to_string("docs/semantics.md").unwrap();
    let mut files = Vec::new();
    sources(Path::new("tests"), &mut files);
    let tests: String = files.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let rows = document
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| ---") && !line.starts_with("| situation"));
    let mut counted = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        assert_eq!(cells.len(), 5, "{row}");
        let named: Vec<&str> = cells[4].split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "no test: {row}");
        for name in named {
            assert!(
                tests.contains(&format!("fn {name}(")),
                "docs/semantics.md names {name}, and there is no such test"
            );
            counted += 1;
        }
    }
    assert!(counted > 20);
}
