//! A grammar of histories: what people commit, approve and push, and when the daemon looks.

use proptest::prelude::*;
use proptest::sample::select;

use super::content::{Content, Control, Fault, Guard, Marks, Naming, Payload, Place, Policy, Team};
use super::votes::{Person, Subject, Vote};
use super::world::World;

/// A change of what the newest revision says. It is made to the content before it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Edit {
    Image {
        is_evil: bool,
    },
    Level {
        is_evil: bool,
    },
    Own {
        is_evil: bool,
    },
    Placed {
        is_evil: bool,
    },
    Naming(Naming),
    Place(Place),
    Gradual(bool),
    Policy(Policy),
    Team(Team),
    Marks(usize, Marks),
    Control(Control),
    Fault(Option<Fault>),
    /// Everything is as an honest author wants it.
    Mend,
    /// What an earlier commit said.
    Revert(usize),
}

/// One step of a history.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Commit {
        by: Person,
        edits: Vec<Edit>,
    },
    Vote(Vote),
    /// The branch moves to an earlier commit.
    Force(usize),
    /// The daemon follows the branch.
    Poll,
    Tick,
    /// The daemon ticks until nothing is left to do.
    Settle,
    /// The daemon starts again.
    Restart,
}

impl Edit {
    /// Applies the edit. `number` is different for each commit.
    fn apply(self, content: &mut Content, number: u8, world: &World) {
        let payload = |is_evil| Payload { number, is_evil };
        match self {
            Self::Image { is_evil } => content.image = payload(is_evil),
            Self::Level { is_evil } => content.level = payload(is_evil),
            Self::Own { is_evil } => content.own = Some(payload(is_evil)),
            Self::Placed { is_evil } => content.placed = Some(payload(is_evil)),
            Self::Naming(naming) => content.naming = naming,
            Self::Place(place) => content.place = place,
            Self::Gradual(is_gradual) => content.is_gradual = is_gradual,
            Self::Policy(policy) => content.policy = policy,
            Self::Team(team) => content.team = team,
            Self::Marks(of, marks) => content.marks[of] = marks,
            Self::Control(control) => content.control = control,
            Self::Fault(fault) => content.fault = fault,
            Self::Mend => *content = content.mended(number),
            Self::Revert(commit) => {
                let commits = &world.source.commits;
                content.clone_from(&commits[commit % commits.len()].content);
            }
        }
    }
}

impl World {
    /// Plays a step.
    pub(super) fn play(&mut self, step: &Step) {
        match step {
            Step::Commit { by, edits } => {
                let number = u8::try_from(self.source.commits.len() % 250).unwrap();
                let mut content = Content::clone(&self.source.newest().content);
                edits.iter().for_each(|edit| edit.apply(&mut content, number, self));
                let is_decision = edits.iter().all(|edit| matches!(edit, Edit::Control(_)));
                self.commit(*by, content, is_decision);
            }
            Step::Vote(vote) => self.vote(*vote),
            Step::Force(commit) => self.force(*commit),
            Step::Poll => self.poll(),
            Step::Tick => drop(self.tick()),
            Step::Settle => self.settle(),
            Step::Restart => self.restart(),
        }
    }
}

fn honest_edit() -> BoxedStrategy<Edit> {
    prop_oneof![
        4 => Just(Edit::Image { is_evil: false }),
        1 => Just(Edit::Level { is_evil: false }),
        1 => any::<bool>().prop_map(Edit::Gradual),
        1 => select(vec![Policy::Honest, Policy::Stricter, Policy::Renamed]).prop_map(Edit::Policy),
        1 => select(vec![Team::Honest, Team::WithDan]).prop_map(Edit::Team),
        1 => select(vec![Marks::Honest, Marks::Labeled]).prop_map(|marks| Edit::Marks(1, marks)),
        1 => select(vec![Control::Nothing, Control::Pause, Control::Ignore]).prop_map(Edit::Control),
        1 => fault().prop_map(Edit::Fault),
    ]
    .boxed()
}

fn fault() -> BoxedStrategy<Option<Fault>> {
    let faults = vec![Fault::Template, Fault::Settings, Fault::PolicyFile, Fault::Policy, Fault::Placement];
    prop::option::of(select(faults)).boxed()
}

/// An edit that makes clusters evil, if nothing holds it.
fn evil_edit() -> BoxedStrategy<Edit> {
    prop_oneof![
        6 => Just(Edit::Image { is_evil: true }),
        1 => Just(Edit::Level { is_evil: true }),
        1 => Just(Edit::Own { is_evil: true }),
        1 => Just(Edit::Placed { is_evil: true }),
        1 => (0..2_usize).prop_map(|of| Edit::Marks(of, Marks::Registry)),
        1 => (0..20_usize).prop_map(Edit::Revert),
    ]
    .boxed()
}

/// An edit that loosens what guards the clusters, or changes what policies select by.
fn loosening() -> BoxedStrategy<Edit> {
    use Policy::{Another, ByAuthor, Empty, OfMallory, Removed, SelectsNothing};
    let places = vec![
        Place::Honest,
        Place::Renamed,
        Place::OtherGroups,
        Place::DecoyGroups,
        Place::OnlyCanary,
        Place::Second,
        Place::Elsewhere,
        Place::Manual,
    ];
    let policies = vec![Policy::Honest, Removed, SelectsNothing, OfMallory, ByAuthor, Empty, Another, Policy::Renamed];
    let teams = vec![Team::Honest, Team::WithMallory, Team::MalloryAsBob, Team::Nobody];
    let namings = vec![
        Naming::Hello,
        Naming::Renamed,
        Naming::Duplicated,
        Naming::Shared,
        Naming::Extra,
        Naming::Gone,
        Naming::Moved,
        Naming::Split,
        Naming::Elsewhere,
        Naming::Variable,
        Naming::Application,
        Naming::OnlyApplication,
    ];
    // Clusters stay as declared as they are: one that is removed and joins again is a new one.
    let marks = vec![(0, Marks::Lab), (1, Marks::Honest), (1, Marks::Lab), (1, Marks::Canary)];
    prop_oneof![
        3 => select(policies).prop_map(Edit::Policy),
        3 => select(places).prop_map(Edit::Place),
        2 => select(teams).prop_map(Edit::Team),
        1 => select(marks).prop_map(|(of, marks)| Edit::Marks(of, marks)),
        2 => select(namings).prop_map(Edit::Naming),
        1 => fault().prop_map(Edit::Fault),
        1 => select(vec![Control::Nothing, Control::Pause, Control::Ignore, Control::Exclude]).prop_map(Edit::Control),
        1 => Just(Edit::Mend),
    ]
    .boxed()
}

fn subject() -> BoxedStrategy<Subject> {
    select(vec![Subject::Addon, Subject::Rules]).boxed()
}

fn honest_vote() -> BoxedStrategy<Vote> {
    (select(vec![Person::Bob, Person::Cy]), subject()).prop_map(|(by, of)| Vote::Honest { by, of }).boxed()
}

fn hostile_vote(guard: Guard) -> BoxedStrategy<Vote> {
    let canary = u32::from(guard == Guard::Rest);
    prop_oneof![
        2 => (prop::bool::weighted(0.8), subject()).prop_map(|(signed, of)| Vote::Forged { signed, of }),
        3 => subject().prop_map(|of| Vote::Mallory { of }),
        1 => subject().prop_map(|of| Vote::Author { of }),
        1 => subject().prop_map(|of| Vote::Copied { of }),
        1 => subject().prop_map(|of| Vote::OtherInstance { of }),
        2 * canary => Just(Vote::Canary),
    ]
    .boxed()
}

fn look() -> BoxedStrategy<Step> {
    prop_oneof![
        6 => Just(Step::Settle),
        1 => Just(Step::Poll),
        1 => Just(Step::Tick),
        1 => Just(Step::Restart),
    ]
    .boxed()
}

fn committed(edits: impl Strategy<Value = Vec<Edit>> + 'static) -> BoxedStrategy<Step> {
    // Mallory may approve what Ada wrote, if the rules let her.
    let by = select(vec![Person::Mallory, Person::Ada, Person::Ada, Person::Unsigned]);
    (by, edits).prop_map(|(by, edits)| Step::Commit { by, edits }).boxed()
}

/// A commit that makes clusters evil, if nothing holds it.
fn exploit() -> BoxedStrategy<Step> {
    let edits = (prop::collection::vec(loosening(), 0..2), evil_edit());
    committed(edits.prop_map(|(mut edits, evil)| {
        edits.push(evil);
        edits
    }))
}

/// A plan of several steps: loosen something, use it, approve it, and take it back.
fn plot(guard: Guard) -> BoxedStrategy<Vec<Step>> {
    let loosen = || committed(prop::collection::vec(loosening(), 1..3));
    let votes = || prop::collection::vec(hostile_vote(guard).prop_map(Step::Vote), 0..3);
    let looks = || prop::collection::vec(look(), 0..2);
    ((loosen(), looks(), votes(), looks()), (exploit(), looks(), votes(), looks()), prop::option::of(loosen()))
        .prop_map(|((loosen, first, votes, second), (exploit, third, more, fourth), back)| {
            let begin = [vec![loosen], first, votes, second].concat();
            [begin, vec![exploit], third, more, fourth, back.into_iter().collect()].concat()
        })
        .boxed()
}

/// A step by someone who wants something evil on the clusters, or by anyone else.
fn hostile_step(guard: Guard) -> BoxedStrategy<Step> {
    prop_oneof![
        3 => exploit(),
        3 => committed(prop::collection::vec(loosening(), 1..3)),
        1 => (honest_edit()).prop_map(|edit| Step::Commit { by: Person::Ada, edits: vec![edit] }),
        2 => hostile_vote(guard).prop_map(Step::Vote),
        1 => honest_vote().prop_map(Step::Vote),
        1 => (0..20_usize).prop_map(Step::Force),
        4 => look(),
    ]
    .boxed()
}

fn guard() -> BoxedStrategy<Guard> {
    select(vec![Guard::Everything, Guard::Rest, Guard::Groups, Guard::Placement, Guard::Addon, Guard::Clusters]).boxed()
}

/// Histories with hostile steps.
pub(super) fn hostile() -> BoxedStrategy<(Guard, Vec<Step>)> {
    let steps = |guard| {
        let single = prop::collection::vec(hostile_step(guard), 1..4);
        let part = prop_oneof![single, plot(guard)];
        let parts = prop::collection::vec(part, 1..4).prop_map(|parts| parts.concat());
        (Just(guard), parts)
    };
    guard().prop_flat_map(steps).boxed()
}

/// Histories without hostile steps.
pub(super) fn honest() -> BoxedStrategy<(Guard, Vec<Step>)> {
    let step = prop_oneof![
        3 => honest_edit().prop_map(|edit| Step::Commit { by: Person::Ada, edits: vec![edit] }),
        2 => honest_vote().prop_map(Step::Vote),
        4 => look(),
    ];
    (guard(), prop::collection::vec(step, 3..13)).boxed()
}
