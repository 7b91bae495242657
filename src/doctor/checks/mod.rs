//! The checks: each one turns a part of the facts into a verdict, and the verdict into a line.

mod agents;
mod certificates;
mod definitions;
mod foreign;
mod forge;
mod managers;
mod permissions;
mod reach;
mod repository;
mod roles;
mod schedulers;
mod vela;

use super::facts::{Definition, Facts};
use super::line::{Line, judged, line};

/// Carries out the check of the versions of these kinds alone.
pub fn conversion(definitions: &[Definition]) -> Line {
    line("conversion", &definitions::conversion(definitions))
}

/// Carries out every check. Each has one line, but those of the forge have one for each problem, and each test message has
/// its own. No check depends on another one:
/// what is not known is a warning of its own.
pub fn examine(facts: &Facts) -> Vec<Line> {
    let mut lines = vec![
        line("configuration", &reach::configuration(&facts.configuration)),
        line("hub", &reach::hub(&facts.hub)),
        judged("clock", &facts.skew, |skew| reach::clock(*skew)),
        judged("certificates", &facts.certificates, |all| certificates::certificates(all, facts.now)),
        judged("kinds", &facts.definitions, |all| definitions::kinds(all)),
        judged("conversion", &facts.definitions, |all| definitions::conversion(all)),
        judged("permissions", &facts.reviews, |all| permissions::permissions(all, facts)),
        judged("roles", &facts.grants, |all| roles::roles(all)),
        managers::line_of(facts),
        judged("feature gates", &facts.gates, |gates| managers::gates(gates.as_deref())),
        schedulers::line_of(facts),
        judged("foreign writers", &facts.foreign, |all| foreign::foreign(all)),
        judged("KubeVela", &facts.kubevela, vela::Applications),
        judged("agents", &facts.clusters, |all| agents::agents(all)),
        line("source", &repository::source(&facts.source)),
        judged("journal", &facts.journal, repository::journal),
        judged("trusted keys", &facts.trusted_keys, |keys| repository::keys(keys, "no signatures are required")),
        judged("signing key", &facts.signing_key, |keys| repository::keys(keys, "the journal is not signed")),
        judged("webhooks", &facts.webhook_secrets, |keys| repository::keys(keys, "webhooks are not received")),
        judged("notifications", &facts.receivers, |keys| repository::keys(keys, "no one is notified")),
    ];
    if let Some(sent) = &facts.test_messages {
        let answers = sent.iter().map(repository::Tested::Sent);
        let none = sent.is_empty().then_some(repository::Tested::Nothing);
        lines.extend(answers.chain(none).map(|tested| line("test message", &tested)));
    }
    lines.extend(forge::lines(&facts.forge));
    lines
}
