//! Tests of `tidegate.toml`.

use tidegate_consent::People;
use tidegate_kustomize::overlay::Options;
use tidegate_model::semantics::{Semantics, SoakDip};
use tidegate_repository::{Applications, Prune, Rule, Settings, load, settings};

use super::fixture::{PLAIN, complaints, shown, tree, with};
use crate::transcript::transcript;

fn toml(text: &str) -> Vec<String> {
    complaints(&with("tidegate.toml", text))
}

#[test]
fn without_a_file_the_defaults_apply() {
    let expected = Settings {
        path: ".".into(),
        semantics: Semantics::Strict,
        soak_dip: SoakDip::Restart,
        journal_branch: "tidegate/journal".into(),
        journal_fleet: true,
        prune: Prune { enabled: true, max_percent: 20, ..Prune::default() },
        render: Options::default(),
        people: People::default(),
        applications: Applications::default(),
    };
    assert_eq!(load(&super::fixture::good(), "").repository.settings, expected);
}

#[test]
fn every_setting_is_read() {
    let text = "\
[repository]
path = './overlays//prod/'
[rollout]
semantics = 'compat'
soak_dip = 'fail'
[journal]
branch = 'status/prod'
fleet = false
[prune]
enabled = false
max_percent = 5
[render]
ocm_references = true
[people]
ada = ['ada@example.com', 'key:SHA256:1']
";
    let loaded = load(&tree(&[("tidegate.toml", text), ("overlays/prod/a.yaml", PLAIN), ("b.yaml", "]")]), "");
    assert_eq!(loaded.complaints, []);
    let expected = Settings {
        path: "overlays/prod".into(),
        semantics: Semantics::Compat,
        soak_dip: SoakDip::Fail,
        journal_branch: "status/prod".into(),
        journal_fleet: false,
        prune: Prune { enabled: false, max_percent: 5, ..Prune::default() },
        render: Options { ocm_references: true, ..Options::default() },
        people: People::new([("ada".to_owned(), vec!["ada@example.com".to_owned(), "key:SHA256:1".to_owned()])].into()),
        applications: Applications::default(),
    };
    assert_eq!(loaded.repository.settings, expected);
    assert_eq!(loaded.repository.objects.len(), 2);
}

#[test]
fn the_path_of_the_command_line_wins() {
    let files = [("tidegate.toml", "[repository]\npath = 'a'\n"), ("a/x.yaml", "]"), ("b/x.yaml", PLAIN)];
    let loaded = load(&tree(&files), "b");
    assert_eq!(loaded.complaints, []);
    assert_eq!(loaded.repository.settings.path, "b");
    assert_eq!(loaded.repository.objects.len(), 2);
}

#[test]
fn a_path_is_not_a_prefix_of_a_name() {
    let loaded = load(&tree(&[("a/x.yaml", PLAIN), ("ab/x.yaml", "]")]), "a");
    assert_eq!(loaded.complaints, []);
}

#[test]
fn the_journal_is_not_read() {
    assert_eq!(toml(""), Vec::<String>::new());
    assert_eq!(complaints(&with("status/sync.yaml", "]")), Vec::<String>::new());
}

/// Returns settings, each with the complaints about them, for a snapshot.
fn with_complaints(settings: &[&str]) -> String {
    transcript(settings.iter().copied(), |text| toml(text).join("\n"))
}

#[test]
fn mistakes_have_a_place_and_a_remedy() {
    insta::assert_snapshot!(with_complaints(&[
        "[rolout]\n",
        "rollout = 1\n",
        "[rollout]\nsemantic = 'strict'\n",
        "[rollout]\nsemantics = 'strickt'\n",
        "[rollout]\nsemantics = 1\n",
        "[prune]\nmax_percent = 101\n",
        "[prune]\nenabled = 'no'\n",
        "[journal]\nbranch = 'a b'\n",
        "[repository]\npath = '../x'\n",
        "[repository]\npath = '/x'\n",
        "[repository]\npath = 'nowhere'\n",
    ]));
}

#[test]
fn after_a_syntax_error_nothing_else_is_reported() {
    insta::assert_snapshot!(with_complaints(&[
        "[repository\n",
        "path = \n",
        "[[\n",
        "[rolout]\n[prune]\nenabled = maybe\nmax = \n",
    ]));
}

#[test]
fn a_syntax_error_leaves_the_other_settings_readable() {
    let text = b"[journal]\nbranch = 'elsewhere'\n[prune]\nenabled = \n".to_vec();
    assert_eq!(tidegate_repository::settings_of(Some(text)).journal_branch, "elsewhere");
}

#[test]
fn settings_with_a_mistake_are_an_error() {
    let complaints = settings(&with("tidegate.toml", "[render]\nocm_references = 'yes'\n")).unwrap_err();
    assert_eq!(complaints.iter().map(|complaint| complaint.rule).collect::<Vec<_>>(), [Rule::Settings]);
    insta::assert_snapshot!(complaints[0]);
    assert_eq!(settings(&super::fixture::good()), Ok(Settings::default()));
}

#[test]
fn only_the_first_of_very_many_mistakes_are_reported() {
    let text: String = (0..20_000).map(|n| format!("[a{n}]\nb = 1\n")).collect();
    assert_eq!(toml(&text).len(), 50);
}

#[test]
fn a_misspelled_path_gets_a_suggestion() {
    let files = [("tidegate.toml", "[repository]\npath = 'overlay/prod'\n"), ("overlays/prod/a.yaml", PLAIN)];
    insta::assert_snapshot!(complaints(&tree(&files)).join("\n"));
}

#[test]
fn with_wrong_settings_nothing_is_read_and_nothing_pruned() {
    let repository = load(&with("tidegate.toml", "[rolout]\n"), "").repository;
    assert!(repository.objects.is_empty());
    assert!(!repository.may_prune);
    assert!(repository.unreadable_files.contains("tidegate.toml"));
}

#[test]
fn unreadable_settings_do_not_fall_back_to_the_defaults() {
    let mut linked = super::fixture::good();
    linked.files.remove("tidegate.toml");
    let mut directory = linked.clone();
    linked.skipped.insert("tidegate.toml".into(), "it is a symbolic link".into());
    directory.files.insert("tidegate.toml/a".into(), Vec::new());
    let told = [linked, directory].map(|tree| {
        let loaded = load(&tree, "");
        assert!(!loaded.repository.may_prune && loaded.repository.addons.is_empty());
        shown(&loaded).join("\n")
    });
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn mistakes_in_the_list_of_people_have_their_places() {
    let text = "\
[people]
ada = ['ada@example.com']
bob = ['bob@example.com', 'ada@example.com']
dev = ['ada', 'boob']
ops = ['sre']
sre = ['ops']
none = []
one = 'ada@example.com'
two = [1]
'x@y' = ['cy@example.com']
";
    insta::assert_snapshot!(toml(text).join("\n"));
}
