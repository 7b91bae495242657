//! Finds an object by a name in the notation of kubectl.

use crate::cli::failure::Failure;
use tidegate_kustomize::yaml::Node;
use tidegate_model::near::nearest;

/// Maximum number of objects that are named if none or several match.
const MAX_NAMED: usize = 5;

/// The requested object: `kind/name` or `kind/namespace/name`, with the kind in any case and optionally its group after a dot.
#[derive(Debug, Clone, Copy)]
struct Wanted<'a> {
    kind: &'a str,
    /// The group, or the version and the group; empty for the core group.
    group: Option<&'a str>,
    namespace: Option<&'a str>,
    name: &'a str,
}

impl<'a> Wanted<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let parts: Vec<&str> = text.split('/').collect();
        let (kind, namespace, name) = match parts.as_slice() {
            [kind, name] => (*kind, None, *name),
            [kind, namespace, name] => (*kind, Some(*namespace), *name),
            _ => return None,
        };
        let (kind, group) = kind.split_once('.').map_or((kind, None), |(kind, group)| (kind, Some(group)));
        Some(Self { kind, group, namespace, name })
    }

    fn is_kind(&self, object: &Id<'_>) -> bool {
        let is_group = |group: &str| group == object.group || group == format!("{}.{}", object.version, object.group);
        object.kind.eq_ignore_ascii_case(self.kind) && self.group.is_none_or(is_group)
    }

    fn means(&self, object: &Id<'_>) -> bool {
        self.is_kind(object)
            && object.name == self.name
            && self.namespace.is_none_or(|namespace| object.namespace == namespace)
    }

    /// Returns how much an object differs from the requested one.
    fn distance(&self, object: &Id<'_>, near_name: Option<&str>, near_kind: Option<&str>) -> u8 {
        let is_name = object.name == self.name;
        // Generators append a hash to the name.
        let begins = !self.name.is_empty() && object.name.starts_with(self.name);
        let is_near = begins || near_name == Some(object.name);
        let is_kind = object.kind.eq_ignore_ascii_case(self.kind);
        let is_near_kind = is_kind || near_kind == Some(object.kind);
        match (is_name, is_near) {
            (true, _) if is_near_kind => 0,
            (_, true) if is_kind => 1 + u8::from(!begins),
            (true, _) => 3,
            _ if is_near_kind => 4,
            (_, true) => 5,
            _ => 6,
        }
    }
}

/// The identity of a rendered object.
#[derive(Debug, Clone, Copy)]
struct Id<'a> {
    group: &'a str,
    version: &'a str,
    kind: &'a str,
    namespace: &'a str,
    name: &'a str,
}

impl<'a> Id<'a> {
    fn of(object: &'a Node) -> Self {
        let text = |path: &[&str]| object.find(path).and_then(Node::as_str).unwrap_or_default();
        let api_version = text(&["apiVersion"]);
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let (namespace, name) = (text(&["metadata", "namespace"]), text(&["metadata", "name"]));
        Self { group, version, kind: text(&["kind"]), namespace, name }
    }

    /// Returns the shortest spelling that matches only this object, with its namespace if it has one.
    fn spelled(&self, all: &[Self]) -> String {
        let Self { group, version, kind, namespace, name } = self;
        let within = if namespace.is_empty() { String::new() } else { format!("{namespace}/") };
        let spellings = [
            format!("{kind}/{within}{name}"),
            format!("{kind}.{group}/{within}{name}"),
            format!("{kind}/{namespace}/{name}"),
            format!("{kind}.{group}/{namespace}/{name}"),
        ];
        let is_sole = |spelling: &&String| {
            Wanted::read(spelling).is_some_and(|wanted| all.iter().filter(|id| wanted.means(id)).take(2).count() == 1)
        };
        let sole = spellings.iter().find(is_sole).cloned();
        sole.unwrap_or_else(|| format!("{kind}.{version}.{group}/{namespace}/{name}"))
    }
}

/// Finds the requested object; returns its position. `who` is who has the objects, with a verb, such as `the overlay renders`.
///
/// # Errors
/// [`Failure::Usage`] if none or several objects match, with the spellings of the objects that may be meant.
pub(super) fn find(objects: &[&Node], text: &str, who: &str) -> Result<usize, Failure> {
    let wanted = Wanted::read(text).ok_or_else(|| {
        let spellings =
            "write kind/name or kind/namespace/name, or kind.group/name if several kinds have the same name";
        Failure::Usage(format!("{text:?} does not name an object; {spellings}"))
    })?;
    let ids: Vec<Id<'_>> = objects.iter().map(|object| Id::of(object)).collect();
    let found: Vec<usize> = (0..).zip(&ids).filter(|(_, id)| wanted.means(id)).map(|(position, _)| position).collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] if ids.is_empty() => Err(Failure::Usage(format!("{who} no {text}, and no other object"))),
        [] => Err(Failure::Usage(format!("{who} no {text}; there are: {}", nearest_of(&wanted, &ids)))),
        _ => {
            let several: Vec<Id<'_>> = ids.iter().filter(|id| wanted.means(id)).copied().collect();
            Err(Failure::Usage(format!("{text} names several objects; write one of: {}", named(&several, &ids))))
        }
    }
}

fn nearest_of(wanted: &Wanted<'_>, ids: &[Id<'_>]) -> String {
    let of_kind = ids.iter().filter(|id| wanted.is_kind(id)).map(|id| id.name);
    let near_name = nearest(wanted.name, of_kind).or_else(|| nearest(wanted.name, ids.iter().map(|id| id.name)));
    let near_kind = nearest(wanted.kind, ids.iter().map(|id| id.kind));
    let mut near = ids.to_vec();
    near.sort_by_key(|id| wanted.distance(id, near_name, near_kind));
    named(&near, ids)
}

/// Lists objects.
fn named(some: &[Id<'_>], all: &[Id<'_>]) -> String {
    let mut text = some.iter().take(MAX_NAMED).map(|id| id.spelled(all)).collect::<Vec<_>>().join(", ");
    match some.len().saturating_sub(MAX_NAMED) {
        0 => {}
        others => text.push_str(&format!(", and {others} more")),
    }
    text
}
