//! Notes on merge requests, which are the comments of GitLab.

use serde::Deserialize;
use serde_json::json;
use tidegate_model::forge::{Account, Pull};
use tidegate_model::time::Timestamp;

use super::objects::User;
use super::project::{GitLab, PAGE};
use crate::error::Result;
use crate::publish::{Found, mine};
use crate::values;
use crate::wire::{Call, Operation, nullable};

#[derive(Deserialize)]
struct Note {
    id: u64,
    body: String,
    #[serde(deserialize_with = "nullable")]
    author: Option<User>,
    /// Whether GitLab wrote it about an event.
    system: Option<bool>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl Note {
    fn found(self) -> Option<Found> {
        let is_event = self.system.unwrap_or_default();
        (!is_event).then(|| Found { id: self.id, author: self.author.map(|author| author.id), body: self.body })
    }
}

/// Returns `true` for a note such as `added 2 commits`.
///
/// # Source
/// GitLab's `SystemNotes::CommitService`.
fn is_about_push(note: &str) -> bool {
    let count = note.strip_prefix("added ").map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    count.is_some_and(|rest| rest.starts_with(" commit"))
}

impl GitLab {
    /// Writes the own note on a merge request, and returns its ID.
    pub(crate) async fn comment(
        &self,
        me: &Account,
        pull: &Pull,
        marker: &str,
        hint: Option<u64>,
        body: &str,
    ) -> Result<u64> {
        let own = match self.hinted(me, pull, marker, hint).await? {
            Some(found) => Some(found),
            None => {
                let notes = self.all_notes(pull).await?;
                mine(notes.into_iter().filter_map(Note::found), marker, me.id)
            }
        };
        let content = json!({ "body": body });
        let call = match own {
            Some(found) if found.body == body => return Ok(found.id),
            Some(found) => Call::put(Operation::Comment, self.of(pull, &["notes", &found.id.to_string()]), content),
            None => Call::post(Operation::Comment, self.of(pull, &["notes"]), content),
        };
        let written: Note = self.client.json(&call).await?;
        Ok(written.id)
    }

    /// Returns all notes of people on a merge request, oldest first.
    pub(crate) async fn comments(&self, pull: &Pull) -> Result<Vec<values::Comment>> {
        let value = |note: Note| {
            let url = format!("{}#note_{}", pull.url, note.id);
            let (by, created, updated) = (note.author.map(User::account), note.created_at, note.updated_at);
            (!note.system.unwrap_or_default()).then_some(values::Comment { by, body: note.body, created, updated, url })
        };
        Ok(self.all_notes(pull).await?.into_iter().filter_map(value).collect())
    }

    /// Returns the accounts that pushed to the branch of a merge request since it was opened: GitLab writes a note about each push.
    pub(crate) async fn pushers(&self, pull: &Pull) -> Result<Vec<Account>> {
        let is_push = |note: &Note| note.system.unwrap_or_default() && is_about_push(&note.body);
        let notes = self.all_notes(pull).await?.into_iter().filter(is_push);
        let mut pushers: Vec<Account> = notes.filter_map(|note| note.author.map(User::account)).collect();
        pushers.sort();
        pushers.dedup();
        Ok(pushers)
    }

    async fn all_notes(&self, pull: &Pull) -> Result<Vec<Note>> {
        let mut url = self.of(pull, &["notes"]);
        url.query_pairs_mut().extend_pairs([("sort", "asc"), ("order_by", "created_at"), PAGE]);
        self.client.linked(&Call::get(Operation::Comments, url)).await
    }

    /// Returns the note with an ID, if it is the own one on this merge request.
    async fn hinted(&self, me: &Account, pull: &Pull, marker: &str, hint: Option<u64>) -> Result<Option<Found>> {
        let Some(id) = hint else { return Ok(None) };
        let call = Call::get(Operation::Comments, self.of(pull, &["notes", &id.to_string()]));
        let found: Option<Note> = self.client.find(&call).await?;
        Ok(mine(found.and_then(Note::found), marker, me.id))
    }
}
