//! Charts, as declarations name them.

mod annotations;
mod arguments;
mod declaration;
mod declare;
mod entries;
mod merge;
mod safe;
mod values;

pub use self::annotations::{CHART, TemplateChart};
pub use self::declaration::{ChartDeclaration, ChartOptions, ChartSource, LocalChart};
pub(crate) use self::declare::Declaring;
pub(crate) use self::entries::{ChartEntry, charts};
pub use self::values::{ChartValues, InvalidValues, ValuesMerge};
