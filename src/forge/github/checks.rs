//! Check runs of GitHub, which only Apps may write.

use serde::Deserialize;
use serde_json::{Value, json};

use super::project::GitHub;
use crate::error::{Error, Result};
use crate::publish::shortened;
use crate::values::{Annotation, CheckRun, Level, State};
use crate::wire::{Call, Operation};

/// Most characters of the summary and of the text.
const LONGEST: usize = 65_535;

/// Most annotations of one request.
const ANNOTATIONS: usize = 50;

#[derive(Deserialize)]
struct Run {
    id: u64,
    status: String,
}

impl GitHub {
    /// Writes a check run, and returns its ID.
    pub(crate) async fn check_run(&self, previous: Option<u64>, run: &CheckRun) -> Result<u64> {
        if !self.client.is_app() {
            let why = "only GitHub Apps can write check runs; use commit statuses, or configure an App";
            return Err(Error::Unsupported(why.to_owned()));
        }
        let mut batches = run.annotations.chunks(ANNOTATIONS);
        let first = batches.next().unwrap_or_default();
        let written: Run = match self.reusable(previous, run.state).await? {
            Some(id) => self.client.json(&self.change(id, run, first)).await?,
            None => {
                let mut body = content(run, first);
                body["head_sha"] = json!(run.commit.as_str());
                self.client.json(&Call::post(Operation::CheckRun, self.at(&["check-runs"]), body)).await?
            }
        };
        for batch in batches {
            self.client.ask(&self.change(written.id, run, batch)).await?;
        }
        Ok(written.id)
    }

    fn change(&self, id: u64, run: &CheckRun, annotations: &[Annotation]) -> Call {
        let url = self.at(&["check-runs", &id.to_string()]);
        Call::patch(Operation::CheckRun, url, content(run, annotations))
    }

    /// Returns the previous check run if it may be changed: a completed one cannot be opened again.
    async fn reusable(&self, previous: Option<u64>, state: State) -> Result<Option<u64>> {
        let Some(id) = previous else { return Ok(None) };
        let call = Call::get(Operation::CheckRun, self.at(&["check-runs", &id.to_string()]));
        let found: Option<Run> = self.client.find(&call).await?;
        Ok(found.filter(|run| run.status != "completed" || state.is_final()).map(|run| run.id))
    }
}

/// Returns the content of a request.
fn content(run: &CheckRun, annotations: &[Annotation]) -> Value {
    let (status, conclusion) = match run.state {
        State::Pending => ("queued", None),
        State::Running => ("in_progress", None),
        State::Success => ("completed", Some("success")),
        State::Failure => ("completed", Some("failure")),
        // GitHub has no word for what could not be done. It must not look like a failure of the change.
        State::Error => ("completed", Some("neutral")),
    };
    let annotations: Vec<Value> = annotations.iter().map(annotation).collect();
    let mut body = json!({
        "name": run.name,
        "status": status,
        "output": {
            "title": run.title,
            "summary": shortened(&run.summary, LONGEST),
            "text": shortened(&run.text, LONGEST),
            "annotations": annotations,
        },
    });
    if let Some(conclusion) = conclusion {
        body["conclusion"] = json!(conclusion);
    }
    // An empty address is refused.
    if let Some(link) = run.link.as_deref().filter(|link| !link.is_empty()) {
        body["details_url"] = json!(link);
    }
    body
}

fn annotation(annotation: &Annotation) -> Value {
    let level = match annotation.level {
        Level::Notice => "notice",
        Level::Warning => "warning",
        Level::Failure => "failure",
    };
    json!({
        "path": annotation.path,
        "start_line": annotation.start_line,
        "end_line": annotation.end_line,
        "annotation_level": level,
        "message": annotation.message,
    })
}
