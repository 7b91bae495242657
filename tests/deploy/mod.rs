//! The manifests and the chart, which are one source: `deploy/*.yaml` is what the chart renders with its default values.

mod chart;
mod cluster;
mod helm;
mod settings;
mod template;
mod values;
mod workflows;
