//! ApplicationSets of Argo CD with the strategy RollingSync.
//!
//! # Source
//! Argo CD, operator manual, progressive syncs; `applicationset/controllers` (`labelMatchedExpression`).

use crate::argo_label::{LabelSource, label_source};
use crate::document::{Document, only_spec};
use crate::field::Field;
use crate::field::Use::{Content, Ignored, LeftOut, Read};
use crate::report::Report;
use crate::rollout::{Members, Others, Rollout, Stage};
use crate::selector::{expression, names, selector};
use crate::share::{Share, at_once, share};

/// The group of the API.
pub(crate) const GROUP: &str = "argoproj.io";

const KIND: &str = "ApplicationSet";

/// The label by which Argo CD finds the Secrets of clusters.
const SECRET_TYPE: &str = "argocd.argoproj.io/secret-type";

/// Reads an ApplicationSet.
pub(crate) fn read<'n>(documents: &[Document<'n>], report: &mut Report) -> Option<Rollout<'n>> {
    let spec = only_spec(documents, KIND, report)?;
    let preserve = "Tidegate removes what it deployed; see removal in the documentation";
    let known = [
        ("generators", Read),
        ("strategy", Read),
        ("template", Read),
        ("templatePatch", Read),
        ("goTemplate", Ignored),
        ("goTemplateOptions", Ignored),
        ("syncPolicy", LeftOut(preserve)),
        ("ignoreApplicationDifferences", Content),
        ("preservedFields", Content),
        ("applyNestedSelectors", Ignored),
    ];
    spec.open(report, &known);
    if let Some(patch) = spec.get("templatePatch") {
        patch.refuse(report, "a patch may change the labels that steps select; write the labels in `template`");
    }
    let labels = template_labels(&spec, report);
    let stages = stages(&spec, labels.as_ref(), report)?;
    Some(Rollout { selection: selection(&spec, report), ..Rollout::new(stages, Others::Excluded) })
}

/// Returns the labels that the template gives to Applications.
fn template_labels<'n>(spec: &Field<'n>, report: &mut Report) -> Option<Field<'n>> {
    let template = spec.get("template")?;
    template.open(report, &[("metadata", Read), ("spec", Content)]);
    template.get("metadata")?.get("labels")
}

/// Returns the clusters of the generators.
fn selection(spec: &Field<'_>, report: &mut Report) -> Vec<Members> {
    let mut selection = Vec::new();
    let generators = spec.list(report, "generators");
    if generators.is_empty() {
        spec.refuse(report, "there are no generators, so that no cluster is selected");
    }
    for generator in generators {
        let Some(clusters) = generator.get("clusters") else {
            generator.refuse(report, "only the generator `clusters` selects clusters by labels, as a Placement does");
            continue;
        };
        let other = "write the values into the AddOnDeploymentConfig";
        generator.open(report, &[("clusters", Read), ("selector", Read)]);
        clusters
            .open(report, &[("selector", Read), ("values", LeftOut(other)), ("template", Read), ("flatList", Ignored)]);
        if let Some(template) = clusters.get("template") {
            template.open(report, &[("metadata", Read), ("spec", Content)]);
            if template.get("metadata").is_some_and(|metadata| metadata.get("labels").is_some()) {
                template.refuse(
                    report,
                    "the labels of a generator's template may change what steps select; write them in `template`",
                );
            }
        }
        if let Some(field) = generator.get("selector") {
            field.refuse(
                report,
                "a selector over parameters has no counterpart; select the clusters in `clusters.selector`",
            );
        }
        match clusters.get("selector") {
            Some(labels) => {
                let mut wanted = selector(&labels, report);
                if wanted.match_labels.as_mut().is_some_and(|labels| labels.remove(SECRET_TYPE).is_some()) {
                    labels.differs(
                        report,
                        format!(
                            "{SECRET_TYPE} is a label of Argo CD's Secrets, and not of clusters; it is not asked for"
                        ),
                    );
                    wanted.match_labels = wanted.match_labels.filter(|labels| !labels.is_empty());
                }
                selection.push(Members::Labels(wanted));
            }
            None => {
                let which = "clusters: all clusters that are bound to the namespace of the Placement";
                generator.differs(report, which);
                selection.push(Members::Labels(Default::default()));
            }
        }
    }
    selection
}

/// Reads the steps; `None` if there are none.
fn stages<'n>(spec: &Field<'n>, labels: Option<&Field<'n>>, report: &mut Report) -> Option<Vec<Stage<'n>>> {
    let none = "there is no strategy of the type RollingSync with steps, so that there is nothing to import";
    let Some(strategy) = spec.get("strategy") else {
        spec.refuse(report, none);
        return None;
    };
    let order = "Tidegate removes an add-on from all clusters at once; remove clusters from the Placement step by step";
    strategy.open(report, &[("type", Read), ("rollingSync", Read), ("deletionOrder", LeftOut(order))]);
    let rolling = strategy
        .get("rollingSync")
        .filter(|_| strategy.node.get("type").and_then(|node| node.as_str()) == Some("RollingSync"));
    let Some(rolling) = rolling else {
        strategy.refuse(report, none);
        return None;
    };
    rolling.open(report, &[("steps", Read), ("defaultPrune", Ignored)]);
    let steps = rolling.list(report, "steps");
    if steps.is_empty() {
        rolling.refuse(report, none);
    }
    Some(steps.into_iter().enumerate().filter_map(|(at, step)| stage(at, step, labels, report)).collect())
}

fn stage<'n>(at: usize, step: Field<'n>, labels: Option<&Field<'n>>, report: &mut Report) -> Option<Stage<'n>> {
    if !step.open(report, &[("matchExpressions", Read), ("maxUpdate", Read)]) {
        return None;
    }
    let members = members(&step, labels, report)?;
    let mut stage = Stage::new(format!("step-{}", at + 1), members, step.clone());
    if let Some(most) = step.get("maxUpdate") {
        match share(&most, &mut Report::default()) {
            Some(Share::Number(0) | Share::Percentage(0)) => {
                most.differs(
                    report,
                    "0 means that people synchronize the step by hand; the group waits for an approval",
                );
                stage.approval = Some(most);
            }
            _ => stage.at_once = at_once(&most, report),
        }
    }
    Some(stage)
}

/// Returns the clusters of a step.
fn members(step: &Field<'_>, labels: Option<&Field<'_>>, report: &mut Report) -> Option<Members> {
    let mut requirements = Vec::new();
    for item in step.list(report, "matchExpressions") {
        let mut requirement = expression(&item, report)?;
        if !matches!(requirement.operator.as_str(), "In" | "NotIn") {
            item.refuse(report, "RollingSync knows the operators In and NotIn");
        }
        let label = labels.and_then(|labels| labels.get(&requirement.key));
        let source = label.as_ref().and_then(|label| label.node.as_str()).map(label_source);
        match source {
            Some(LabelSource::ClusterLabel(key)) => {
                requirement.key = key.to_owned();
                requirements.push(requirement);
            }
            Some(LabelSource::ClusterName)
                if requirement.operator == "In" && step.list(report, "matchExpressions").len() == 1 =>
            {
                return Some(Members::Names(names(&item.list(report, "values"), report)));
            }
            Some(LabelSource::ClusterName) => {
                item.refuse(report, "names of clusters work only alone, with the operator In")
            }
            Some(LabelSource::Constant) => item.refuse(report, "the label is the same for all Applications"),
            Some(LabelSource::Unknown) => {
                let how =
                    "the template computes the label; use a label of the cluster, such as {{metadata.labels.env}}";
                item.refuse(report, how);
            }
            None => item.refuse(report, "the template gives Applications no such label in `template.metadata.labels`"),
        }
    }
    Some(Members::Labels(k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector {
        match_labels: None,
        match_expressions: (!requirements.is_empty()).then_some(requirements),
    }))
}
