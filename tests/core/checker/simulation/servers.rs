//! The servers that checks ask, in virtual time: each request is answered at once, as a test decides.

use std::fmt;

use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_rollout::gate::checks::{Answer, Observation, Observations, Outcome, Request};

/// Answers a request at a time; an error is the reason why there is no answer.
pub(crate) type Serve = Box<dyn FnMut(&Request, Timestamp) -> Result<Answer, String>>;

/// The servers, and what was measured.
#[derive(Default)]
pub(crate) struct Servers {
    pub(crate) serve: Option<Serve>,
    pub(crate) observations: Observations,
    /// Every measurement: when, of which group, and what it showed.
    pub(crate) log: Vec<(Timestamp, String, Outcome)>,
}

impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.log)
    }
}

impl Servers {
    /// Makes the measurements that are due, and returns when the next one is, or when the planner has to look at a new one.
    pub(crate) fn measure(&mut self, requests: &[Request], now: Timestamp) -> Option<Timestamp> {
        let serve = self.serve.as_mut()?;
        self.observations.0.retain(|key, _| requests.iter().any(|request| request.key == *key));
        let mut next: Option<Timestamp> = None;
        for request in requests {
            let known = self.observations.0.get(&request.key);
            if known.is_some_and(|known| known.at >= request.due) {
                continue;
            }
            let at = if request.due > now {
                request.due
            } else {
                let measured = request.ask.measured(serve(request, now));
                self.log.push((now, request.key.group.name.clone(), measured.outcome));
                self.observations.0.insert(request.key.clone(), Observation { at: now, measured });
                now + SignedDuration::from_secs(1)
            };
            next = Some(next.map_or(at, |next| next.min(at)));
        }
        next
    }
}
