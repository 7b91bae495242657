//! The paths of a journal.

use tidegate_journal::file::{self, JournalFile};
use tidegate_journal::pulls::PullFile;

#[test]
fn a_path_is_read_as_it_is_written() {
    let hello = "hello".parse().unwrap();
    let files = [
        (file::PAGE.to_owned(), JournalFile::Page),
        (file::SYNC.to_owned(), JournalFile::Sync),
        (file::FLEET.to_owned(), JournalFile::Fleet),
        (file::status(&hello), JournalFile::Status(hello.clone())),
        (file::clusters(&hello), JournalFile::Clusters(hello.clone())),
        (file::sealed(&hello, 12), JournalFile::Sealed(hello.clone(), 12)),
        (PullFile::Plan(7).path(), JournalFile::Pull(PullFile::Plan(7))),
    ];
    for (path, wanted) in files {
        assert_eq!(JournalFile::of(&path), Some(wanted), "{path}");
    }
}

#[test]
fn other_paths_are_no_files_of_a_journal() {
    let strangers = [
        "",
        "readme.md",
        "addons/status.yaml",
        "addons/Hello/status.yaml",
        "addons/hello/status.yml",
        "addons/hello/a/status.yaml",
        "addons/hello/rollouts/0.yaml",
        "addons/hello/rollouts/01.yaml",
        "addons/hello/rollouts/+1.yaml",
        "addons/hello/rollouts/4294967296.yaml",
        "addons/../sync.yaml",
        "pulls/01.md",
    ];
    for path in strangers {
        assert_eq!(JournalFile::of(path), None, "{path}");
    }
}

#[test]
fn the_files_of_a_folder_with_an_invalid_name_are_not_kept() {
    assert!(file::is_stray("addons/Hello/status.yaml") && file::is_stray("addons/Hello/clusters.yaml"));
    for path in ["addons/hello/status.yaml", "addons/Hello/notes.yaml", "addons/Hello/rollouts/1.yaml", "status.yaml"] {
        assert!(!file::is_stray(path), "{path}");
    }
}
