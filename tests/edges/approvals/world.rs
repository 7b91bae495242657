//! A config repository whose commits are built byte by byte, and a source that follows it.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tidegate_consent::file::{Approval, Entry, path, with};
use tidegate_consent::{After, Approvals, GoodDigests, Rule, RulesInForce, RulesState, Subject, Verdict, judge};
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_daemon::reconciler::source::{
    Decisions, Floor, Follow, Followed, Judge, OwnJournal, Policy, Rewrites, Source,
};
use tidegate_git::{Credentials, Mirror, Remote};
use tidegate_model::digest::Digest;
use tidegate_model::instance::{Instance, InstanceId};
use tidegate_model::name::UnitName;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::report::Report;
use tidegate_signature::SigningKey;

use crate::git_command::{git, git_command};
use crate::scratch::tempdir;

/// Someone who commits: the name, the first part of the address, and the key.
#[derive(Clone, Copy)]
pub(super) struct Person(pub(super) &'static str, pub(super) Option<&'static str>);

const ED25519: &str = include_str!("../../signature/fixtures/ssh_ed25519.key");
const P256: &str = include_str!("../../signature/fixtures/ssh_p256.key");
const P384: &str = include_str!("../../signature/fixtures/ssh_p384.key");
const RSA: &str = include_str!("../../signature/fixtures/ssh_rsa.key");

pub(super) const ADA: Person = Person("ada", Some(ED25519));
pub(super) const BOB: Person = Person("bob", Some(P256));
pub(super) const CY: Person = Person("cy", Some(P384));
/// Her key is not trusted, unless a test says so.
pub(super) const MALLORY: Person = Person("mallory", Some(RSA));

impl Person {
    /// Returns the person without a key.
    pub(super) fn unsigned(self) -> Self {
        Self(self.0, None)
    }

    pub(super) fn line(self, options: &str) -> String {
        let key = SigningKey::read(self.1.unwrap()).unwrap();
        format!("{}@example.com {options}{}\n", self.0, key.public_key())
    }
}

pub(super) const PEOPLE: &str = "[people]
ada = ['ada@example.com']
bob = ['bob@example.com', 'bob@home.example']
cy = ['cy@example.com']
sre = ['ada', 'bob', 'cy']
";

/// A declaration whose revision is its only line that changes.
pub(super) const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
pub(super) const NAME: &str = "hello-template";

/// The repository, and the tip of its branch `main`.
pub(super) struct World {
    directory: tempfile::TempDir,
    pub(super) tip: String,
    /// The time of the next commit.
    pub(super) now: Timestamp,
    mirrors: std::cell::Cell<u32>,
    /// The seconds of the daemon's clock, which shows the time of the next commit.
    clock: Arc<AtomicI64>,
}

/// A change of files: the content with its mode, or `None` to remove it.
pub(super) type Files<'a> = &'a [(&'a str, Option<(&'a str, &'a str)>)];

impl World {
    /// Creates the repository: the first revision, and an upgrade by Ada.
    pub(super) fn new() -> (Self, Source) {
        Self::with(PEOPLE)
    }

    /// Creates the repository with other people. The source has followed both revisions.
    pub(super) fn with(people: &str) -> (Self, Source) {
        let directory = tempdir();
        git(directory.path(), &["init", "-q", "--bare", "-b", "main", "repo.git"]);
        let now = "2026-11-23T10:00:00Z".parse().unwrap();
        let mut world =
            Self { directory, tip: String::new(), now, mirrors: std::cell::Cell::new(0), clock: Arc::default() };
        world.trust(&[ADA, BOB, CY].map(|person| person.line("")).concat());
        let tree = crate::example_tree::tree();
        let mut files: BTreeMap<String, String> =
            tree.files.into_iter().filter_map(|(path, bytes)| Some((path, String::from_utf8(bytes).ok()?))).collect();
        let settings = files.remove("tidegate.toml").unwrap_or_default();
        files.insert("tidegate.toml".to_owned(), format!("{settings}\n{people}"));
        let first = world.directory.path().join("first");
        for (path, text) in &files {
            let path = first.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        world.fed(&["--work-tree", first.to_str().unwrap(), "add", "-A", "."], b"");
        let tree = world.fed(&["write-tree"], b"");
        let payload = world.payload(ADA, ADA, &tree, &[], "first");
        let commit = world.write(&payload, None);
        world.move_to(&commit);
        let mut source = world.source("main");
        assert!(source.poll().unwrap().is_some());
        world.upgrade(ADA, "0.4.1");
        assert!(source.poll().unwrap().is_some());
        (world, source)
    }

    fn repository(&self) -> PathBuf {
        self.directory.path().join("repo.git")
    }

    /// Writes the list of trusted keys.
    pub(super) fn trust(&self, lines: &str) {
        std::fs::write(self.directory.path().join("allowed_signers"), lines).unwrap();
    }

    /// Returns a source with an empty mirror.
    pub(super) fn source(&self, reference: &str) -> Source {
        self.source_of(reference, false)
    }

    /// Returns a source with an empty mirror, whose operator may let claims of authors count.
    pub(super) fn source_of(&self, reference: &str, claimed_authors: bool) -> Source {
        let number = self.mirrors.get();
        self.mirrors.set(number + 1);
        let state_dir = self.directory.path().join(format!("state-{number}"));
        let remote = Remote::new(&self.repository().display().to_string(), Credentials::None).unwrap();
        let mirror = Arc::new(Mirror::open(&state_dir, remote).unwrap());
        let follow = Follow {
            reference: reference.parse().unwrap(),
            path: String::new(),
            operator: std::sync::Arc::default(),
            policy: Policy {
                commits: None,
                keys: vec![self.directory.path().join("allowed_signers")],
                rewrites: Rewrites::Accept,
                claimed_authors,
            },
            has_forge: false,
            shares_journal: false,
            state_dir,
            journal: OwnJournal {
                branch: "tidegate/journal".to_owned(),
                is_named_by_operator: false,
                prefix: "",
                instance: InstanceId::of(7),
            },
        };
        let instance = Instance { id: InstanceId::of(7), name: String::new() };
        let clock = self.clock.clone();
        let judge = Judge {
            floor: Floor::default(),
            fleet: Box::new(|| None),
            clock: Clock::new(move || Timestamp::from_second(clock.load(Ordering::SeqCst)).unwrap()),
            instance,
        };
        Source::new(mirror, follow, judge)
    }

    /// Runs `git` with input.
    pub(super) fn fed(&self, arguments: &[&str], input: &[u8]) -> String {
        let mut command = git_command(&self.repository());
        command.env("GIT_INDEX_FILE", self.directory.path().join("index"));
        let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Writes a tree: that of a commit with some files changed.
    pub(super) fn tree(&self, base: &str, files: Files<'_>) -> String {
        match base {
            "" => self.fed(&["read-tree", "--empty"], b""),
            base => self.fed(&["read-tree", base], b""),
        };
        let mut lines = String::new();
        for (path, content) in files {
            let line = match content {
                Some((mode, text)) => {
                    format!("{mode} {}\t{path}\n", self.fed(&["hash-object", "-w", "--stdin"], text.as_bytes()))
                }
                None => format!("0 {}\t{path}\n", "0".repeat(40)),
            };
            lines += &line;
        }
        self.fed(&["update-index", "--add", "--replace", "--index-info"], lines.as_bytes());
        self.fed(&["write-tree"], b"")
    }

    /// Returns the bytes of a commit that are signed.
    pub(super) fn payload(
        &self,
        author: Person,
        committer: Person,
        tree: &str,
        parents: &[&str],
        message: &str,
    ) -> String {
        let parents: String =
            parents.iter().filter(|p| !p.is_empty()).map(|parent| format!("parent {parent}\n")).collect();
        let seconds = self.now.as_second();
        let line = |who: Person| format!("{name} <{name}@example.com> {seconds} +0000", name = who.0);
        format!("tree {tree}\n{parents}author {}\ncommitter {}\n\n{message}\n", line(author), line(committer))
    }

    /// Writes a commit with a signature.
    pub(super) fn write(&self, payload: &str, signature: Option<&str>) -> String {
        let (head, message) = payload.split_once("\n\n").unwrap();
        let header = signature.map(|text| format!("\ngpgsig {}", text.trim().replace('\n', "\n "))).unwrap_or_default();
        self.fed(&["hash-object", "-t", "commit", "-w", "--stdin"], format!("{head}{header}\n\n{message}").as_bytes())
    }

    /// Writes a commit that its committer signs, on any parents. The branch does not move.
    pub(super) fn made(&self, who: Person, message: &str, parents: &[&str], files: Files<'_>) -> String {
        let tree = self.tree(parents.first().copied().unwrap_or_default(), files);
        let payload = self.payload(who, who, &tree, parents, message);
        let signature = who.1.map(|key| SigningKey::read(key).unwrap().sign(payload.as_bytes()).unwrap());
        self.write(&payload, signature.as_deref())
    }

    /// Makes a commit on `main`, a minute later than the last one.
    pub(super) fn commit(&mut self, who: Person, message: &str, files: Files<'_>) -> String {
        let tip = self.tip.clone();
        let commit = self.made(who, message, &[&tip], files);
        self.move_to(&commit);
        commit
    }

    /// Moves `main`.
    pub(super) fn move_to(&mut self, commit: &str) {
        git(&self.repository(), &["update-ref", "refs/heads/main", commit]);
        commit.clone_into(&mut self.tip);
        self.now = self.now.saturating_add(SignedDuration::from_mins(1)).unwrap();
        self.clock.store(self.now.as_second(), Ordering::SeqCst);
    }

    pub(super) fn show(&self, path: &str) -> String {
        git(&self.repository(), &["show", &format!("{}:{path}", self.tip)]) + "\n"
    }

    pub(super) fn tag(&self, name: &str) {
        git(&self.repository(), &["tag", name, &self.tip]);
    }

    /// Returns the declaration with another version.
    pub(super) fn upgraded(&self, version: &str) -> String {
        let text = self.show(ADDON);
        let at = text.find("hello-template-0.4.").unwrap();
        let end = at + "hello-template-0.4.0".len();
        let mut text = text;
        text.replace_range(at..end, &format!("hello-template-{version}"));
        text
    }

    /// Changes the digest of the add-on.
    pub(super) fn upgrade(&mut self, who: Person, version: &str) -> String {
        let text = self.upgraded(version);
        self.commit(who, &format!("upgrade to {version}"), &[(ADDON, Some(("100644", &text)))])
    }

    /// Returns the file of approvals with one more of a person.
    pub(super) fn approved(&self, digest: &Digest, by: &str) -> (String, String) {
        let entry = Entry {
            by: by.to_owned(),
            at: self.now,
            instance: InstanceId::of(7),
            reason: String::new(),
            break_glass: false,
        };
        self.with_entry(digest, entry)
    }

    /// Returns the file of approvals with one more entry.
    pub(super) fn with_entry(&self, digest: &Digest, entry: Entry) -> (String, String) {
        let addon: UnitName = NAME.parse().unwrap();
        let path = path(&addon, digest.as_str(), None);
        let document = Approval {
            api_version: "tidegate.io/v1alpha1".to_owned(),
            kind: "Approval".to_owned(),
            addon,
            digest: digest.as_str().to_owned(),
            group: None,
            approvals: vec![entry],
        };
        let present = git(&self.repository(), &["ls-tree", "-r", "--name-only", &self.tip]);
        let present = present.lines().any(|line| line == path).then(|| self.show(&path));
        let bytes = with(&path, present.as_ref().map(String::as_bytes), &document).unwrap();
        (path, String::from_utf8(bytes).unwrap())
    }

    /// Commits an approval of the current digest by a person, who signs.
    pub(super) fn approve(&mut self, source: &mut Source, who: Person) -> String {
        let digest = digest(&self.polled(source));
        let (path, text) = self.approved(&digest, who.0);
        self.commit(who, "approve", &[(&path, Some(("100644", &text)))])
    }

    /// Polls, and returns what is followed, also if nothing has changed.
    pub(super) fn polled(&self, source: &mut Source) -> Followed {
        match source.poll().unwrap() {
            Some(followed) => followed,
            None => source.current(),
        }
    }

    /// Tells the source that the rules of the followed revision are in force, as a tick does.
    pub(super) fn accept_rules(&self, source: &mut Source) {
        let followed = self.polled(source);
        let digest = followed.approvals.changes[&Approvals::rules()][0].digest.clone();
        let report = Report {
            rules: Some(RulesState { digest, approved: false, approvals: Vec::new(), waiting: None }),
            ..Report::default()
        };
        source.apply(Decisions::of(&report)).unwrap();
    }

    /// Polls, and judges a rule that wants one of `sre` who is not an author.
    pub(super) fn judged(&self, source: &mut Source) -> Verdict {
        self.judged_with(source, |_| {})
    }

    /// Polls, and judges another rule.
    pub(super) fn judged_with(&self, source: &mut Source, change: impl Fn(&mut Rule)) -> Verdict {
        let followed = self.polled(source);
        let mut rule = Rule {
            name: "prod".to_owned(),
            group: None,
            count: 1,
            of: vec!["sre".to_owned()],
            by_author: false,
            max_age: Some(SignedDuration::from_hours(24)),
            after: After::Any,
            break_glass: false,
        };
        change(&mut rule);
        let (addon, digest) = (NAME.parse().unwrap(), digest(&followed));
        // All clusters completed the version before the last change.
        let changes = followed.approvals.changes.get(&addon).into_iter().flatten();
        let good = changes.clone().find(|change| change.digest == digest).and_then(|change| change.from.clone());
        let judges =
            followed.approvals.of(&addon, &digest, &good_digest(&addon, good.as_ref()), &RulesInForce::Followed);
        let replaced = followed.approvals.replaced(&addon, &digest);
        let subject = Subject {
            addon,
            digest,
            group: None,
            instance: InstanceId::of(7),
            authors: judges.authors().clone(),
            earlier: judges.earlier().clone(),
            change: judges.change().cloned(),
            replaced,
            reached: Some(self.now),
        };
        judge(&rule, &judges.people().fact, &followed.approvals, &subject, self.now)
    }

    /// Polls, and returns why approvals do not count. None may.
    pub(super) fn reasons(&self, source: &mut Source) -> Vec<String> {
        let verdict = self.judged(source);
        assert!(verdict.have.is_empty(), "{:?}", verdict.have);
        let reason = |void| serde_json::to_value(void).unwrap()["reason"].as_str().unwrap().to_owned();
        verdict.void.into_iter().map(|void| reason(void.why)).collect()
    }
}

/// Returns the digest of the add-on.
pub(super) fn digest(followed: &Followed) -> Digest {
    followed.repository.digest(&NAME.parse().unwrap()).unwrap().clone()
}

/// Returns the digest that all clusters completed, if there is one.
pub(super) fn good_digest(addon: &UnitName, good: Option<&Digest>) -> GoodDigests {
    good.map(|good| (addon.clone(), good.clone())).into_iter().collect()
}
