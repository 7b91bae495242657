//! The journal as it was last read. It is read only while there are readers.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use super::archive::{Archive, Unavailable};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_page::{Facts, Moment};

/// The number of entries that can be opened as moments of the past.
const MOMENTS: usize = 1_000;

/// The number of moments of the past that are kept.
const PAST: usize = 4;

/// A journal as it was last read.
#[derive(Debug, Clone)]
pub(super) struct Now {
    /// Its newest entry.
    pub facts: Arc<Facts>,
    /// The entries that can be opened, newest first.
    pub moments: Arc<Vec<Moment>>,
    /// Why it could not be read since.
    pub stale: Option<String>,
}

/// Reads the journal for the page.
pub struct Pages {
    archive: Arc<dyn Archive>,
    now: watch::Sender<Option<Now>>,
    /// When the journal was looked at last. The request that holds the lock looks.
    looked: Mutex<Option<Instant>>,
    past: Mutex<Vec<Arc<Facts>>>,
}

impl std::fmt::Debug for Pages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pages").finish_non_exhaustive()
    }
}

impl Pages {
    /// Creates the pages of a journal. Nothing is read yet.
    pub fn new(archive: impl Archive) -> Self {
        let (now, _) = watch::channel(None);
        Self { archive: Arc::new(archive), now, looked: Mutex::default(), past: Mutex::default() }
    }

    /// Returns how often the journal is looked at.
    pub(super) fn pause(&self) -> Duration {
        self.archive.pause()
    }

    /// Returns the journal, which is looked at if that was not done a moment ago. While it is read, everybody else gets the one before.
    ///
    /// # Errors
    /// [`Unavailable`] if it could never be read.
    pub(super) async fn now(&self) -> Result<Now, Unavailable> {
        let known = self.now.borrow().clone();
        let mut looked = match (self.looked.try_lock(), known) {
            (Ok(looked), _) => looked,
            (Err(_), Some(known)) => return Ok(known),
            (Err(_), None) => self.looked.lock().await,
        };
        let known = self.now.borrow().clone();
        if let (Some(known), Some(at)) = (&known, *looked)
            && at.elapsed() < self.archive.pause()
        {
            return Ok(known.clone());
        }
        let read = self.look(known.clone()).await;
        *looked = Some(Instant::now());
        let now = match (read, known) {
            (Ok(now), _) => now,
            (Err(Unavailable(why)), Some(known)) => Now { stale: Some(why), ..known },
            (Err(error), None) => return Err(error),
        };
        self.now.send_replace(Some(now.clone()));
        Ok(now)
    }

    /// Reads the journal, if it has another entry than the one that is known.
    async fn look(&self, known: Option<Now>) -> Result<Now, Unavailable> {
        let archive = self.archive.clone();
        blocking(move || {
            let moments = archive.moments(MOMENTS)?;
            let newest = moments.first().cloned().ok_or_else(|| Unavailable("the journal has no entry".to_owned()))?;
            let facts = match known {
                Some(known) if known.facts.moment.commit == newest.commit => known.facts,
                _ => Arc::new(Facts::read(newest.clone(), archive.files(&newest.commit)?)),
            };
            Ok(Now { facts, moments: Arc::new(moments), stale: None })
        })
        .await
    }

    /// Returns the journal at a moment of the past: a commit of it, or the last entry at a time. `None` if there was none.
    ///
    /// # Errors
    /// [`Unavailable`] if it cannot be read.
    pub(super) async fn past(&self, at: &str, now: &Now) -> Result<Option<Arc<Facts>>, Unavailable> {
        let time = at.parse::<Timestamp>().or_else(|_| format!("{at}T00:00:00Z").parse()).ok();
        let commit = at.parse::<CommitId>().ok();
        let wanted =
            |moment: &&Moment| Some(&moment.commit) == commit.as_ref() || time.is_some_and(|time| moment.at <= time);
        let Some(moment) = now.moments.iter().find(wanted).cloned() else { return Ok(None) };
        let mut kept = self.past.lock().await;
        if let Some(facts) = kept.iter().find(|facts| facts.moment.commit == moment.commit) {
            return Ok(Some(facts.clone()));
        }
        let archive = self.archive.clone();
        let facts = blocking(move || {
            let files = archive.files(&moment.commit)?;
            Ok(Arc::new(Facts::read(moment, files)))
        })
        .await?;
        kept.truncate(PAST - 1);
        kept.insert(0, facts.clone());
        Ok(Some(facts))
    }
}

async fn blocking<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, Unavailable> + Send + 'static,
) -> Result<T, Unavailable> {
    let failed = |error: tokio::task::JoinError| Unavailable(error.to_string());
    tokio::task::spawn_blocking(read).await.map_err(failed)?
}
