//! `tidegate completions`, `tidegate man` and `tidegate --version`.

use std::process::{Command, Stdio};
use std::{fs, io::Write};

use super::{text, tidegate};

/// The commands that `--help` lists.
fn listed() -> Vec<String> {
    let help = text(&tidegate(&["--help"]).stdout);
    let commands = help.split("Commands:").nth(1).unwrap().split("\nOptions:").next().unwrap();
    let first = |line: &str| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')).map(str::to_owned);
    let lines = commands.lines().filter_map(first);
    let names = lines.filter_map(|line| line.split_whitespace().next().map(str::to_owned));
    names.filter(|name| name != "help").collect()
}

#[test]
fn every_listed_command_is_completed_and_no_other() {
    let listed = listed();
    assert!(listed.len() > 20 && listed.contains(&"replay".to_owned()), "{listed:?}");
    for shell in ["bash", "zsh", "fish"] {
        let script = text(&tidegate(&["completions", shell]).stdout);
        for command in &listed {
            assert!(script.contains(command.as_str()), "{shell}: {command}");
        }
        for hidden in ["random schedules", "tidegate__simulate", "recorded cases", "tidegate__oracle"] {
            assert!(!script.contains(hidden), "{shell}: {hidden}");
        }
        assert!(script.contains("kubeconfig-out"), "{shell}: options");
    }
}

#[test]
fn bash_accepts_its_completions() {
    let script = tidegate(&["completions", "bash"]).stdout;
    let started = Command::new("bash").arg("-n").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
    // Without bash there is nothing to complete.
    let Ok(mut bash) = started else { return };
    bash.stdin.take().unwrap().write_all(&script).unwrap();
    let output = bash.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn every_listed_command_has_a_man_page() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("man1");
    let said = text(&tidegate(&["man", "--dir", path.to_str().unwrap()]).stdout);
    let pages = fs::read_dir(&path).unwrap().count();
    assert_eq!(said, format!("wrote {pages} man pages to {}\n", path.display()));
    for command in listed() {
        let page = fs::read_to_string(path.join(format!("tidegate-{command}.1"))).unwrap();
        for part in [".TH tidegate-", ".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS"] {
            assert!(page.contains(part), "{command}: {part}");
        }
    }
    let program = fs::read_to_string(path.join("tidegate.1")).unwrap();
    assert!(program.contains("Exit codes"), "{program}");
    assert!(!path.join("tidegate-simulate.1").exists());
}

#[test]
fn man_pages_that_cannot_be_written_are_an_error() {
    let output = tidegate(&["man", "--dir", "/dev/null/man"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("/dev/null/man: "), "{}", text(&output.stderr));
}

#[test]
fn the_version_has_a_commit_and_a_build() {
    let long = text(&tidegate(&["--version"]).stdout);
    let lines: Vec<&str> = long.lines().collect();
    assert_eq!(lines[0], format!("tidegate {}", env!("CARGO_PKG_VERSION")));
    assert!(lines[1].starts_with("commit: ") && lines[2].starts_with("build: "), "{long}");
    assert_eq!(text(&tidegate(&["-V"]).stdout), format!("tidegate {}\n", env!("CARGO_PKG_VERSION")));
}
