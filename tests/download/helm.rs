//! Tests of `helm template`, with shell scripts in place of helm.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use tempfile::TempDir;
use tidegate_download::{Error, Helm, HelmLimits, Release};

use super::server::shown;

use crate::scratch::tempdir;

const LIMITS: HelmLimits = HelmLimits { time: Duration::from_secs(20), bytes: 1 << 20 };

/// Creates a script named `helm`, and returns its directory.
fn script(text: &str) -> TempDir {
    let directory = tempdir();
    let path = directory.path().join("helm");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    directory
}

fn find(script: &TempDir, limits: HelmLimits) -> Result<Helm, Error> {
    Helm::find("helm", format!("{}:/usr/bin:/bin", script.path().display()), limits)
}

fn chart() -> BTreeMap<String, Vec<u8>> {
    let files = [("Chart.yaml", "name: web"), ("templates/a.yaml", "kind: x")];
    files.map(|(path, text)| (path.to_owned(), text.into())).into()
}

fn template(text: &str, limits: HelmLimits) -> Result<String, Error> {
    let script = script(&format!("case $1 in version) echo v4.1.4+g1; exit;; esac\n{text}"));
    let helm = find(&script, limits)?;
    let values = [b"a: 1\n".to_vec(), b"b: 2\n".to_vec()];
    let arguments = |chart: &str, values: &[String]| {
        ["template", "web", chart].map(str::to_owned).into_iter().chain(values.iter().cloned()).collect()
    };
    let printed = helm.template(Release { chart: &chart(), values: &values }, arguments)?;
    Ok(String::from_utf8(printed).unwrap())
}

#[test]
fn the_version_is_recorded() {
    assert_eq!(find(&script("echo v4.1.4+g05fa379"), LIMITS).unwrap().version(), "v4.1.4");
    assert_eq!(find(&script("echo v3.19.0"), LIMITS).unwrap().version(), "v3.19.0");
}

#[test]
fn the_chart_and_the_values_are_files_that_helm_reads() {
    let printed = template("cat $3/Chart.yaml $3/templates/a.yaml $4 $5", LIMITS).unwrap();
    assert_eq!(printed, "name: webkind: xa: 1\nb: 2\n");
}

#[test]
fn helm_gets_nothing_of_the_environment_but_the_path() {
    // The variables that a shell sets itself are left out.
    let printed = template("env | sed 's/=.*//' | grep -v -e PWD -e SHLVL -e '^_$' | sort", LIMITS).unwrap();
    let names: Vec<&str> = printed.lines().collect();
    let expected = [
        "HELM_CACHE_HOME",
        "HELM_CONFIG_HOME",
        "HELM_DATA_HOME",
        "HELM_PLUGINS",
        "HOME",
        "KUBECONFIG",
        "LC_ALL",
        "PATH",
        "TMPDIR",
    ];
    assert_eq!(names, expected);
    let printed = template(
        "test -e \"$KUBECONFIG\" || ls \"$HELM_CONFIG_HOME\" 2>&1 | wc -l; test $HOME = $(pwd) && echo home",
        LIMITS,
    );
    assert_eq!(printed.unwrap().trim().lines().map(str::trim).collect::<Vec<_>>(), ["1", "home"]);
}

#[test]
fn a_failure_is_reported_with_the_message_of_helm() {
    let mut reported = vec![
        shown(template("echo \"Error: $3/templates/a.yaml:1: unexpected }\" >&2; exit 1", LIMITS)),
        shown(template("exit 3", LIMITS)),
        shown(template("kill -9 $$", LIMITS)),
    ];
    for text in ["echo v2.17.0", "echo hello", "echo v4.1.4; exit 1", "true"] {
        reported.push(shown(find(&script(text), LIMITS)));
    }
    let none = tempdir();
    reported.push(shown(find(&none, LIMITS)));
    insta::assert_snapshot!(reported.join("\n").replace("[DIR]/", ""));
}

#[test]
fn a_rendering_that_does_not_end_is_stopped() {
    let short = HelmLimits { time: Duration::from_millis(300), ..LIMITS };
    for text in ["exec sleep 60", "exec >&-; exec sleep 60", "while :; do echo x >&2; done"] {
        let error = shown(template(text, short));
        assert_eq!(error, "helm has not rendered the chart: it did not end within 300ms", "{text}");
    }
    for text in ["while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done", "cat /dev/zero"] {
        let error = shown(template(text, LIMITS));
        assert_eq!(error, "helm has not rendered the chart: it printed more than 1 MiB", "{text}");
    }
    // Many messages do not block it.
    let printed = template("head -c 300000 /dev/zero >&2; echo done", LIMITS).unwrap();
    assert_eq!(printed, "done\n");
}

#[test]
#[ignore = "needs helm"]
fn a_chart_is_rendered_by_helm() {
    let chart: BTreeMap<String, Vec<u8>> = [
        ("Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n"),
        ("values.yaml", "color: red\n"),
        ("crds/a.yaml", "kind: CustomResourceDefinition\n"),
        (
            "templates/a.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n  namespace: {{ .Release.Namespace }}\ndata:\n  color: {{ .Values.color }}\n",
        ),
    ]
    .map(|(path, text)| (path.to_owned(), text.into()))
    .into();
    let helm = Helm::find("helm", std::env::var_os("PATH").unwrap(), HelmLimits::default()).unwrap();
    let values = [b"color: blue\n".to_vec()];
    let arguments = |chart: &str, values: &[String]| {
        ["template", "site", chart, "-f", &values[0], "--namespace", "prod", "--include-crds"]
            .map(str::to_owned)
            .to_vec()
    };
    let printed = helm.template(Release { chart: &chart, values: &values }, arguments).unwrap();
    let printed = String::from_utf8(printed).unwrap();
    assert!(
        printed.contains("name: site") && printed.contains("namespace: prod") && printed.contains("color: blue"),
        "{printed}"
    );
    assert!(printed.contains("kind: CustomResourceDefinition"), "{printed}");
}
