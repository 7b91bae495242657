//! What is made of the answers of a forge: plain facts in, lines out.

use tidegate::doctor::facts::{Answers, Branch, Forge, Purpose, Writes};
use tidegate::doctor::{Facts, Level, Line, Unknown, examine};
use tidegate_model::forge::{Account, ForgeKind};

use super::{shown, trouble, well};

fn branch(name: &str, purpose: Purpose) -> Branch {
    let pushers = if purpose == Purpose::Journal { vec!["tidegate".to_owned()] } else { Vec::new() };
    Branch {
        name: name.to_owned(),
        purpose,
        is_protected: Ok(true),
        pushers: Ok(pushers),
        required: Ok(vec!["tidegate/plan".to_owned(), "build".to_owned()]),
        dismisses_stale: Ok(true),
    }
}

/// Returns the answers of a forge on which everything is well.
fn answers(kind: ForgeKind) -> Answers {
    let scopes = match kind {
        ForgeKind::GitHub => Ok(vec!["read:org".to_owned(), "repo".to_owned()]),
        ForgeKind::GitLab => Ok(vec!["api".to_owned()]),
        ForgeKind::Gitea => Err("Gitea does not show the scopes of a token".to_owned()),
    };
    Answers {
        kind,
        version: Ok(None),
        project: "platform/fleet".to_owned(),
        is_app: false,
        account: Ok(Account { id: 9, login: "tidegate".to_owned(), is_bot: true }),
        scopes,
        sees_project: Ok(true),
        may_push: Ok(true),
        is_admin: Ok(true),
        writes: Writes {
            comments: true,
            checks: true,
            check_runs: false,
            statuses: true,
            deployments: false,
            requests: true,
        },
        branches: vec![branch("main", Purpose::Followed), branch("tidegate/journal", Purpose::Journal)],
        names: vec![("role:maintain".to_owned(), Ok(())), ("team:platform/leads".to_owned(), Ok(()))],
        poll: 60,
        has_webhook: true,
    }
}

fn lines(answers: Answers) -> Vec<Line> {
    let without = examine(&well()).len() - 1;
    examine(&Facts { forge: Ok(Forge::Answers(Box::new(answers))), ..well() }).split_off(without)
}

/// Returns the lines that are not fine.
fn problems(answers: Answers) -> String {
    let lines = lines(answers);
    assert!(lines.iter().all(|line| (line.level == Level::Ok) == line.fix.is_none()), "{lines:#?}");
    shown(lines.into_iter().filter(|line| line.level != Level::Ok))
}

#[test]
fn a_forge_that_is_set_up_well_has_nothing_to_fix() {
    for kind in [ForgeKind::GitHub, ForgeKind::GitLab, ForgeKind::Gitea] {
        assert_eq!(problems(answers(kind)), "", "{kind}");
    }
    insta::assert_snapshot!(shown(lines(Answers { has_webhook: false, ..answers(ForgeKind::Gitea) })));
}

#[test]
fn each_missing_permission_of_an_app_is_a_line_with_what_does_not_work() {
    let app = |granted: &[&str]| Answers {
        is_app: true,
        may_push: Ok(false),
        scopes: Ok(granted.iter().map(|one| (*one).to_owned()).collect()),
        writes: Writes { check_runs: true, deployments: true, ..answers(ForgeKind::GitHub).writes },
        ..answers(ForgeKind::GitHub)
    };
    let all =
        ["contents:read", "pull_requests:write", "statuses:write", "checks:write", "deployments:write", "members:read"];
    assert_eq!(problems(app(&all)), "");
    insta::assert_snapshot!(problems(app(&["metadata:read", "contents:read", "pull_requests:read", "statuses:read"])));
}

#[test]
fn scopes_that_are_too_small_are_named() {
    let scopes = |kind: ForgeKind, scopes: &[&str]| {
        let scopes = Ok(scopes.iter().map(|one| (*one).to_owned()).collect());
        problems(Answers { scopes, ..answers(kind) })
    };
    assert_eq!(scopes(ForgeKind::GitLab, &["api", "read_repository"]), "");
    let all = [
        scopes(ForgeKind::GitHub, &["repo:status"]),
        scopes(ForgeKind::GitLab, &["read_api"]),
        scopes(ForgeKind::GitLab, &["read_repository"]),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_token_that_cannot_be_used_is_one_problem_and_nothing_else_is_judged() {
    let none = || Answers { branches: Vec::new(), names: Vec::new(), ..answers(ForgeKind::GitLab) };
    let refused = || "cannot read the account of the token: status 401".to_owned();
    let all = [
        problems(Answers { account: Err(refused()), sees_project: Err(refused()), scopes: Err(refused()), ..none() }),
        problems(Answers { sees_project: Ok(false), may_push: Err("not found".to_owned()), ..none() }),
        problems(Answers { may_push: Ok(false), ..none() }),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_required_check_that_never_comes_is_a_failure() {
    let required = |contexts: &[&str], checks: bool| {
        let mut answers = answers(ForgeKind::GitHub);
        answers.branches[0].required = Ok(contexts.iter().map(|one| (*one).to_owned()).collect());
        answers.writes.checks = checks;
        problems(answers)
    };
    assert_eq!(required(&["Tidegate/Plan", "tidegate/approvals", "tidegatekeeper"], true), "");
    assert_eq!(required(&["tidegate/*"], true), "", "a pattern of Gitea's also matches the plan");
    let all = [required(&["tidegate/istio", "tidegate/plan"], true), required(&["tidegate/plan", "tidegate/*"], false)];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn branches_that_others_can_push_are_found() {
    let with = |change: &dyn Fn(&mut [Branch])| {
        let mut answers = answers(ForgeKind::Gitea);
        change(&mut answers.branches);
        problems(answers)
    };
    let names = |names: &[&str]| Ok(names.iter().map(|name| (*name).to_owned()).collect());
    assert_eq!(with(&|branches| branches[1].pushers = names(&["TideGate"])), "");
    assert_eq!(with(&|branches| branches[1].pushers = names(&[])), "");
    let all = [
        with(&|branches| branches.iter_mut().for_each(|branch| branch.is_protected = Ok(false))),
        with(&|branches| branches[1].pushers = names(&["tidegate", "ada", "team leads"])),
        with(&|branches| branches[1].pushers = Err("only administrators see it".to_owned())),
        with(&|branches| branches.iter_mut().for_each(|branch| branch.is_protected = Err("not found".to_owned()))),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_rule_of_github_names_the_app_without_the_suffix_of_its_account() {
    let mut answers = answers(ForgeKind::GitHub);
    answers.account = Ok(Account { id: 9, login: "tidegate[bot]".to_owned(), is_bot: true });
    assert_eq!(problems(answers), "");
}

#[test]
fn teams_and_roles_that_cannot_be_read_are_named() {
    let unreadable = |kind: ForgeKind| {
        let mut answers = answers(kind);
        answers.names[1].1 = Err("the organization platform has no team leads".to_owned());
        Answers { is_admin: Ok(false), ..answers }
    };
    let all = [ForgeKind::GitHub, ForgeKind::GitLab, ForgeKind::Gitea].map(|kind| problems(unreadable(kind)));
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_forge_that_cannot_be_used_has_one_line() {
    let of = |forge| {
        let lines = examine(&Facts { forge, ..well() });
        assert_eq!(lines.len(), examine(&well()).len());
        shown(lines.into_iter().skip_while(|line| line.check != "notifications").skip(1))
    };
    let down = trouble("cannot reach http://127.0.0.1:1", "check the network");
    let all = [of(Ok(Forge::None)), of(Ok(Forge::Unusable(down))), of(Err(Unknown::NoConfiguration))];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_forge_that_is_too_old_is_named_with_what_it_lacks() {
    let of =
        |kind: ForgeKind, version: &str| problems(Answers { version: Ok(Some(version.to_owned())), ..answers(kind) });
    let old = [
        (ForgeKind::GitHub, "3.8.17"),
        (ForgeKind::GitLab, "15.4.6-ee"),
        (ForgeKind::Gitea, "1.21.11"),
        (ForgeKind::Gitea, "1.21.11+gitea-1.21.11"),
    ];
    insta::assert_snapshot!("too_old", old.map(|(kind, version)| of(kind, version)).join("\n"));
    let new = [
        (ForgeKind::GitHub, "3.10.0"),
        (ForgeKind::GitLab, "18.5.0"),
        (ForgeKind::Gitea, "1.25.1"),
        (ForgeKind::Gitea, "7.0.0+gitea-1.22.0"),
        (ForgeKind::Gitea, "development"),
    ];
    assert_eq!(new.map(|(kind, version)| of(kind, version)).concat(), "");
    let unknown = Answers { version: Err("403: no".to_owned()), ..answers(ForgeKind::GitLab) };
    assert!(problems(unknown).contains("WARN forge version: it is not known: 403: no"));
}
