//! The rules of a repository on this machine that only the git programs follow, and the one about checked-out branches.

use std::path::Path;

use gix::protocol::transport::Service;
use gix::refs::FullName;

/// The hooks that a push may run.
///
/// # Source
/// githooks(5). `push-to-checkout` runs only with a setting that needs the programs anyway.
const HOOKS: [&str; 6] =
    ["pre-receive", "update", "post-receive", "post-update", "reference-transaction", "proc-receive"];

/// The settings in the sections `receive` and `transfer` that allow a push without the programs: they are followed here, or are about
/// deletions, forced pushes and the protocol.
///
/// # Source
/// git-config(1).
const OWN_SETTINGS: [&str; 12] = [
    "advertiseatomic",
    "advertiseobjectinfo",
    "advertisepushoptions",
    "advertisesid",
    "autogc",
    "certnonceseed",
    "certnonceslop",
    "denydeletecurrent",
    "denydeletes",
    "denynonfastforwards",
    "keepalive",
    "unpacklimit",
];

/// The extensions of the format of a repository that the library reads.
///
/// # Source
/// git-config(1), section `extensions`. The others include other ways to store refs, and objects that are still on another server.
const OWN_EXTENSIONS: [&str; 5] = ["noop", "objectformat", "preciousobjects", "relativeworktrees", "worktreeconfig"];

/// Files of operations during which a branch counts as checked out although `HEAD` does not name it.
const OPERATIONS: [&str; 3] = ["BISECT_LOG", "rebase-apply", "rebase-merge"];

/// Returns `true` if the git programs have to read or write a repository: its format is one that only they know, or its owner has
/// set up rules that only they follow.
pub(crate) fn needs_programs(repository: &gix::Repository, service: Service) -> bool {
    let is_push = service == Service::ReceivePack;
    let needs = |section: &str, setting: &str| match section {
        // Files that are included are not read here.
        "include" | "includeif" => true,
        "extensions" => !OWN_EXTENSIONS.contains(&setting),
        "core" => is_push && ["hookspath", "sharedrepository"].contains(&setting),
        "receive" => is_push && !OWN_SETTINGS.contains(&setting),
        "transfer" => setting == "hiderefs" || (is_push && !OWN_SETTINGS.contains(&setting)),
        "uploadpack" => setting == "hiderefs",
        _ => false,
    };
    let config = repository.config_snapshot();
    let has_rule = config.plumbing().sections().any(|section| {
        let name = section.header().name().to_string().to_lowercase();
        section.value_names().any(|setting| needs(&name, &setting.to_lowercase()))
    });
    has_rule || (is_push && (has_hook(repository.common_dir()) || has_unusual_checkout(repository)))
}

/// Returns why a push may not move a branch: it is checked out, so the files in the work tree would no longer match it.
pub(super) fn checked_out(repository: &gix::Repository, name: &FullName) -> gix::Result<Option<String>> {
    let is_checked_out = !repository.is_bare() && repository.head_name()?.as_ref() == Some(name);
    Ok(is_checked_out.then(|| "branch is currently checked out".to_owned()))
}

fn has_hook(directory: &Path) -> bool {
    HOOKS.iter().any(|hook| is_executable(&directory.join("hooks").join(hook)))
}

/// Returns `true` if a branch may be checked out without `HEAD` naming it.
fn has_unusual_checkout(repository: &gix::Repository) -> bool {
    let has_worktree = repository.common_dir().join("worktrees").exists();
    has_worktree || (!repository.is_bare() && OPERATIONS.iter().any(|file| repository.git_dir().join(file).exists()))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
