//! A repository with an upgrade that needs an approval, and its journal, which is written with the production code.

use std::collections::BTreeMap;
use std::path::PathBuf;

use std::sync::Arc;

use tidegate::audit::Rule;
use tidegate_api::fleet::Fleet;
use tidegate_consent::file::{Approval, Entry, path, with};
use tidegate_consent::{RulesState, Seat, State, Verdict};
use tidegate_git::{LocalRepository, NewCommit, Signer, init_bare, seed_signed};
use tidegate_journal::fleet::FleetFacts;
use tidegate_journal::record::Identity;
use tidegate_journal::{Facts, entry, headline};
use tidegate_model::chain::{Content, FileChange};
use tidegate_model::digest::Digest;
use tidegate_model::followed::{DigestChange, LastGood, Revision, RevisionFacts};
use tidegate_model::instance::InstanceId;
use tidegate_model::name::UnitName;
use tidegate_model::progress::ClusterState;
use tidegate_model::revision::CommitId;
use tidegate_plan::report::{ApprovalReport, ClusterReport, Report};
use tidegate_repository::Repository;
use tidegate_signature::SigningKey;

use super::clone::{JOURNAL, run};
use super::scene::{Scene, at, cluster, report, revision, tidegate};
use crate::scratch::tempdir;

pub(super) const ADDON: &str = "hello-template";
pub(super) const RULES: &str = "rules.tidegate.io";
pub(super) const SETTINGS: &str = "tidegate.toml";
pub(super) const POLICY: &str = "fleet/policy.yaml";
const DECLARATION: &str = "fleet/addons/hello-template/addon.yaml";

/// Someone with a key.
#[derive(Clone, Copy)]
pub(super) struct Who(pub(super) &'static str, &'static str);

pub(super) const ADA: Who = Who("ada", include_str!("../signature/fixtures/ssh_ed25519.key"));
pub(super) const BOB: Who = Who("bob", include_str!("../signature/fixtures/ssh_p256.key"));
/// Her key is not trusted.
pub(super) const MALLORY: Who = Who("mallory", include_str!("../signature/fixtures/ssh_rsa.key"));
const DAEMON: Who = Who("tidegate", include_str!("../signature/fixtures/ssh_p384.key"));

impl Who {
    fn key(self) -> SigningKey {
        SigningKey::read(self.1).unwrap()
    }

    fn line(self) -> String {
        format!("{}@example.com {}\n", self.0, self.key().public_key())
    }

    fn signer(self) -> Signer {
        let key = self.key();
        Box::new(move |payload| key.sign(payload).map_err(|error| error.to_string()))
    }
}

const PEOPLE: &str = "\n[people]\nada = ['ada@example.com']\nbob = ['bob@example.com']\nleads = ['bob']\n";

/// Returns a policy that wants one approval before any cluster starts.
pub(super) fn policy(of: &str) -> String {
    let approval = format!("{{name: production, count: 1, of: [{of}]}}");
    format!(
        "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {{name: production}}\nspec:\n  approvals: [{approval}]\n"
    )
}

/// A repository and its journal, which is committed only when it is checked.
pub(super) struct Stage {
    directory: tempfile::TempDir,
    pub(super) tip: Option<CommitId>,
    minutes: i64,
    pub(super) scene: Scene,
    good: Option<LastGood>,
    /// The changes that the next entry of the journal records, newest first.
    pub(super) changes: BTreeMap<UnitName, Vec<DigestChange>>,
    /// A revision with the rules in force that the next entry records.
    pub(super) rules: Option<CommitId>,
    /// The clusters on the hub, for `fleet.yaml`.
    pub(super) fleet: Option<Arc<Fleet>>,
    /// The commits of the journal that are not signed.
    pub(super) unsigned: Vec<usize>,
}

impl Stage {
    /// Creates a repository whose first revision is on all clusters, and in which a policy then wants an approval of these people.
    pub(super) fn new(of: &str) -> Self {
        Self::with(&policy(of))
    }

    /// Creates such a repository with this policy.
    pub(super) fn with(policy: &str) -> Self {
        let directory = tempdir();
        init_bare(directory.path().join("repo.git"), "main").unwrap();
        let mut scene = Scene::default();
        let (id, name) = (InstanceId::of(7), String::new());
        scene.journal.identify(&Identity { id, name, since: at(0) }, 0);
        let mut stage = Self {
            directory,
            tip: None,
            minutes: 0,
            scene,
            good: None,
            changes: BTreeMap::new(),
            rules: None,
            fleet: None,
            unsigned: Vec::new(),
        };
        let files = crate::example_tree::tree().files.into_iter();
        let first = stage.commit(ADA, files.map(|(path, bytes)| (path, Some(bytes))).collect());
        let (started, digest) = (stage.minutes + 1, stage.digest(&first));
        stage.good = Some(LastGood { digest, commit: first.clone() });
        stage.tell(&first, "0.4.0", cluster(ClusterState::Progressing, "0.4.0", 0, started), &[]);
        stage.tell(&first, "0.4.0", cluster(ClusterState::Succeeded, "0.4.0", 0, started), &[]);
        let settings = format!("{}{PEOPLE}", stage.read(SETTINGS));
        let rules = stage.edit(ADA, &[(SETTINGS, Some(&settings)), (POLICY, Some(policy))]);
        stage.change(RULES, &first, &rules);
        stage.rules = Some(rules);
        stage
    }

    pub(super) fn repository(&self) -> PathBuf {
        self.directory.path().join("repo.git")
    }

    /// Commits files to `main`, a minute after the last commit.
    pub(super) fn commit(&mut self, who: Who, files: BTreeMap<String, Option<Vec<u8>>>) -> CommitId {
        self.minutes += 1;
        let new = NewCommit {
            branch: "main".to_owned(),
            parent: self.tip.clone(),
            files,
            message: "a change".to_owned(),
            author: who.0.to_owned(),
            email: format!("{}@example.com", who.0),
            at: at(self.minutes),
        };
        self.tip = Some(seed_signed(self.repository(), &new, &who.signer()).unwrap());
        self.tip.clone().unwrap()
    }

    pub(super) fn edit(&mut self, who: Who, files: &[(&str, Option<&str>)]) -> CommitId {
        let file =
            |(path, text): &(&str, Option<&str>)| ((*path).to_owned(), text.map(|text| text.as_bytes().to_vec()));
        self.commit(who, files.iter().map(file).collect())
    }

    pub(super) fn read(&self, path: &str) -> String {
        let local = LocalRepository::open(self.repository()).unwrap();
        String::from_utf8(local.read(self.tip.as_ref().unwrap(), path).unwrap().unwrap()).unwrap()
    }

    /// Commits the next version.
    pub(super) fn upgrade(&mut self, who: Who) -> CommitId {
        let text = self.read(DECLARATION).replace("hello-template-0.4.0 #", "hello-template-0.4.1 #");
        self.edit(who, &[(DECLARATION, Some(&text))])
    }

    /// Commits an approval of a digest, in the name of someone.
    pub(super) fn approve(&mut self, who: Who, by: &str, addon: &str, digest: &Digest) -> CommitId {
        let name: UnitName = addon.parse().unwrap();
        let file = path(&name, digest.as_str(), None);
        let (at, instance) = (at(self.minutes + 1), InstanceId::of(7));
        let entry = Entry { by: by.to_owned(), at, instance, reason: String::new(), break_glass: false };
        let approval = Approval {
            api_version: "tidegate.io/v1alpha1".to_owned(),
            kind: "Approval".to_owned(),
            addon: name,
            digest: digest.to_string(),
            group: None,
            approvals: vec![entry],
        };
        let bytes = with(&file, None, &approval).unwrap();
        self.commit(who, [(file, Some(bytes))].into())
    }

    fn loaded(&self, commit: &CommitId) -> Repository {
        let tree = LocalRepository::open(self.repository()).unwrap().tree(commit, "").unwrap();
        tidegate_repository::load(&tree, "").repository
    }

    pub(super) fn digest(&self, commit: &CommitId) -> Digest {
        self.loaded(commit).digest(&ADDON.parse().unwrap()).unwrap().clone()
    }

    pub(super) fn rules_of(&self, commit: &CommitId) -> Digest {
        tidegate_repository::basis(&self.loaded(commit)).rules
    }

    /// Records a change from one revision to another, judged by the rules of the first one.
    pub(super) fn change(&mut self, name: &str, base: &CommitId, commit: &CommitId) {
        let of = |commit: &CommitId| if name == RULES { self.rules_of(commit) } else { self.digest(commit) };
        let (from, digest) = (Some(of(base)), of(commit));
        let (commit, base) = (commit.clone(), Some(base.clone()));
        let change = DigestChange { digest, from, commit, base, rules: None, seen: None };
        self.changes.entry(name.parse().unwrap()).or_default().insert(0, change);
    }

    /// Adds an entry to the journal.
    fn tell(&mut self, commit: &CommitId, version: &str, cluster: ClusterReport, seats: &[Seat]) {
        let mut report = report(version, &[("a", cluster)]);
        let is_done = report.addons.values().all(|addon| addon.counts().succeeded == 1);
        let mut addon = report.addons.remove("hello").unwrap();
        addon.digest = Some(self.digest(commit));
        addon.approvals = if seats.is_empty() { Vec::new() } else { vec![met(seats)] };
        let is_known = is_done || !self.changes.is_empty();
        addon.last_good = self.good.clone().filter(|_| is_known);
        let digest = self.rules.as_ref().map(|rules| self.rules_of(rules));
        let rules = digest.map(|digest| RulesState { digest, approved: false, approvals: Vec::new(), waiting: None });
        let report = Report { rules, addons: [(ADDON.parse().unwrap(), addon)].into(), ..report };
        let seen = Revision { commit: commit.clone(), ..revision(1) };
        let addons = [(ADDON.parse().unwrap(), commit.clone())].into();
        let changes = self.changes.clone();
        let revision = RevisionFacts { seen: Some(seen), changes, addons, ..RevisionFacts::default() };
        self.minutes += 1;
        let fleet = self.fleet.clone().map_or_else(FleetFacts::default, FleetFacts::Observed);
        let facts = Facts { revision, fleet, ..Facts::default() };
        let entry = entry(&self.scene.journal, &report, &facts, at(self.minutes)).unwrap().expect("something changed");
        self.scene.journal = entry.journal;
        self.scene.commit(self.minutes, &tidegate(), &entry.message, entry.files);
    }

    /// Lets the next entries of the journal say that all clusters completed a revision.
    pub(super) fn complete(&mut self, commit: &CommitId) {
        self.good = Some(LastGood { digest: self.digest(commit), commit: commit.clone() });
    }

    /// Journals that the upgrade waits.
    pub(super) fn waits(&mut self, commit: &CommitId) {
        self.tell(commit, "0.4.1", cluster(ClusterState::Waiting, "0.4.0", 0, self.minutes), &[]);
    }

    /// Journals that a cluster started, with approvals by these people in these commits, signed with these keys.
    pub(super) fn starts(&mut self, commit: &CommitId, seats: &[(&str, Who, &CommitId)]) {
        let seat = |(person, who, commit): &(&str, Who, &CommitId)| Seat {
            person: (*person).to_owned(),
            commit: (*commit).clone(),
            signer: format!("{}@example.com", who.0),
            key: who.key().fingerprint().to_string(),
            review: None,
            at: at(self.minutes),
            reason: String::new(),
            break_glass: false,
        };
        let seats: Vec<Seat> = seats.iter().map(seat).collect();
        self.tell(commit, "0.4.1", cluster(ClusterState::Progressing, "0.4.1", 0, self.minutes + 1), &seats);
    }

    /// Journals that the first version is on all clusters, and replaces all entries by one with their content, as a daemon does whose machine
    /// does not have the whole history when someone has deleted the branch.
    pub(super) fn begins_again(&mut self, commit: &CommitId) {
        self.tell(commit, "0.4.0", cluster(ClusterState::Succeeded, "0.4.0", 0, 1), &[]);
        let mut last = self.scene.links.last().unwrap().clone();
        let changes = self.scene.links.drain(..).flat_map(|link| link.changes);
        let content: BTreeMap<String, FileChange> = changes.map(|change| (change.path.clone(), change)).collect();
        last.changes = content.into_values().collect();
        last.message = headline::gathered(&last.message);
        self.scene.links.push(last);
    }

    /// Commits the journal, and checks it with the keys of Ada, Bob and the daemon. Returns the exit code and the output.
    pub(super) fn verified(&self) -> (i32, String) {
        let write = |name: &str, lines: String| {
            let path = self.directory.path().join(name);
            std::fs::write(&path, lines).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let (people, journal) = (write("people", ADA.line() + &BOB.line()), write("journal", DAEMON.line()));
        self.write();
        run(&self.repository(), &["verify-history", "--trusted-keys", &people, "--journal-keys", &journal])
    }

    /// Commits the journal.
    pub(super) fn write(&self) {
        let mut parent = None;
        for (number, link) in self.scene.links.iter().enumerate() {
            let files = link.changes.iter().map(|change| match &change.after {
                Content::File(bytes) => (change.path.clone(), Some(bytes.clone())),
                _ => (change.path.clone(), None),
            });
            let new = NewCommit {
                branch: JOURNAL.to_owned(),
                parent,
                files: files.collect(),
                message: link.message.clone(),
                author: link.author.name.clone(),
                email: link.author.email.clone(),
                at: link.author.time,
            };
            let made = match self.unsigned.contains(&number) {
                true => tidegate_git::seed(self.repository(), &new),
                false => seed_signed(self.repository(), &new, &DAEMON.signer()),
            };
            parent = Some(made.unwrap());
        }
    }

    /// Checks that the journal does not verify, because of a rule and for these reasons.
    pub(super) fn is_refused(&self, rule: Rule, reasons: &[&str]) {
        let (code, said) = self.verified();
        assert_eq!(code, 1, "{said}");
        for reason in reasons {
            let is_it = |line: &str| line.contains(reason) && line.contains(&format!("({rule})"));
            assert!(said.lines().any(is_it), "no {rule} with {reason:?}:\n{said}");
        }
    }
}

fn met(seats: &[Seat]) -> ApprovalReport {
    ApprovalReport {
        placement: "ocm/fleet".to_owned(),
        policy: "RolloutPolicy production as it was before the change".to_owned(),
        breaks_glass: false,
        reached: None,
        selects_clusters: false,
        verdict: Verdict {
            rule: "production".to_owned(),
            group: None,
            state: State::Met,
            need: 1,
            have: seats.to_vec(),
            missing: None,
            void: Vec::new(),
            expires: None,
        },
    }
}
