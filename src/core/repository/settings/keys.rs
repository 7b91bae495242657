//! The keys of `tidegate.toml`: what each one means, and which values it takes. The reader and the schema follow this list.

use super::types::{Executor, Images, Settings};
use tidegate_model::semantics::{Semantics, SoakDip};

/// A section of `tidegate.toml`.
#[derive(Debug)]
pub struct Section {
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
}

/// A key of a section.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it sets.
    pub about: &'static str,
    /// Its values.
    pub kind: Kind,
}

/// The values of a key.
#[derive(Debug)]
pub enum Kind {
    /// `repository.path`: a directory of the repository.
    Directory,
    /// `journal.branch`: the name of a branch.
    Branch,
    /// `prune.confirm`: commits, each with at least its first 7 digits.
    Commits,
    /// `applications.granted`: rules of work agents.
    Grants,
    /// `true` or `false`.
    Flag(fn(&mut Settings) -> &mut bool),
    /// One of these words, each with its effect. The first one is the default.
    Words(&'static [Word]),
    /// A number from 0.
    Number {
        /// The largest value, if there is one.
        max: Option<u64>,
        /// What to write, for the message about another value.
        right: &'static str,
        /// Returns the number.
        get: fn(&Settings) -> u64,
        /// Sets the number. Returns `false` if it is too large.
        set: fn(&mut Settings, u64) -> bool,
    },
}

/// A word and its effect.
pub(super) type Word = (&'static str, fn(&mut Settings));

/// The sections, without `people`, which has no keys of its own.
pub const SECTIONS: &[Section] = &[
    Section {
        name: "repository",
        about: "Where the objects are.",
        keys: &[Key {
            name: "path",
            about: "Directory of the objects, relative to the root of the repository.",
            kind: Kind::Directory,
        }],
    },
    Section {
        name: "rollout",
        about: "How changes reach the clusters.",
        keys: &[
            Key {
                name: "semantics",
                about: "Which engine decides: Tidegate's own, or one that behaves like upstream.",
                kind: Kind::Words(&[
                    ("strict", |settings| settings.semantics = Semantics::Strict),
                    ("compat", |settings| settings.semantics = Semantics::Compat),
                ]),
            },
            Key {
                name: "soak_dip",
                about: "What happens to a cluster that degrades during its soak time: it starts the soak again, or fails.",
                kind: Kind::Words(&[
                    ("restart", |settings| settings.soak_dip = SoakDip::Restart),
                    ("fail", |settings| settings.soak_dip = SoakDip::Fail),
                ]),
            },
        ],
    },
    Section {
        name: "journal",
        about: "Where the progress is recorded.",
        keys: &[
            Key { name: "branch", about: "Branch to which status files are committed.", kind: Kind::Branch },
            Key {
                name: "fleet",
                about: "Whether the journal has fleet.yaml, from which a plan can be made without the hub.",
                kind: Kind::Flag(|settings| &mut settings.journal_fleet),
            },
        ],
    },
    Section { name: "prune", about: "What happens to objects that left the repository.", keys: PRUNE },
    Section { name: "applications", about: "What happens to Applications of core.oam.dev.", keys: APPLICATIONS },
    Section {
        name: "render",
        about: "How overlays are rendered, where Tidegate goes beyond kustomize.",
        keys: &[Key {
            name: "ocm_references",
            about: "Whether references between OCM objects follow an object that the overlay renames.",
            kind: Kind::Flag(|settings| &mut settings.render.ocm_references),
        }],
    },
];

const APPLICATIONS: &[Key] = &[
    Key {
        name: "enabled",
        about: "Whether they are rolled out. Otherwise an Application is an object like any other.",
        kind: Kind::Flag(|settings| &mut settings.applications.enabled),
    },
    Key {
        name: "deadline_minutes",
        about: "How long a cluster may take if the policy that selects it has no rolloutStrategy, in minutes. 0 means that it may take any time.",
        kind: Kind::Number {
            max: Some(43_200),
            right: "a number of minutes from 0 to 43200",
            get: |settings| settings.applications.deadline_minutes.into(),
            set: |settings, number| u32::try_from(number).map(|n| settings.applications.deadline_minutes = n).is_ok(),
        },
    },
    Key {
        name: "rollout",
        about: "Who carries out the batches of the trait rollout: a Deployment by its strategy and Tidegate by the partition of a StatefulSet or CloneSet, or the controller of standard.oam.dev on the cluster.",
        kind: Kind::Words(&[
            ("strategy", |settings| settings.applications.rollout = Executor::Strategy),
            ("standard.oam.dev", |settings| settings.applications.rollout = Executor::Standard),
        ]),
    },
    Key {
        name: "images",
        about: "Which images they may use: any, those with a tag other than latest or with a digest, or those with a digest.",
        kind: Kind::Words(&[
            ("any", |settings| settings.applications.images = Images::Any),
            ("pinned-tag", |settings| settings.applications.images = Images::PinnedTag),
            ("digest", |settings| settings.applications.images = Images::Digest),
        ]),
    },
    Key {
        name: "granted",
        about: "What work agents may do beyond the rights of every agent: rules with groups, resources, verbs and, for the clusters of one set, cluster_set.",
        kind: Kind::Grants,
    },
];

const PRUNE: &[Key] = &[
    Key {
        name: "enabled",
        about: "Whether they are removed from the hub.",
        kind: Kind::Flag(|settings| &mut settings.prune.enabled),
    },
    Key {
        name: "max_percent",
        about: "Percentage of the owned objects that may be removed at once, and of the clusters of one add-on that may lose it at once.",
        kind: Kind::Number {
            max: Some(100),
            right: "a number from 0 to 100",
            get: |settings| settings.prune.max_percent.into(),
            set: |settings, number| u8::try_from(number).map(|n| settings.prune.max_percent = n).is_ok(),
        },
    },
    Key {
        name: "max_clusters",
        about: "Number of clusters of one add-on that may lose it at once, regardless of the percentage.",
        kind: Kind::Number {
            max: None,
            right: "a number of clusters, 0 or more",
            get: |settings| settings.prune.max_clusters as u64,
            set: |settings, number| usize::try_from(number).map(|n| settings.prune.max_clusters = n).is_ok(),
        },
    },
    Key {
        name: "wait_for_installs",
        about: "Whether an add-on is removed from clusters only after the clusters that get it in the same change are healthy.",
        kind: Kind::Flag(|settings| &mut settings.prune.wait_for_installs),
    },
    Key {
        name: "settle_seconds",
        about: "How long the set of clusters that will lose an add-on must stay unchanged before the first one loses it, in seconds.",
        kind: Kind::Number {
            max: Some(86_400),
            right: "a number of seconds from 0 to 86400",
            get: |settings| settings.prune.settle_seconds.into(),
            set: |settings, number| u32::try_from(number).map(|n| settings.prune.settle_seconds = n).is_ok(),
        },
    },
    Key {
        name: "confirm",
        about: "Revisions whose held removals are confirmed, each as a commit or at least its first 7 digits.",
        kind: Kind::Commits,
    },
];
