//! Charts, as declarations name them.

mod annotations;
mod arguments;
mod declaration;
mod declare;
mod entries;
mod merge;
mod object;
mod safe;
mod values;

pub use self::annotations::CHART;
pub(crate) use self::annotations::chart_of_template;
pub use self::declaration::{ChartDeclaration, ChartOptions, ChartSource, LocalChart};
pub(crate) use self::declare::Declaring;
pub(crate) use self::entries::{ChartEntry, charts};
pub(crate) use self::object::local_directory;
pub use self::object::{Named, NamedChart, ObjectChart};
pub use self::values::{ChartValues, InvalidValues, ValuesMerge};
