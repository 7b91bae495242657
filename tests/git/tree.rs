//! Tests of reading the files of commits, including malicious ones.

use tidegate_git::{Error, Limits, Mirror};
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;

use super::fixture::{Entry, File, Link, Scratch, Submodule, git};

/// Fetches what was imported, with these limits.
fn fetched(scratch: &Scratch, limits: Limits) -> (Mirror, CommitId) {
    let mirror = scratch.mirror("state").with_limits(limits);
    let tip = mirror.fetch(&["main"]).unwrap().remove("main").unwrap();
    (mirror, tip)
}

fn read(entries: &[Entry<'_>], limits: Limits) -> Tree {
    let scratch = Scratch::new();
    scratch.import("main", entries);
    let (mirror, tip) = fetched(&scratch, limits);
    mirror.tree(&tip, "").unwrap()
}

fn paths(tree: &Tree) -> Vec<&str> {
    tree.files.keys().map(String::as_str).collect()
}

#[test]
fn tree_has_every_file_below_the_path_with_its_full_path() {
    let scratch = Scratch::new();
    let entries =
        [File("a.yaml", b"a"), File("prod/b.yaml", b"b"), File("prod/eu/c.yaml", b"\xff\x00"), File("product/d", b"d")];
    scratch.import("main", &entries);
    let (mirror, tip) = fetched(&scratch, Limits::default());
    for root in ["", ".", "/", "./"] {
        let tree = mirror.tree(&tip, root).unwrap();
        assert_eq!(paths(&tree), ["a.yaml", "prod/b.yaml", "prod/eu/c.yaml", "product/d"], "{root:?}");
        assert_eq!(tree.files["prod/eu/c.yaml"], b"\xff\x00");
        assert!(tree.skipped.is_empty());
    }
    for below in ["prod", "prod/", "./prod", "/prod//"] {
        assert_eq!(paths(&mirror.tree(&tip, below).unwrap()), ["prod/b.yaml", "prod/eu/c.yaml"], "{below:?}");
    }
}

#[test]
fn path_that_is_not_a_directory_is_an_error() {
    let scratch = Scratch::new();
    scratch.import("main", &[File("a/b", b""), Link("link", "a"), Submodule("module")]);
    let (mirror, tip) = fetched(&scratch, Limits::default());
    for path in ["absent", "a/b", "a/b/c", "link", "module", "..", "a/..", "a/../a"] {
        let error = mirror.tree(&tip, path).unwrap_err();
        assert!(matches!(error, Error::NoDirectory { .. }), "{path}: {error:?}");
    }
    let unknown = "0".repeat(40).parse().unwrap();
    assert!(matches!(mirror.tree(&unknown, ""), Err(Error::UnknownCommit { .. })));
    let sha256 = "0".repeat(64).parse().unwrap();
    assert!(matches!(mirror.tree(&sha256, ""), Err(Error::UnknownCommit { .. })));
}

#[test]
fn ten_thousand_files_are_read() {
    let names: Vec<String> = (0..10_000).map(|at| format!("clusters/{:03}/{at}.yaml", at % 100)).collect();
    let entries: Vec<Entry<'_>> = names.iter().map(|name| File(name, name.as_bytes())).collect();
    let tree = read(&entries, Limits::default());
    assert_eq!(tree.files.len(), 10_000);
    assert!(tree.files.iter().all(|(path, content)| path.as_bytes() == content));
    assert!(tree.skipped.is_empty());
}

/// Returns what was skipped and why, for a snapshot.
fn skipped(tree: &Tree) -> String {
    tree.skipped.iter().map(|(path, why)| format!("{path}: {why}\n")).collect()
}

#[test]
fn links_and_submodules_are_skipped_with_the_reason() {
    let entries =
        [File("a", b"a"), Link("escape", "../../etc/passwd"), Link("inside", "a"), Submodule("third-party/module")];
    let tree = read(&entries, Limits::default());
    assert_eq!(paths(&tree), ["a"]);
    insta::assert_snapshot!(skipped(&tree));
}

#[test]
fn lfs_pointers_are_not_files() {
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    let about = [&pointer[..], &b"# and more\n".repeat(100)].concat();
    let tree =
        read(&[File("about.md", &about), File("big.bin", pointer), File("small", b"version")], Limits::default());
    assert_eq!(paths(&tree), ["about.md", "small"]);
    insta::assert_snapshot!(skipped(&tree));
}

#[test]
fn only_the_file_above_the_limit_is_skipped() {
    let limits = Limits { file_bytes: 10, ..Limits::default() };
    let tree = read(&[File("a", b"0123456789"), File("b", b"0123456789+"), File("c", b"")], limits);
    assert_eq!(paths(&tree), ["a", "c"]);
    insta::assert_snapshot!(skipped(&tree));
}

#[test]
fn huge_file_is_not_read() {
    let huge = vec![0; 20 << 20];
    let tree = read(&[File("huge", &huge), File("small", b"1")], Limits::default());
    assert_eq!(paths(&tree), ["small"]);
    assert!(!tree.is_cut && tree.skipped.contains_key("huge"));
}

#[test]
fn reading_stops_at_the_limit_on_total_bytes_and_says_so() {
    let limits = Limits { bytes: 20, ..Limits::default() };
    let tree = read(&[File("a", &[1; 10]), File("b", &[2; 10]), File("c", &[3]), File("d", &[])], limits);
    assert_eq!(paths(&tree), ["a", "b"]);
    assert!(tree.is_cut);
    insta::assert_snapshot!(skipped(&tree));
}

#[test]
fn reading_stops_at_the_limit_on_entries_and_says_so() {
    let limits = Limits { entries: 3, ..Limits::default() };
    let tree = read(&[File("a", b""), File("b/c", b""), File("d", b"")], limits);
    assert_eq!(paths(&tree), ["a", "d"], "the directory counts as well");
    assert_eq!(tree.skipped.len(), 1);
    assert!(tree.is_cut && tree.skipped.contains_key("b/c"));
}

#[test]
fn few_objects_that_describe_many_files_stop_at_the_limit() {
    let scratch = Scratch::new();
    let root = scratch.remote_path();
    let blob = git(&root, &["hash-object", "-w", "--stdin"], b"x");
    let mut tree = git(&root, &["mktree"], format!("100644 blob {blob}\tf\n").as_bytes());
    for _ in 0..12 {
        let ten: String = (0..10).map(|at| format!("040000 tree {tree}\t{at}\n")).collect();
        tree = git(&root, &["mktree"], ten.as_bytes());
    }
    commit_tree(&scratch, &tree);
    let (mirror, tip) = fetched(&scratch, Limits { entries: 1_000, ..Limits::default() });
    let found = mirror.tree(&tip, "").unwrap();
    assert!(found.files.len() < 1_000);
    assert_eq!(found.skipped.len(), 1);
}

#[test]
fn deep_nesting_is_not_followed() {
    let path = format!("{}deep", "d/".repeat(200));
    let tree = read(&[File(&path, b"1"), File("flat", b"2")], Limits::default());
    assert_eq!(paths(&tree), ["flat"]);
    assert_eq!(tree.skipped.values().collect::<Vec<_>>(), ["it is nested too deeply"]);
}

#[test]
fn names_that_are_unsafe_or_not_utf8_are_skipped() {
    let scratch = Scratch::new();
    let root = scratch.remote_path();
    let blob = git(&root, &["hash-object", "-w", "--stdin"], b"x");
    let blob: Vec<u8> = (0..20).map(|at| u8::from_str_radix(&blob[2 * at..2 * at + 2], 16).unwrap()).collect();
    let mut tree = Vec::new();
    let names: [&[u8]; 6] = [b"..", b".GIT", b"a/../../b", b"back\\slash", b"good", b"latin-\xe9"];
    for name in names {
        tree.extend_from_slice(b"100644 ");
        tree.extend_from_slice(name);
        tree.push(0);
        tree.extend_from_slice(&blob);
    }
    let tree = git(&root, &["hash-object", "-t", "tree", "-w", "--literally", "--stdin"], &tree);
    commit_tree(&scratch, &tree);
    let (mirror, tip) = fetched(&scratch, Limits::default());
    let found = mirror.tree(&tip, "").unwrap();
    assert_eq!(paths(&found), ["good"]);
    insta::assert_snapshot!(skipped(&found));
}

#[test]
fn read_returns_only_regular_files() {
    let scratch = Scratch::new();
    scratch.import("main", &[File("a/b", b"content"), Link("link", "a/b"), File("big", &[0; 101])]);
    let (mirror, tip) = fetched(&scratch, Limits { file_bytes: 100, ..Limits::default() });
    assert_eq!(mirror.read(&tip, "a/b").unwrap().unwrap(), b"content");
    for path in ["absent", "a", "a/b/c", "link", "", ".", "..", "../a/b", "link/x"] {
        assert_eq!(mirror.read(&tip, path).unwrap(), None, "{path:?}");
    }
    assert!(matches!(mirror.read(&tip, "big"), Err(Error::TooLarge { bytes: 101, limit: 100, .. })));
}

/// Commits a tree to `main` by its id.
fn commit_tree(scratch: &Scratch, tree: &str) {
    let identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
    let arguments = [&identity[..], &["commit-tree", "-m", "hostile", tree]].concat();
    let commit = scratch.git_remote(&arguments);
    scratch.git_remote(&["update-ref", "refs/heads/main", &commit]);
}

/// Commits a tree with these lines to the branch `main` of the remote; `git mktree` accepts names twice.
fn committed(scratch: &Scratch, lines: &str) -> CommitId {
    let tree = git(&scratch.remote_path(), &["mktree"], lines.as_bytes());
    let identity = ["-c", "user.name=Eve", "-c", "user.email=eve@example.org"];
    let made = [&identity[..], &["commit-tree", &tree, "-m", "twice"]].concat();
    let commit = git(&scratch.remote_path(), &made, b"");
    git(&scratch.remote_path(), &["update-ref", "refs/heads/main", &commit], b"");
    commit.parse().unwrap()
}

#[test]
fn a_directory_that_contains_a_name_twice_is_refused_by_every_reader() {
    let scratch = Scratch::new();
    let good = scratch.import("main", &[File("approvals/a.yaml", b"a"), File("b.yaml", b"b")]);
    let object = |content: &[u8]| git(&scratch.remote_path(), &["hash-object", "-w", "--stdin"], content);
    let (first, second) = (object(b"first"), object(b"second"));
    let below = |lines: &str| git(&scratch.remote_path(), &["mktree"], lines.as_bytes());
    let (one, two) =
        (below(&format!("100644 blob {first}\ta.yaml\n")), below(&format!("100644 blob {second}\ta.yaml\n")));
    for (lines, name) in [
        (format!("100644 blob {first}\tb.yaml\n100644 blob {second}\tb.yaml\n"), "b.yaml"),
        (format!("040000 tree {one}\tapprovals\n040000 tree {two}\tapprovals\n"), "approvals"),
        (
            format!(
                "100644 blob {first}\tapprovals\n100644 blob {second}\tapprovals.yaml\n040000 tree {two}\tapprovals\n"
            ),
            "approvals",
        ),
    ] {
        let tip = committed(&scratch, &lines);
        let mirror = scratch.mirror("state");
        mirror.fetch(&["main"]).unwrap();
        mirror.obtain(&good).unwrap();
        let refused = |error: Error| {
            assert!(matches!(&error, Error::DuplicateEntry { name: found, .. } if found == name), "{error:?}")
        };
        refused(mirror.tree(&tip, "").unwrap_err());
        refused(mirror.tree(&tip, "approvals").unwrap_err());
        refused(mirror.read(&tip, "b.yaml").unwrap_err());
        refused(mirror.changed_paths(None, &tip).unwrap_err());
        refused(mirror.directory_history("approvals", None, &tip, 10).unwrap_err());
        drop(mirror);
        std::fs::remove_dir_all(scratch.path().join("state")).unwrap();
    }
}

#[test]
fn a_directory_that_contains_itself_a_billion_times_over_is_not_walked_to_the_end() {
    let scratch = Scratch::new();
    scratch.import("main", &[File("b.yaml", b"b")]);
    let made = |lines: &str| git(&scratch.remote_path(), &["mktree"], lines.as_bytes());
    let directories = (0..7).fold(made(""), |below, _| {
        made(&(0..20).map(|at| format!("040000 tree {below}\td{at:02}\n")).collect::<String>())
    });
    let tip = committed(&scratch, &format!("040000 tree {directories}\tapprovals\n"));
    let mirror = scratch.mirror("state");
    mirror.fetch(&["main"]).unwrap();
    let history = mirror.directory_history("approvals", None, &tip, 10).unwrap();
    assert_eq!(history.versions, []);
}
