//! Figures about the code: circles of files and folders, long functions, errors that are only strings.
//!
//! `cargo test --locked --test main figures -- --nocapture` prints them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use syn::spanned::Spanned as _;
use syn::visit::Visit;

/// A module by its path in its crate, such as `["gate", "checks"]`.
type Module = Vec<String>;
/// A path in code, such as `["crate", "gate", "Gate"]`.
type Named = Vec<String>;

/// A source file.
#[derive(Default)]
struct File {
    path: PathBuf,
    /// What the file names of its own crate, besides what it publishes again.
    imports: Vec<Named>,
    /// What it publishes again, by name.
    exports: BTreeMap<String, Named>,
    lines: usize,
    /// Each function with its number of lines.
    functions: Vec<(String, usize)>,
    /// Each function that returns an error that is only a string.
    strings: Vec<String>,
}

impl File {
    fn unfold(&mut self, tree: &syn::UseTree, mut before: Named, is_published: bool) {
        let (last, name) = match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                return self.unfold(&path.tree, before, is_published);
            }
            syn::UseTree::Group(group) => {
                return group.items.iter().for_each(|item| self.unfold(item, before.clone(), is_published));
            }
            syn::UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
            syn::UseTree::Rename(name) => (name.ident.to_string(), name.rename.to_string()),
            syn::UseTree::Glob(_) => (String::new(), String::new()),
        };
        before.extend(Some(last).filter(|last| !last.is_empty() && last != "self"));
        if is_published {
            self.exports.insert(name, before);
        } else {
            self.imports.push(before);
        }
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block, text: &[&str]) {
        let (begin, end) = (block.span().start().line, block.span().end().line);
        let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        let lines = text.get(begin..end.saturating_sub(1)).unwrap_or_default().iter().filter(is_code).count();
        self.functions.push((format!("{}:{begin} {}", self.path.display(), signature.ident), lines));
    }
}

/// Whether a type contains `Result<_, String>`.
struct StringError(bool);

impl<'ast> Visit<'ast> for StringError {
    fn visit_path_segment(&mut self, segment: &'ast syn::PathSegment) {
        if segment.ident == "Result"
            && let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments
            && let Some(syn::GenericArgument::Type(syn::Type::Path(error))) = arguments.args.iter().nth(1)
        {
            self.0 |= error.path.is_ident("String");
        }
        syn::visit::visit_path_segment(self, segment);
    }
}

struct Reader<'t> {
    file: File,
    text: Vec<&'t str>,
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        // A module with a body is one of tests.
        if item.content.is_none() {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let is_published = !matches!(item.vis, syn::Visibility::Inherited);
        self.file.unfold(&item.tree, Named::new(), is_published);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.file.imports.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        let mut error = StringError(false);
        error.visit_return_type(&signature.output);
        if error.0 {
            let line = signature.ident.span().start().line;
            self.file.strings.push(format!("{}:{line} {}", self.file.path.display(), signature.ident));
        }
        syn::visit::visit_signature(self, signature);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.file.function(&item.sig, &item.block, &self.text);
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.file.function(&item.sig, &item.block, &self.text);
        syn::visit::visit_impl_item_fn(self, item);
    }
}

/// The files of a crate by module.
type Crate = BTreeMap<Module, File>;

fn read(folder: &Path, root: &Path, files: &mut Crate) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.join("Cargo.toml").exists() && path != Path::new("src/core") {
            read(&path, root, files);
        }
        if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("main.rs") {
            let text = fs::read_to_string(&path).unwrap();
            let file = File { path: path.clone(), lines: text.lines().count(), ..File::default() };
            let mut reader = Reader { file, text: text.lines().collect() };
            reader.visit_file(&syn::parse_file(&text).unwrap());
            let relative = path.strip_prefix(root).unwrap().with_extension("");
            let mut module: Module = relative.iter().map(|name| name.to_string_lossy().into_owned()).collect();
            module.pop_if(|last| last == "mod" || last == "lib");
            files.insert(module, reader.file);
        }
    }
}

/// Returns the crates, parsed once for all tests.
fn crates() -> &'static [Crate] {
    static CRATES: LazyLock<Vec<Crate>> = LazyLock::new(|| {
        let folders = ["src", "src/core"].into_iter().flat_map(|above| fs::read_dir(above).unwrap());
        let members = folders.map(|entry| entry.unwrap().path()).filter(|path| path.join("Cargo.toml").exists());
        let read = |root: PathBuf| {
            let mut files = Crate::new();
            read(&root, &root, &mut files);
            files
        };
        [PathBuf::from("src")].into_iter().chain(members).map(read).collect()
    });
    &CRATES
}

/// Returns the module in which a path of a module is defined, past everything that only publishes it again.
fn defined(files: &Crate, from: &[String], path: &[String], depth: usize) -> Option<Module> {
    let mut at = from.to_vec();
    let mut rest = path;
    match rest.first()?.as_str() {
        "crate" => {
            at.clear();
            rest = &rest[1..];
        }
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|name| name == "super") {
                at.pop();
                rest = &rest[1..];
            }
        }
        name if !files.contains_key(&[from, &[name.to_owned()]].concat()) => return None,
        _ => {}
    }
    while let Some((name, after)) = rest.split_first() {
        at.push(name.clone());
        if !files.contains_key(&at) {
            at.pop();
            let published = files.get(&at).and_then(|file| file.exports.get(name)).filter(|_| depth < 8);
            return Some(published.and_then(|path| defined(files, &at, path, depth + 1)).unwrap_or(at));
        }
        rest = after;
    }
    Some(at)
}

/// Returns which file uses which others. A `mod.rs` stands for its folder, so what it uses inside of it does not count.
fn arrows(files: &Crate) -> BTreeMap<&Module, BTreeSet<Module>> {
    let targets = |(module, file): (&Module, &File)| -> BTreeSet<Module> {
        let found = file.imports.iter().filter_map(|path| defined(files, module, path, 0));
        let is_folder = file.path.ends_with("mod.rs") || file.path.ends_with("lib.rs");
        let is_inside = |target: &Module| is_folder && target.starts_with(module);
        found.filter(|target| target != module && files.contains_key(target) && !is_inside(target)).collect()
    };
    files.iter().map(|entry| (entry.0, targets(entry))).collect()
}

/// Returns everything that can be reached along the arrows.
fn reached<'a>(arrows: &'a BTreeMap<&Module, BTreeSet<Module>>, from: &Module) -> BTreeSet<&'a Module> {
    let mut found = BTreeSet::new();
    let mut next: Vec<&Module> = arrows[from].iter().collect();
    while let Some(module) = next.pop() {
        if found.insert(module) {
            next.extend(&arrows[module]);
        }
    }
    found
}

/// Returns the files that use each other, at least through others.
fn in_circles() -> Vec<String> {
    let circle = |files: &'static Crate| {
        let arrows = arrows(files);
        let is_in_one = |module: &&Module| reached(&arrows, module).contains(*module);
        files.keys().filter(is_in_one).map(|module| files[module].path.display().to_string()).collect::<Vec<_>>()
    };
    crates().iter().flat_map(circle).collect()
}

/// Returns the pairs of folders whose files use each other; a folder and one in it are no pair.
fn folder_pairs() -> BTreeSet<(PathBuf, PathBuf)> {
    let mut found = BTreeSet::new();
    for files in crates() {
        let folder = |module: &Module| files[module].path.parent().unwrap().to_path_buf();
        let between: BTreeSet<(PathBuf, PathBuf)> = arrows(files)
            .iter()
            .flat_map(|(from, targets)| targets.iter().map(|to| (folder(from), folder(to))))
            .filter(|(from, to)| !from.starts_with(to) && !to.starts_with(from))
            .collect();
        found.extend(between.iter().filter(|(a, b)| a < b && between.contains(&(b.clone(), a.clone()))).cloned());
    }
    found
}

/// Lines of code in the longest function.
const LONGEST: usize = 60;

/// The files and folders whose functions return `Result<_, String>`, and whose messages these are. Recorded vectors compare them.
const UPSTREAM: [(&str, &str); 11] = [
    ("src/cel/library/strings/format.rs", "cel-go, about the clauses of a format"),
    ("src/cel/run/plan.rs", "cel-go, about an expression that cannot be planned"),
    ("src/core/rollout/placement/decisions/group.rs", "OCM, about the groups of a Placement"),
    ("src/core/rollout/placement/filter/", "OCM and apimachinery, about the selectors of a Placement"),
    ("src/fake_forge/gitlab/statuses.rs", "GitLab, about the state of a commit"),
    ("src/go/regexp/", "regexp/syntax of Go, about an expression"),
    ("src/oracle/", "encoding/json of Go and OCM, as the vectors recorded them"),
    ("src/sandbox/request/selector/fields.rs", "apimachinery, about a field selector"),
    ("src/sandbox/service/body.rs", "encoding/json of Go, about the body of a request"),
    ("src/sandbox/verbs/body/decoding.rs", "encoding/json of Go, about an object"),
    ("src/sandbox/verbs/transaction.rs", "apimachinery, about unknown and duplicate fields"),
];

/// Returns the functions whose error is only a string.
fn strings() -> impl Iterator<Item = &'static String> {
    crates().iter().flat_map(|files| files.values()).flat_map(|file| &file.strings)
}

fn functions() -> impl Iterator<Item = &'static (String, usize)> {
    crates().iter().flat_map(|files| files.values()).flat_map(|file| &file.functions)
}

#[test]
fn no_files_use_each_other() {
    assert_eq!(in_circles(), [""; 0], "move what both need to a file below");
}

#[test]
fn no_folders_use_each_other() {
    let pairs = folder_pairs();
    assert!(pairs.is_empty(), "{pairs:?}: move what both need to a folder below");
}

#[test]
fn no_function_is_too_long() {
    let long: Vec<_> = functions().filter(|(_, lines)| *lines > LONGEST).collect();
    assert!(long.is_empty(), "{long:?}: split it into named steps");
}

#[test]
fn an_error_is_a_string_only_if_its_message_is_upstreams() {
    let is_listed = |function: &&String| UPSTREAM.iter().any(|(place, _)| function.starts_with(place));
    let own: Vec<_> = strings().filter(|function| !is_listed(function)).collect();
    assert!(own.is_empty(), "{own:#?}: return an error type, or list the file with the upstream whose message it is");
    for (place, upstream) in UPSTREAM {
        let is_used = strings().any(|function| function.starts_with(place));
        assert!(is_used, "{place} returns no message of {upstream} any more; remove the line");
    }
}

#[test]
fn figures_are_printed() {
    let files: Vec<&File> = crates().iter().flat_map(|files| files.values()).collect();
    let mut lines: Vec<usize> = files.iter().map(|file| file.lines).collect();
    lines.sort_unstable();
    let packages = fs::read_to_string("Cargo.lock").unwrap().matches("[[package]]").count();
    println!("files                                {}", files.len());
    println!("lines                                {}", lines.iter().sum::<usize>());
    println!("lines of a file: median, most        {}, {}", lines[lines.len() / 2], lines[lines.len() - 1]);
    println!("functions                            {}", functions().count());
    println!("functions above {LONGEST} lines           {}", functions().filter(|f| f.1 > LONGEST).count());
    println!("files in circles                     {}", in_circles().len());
    println!("pairs of folders that use each other {}", folder_pairs().len());
    for (a, b) in folder_pairs() {
        println!("  {} {}", a.display(), b.display());
    }
    println!("functions with a string as error     {}", strings().count());
    println!("packages in Cargo.lock               {packages}");
    assert!(files.len() > 1_000, "the sources were found");
}
