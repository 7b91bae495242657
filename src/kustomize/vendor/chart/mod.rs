//! Charts, as declarations name them.

mod annotations;
mod arguments;
mod declaration;
mod entries;
mod merge;
mod safe;
mod values;

pub use self::annotations::{CHART, TemplateChart};
pub use self::declaration::{ChartDeclaration, ChartOptions, ChartSource, LocalChart};
pub(crate) use self::entries::{ChartEntry, Declaring, charts};
pub use self::values::{ChartValues, ValuesMerge};
