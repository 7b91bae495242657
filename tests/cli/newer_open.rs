//! `tidegate upgrade --check --open`: which pull requests it opens on each forge, and what they contain.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;

use tidegate_fake_forge::{Fault, ForgeSandbox, Options, PullRecord, Role};
use tidegate_git::install_tls_provider;
use tidegate_model::forge::ForgeKind;
use tidegate_model::time::Timestamp;

use super::vendor::World;
use super::{code, program, text};
use crate::git_command::git;

/// An add-on of the root, with a template in a file of its own.
fn addon(name: &str) -> String {
    format!(
        "apiVersion: addon.open-cluster-management.io/v1beta1
kind: ClusterManagementAddOn
metadata: {{name: {name}}}
spec:
  defaultConfigs:
    - {{group: addon.open-cluster-management.io, resource: addontemplates, name: {name}-1.0.0}} # the version
"
    )
}

/// A repository with an add-on that has an image, one that has a chart, and an overlay with a base.
fn repository(world: &World) {
    let host = world.url("").trim_start_matches("http://").trim_end_matches('/').to_owned();
    world.write("tidegate.toml", "[repository]\npath = \"fleet\"\n");
    let cluster =
        "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {name: c1}\nspec: {}\n";
    world.write("fleet/cluster.yaml", cluster);
    world.write("fleet/web/addon.yaml", &addon("web"));
    let image = format!(
        "# web 1.0.0, which is 1.0.0 of its image.
apiVersion: addon.open-cluster-management.io/v1beta1
kind: AddOnTemplate
metadata: {{name: web-1.0.0}}
spec:
  addonName: web
  agentSpec:
    workload:
      manifests:
        - apiVersion: v1
          kind: Pod
          metadata: {{name: web, namespace: web}}
          spec: {{containers: [{{name: a, image: '{host}/team/web:v1.0.0'}}, {{name: b, image: '{host}/team/web:v1.0.0'}}]}}
"
    );
    world.write("fleet/web/template-1.0.0.yaml", &image);
    world.page("/v2/team/web/tags/list", br#"{"tags": ["v1.0.0", "v1.1.0"]}"#);
    world.write("fleet/logs/addon.yaml", &addon("logs"));
    let chart = format!(
        "apiVersion: addon.open-cluster-management.io/v1beta1
kind: AddOnTemplate
metadata:
  name: logs-1.0.0
  annotations:
    tidegate.io/chart: {}/web
    tidegate.io/chart-version: \"1.0.0\"
    tidegate.io/chart-release: logs
spec:
  addonName: logs
  agentSpec: {{workload: {{manifests: []}}}}
",
        world.url("charts")
    );
    world.write("fleet/logs/template-1.0.0.yaml", &chart);
    world.write(
        "fleet/kustomization.yaml",
        "resources:\n- cluster.yaml\n- web/addon.yaml\n- web/template-1.0.0.yaml # the image\n- logs/addon.yaml\n- logs/template-1.0.0.yaml",
    );
    world.commit("v1.0.0");
    world.write("other/kustomization.yaml", &format!("resources:\n- {}\n", world.base("v1.0.0")));
    let vendored = world.run(&["vendor"]);
    assert_eq!(code(&vendored), 0, "{}{}", text(&vendored.stdout), text(&vendored.stderr));
}

/// A forge, whose project has the repository, and a configuration file for it.
struct Trial {
    world: World,
    forge: ForgeSandbox,
}

impl Trial {
    async fn new(kind: ForgeKind) -> Self {
        install_tls_provider();
        let world = World::empty();
        repository(&world);
        let options = Options::new(world.path("forge"), Timestamp::now);
        let forge = ForgeSandbox::start(kind, options).await.unwrap();
        forge.add_account("tidegate", Role::Write);
        let (root, remote) = (world.root(), world.path("forge/platform/fleet.git"));
        git(&root, &["init", "--quiet", "--initial-branch", "main"]);
        git(&root, &["config", "user.name", "Ada"]);
        git(&root, &["config", "user.email", "ada@example.com"]);
        git(&root, &["add", "--all"]);
        git(&root, &["commit", "--quiet", "--message", "add-ons"]);
        git(&root, &["remote", "add", "origin", remote.to_str().unwrap()]);
        git(&root, &["push", "--quiet", "origin", "main"]);
        std::fs::write(world.path("token"), forge.token_of("tidegate")).unwrap();
        let config = format!(
            "[forge]\nkind = \"{kind}\"\nurl = \"{}\"\nproject = \"platform/fleet\"\ntoken_file = \"token\"\n",
            forge.url()
        );
        std::fs::write(world.path("ci.toml"), config).unwrap();
        world.publish(&["1.0.0", "1.1.0"]);
        world.commit("v1.1.0");
        Self { world, forge }
    }

    /// Runs the command, away from the forge's tasks.
    async fn run(&self) -> (String, String, i32) {
        let (root, config) = (self.world.root(), self.world.path("ci.toml"));
        let helm = self.world.path("bin/helm");
        let run = move || run(&root, &config, &helm);
        let output = tokio::task::spawn_blocking(run).await.unwrap();
        (text(&output.stdout), text(&output.stderr), code(&output))
    }

    fn pulls(&self) -> BTreeMap<String, PullRecord> {
        self.forge.pulls().into_iter().map(|pull| (pull.title.clone(), pull)).collect()
    }

    /// Returns the lines that a branch adds (`+`) and removes (`-`), by file.
    fn difference(&self, branch: &str) -> String {
        let remote = self.world.path("forge/platform/fleet.git");
        let all = git(&remote, &["diff", "--unified=0", "--no-renames", "main", branch]);
        let lines = all.lines().filter(|line| line.starts_with(['+', '-']) && !line.starts_with("--- "));
        lines.map(|line| format!("{line}\n")).collect()
    }
}

fn run(root: &Path, config: &Path, helm: &Path) -> Output {
    let arguments = ["upgrade", "--check", "--open", "--config", config.to_str().unwrap()];
    program().current_dir(root).args(arguments).arg("--helm").arg(helm).output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_add_on_and_base_gets_one_pull_request() {
    for kind in [ForgeKind::GitHub, ForgeKind::GitLab, ForgeKind::Gitea] {
        let trial = Trial::new(kind).await;
        let (printed, errors, exit) = trial.run().await;
        assert_eq!(exit, 0, "{kind}: {printed}{errors}");
        let pulls = trial.pulls();
        let titles: Vec<&str> = pulls.keys().map(String::as_str).collect();
        assert_eq!(titles.len(), 3, "{kind}: {titles:?}");
        assert!(
            titles[0].starts_with("base http://") && titles[0].ends_with("/config: v1.0.0 to v1.1.0"),
            "{titles:?}"
        );
        assert_eq!(titles[1..], ["logs: 1.0.0 to 1.1.0", "web: 1.0.0 to 1.1.0"]);

        let web = &pulls["web: 1.0.0 to 1.1.0"];
        let changed = trial.difference(&web.head_branch);
        for line in [
            "+++ b/fleet/web/template-1.1.0.yaml\n+# web 1.1.0, which is 1.0.0 of its image.\n",
            "+metadata: {name: web-1.1.0}\n",
            "/team/web:v1.1.0'}, {name: b, image: '",
            "+- web/template-1.1.0.yaml # the image\n",
            "+    - {group: addon.open-cluster-management.io, resource: addontemplates, name: web-1.1.0} # the version\n",
        ] {
            assert!(changed.contains(line), "{kind}: {line:?} is not in\n{changed}");
        }
        assert!(!changed.contains("-# web") && !changed.contains("logs"), "{changed}");
        assert!(web.body.contains("v1.0.0 to v1.1.0\n") && web.body.contains("### Rehearsal"), "{}", web.body);
        assert!(web.body.contains("<!-- tidegate:plan") && !web.body.contains('\u{1b}'), "{}", web.body);

        let changed = trial.difference(&pulls["logs: 1.0.0 to 1.1.0"].head_branch);
        for line in ["+  name: logs-1.1.0\n", "+    tidegate.io/chart-version: \"1.1.0\"\n", "+++ b/vendor.lock\n"] {
            assert!(changed.contains(line), "{kind}: {line:?} is not in\n{changed}");
        }
        let changed = trial.difference(&pulls[titles[0]].head_branch);
        assert!(changed.contains("?ref=v1.1.0\n") && changed.contains("+++ b/vendor.lock\n"), "{changed}");

        let (printed, errors, exit) = trial.run().await;
        assert_eq!((exit, printed.matches("proposed before, by pull request").count()), (0, 3), "{printed}{errors}");
        assert_eq!(trial.pulls().len(), 3, "{kind}");
        // One that was closed is not opened again.
        trial.forge.close("tidegate", web.number).unwrap();
        let (printed, errors, exit) = trial.run().await;
        assert!(
            printed.contains("exists without an open pull request; to propose the same versions again"),
            "{printed}{errors}"
        );
        assert_eq!((exit, trial.pulls().len()), (0, 3), "{kind}: {printed}{errors}");
        trial.forge.assert_clean();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_proposed_says_why_and_does_not_hold_up_the_others() {
    let trial = Trial::new(ForgeKind::Gitea).await;
    // The version exists already, and the add-on does not use it.
    let root = trial.world.root();
    let template = trial.world.read("fleet/web/template-1.0.0.yaml").replace("web-1.0.0", "web-1.1.0");
    trial.world.write("fleet/web/template-1.1.0.yaml", &template);
    git(&root, &["add", "--all"]);
    git(&root, &["commit", "--quiet", "--message", "a version for later"]);
    git(&root, &["push", "--quiet", "origin", "main"]);
    let (printed, errors, exit) = trial.run().await;
    assert_eq!(exit, 1, "{printed}{errors}");
    assert!(errors.contains("web: no pull request: fleet/web/template-1.1.0.yaml exists already"), "{errors}");
    assert_eq!(trial.pulls().len(), 2, "{printed}{errors}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_branch_without_a_pull_request_is_removed_and_proposed_again() {
    let trial = Trial::new(ForgeKind::GitHub).await;
    trial.forge.fail_next("POST /pulls", Fault::Status(422, Vec::new(), "{}".to_owned()));
    let (printed, errors, exit) = trial.run().await;
    assert_eq!(exit, 3, "{printed}{errors}");
    assert!(errors.contains("the pull request cannot be opened"), "{errors}");
    assert!(errors.contains("was removed again; run the command again later"), "{errors}");
    let remote = trial.world.path("forge/platform/fleet.git");
    assert_eq!(git(&remote, &["branch", "--list", "tidegate/*"]), "");
    assert!(!errors.contains("panic") && !errors.contains(&trial.forge.token_of("tidegate")), "{errors}");
    let (printed, errors, exit) = trial.run().await;
    assert_eq!((exit, trial.pulls().len()), (0, 3), "{printed}{errors}");
}

#[tokio::test]
async fn without_a_forge_nothing_is_pushed() {
    let world = World::empty();
    repository(&world);
    world.publish(&["1.0.0", "1.1.0"]);
    let root = world.root();
    git(&root, &["init", "--quiet", "--initial-branch", "main"]);
    git(&root, &["add", "--all"]);
    git(&root, &["commit", "--quiet", "--message", "add-ons"]);
    let output = program().current_dir(&root).args(["upgrade", "--check", "--open"]).output().unwrap();
    assert_eq!(code(&output), 2, "{}", text(&output.stdout));
    assert!(
        text(&output.stderr).contains("--open needs a forge: name a file with [forge]"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(git(&root, &["branch", "--list"]), "* main");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_overlay_decides_is_not_proposed() {
    let trial = Trial::new(ForgeKind::Gitea).await;
    let root = trial.world.root();
    let kustomization = trial.world.read("fleet/kustomization.yaml");
    // The patch names the template in use, so that it would not reach the copy.
    let patch = "\npatches:\n- target: {kind: AddOnTemplate, name: web-1.0.0}\n  patch: |\n    - op: add\n      \
                 path: /metadata/labels\n      value: {tier: gold}\n";
    trial.world.write("fleet/kustomization.yaml", &format!("{kustomization}{patch}"));
    git(&root, &["commit", "--quiet", "--all", "--message", "a patch"]);
    git(&root, &["push", "--quiet", "origin", "main"]);
    let (printed, errors, exit) = trial.run().await;
    assert_eq!(exit, 1, "{printed}{errors}");
    assert!(errors.contains("web: no pull request: fleet/kustomization.yaml changes web-1.0.0"), "{errors}");
    assert_eq!(trial.pulls().len(), 2, "{printed}{errors}");
}
