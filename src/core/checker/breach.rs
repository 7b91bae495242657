//! How the order of components on a cluster was broken.

use std::fmt;

use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;

/// How the order of components on a cluster was broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Breach {
    /// An object was delivered, or changed, before it was the turn of its component.
    Early {
        /// The object.
        object: ObjectKey,
        /// The phase of its component.
        phase: u32,
        /// The phase that was open.
        open: u32,
    },
    /// A phase was opened although an object of a phase before was not known to be healthy.
    Opened {
        /// The phase that was opened.
        phase: u32,
        /// The object of a phase before.
        object: ObjectKey,
        /// What is missing.
        lack: &'static str,
    },
    /// An object that the new content does not have, and that another unit declares, was kept.
    Withheld {
        /// The object.
        object: ObjectKey,
        /// The other unit.
        from: UnitName,
    },
    /// Replicas were replaced in fewer batches than declared, although they were ready at the start.
    LeftOut {
        /// The workload.
        object: ObjectKey,
    },
    /// The cluster was reported as succeeded without all objects.
    Incomplete {
        /// The object that was not delivered.
        object: ObjectKey,
    },
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Early { object, phase, open } => {
                write!(f, "{object} of phase {phase} was delivered while phase {open} was open")
            }
            Self::Opened { phase, object, lack } => {
                write!(f, "phase {phase} was opened although {object}, which comes before, {lack}")
            }
            Self::Withheld { object, from } => write!(f, "{object} was kept although {from} has it by now"),
            Self::LeftOut { object } => write!(f, "batches were left out although {object} was ready"),
            Self::Incomplete { object } => write!(f, "success was reported although {object} was not delivered"),
        }
    }
}
