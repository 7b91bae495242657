//! The files that a journal may have.

use tidegate_journal::documents::sealed_path;
use tidegate_journal::fleet;
use tidegate_journal::pulls::PullFile;
use tidegate_model::name::AddonName;

/// The kind of file that a path of the journal names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::audit) enum JournalFile {
    /// `README.md`.
    Page,
    /// `sync.yaml`.
    Sync,
    /// `fleet.yaml`.
    Fleet,
    /// `addons/<add-on>/status.yaml`.
    Status(AddonName),
    /// `addons/<add-on>/clusters.yaml`.
    Clusters(AddonName),
    /// `addons/<add-on>/rollouts/<n>.yaml`.
    Sealed(AddonName, u32),
    /// `pulls/<n>.yaml` or `pulls/<n>.md`.
    Pull(PullFile),
    /// Not a file of the journal.
    Stranger,
}

/// Classifies a path.
pub(in crate::audit) fn journal_file(path: &str) -> JournalFile {
    let addon = |file: &str| path.strip_prefix("addons/")?.strip_suffix(file)?.parse::<AddonName>().ok();
    match path {
        "README.md" => return JournalFile::Page,
        "sync.yaml" => return JournalFile::Sync,
        fleet::PATH => return JournalFile::Fleet,
        _ => {}
    }
    if let Some((addon, number)) = sealed_path(path) {
        // `01.yaml` and `+1.yaml` name the same number.
        let is_plain = number > 0 && path == format!("addons/{addon}/rollouts/{number}.yaml");
        return if is_plain { JournalFile::Sealed(addon, number) } else { JournalFile::Stranger };
    }
    if let Some(file) = PullFile::of(path) {
        return JournalFile::Pull(file);
    }
    match (addon("/status.yaml"), addon("/clusters.yaml")) {
        (Some(addon), _) => JournalFile::Status(addon),
        (_, Some(addon)) => JournalFile::Clusters(addon),
        _ => JournalFile::Stranger,
    }
}
