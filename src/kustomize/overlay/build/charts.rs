//! Adds the objects of charts.

use super::resource_files;
use crate::overlay::context::BuildContext;
use crate::overlay::input::kustomization::Kustomization;
use crate::overlay::model::resource_map::ResourceMap;
use crate::vendor::{ChartEntry, Declaring};
use crate::yaml::Error;

/// Adds the objects of a chart, which `tidegate vendor` has rendered.
///
/// # Errors
/// [`Error`] if the chart is not vendored, or one of its objects exists.
///
/// # Source
/// kustomize `HelmChartInflationGenerator`, which runs after the other generators.
pub(crate) fn absorb(
    context: &mut BuildContext<'_>,
    chart: &ChartEntry,
    at: Declaring<'_>,
    kustomization: &Kustomization,
    resource_map: &mut ResourceMap,
) -> Result<(), Error> {
    let declaration = chart.declare(at, &mut context.files, &mut context.provenance)?;
    let output = context.files.chart(&declaration, chart.origin, &mut context.provenance)?;
    context.warnings.extend(output.outdated.map(|why| chart.origin.warning(why)));
    for mut resource in resource_files::objects(output.file.input(), &mut context.interner)? {
        // The id depends on the scope.
        context.look_up_scope(&mut resource);
        let id = resource.id();
        if !resource_map.by_any_id(&id).is_empty() {
            let message = format!(
                "the chart {} renders {id}, which already exists; rename or remove one of them",
                declaration.name
            );
            return Err(chart.origin.error(message));
        }
        resource.is_from_chart = true;
        if context.records_changes {
            resource.made_by = Some(context.maker(kustomization, at.directory, "HelmChartInflationGenerator"));
        }
        resource_map.append(resource, &context.provenance)?;
    }
    Ok(())
}
