//! The `git` program, without any configuration of the user.

use std::path::Path;
use std::process::Command;

/// Returns a `git` command that knows nothing of the user.
pub(crate) fn git_command(dir: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(dir)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", dir)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    command
}

/// Runs `git` as Ada, and returns its output. A command that fails is an error of the test.
pub(crate) fn git(dir: &Path, arguments: &[&str]) -> String {
    let ada = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    let output = git_command(dir).args(ada).args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
