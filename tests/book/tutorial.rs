//! The tutorials, command by command.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::scratch::tempdir;

/// Long enough for a slow machine. A tutorial takes half a minute, and mostly waits.
const PATIENCE: Duration = Duration::from_secs(180);

/// Returns the commands of a page as a script that ends with the first one that fails.
fn script(page: &str) -> String {
    let text = fs::read_to_string(page).unwrap();
    let blocks = text.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    // A plan with changes has the exit code 2.
    let checked = |line: &str| match line.starts_with("tidegate plan") {
        true => format!("{line} || [ $? -eq 2 ]\n"),
        false => format!("{line}\n"),
    };
    // Whatever happens, the sandbox and the daemon end with the script.
    let begin = "set -eu\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n".to_owned();
    blocks.flat_map(str::lines).map(checked).fold(begin, |script, line| script + &line)
}

/// Runs the commands of a page in an empty directory. Returns what they print.
fn run(page: &str) -> String {
    let directory = tempdir();
    let program = Path::new(env!("CARGO_BIN_EXE_tidegate")).parent().unwrap().to_str().unwrap();
    let path = format!("{program}:{}", std::env::var("PATH").unwrap());
    let output = directory.path().join("output");
    let mut child = Command::new("bash")
        .args(["-c", &script(page)])
        .current_dir(directory.path())
        .env("PATH", path)
        .envs([("GIT_AUTHOR_NAME", "Ada"), ("GIT_AUTHOR_EMAIL", "ada@example.com")])
        .envs([("GIT_COMMITTER_NAME", "Ada"), ("GIT_COMMITTER_EMAIL", "ada@example.com")])
        .stdin(Stdio::null())
        .stdout(fs::File::create(&output).unwrap())
        .stderr(fs::File::options().append(true).open(&output).unwrap())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if begin.elapsed() > PATIENCE {
            child.kill().unwrap();
            break None;
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    let printed = fs::read_to_string(&output).unwrap();
    assert!(status.is_some_and(|status| status.success()), "{printed}");
    printed
}

#[test]
#[ignore = "takes twenty seconds of waiting; .ci/run runs it"]
fn every_command_of_the_tutorial_works() {
    let printed = run("docs/tutorial.md");
    for expected in
        ["no problems found", "Superseded", "2.0.0 does not start", "logs: back to 1.1.0", "completed, 40/40 clusters"]
    {
        assert!(printed.contains(expected), "{expected:?} is not in\n{printed}");
    }
}

#[test]
#[ignore = "takes thirty seconds of waiting; .ci/run runs it"]
fn every_command_of_the_tutorial_about_applications_works() {
    let printed = run("docs/applications.md");
    for expected in [
        "1 application: no problems found",
        "+ application/shop/web – → 1.4.0",
        "application/shop/web 1.4.0  Completed",
        "~ application/shop/web 1.4.0 → 1.5.0",
        "Deployment shop/server (image example.com/web:1.5.0): applied",
    ] {
        assert!(printed.contains(expected), "{expected:?} is not in\n{printed}");
    }
}
