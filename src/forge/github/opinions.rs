//! Reviews of GitHub.

use serde::Deserialize;
use tidegate_model::forge::{Opinion, Pull, Says};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

use super::objects::User;
use super::project::{GitHub, PAGE};
use crate::error::Result;
use crate::wire::{Call, Operation, garbage, nullable};

#[derive(Deserialize)]
struct Review {
    id: u64,
    #[serde(deserialize_with = "nullable")]
    user: Option<User>,
    state: String,
    /// It is null if the commit is gone.
    #[serde(deserialize_with = "nullable")]
    commit_id: Option<String>,
    /// A review that is not submitted has none.
    submitted_at: Option<Timestamp>,
    html_url: String,
}

impl GitHub {
    /// Returns the approvals and refusals of a pull request, oldest first.
    pub(crate) async fn opinions(&self, pull: &Pull) -> Result<Vec<Opinion>> {
        let url = self.with(&["pulls", &pull.number.to_string(), "reviews"], &[PAGE]);
        let call = Call::get(Operation::Opinions, url);
        let mut reviews: Vec<Review> = self.client.linked(&call).await?;
        reviews.sort_by_key(|review| (review.submitted_at, review.id));
        let mut opinions = Vec::new();
        for review in reviews {
            let (says, is_dismissed) = match review.state.as_str() {
                "APPROVED" => (Says::Approved, false),
                "CHANGES_REQUESTED" => (Says::Refused, false),
                // What it said is not shown any more. As an approval that does not count, it neither allows nor blocks anything.
                "DISMISSED" => (Says::Approved, true),
                "COMMENTED" | "PENDING" => continue,
                state => {
                    return Err(garbage(&call, format_args!("review {} has the unknown state {state:?}", review.id)));
                }
            };
            let commit = review.commit_id.map(|id| id.parse::<CommitId>()).transpose();
            opinions.push(Opinion {
                by: review.user.and_then(User::account),
                says,
                commit: commit.map_err(|error| garbage(&call, format_args!("review {}: {error}", review.id)))?,
                at: review.submitted_at,
                is_dismissed,
                url: review.html_url,
            });
        }
        Ok(opinions)
    }
}
