//! Reviews of Gitea.

use serde::Deserialize;
use tidegate_model::forge::{Opinion, Pull, Says};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

use super::objects::User;
use super::project::Gitea;
use crate::error::Result;
use crate::wire::{Call, Operation, garbage, nullable};

/// A review. Its flags `stale` and `official` are not read: they depend on settings of the forge, and on what was pushed later.
#[derive(Deserialize)]
struct Review {
    id: u64,
    #[serde(deserialize_with = "nullable")]
    user: Option<User>,
    state: String,
    commit_id: String,
    dismissed: bool,
    submitted_at: Timestamp,
    html_url: String,
}

impl Gitea {
    /// Returns the approvals and refusals of a pull request, oldest first.
    pub(crate) async fn opinions(&self, pull: &Pull) -> Result<Vec<Opinion>> {
        let call = Call::get(Operation::Opinions, self.at(&["pulls", &pull.number.to_string(), "reviews"]));
        let mut reviews: Vec<Review> = self.list(call.clone()).await?;
        reviews.sort_by_key(|review| (review.submitted_at, review.id));
        let mut opinions = Vec::new();
        for review in reviews {
            let says = match review.state.as_str() {
                "APPROVED" => Says::Approved,
                "REQUEST_CHANGES" => Says::Refused,
                "COMMENT" | "PENDING" | "REQUEST_REVIEW" => continue,
                state => {
                    return Err(garbage(&call, format_args!("review {} has the unknown state {state:?}", review.id)));
                }
            };
            let commit = match review.commit_id.as_str() {
                "" => None,
                id => Some(
                    id.parse::<CommitId>()
                        .map_err(|error| garbage(&call, format_args!("review {}: {error}", review.id)))?,
                ),
            };
            opinions.push(Opinion {
                by: review.user.and_then(User::account),
                says,
                commit,
                at: Some(review.submitted_at),
                is_dismissed: review.dismissed,
                url: review.html_url,
            });
        }
        Ok(opinions)
    }
}
