//! What a revision says, as plain values: an add-on, where it goes, and the rules that guard it.

use serde_json::{Value, json};

/// What the policy of the first revision guards: one of `sre` must approve before a cluster starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Guard {
    /// Every cluster.
    Everything,
    /// The clusters of the group `rest`.
    Rest,
    /// All groups, by their names.
    Groups,
    /// The placement, by its name.
    Placement,
    /// The add-on, by its name.
    Addon,
    /// The clusters with the label `stage: production`, which all have.
    Clusters,
}

/// An image, or a value of a configuration. Each change of it has a number of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Payload {
    pub(super) number: u8,
    pub(super) is_evil: bool,
}

impl Payload {
    pub(super) fn good(number: u8) -> Self {
        Self { number, is_evil: false }
    }

    fn image(self) -> String {
        let host = if self.is_evil { "evil.example" } else { "good.example" };
        format!("{host}/hello:{}", self.number)
    }

    pub(super) fn level(self) -> String {
        let word = if self.is_evil { "evil" } else { "good" };
        format!("{word}-{}", self.number)
    }
}

/// The add-on: its name, and others beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Naming {
    Hello,
    /// The add-on has another name, and writes the same objects.
    Renamed,
    /// Another add-on beside it writes the same objects.
    Duplicated,
    /// Another add-on beside it uses the same template.
    Shared,
    /// Another add-on beside it writes other objects.
    Extra,
    /// There is no add-on.
    Gone,
    /// The add-on writes another object instead.
    Moved,
    /// The add-on writes another object, and another add-on writes what it wrote.
    Split,
    /// Another add-on beside it writes an object that is the same after it is moved to the namespace for add-ons.
    Elsewhere,
    /// Another add-on beside it writes an object whose name is the same after variables are replaced.
    Variable,
    /// An application beside it writes the same objects.
    Application,
    /// An application writes what the add-on wrote, and there is no add-on.
    OnlyApplication,
}

/// Where the add-on goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Honest,
    /// The placement has another name.
    Renamed,
    /// The groups have other names.
    OtherGroups,
    /// The groups have other names, and empty groups have theirs.
    DecoyGroups,
    /// All clusters are in the group `canary`.
    OnlyCanary,
    /// Another placement selects the same clusters after the first one.
    Second,
    /// The first placement selects no cluster, and another one selects all.
    Elsewhere,
    /// The clusters are chosen by hand.
    Manual,
}

/// The policy of the revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Policy {
    Honest,
    /// Two people must approve.
    Stricter,
    /// Every cluster needs the approval.
    EveryCluster,
    /// It has another name.
    Renamed,
    Removed,
    /// It selects no add-on.
    SelectsNothing,
    /// Mallory may approve, too.
    OfMallory,
    /// Authors may approve.
    ByAuthor,
    /// It asks for no approval.
    Empty,
    /// A second policy asks Mallory.
    Another,
}

/// `[people]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Team {
    Honest,
    /// Dan is known, and is in no team.
    WithDan,
    /// Mallory is in `sre`.
    WithMallory,
    /// Bob has Mallory's address.
    MalloryAsBob,
    /// There are no people.
    Nobody,
}

/// The labels and annotations of a declared cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Marks {
    /// The cluster is not declared.
    Undeclared,
    Honest,
    /// It has one more label, which nothing reads.
    Labeled,
    /// It is no production cluster.
    Lab,
    /// It is a canary.
    Canary,
    /// Its images come from another registry.
    Registry,
}

/// The control file of the add-on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Control {
    Nothing,
    Pause,
    /// The first cluster is left alone.
    Ignore,
    /// The first cluster loses the add-on.
    Exclude,
}

/// An error, which holds add-ons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// The add-on names a template that does not exist.
    Template,
    /// `tidegate.toml` cannot be read.
    Settings,
    /// The file of the policy cannot be read.
    PolicyFile,
    /// The policy has a mistake.
    Policy,
    /// The file of the placement cannot be read.
    Placement,
}

/// Everything that a revision says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Content {
    pub(super) guard: Guard,
    pub(super) image: Payload,
    /// A value in the configuration of all clusters.
    pub(super) level: Payload,
    /// A value in a configuration of one cluster alone.
    pub(super) own: Option<Payload>,
    /// A value in a configuration of the first placement alone.
    pub(super) placed: Option<Payload>,
    pub(super) naming: Naming,
    pub(super) place: Place,
    /// Whether groups start one after the other.
    pub(super) is_gradual: bool,
    pub(super) policy: Policy,
    pub(super) team: Team,
    /// The marks of the clusters; the first revision declares the second one.
    pub(super) marks: [Marks; 2],
    pub(super) control: Control,
    pub(super) fault: Option<Fault>,
}

impl Content {
    /// Returns what the first revision says.
    pub(super) fn first(guard: Guard) -> Self {
        Self {
            guard,
            image: Payload::good(0),
            level: Payload::good(0),
            own: None,
            placed: None,
            naming: Naming::Hello,
            place: Place::Honest,
            is_gradual: false,
            policy: Policy::Honest,
            team: Team::Honest,
            marks: [Marks::Undeclared, Marks::Honest],
            control: Control::Nothing,
            fault: None,
        }
    }

    /// Returns `true` if an honest approver approves what clusters would get, and where.
    pub(super) fn is_clean(&self) -> bool {
        let payloads = [Some(self.image), Some(self.level), self.own, self.placed];
        let is_harmless = payloads.into_iter().flatten().all(|payload| !payload.is_evil);
        let is_in_place = self.naming == Naming::Hello && self.place == Place::Honest && self.own.is_none();
        is_harmless && (is_in_place || self.guard == Guard::Everything)
    }

    /// Returns `true` if an honest approver approves the rules.
    pub(super) fn has_honest_rules(&self) -> bool {
        let is_honest = |marks: &Marks| matches!(marks, Marks::Undeclared | Marks::Honest | Marks::Labeled);
        matches!(self.policy, Policy::Honest | Policy::Stricter | Policy::Renamed)
            && matches!(self.team, Team::Honest | Team::WithDan)
            && self.marks.iter().all(is_honest)
    }

    /// Returns the content without anything that an honest author would not want.
    pub(super) fn mended(&self, number: u8) -> Self {
        let is_gradual = self.is_gradual;
        Self { image: Payload::good(number), is_gradual, ..Self::first(self.guard) }
    }

    /// Returns the name of the add-on, or of the application in its place.
    pub(super) fn addon(&self) -> &'static str {
        match self.naming {
            Naming::Renamed => "other",
            Naming::OnlyApplication => "application/fleet/hello",
            _ => "hello",
        }
    }

    pub(super) fn image(&self) -> String {
        self.image.image()
    }

    pub(super) fn level(&self) -> String {
        self.level.level()
    }

    /// Returns the specs of the policies by name.
    pub(super) fn policies(&self) -> Vec<(&'static str, Value)> {
        let groups = json!({ "groups": ["canary", "rest"] });
        let (selector, before) = match self.guard {
            Guard::Everything => (json!({}), json!([])),
            Guard::Rest => (json!({}), json!(["rest"])),
            Guard::Groups => (groups, json!([])),
            Guard::Placement => (json!({ "placements": ["fleet/fleet"] }), json!([])),
            Guard::Addon => (json!({ "addOns": ["hello"] }), json!([])),
            Guard::Clusters => (json!({ "clusters": { "matchLabels": { "stage": "production" } } }), json!([])),
        };
        let mut approval = json!({ "name": "sre", "count": 1, "of": ["sre"], "before": before });
        let spec = |selector: &Value, approvals: Value| json!({ "selector": selector, "approvals": approvals });
        match self.policy {
            Policy::Removed => return Vec::new(),
            Policy::Empty => return vec![("production", spec(&selector, json!([])))],
            Policy::SelectsNothing => {
                return vec![("production", spec(&json!({ "addOns": ["nothing-*"] }), json!([approval])))];
            }
            Policy::Another => {
                let of_mallory = json!([{ "name": "m", "of": ["mallory@example.com"] }]);
                return vec![
                    ("production", spec(&selector, json!([approval]))),
                    ("second", spec(&json!({}), of_mallory)),
                ];
            }
            Policy::Stricter => approval["count"] = json!(2),
            Policy::EveryCluster => approval["before"] = json!([]),
            Policy::OfMallory => approval["of"] = json!(["sre", "mallory@example.com"]),
            Policy::ByAuthor => approval["byAuthor"] = json!(true),
            Policy::Honest | Policy::Renamed => {}
        }
        let name = if self.policy == Policy::Renamed { "prod" } else { "production" };
        vec![(name, spec(&selector, json!([approval])))]
    }

    /// Returns `tidegate.toml`.
    pub(super) fn settings(&self) -> String {
        let on = "[applications]\nenabled = true\n";
        let people =
            |extra: &str| format!("{on}[people]\nada = ['ada@example.com']\ncy = ['cy@example.com']\n{extra}\n");
        let bob = "bob = ['bob@example.com']\nsre = ['ada', 'bob', 'cy']";
        match (self.fault, self.team) {
            (Some(Fault::Settings), _) => "[people\n".to_owned(),
            (_, Team::Honest) => people(bob),
            (_, Team::WithDan) => people(&format!("{bob}\ndan = ['dan@example.com']")),
            (_, Team::WithMallory) => people(&bob.replace("'cy']", "'cy', 'mallory@example.com']")),
            (_, Team::MalloryAsBob) => people(&bob.replace("['bob@", "['mallory@example.com', 'bob@")),
            (_, Team::Nobody) => on.to_owned(),
        }
    }
}
