//! Compiled policies.

use tidegate_cel::Program;
use tidegate_repository::{PlanPolicy, VARIABLES};

/// Compiled policies, in order.
#[derive(Debug, Default)]
pub struct Rules(pub(super) Vec<Rule>);

/// A compiled policy.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) policy: PlanPolicy,
    /// The rule, or why it does not compile.
    pub(super) program: Result<Program, String>,
    /// The expression that gives the message.
    pub(super) message: Option<Program>,
}

impl Rules {
    /// Compiles policies. One that does not compile counts as broken by every change.
    pub fn new<'a>(policies: impl IntoIterator<Item = &'a PlanPolicy>) -> Self {
        Self(policies.into_iter().map(Rule::new).collect())
    }

    /// Returns the rules that read `addon` and not `plan`.
    pub(super) fn about_addons_alone(self) -> Self {
        let reads_plan = |rule: &Rule| {
            let all = rule.program.as_ref().ok().into_iter().chain(&rule.message);
            all.into_iter().any(|program| program.uses("plan"))
        };
        Self(self.0.into_iter().filter(|rule| rule.is_about_addons() && !reads_plan(rule)).collect())
    }

    /// Returns `true` if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Rule {
    fn new(policy: &PlanPolicy) -> Self {
        let compile = |text: &str| Program::about(text, VARIABLES);
        Self {
            policy: policy.clone(),
            program: compile(&policy.rule).map_err(|error| error.summary),
            message: policy.message_expression.as_deref().and_then(|text| compile(text).ok()),
        }
    }

    /// Returns `true` if the policy is about an add-on.
    pub(super) fn matches(&self, addon: &str) -> bool {
        let patterns = &self.policy.addons;
        patterns.is_empty() || patterns.iter().any(|pattern| matches(pattern.as_bytes(), addon.as_bytes()))
    }

    /// Returns `true` if the rule judges each add-on on its own.
    pub(super) fn is_about_addons(&self) -> bool {
        let uses = |program: &Program| program.uses("addon");
        self.program.as_ref().is_ok_and(uses) || self.message.as_ref().is_some_and(uses)
    }
}

/// Returns `true` if a name matches a pattern, in which `*` is any characters.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    // The last star and where its match ends: the only place to which a mismatch has to return.
    let (mut at, mut seen, mut star) = (0, 0, None);
    while seen < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, seen));
                at += 1;
            }
            Some(byte) if name.get(seen) == Some(byte) => (at, seen) = (at + 1, seen + 1),
            _ => match star {
                Some((place, end)) => {
                    star = Some((place, end + 1));
                    (at, seen) = (place + 1, end + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|byte| *byte == b'*')
}
