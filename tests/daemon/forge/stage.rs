//! A hub, and a forge with the config repository on it.

use std::path::PathBuf;
use std::time::Duration;

use tidegate_daemon::reconciler::Config;
use tidegate_daemon::reconciler::forge::{Checks, ForgeConfig, Publish};
use tidegate_fake_forge::{ForgeSandbox, Options, PullRecord, Role, StatusRecord};
use tidegate_forge::Forge;
use tidegate_git::{Credentials, LocalRepository, NewCommit, Remote, install_tls_provider};
use tidegate_model::forge::ForgeKind;
use tidegate_model::revision::CommitId;

use super::in_process::client;
use crate::daemon::world::{Running, World, eventually, now};
use crate::git_command::git;

/// How often the daemon polls Git and the forge, unless a test requests a look.
const POLL: Duration = Duration::from_secs(600);
/// The file that an upgrade changes.
const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
/// Another file of the add-on.
pub(super) const CONFIG: &str = "fleet/addons/hello-template/config.yaml";

/// Moves the repository of a world to a new forge with people.
pub(in crate::daemon) async fn hosted(
    world: &World,
    kind: ForgeKind,
    change: impl FnOnce(&mut Options),
) -> ForgeSandbox {
    let mut options = Options::new(world.path("forge"), now);
    change(&mut options);
    let forge = ForgeSandbox::start(kind, options).await.unwrap();
    for (login, role) in [
        ("ada", Role::Write),
        ("bob", Role::Write),
        ("cy", Role::Write),
        ("tidegate", Role::Admin),
        ("eve", Role::Read),
    ] {
        forge.add_account(login, role);
    }
    world.move_repository(&world.path("forge/platform/fleet.git"));
    forge
}

/// Returns what a daemon needs to report everything but deployments to a forge.
pub(in crate::daemon) fn reporting(world: &World, forge: &ForgeSandbox, kind: ForgeKind) -> ForgeConfig {
    ForgeConfig {
        forge: client(kind, forge, &token_file(world, forge, "tidegate")),
        project: forge.project(),
        poll: POLL,
        commands: true,
        publish: Publish {
            comments: true,
            checks: Checks::Statuses,
            statuses: true,
            deployments: false,
            forks: false,
            drafts: true,
            gates: true,
            link: Some("https://git.example.com/platform/fleet/src/branch/tidegate/journal".to_owned()),
        },
    }
}

/// Returns a file with the token of an account.
fn token_file(world: &World, forge: &ForgeSandbox, login: &str) -> PathBuf {
    let file = world.path(&format!("token-of-{login}"));
    std::fs::write(&file, forge.token_of(login)).unwrap();
    file
}

/// A world whose repository is on a forge: Ada writes changes, Bob reviews them, and Eve may only read.
pub(super) struct Stage {
    pub(super) world: World,
    pub(super) forge: ForgeSandbox,
    kind: ForgeKind,
}

impl Stage {
    /// Starts a hub with 20 clusters, and a forge with the example, which is installed.
    pub(super) async fn new(kind: ForgeKind) -> Self {
        Self::with(kind, |_| {}).await
    }

    pub(super) async fn with(kind: ForgeKind, change: impl FnOnce(&mut Options)) -> Self {
        let world = World::settled(20).await;
        let forge = hosted(&world, kind, change).await;
        let stage = Self { world, forge, kind };
        if kind == ForgeKind::GitLab {
            // It shows no accounts of commits.
            stage.people("ada = [\"ada@example.com\", \"forge:ada\"]\n");
        }
        stage
    }

    fn token_file(&self, login: &str) -> PathBuf {
        token_file(&self.world, &self.forge, login)
    }

    /// Returns a client with the token of an account.
    pub(super) fn client(&self, login: &str) -> Forge {
        client(self.kind, &self.forge, &self.token_file(login))
    }

    /// Returns the configuration of a daemon that reports everything but deployments. It reads the repository by its path, and polls
    /// rarely: tests request a look.
    pub(super) fn config(&self) -> Config {
        let forge = reporting(&self.world, &self.forge, self.kind);
        Config {
            poll: POLL,
            journal_interval: Duration::from_secs(1),
            forge: Some(forge),
            ..self.world.config("mirror.git")
        }
    }

    /// Returns a configuration with which the daemon reaches the repository over HTTP, as in production.
    pub(super) fn over_http(&self, config: Config) -> Config {
        install_tls_provider();
        let credentials = Credentials::TokenFile(self.token_file("tidegate"));
        Config { remote: Remote::new(&self.forge.git_url(), credentials).unwrap(), ..config }
    }

    /// Starts a daemon that has observed 0.4.0 on all clusters.
    pub(super) async fn settled(&self, config: Config) -> Running {
        let mut daemon = self.start(config).await;
        daemon.until_settled("0.4.0").await;
        daemon
    }

    /// Starts a daemon.
    pub(super) async fn start(&self, config: Config) -> Running {
        self.world.daemon_with(self.world.client(), config).await
    }

    /// Returns the tip of a branch.
    pub(super) fn tip(&self, branch: &str) -> CommitId {
        LocalRepository::open(self.world.repository()).unwrap().tip(branch).unwrap().unwrap()
    }

    /// Commits a RolloutPolicy with these approvals, in JSON.
    pub(super) fn policy(&self, approvals: &serde_json::Value) {
        let policy = serde_json::json!({
            "apiVersion": "tidegate.io/v1alpha1", "kind": "RolloutPolicy", "metadata": { "name": "production" },
            "spec": { "selector": { "addOns": ["hello-template"] }, "approvals": approvals },
        });
        self.world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(policy.to_string().into_bytes()))].into());
    }

    /// Adds aliases to `[people]`.
    pub(super) fn people(&self, aliases: &str) {
        let settings = self.world.read("main", "tidegate.toml");
        let table = if settings.contains("\n[people]\n") { "" } else { "\n[people]\n" };
        self.write_on("main", "tidegate.toml", &format!("{settings}{table}{aliases}"));
    }

    /// Commits a file to a branch as someone with this address, who is not Ada.
    pub(super) fn write_as(&self, email: &str, branch: &str, path: &str, text: &str) -> CommitId {
        let commit = NewCommit {
            branch: branch.to_owned(),
            parent: Some(self.tip(branch)),
            files: [(path.to_owned(), Some(text.as_bytes().to_vec()))].into(),
            message: path.to_owned(),
            author: "someone".to_owned(),
            email: email.to_owned(),
            at: now(),
        };
        tidegate_git::seed(self.world.repository(), &commit).unwrap()
    }

    /// Commits a file to a branch as Ada.
    pub(super) fn write_on(&self, branch: &str, path: &str, text: &str) -> CommitId {
        self.world.commit_to(branch, path, [(path.to_owned(), Some(text.as_bytes().to_vec()))].into())
    }

    /// Replaces a string in a file of a branch as Ada.
    pub(super) fn edit_on(&self, branch: &str, path: &str, from: &str, to: &str) -> CommitId {
        let text = self.world.read(branch, path);
        assert!(text.contains(from), "{path} does not contain {from:?}: {text}");
        self.write_on(branch, path, &text.replace(from, to))
    }

    /// Commits the upgrade to 0.4.1 to a branch as Ada. A new branch starts at the followed one.
    pub(super) fn upgrade(&self, branch: &str) -> CommitId {
        self.upgrade_with(branch, "upgrade hello-template")
    }

    fn upgrade_with(&self, branch: &str, message: &str) -> CommitId {
        if branch != "main" {
            self.forge.add_branch(branch).unwrap();
        }
        let text = self.world.read("main", ADDON);
        let text = text.replace("hello-template-0.4.0", "hello-template-0.4.1");
        self.world.commit_to(branch, message, [(ADDON.to_owned(), Some(text.into_bytes()))].into())
    }

    /// Commits the way back to 0.4.0 as Ada.
    pub(super) fn downgrade(&self) -> CommitId {
        self.edit_on("main", ADDON, "hello-template-0.4.1", "hello-template-0.4.0")
    }

    /// Replaces the branch of a request by one that adds the same file to a commit with another file.
    pub(super) fn put_below_request(&self, path: &str, text: &str) {
        let run = |arguments: &[&str]| git(&self.world.repository(), arguments);
        let branch = self.request_branch();
        let file = run(&["diff-tree", "-r", "--name-only", "--no-commit-id", &branch]);
        let request = self.world.read(&branch, &file);
        assert!(request.contains("kind: ApprovalRequest"), "{request}");
        self.forge.add_branch("evil").unwrap();
        self.write_on("evil", path, text);
        let commit = self.write_on("evil", &file, &request);
        run(&["update-ref", &format!("refs/heads/{branch}"), commit.as_str()]);
    }

    /// Removes the branch of a request.
    pub(super) fn remove_request_branch(&self) {
        git(&self.world.repository(), &["update-ref", "-d", &format!("refs/heads/{}", self.request_branch())]);
    }

    fn request_branch(&self) -> String {
        git(&self.world.repository(), &["for-each-ref", "--format=%(refname:short)", "refs/heads/tidegate/gate/"])
    }

    /// Opens a pull request of Ada's with the upgrade.
    pub(super) fn open(&self, branch: &str) -> (u64, CommitId) {
        self.open_with(branch, "upgrade hello-template")
    }

    /// Opens such a pull request, whose commit has this message.
    pub(super) fn open_with(&self, branch: &str, message: &str) -> (u64, CommitId) {
        let head = self.upgrade_with(branch, message);
        (self.forge.open_pull("ada", branch, "main", "Upgrade hello-template").unwrap(), head)
    }

    /// Waits until a commit has a status whose text contains a string, and returns it.
    pub(super) async fn until_status(&self, commit: &str, context: &str, text: &str) -> StatusRecord {
        let find = || {
            let statuses = self.forge.statuses(commit);
            let latest = statuses.into_iter().filter(|status| status.context == context).max_by_key(|status| status.id);
            latest.filter(|status| status.description.as_deref().is_some_and(|told| told.contains(text)))
        };
        let what = format!("{context} of {commit} contains {text:?}: {:?}", self.forge.statuses(commit));
        eventually(&what, async || find().is_some()).await;
        find().unwrap()
    }

    /// Waits until a pull request has one comment, and its text contains a string.
    pub(super) async fn until_comment(&self, pull: u64, text: &str) -> String {
        let body = || self.forge.comments(pull).first().map(|comment| comment.body.clone()).unwrap_or_default();
        eventually(&format!("the comment on {pull} contains {text:?}"), async || body().contains(text)).await;
        assert_eq!(self.forge.comments(pull).len(), 1);
        body()
    }

    /// Waits until the daemon has opened a pull request, and returns it.
    pub(super) async fn until_request(&self) -> PullRecord {
        let find = || self.forge.pulls().into_iter().find(|pull| pull.head_branch.starts_with("tidegate/gate/"));
        eventually("the daemon asks for an approval", async || find().is_some()).await;
        find().unwrap()
    }

    /// Returns a file of the journal on the forge.
    pub(super) fn journaled(&self, path: &str) -> String {
        self.world.read("tidegate/journal", path)
    }
}
