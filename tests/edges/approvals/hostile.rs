//! Histories by people who may push: no approval counts that its person did not sign for exactly the digest in force.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use tidegate_daemon::reconciler::source::Source;
use tidegate_model::digest::Digest;
use tidegate_signature::SigningKey;

use super::world::{ADA, BOB, CY, MALLORY, NAME, Person, World, digest};

/// One step of a history.
#[derive(Debug, Clone)]
enum Step {
    /// Ada changes the digest.
    Upgrade {
        signed: bool,
    },
    /// Bob or Cy approves the digest in force, on the branch or on one of its own that Ada merges.
    Approve {
        by_bob: bool,
        merged: bool,
    },
    /// Someone approves in Bob's name.
    Forge(Forger),
    /// Someone copies an approval of a file to the digest in force.
    Copy {
        file: Index,
        by: Forger,
    },
    /// Someone moves an approval to another file.
    Move {
        file: Index,
        by: Forger,
    },
    Remove {
        file: Index,
    },
    /// Mallory merges an earlier commit, and adds an approval in Bob's name.
    Merge {
        commit: Index,
    },
    /// The branch moves to an earlier commit.
    Force {
        commit: Index,
    },
    Poll,
}

/// Who makes a commit that Bob did not make.
#[derive(Debug, Clone, Copy)]
enum Forger {
    Mallory,
    Ada,
    /// The commit names Bob, and has no signature.
    Unsigned,
    /// The commit names Bob, and Mallory signed it.
    InHisName,
    /// The commit names Bob, and has the signature of another commit of his.
    Reused,
}

fn step() -> BoxedStrategy<Step> {
    use Forger::{Ada, InHisName, Mallory, Reused, Unsigned};
    let forger = || select(vec![Mallory, Ada, Unsigned, InHisName, Reused]);
    prop_oneof![
        3 => any::<bool>().prop_map(|signed| Step::Upgrade { signed }),
        3 => any::<(bool, bool)>().prop_map(|(by_bob, merged)| Step::Approve { by_bob, merged }),
        2 => forger().prop_map(Step::Forge),
        2 => (any::<Index>(), forger()).prop_map(|(file, by)| Step::Copy { file, by }),
        1 => (any::<Index>(), forger()).prop_map(|(file, by)| Step::Move { file, by }),
        1 => any::<Index>().prop_map(|file| Step::Remove { file }),
        1 => any::<Index>().prop_map(|commit| Step::Merge { commit }),
        2 => any::<Index>().prop_map(|commit| Step::Force { commit }),
        2 => Just(Step::Poll),
    ]
    .boxed()
}

/// The repository of all histories, and what its people really did.
struct Story {
    world: World,
    source: Source,
    base: String,
    /// The commits of this history.
    commits: Vec<String>,
    /// The approvals that people signed, by commit.
    signed: BTreeMap<String, (&'static str, Digest)>,
    /// How many approvals counted.
    counted: usize,
}

impl Story {
    fn new() -> Self {
        let (world, source) = World::new();
        let base = world.tip.clone();
        Self { world, source, base, commits: Vec::new(), signed: BTreeMap::new(), counted: 0 }
    }

    fn start(&mut self) {
        let base = self.base.clone();
        self.world.move_to(&base);
        self.commits = vec![base];
    }

    /// Makes a commit in someone's name, on the newest commit.
    fn forge(&mut self, by: Forger, files: super::world::Files<'_>) -> String {
        let (named, key) = match by {
            Forger::Mallory => (MALLORY, MALLORY.1),
            Forger::Ada => (ADA, ADA.1),
            Forger::Unsigned | Forger::Reused => (BOB, None),
            Forger::InHisName => (BOB, MALLORY.1),
        };
        let tip = self.world.tip.clone();
        if !matches!(by, Forger::Reused) {
            return self.world.made(Person(named.0, key), "approve", &[&tip], files);
        }
        let other = self.world.tree(&tip, &[("README.md", Some(("100644", "bob's\n")))]);
        let honest = self.world.payload(BOB, BOB, &other, &[&tip], "harmless");
        let signature = SigningKey::read(BOB.1.unwrap()).unwrap().sign(honest.as_bytes()).unwrap();
        let tree = self.world.tree(&tip, files);
        let payload = self.world.payload(BOB, BOB, &tree, &[&tip], "approve");
        self.world.write(&payload, Some(&signature))
    }

    /// Returns the path of a file of approvals at the newest commit; `None` if there is none.
    fn file(&self, index: &Index) -> Option<String> {
        let listed = self.world.fed(&["ls-tree", "-r", "--name-only", &self.world.tip, "approvals/"], b"");
        let files: Vec<&str> = listed.lines().collect();
        (!files.is_empty()).then(|| (*index.get(&files)).to_owned())
    }

    fn move_to(&mut self, commit: String) {
        self.world.move_to(&commit);
        self.commits.push(commit);
    }

    fn play(&mut self, step: &Step) {
        match step {
            Step::Upgrade { signed } => {
                let is_new = self.world.show("fleet/addons/hello-template/addon.yaml").contains("hello-template-0.4.1");
                let next = if is_new { "0.4.0" } else { "0.4.1" };
                let commit = self.world.upgrade(if *signed { ADA } else { ADA.unsigned() }, next);
                self.commits.push(commit);
            }
            Step::Approve { by_bob, merged } => self.approve(if *by_bob { BOB } else { CY }, *merged),
            Step::Forge(by) => {
                let now = digest(&self.world.polled(&mut self.source));
                let (path, text) = self.world.approved(&now, BOB.0);
                let commit = self.forge(*by, &[(&path, Some(("100644", &text)))]);
                self.move_to(commit);
            }
            Step::Copy { file, by } => {
                let Some(from) = self.file(file) else { return };
                let now = digest(&self.world.polled(&mut self.source));
                let text = self.world.show(&from);
                let known = text.lines().find_map(|line| line.strip_prefix("digest: ")).unwrap_or_default().to_owned();
                let copied = text.replace(known.trim_matches('"'), now.as_str());
                let path = format!("approvals/{NAME}/{}.yaml", now.short());
                let commit = self.forge(*by, &[(&path, Some(("100644", &copied)))]);
                self.move_to(commit);
            }
            Step::Move { file, by } => {
                let Some(from) = self.file(file) else { return };
                let text = self.world.show(&from);
                let to = from.replace(".yaml", "-2.yaml");
                let commit = self.forge(*by, &[(&from, None), (&to, Some(("100644", &text)))]);
                self.move_to(commit);
            }
            Step::Remove { file } => {
                let Some(path) = self.file(file) else { return };
                let commit = self.forge(Forger::Mallory, &[(&path, None)]);
                self.move_to(commit);
            }
            Step::Merge { commit } => {
                let other = commit.get(&self.commits).clone();
                let now = digest(&self.world.polled(&mut self.source));
                let (path, text) = self.world.approved(&now, BOB.0);
                let tip = self.world.tip.clone();
                let merge = self.world.made(MALLORY, "merge", &[&tip, &other], &[(&path, Some(("100644", &text)))]);
                self.move_to(merge);
            }
            Step::Force { commit } => {
                let commit = commit.get(&self.commits).clone();
                self.world.move_to(&commit);
            }
            Step::Poll => drop(self.world.polled(&mut self.source)),
        }
    }

    fn approve(&mut self, who: Person, merged: bool) {
        let now = digest(&self.world.polled(&mut self.source));
        let (path, text) = self.world.approved(&now, who.0);
        let files = [(path.as_str(), Some(("100644", text.as_str())))];
        let tip = self.world.tip.clone();
        let approval = self.world.made(who, "approve", &[&tip], &files);
        self.signed.insert(approval.clone(), (who.0, now));
        if merged {
            let merge = self.world.made(ADA, "merge", &[&tip, &approval], &files);
            self.commits.push(approval);
            self.move_to(merge);
        } else {
            self.move_to(approval);
        }
    }

    /// Returns an approval that counts, and should not.
    fn stolen(&mut self) -> Option<String> {
        let now = digest(&self.world.polled(&mut self.source));
        let verdict = self.world.judged(&mut self.source);
        self.counted += verdict.have.len();
        let is_real =
            |person: &str, commit: &str| self.signed.get(commit).is_some_and(|(who, of)| *who == person && *of == now);
        let stolen = verdict.have.iter().find(|seat| !is_real(&seat.person, seat.commit.as_str()));
        stolen.map(|seat| format!("{seat:?} counts for {now}"))
    }
}

thread_local! {
    /// One repository for all histories, because it takes long to make one.
    static STORY: RefCell<Option<Story>> = const { RefCell::new(None) };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn no_approval_counts_that_its_person_did_not_sign_for_the_digest(steps in prop::collection::vec(step(), 2..9)) {
        let found = STORY.with_borrow_mut(|story| {
            let story = story.get_or_insert_with(Story::new);
            story.start();
            steps.iter().find_map(|step| {
                story.play(step);
                story.stolen()
            })
        });
        prop_assert_eq!(found, None);
    }
}

#[test]
fn an_approval_counts_on_the_branch_and_after_a_merge() {
    let mut story = Story::new();
    for merged in [false, true] {
        story.start();
        for step in [Step::Upgrade { signed: true }, Step::Approve { by_bob: true, merged }] {
            story.play(&step);
        }
        assert_eq!(story.stolen(), None);
    }
    assert_eq!(story.counted, 2);
}
