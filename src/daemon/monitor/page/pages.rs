//! The journal as it was last read. It is read only while there are readers.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::archive::{Archive, Unavailable};
use tidegate_model::revision::CommitId;
use tidegate_page::{Facts, Moment, moment};

/// The number of entries that can be opened as moments of the past.
const MOMENTS: usize = 1_000;

/// For how many pauses a known state is given to others while the journal is read.
const PATIENCE: u32 = 3;

/// The fewest digits that name a commit.
const SHORTEST: usize = 7;

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
    looked: Instant,
}

impl Now {
    /// Returns what an event names: the entry, and whether it could not be read since.
    pub(super) fn state(&self) -> String {
        let stale = if self.stale.is_some() { "-stale" } else { "" };
        format!("{}{stale}", self.facts.moment.commit)
    }
}

/// Reads the journal for the page.
#[derive(Clone)]
pub struct Pages(Arc<Inner>);

struct Inner {
    archive: Box<dyn Archive>,
    now: watch::Sender<Option<Now>>,
    /// The reader that holds it looks at the journal.
    looking: Arc<Mutex<()>>,
    /// The reader that holds it reads a moment of the past.
    reading: Mutex<()>,
    past: parking_lot::Mutex<Vec<Arc<Facts>>>,
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
        let (looking, reading, past) = (Arc::default(), Mutex::default(), parking_lot::Mutex::default());
        Self(Arc::new(Inner { archive: Box::new(archive), now, looking, reading, past }))
    }

    /// Returns how often the journal is looked at.
    pub(super) fn pause(&self) -> Duration {
        self.0.archive.pause()
    }

    /// Returns the journal, which is looked at if that was not done a moment ago. While it is read, all others get the one before, unless that
    /// was looked at long ago.
    ///
    /// # Errors
    /// [`Unavailable`] if it could never be read.
    pub(super) async fn now(&self) -> Result<Now, Unavailable> {
        let pause = self.pause();
        let recent = || self.0.now.borrow().clone().filter(|known| known.looked.elapsed() < pause);
        if let Some(known) = recent() {
            return Ok(known);
        }
        let known = self.0.now.borrow().clone();
        let is_usable = |known: &Now| known.looked.elapsed() < pause * PATIENCE + Duration::from_secs(1);
        let looking = match (self.0.looking.clone().try_lock_owned(), known.filter(is_usable)) {
            (Ok(looking), _) => looking,
            (Err(_), Some(known)) => return Ok(known),
            (Err(_), None) => self.0.looking.clone().lock_owned().await,
        };
        if let Some(known) = recent() {
            return Ok(known);
        }
        // A task of its own: a reader that leaves must not cause another reading.
        let inner = self.0.clone();
        complete(tokio::spawn(async move {
            let _looking = looking;
            inner.look().await
        }))
        .await
    }

    /// Returns the journal at a moment; an empty text is now. `None` if there was no entry. Unlike on the page, an old state is no answer.
    ///
    /// # Errors
    /// [`Unavailable`] if it cannot be read.
    pub async fn at(&self, at: &str) -> Result<Option<Arc<Facts>>, Unavailable> {
        let now = self.now().await?;
        match now.stale.clone() {
            Some(why) => Err(Unavailable(why)),
            None => self.shown(at, &now).await,
        }
    }

    /// Returns the journal at a moment; an empty text is now. `None` if there was no entry.
    ///
    /// # Errors
    /// [`Unavailable`] if it cannot be read.
    pub(super) async fn shown(&self, at: &str, now: &Now) -> Result<Option<Arc<Facts>>, Unavailable> {
        if at.is_empty() { Ok(Some(now.facts.clone())) } else { self.past(at, now).await }
    }

    /// Returns the journal at a moment of the past: a commit of it, or the last entry at a time. `None` if there was none.
    ///
    /// # Errors
    /// [`Unavailable`] if it cannot be read.
    async fn past(&self, at: &str, now: &Now) -> Result<Option<Arc<Facts>>, Unavailable> {
        let Some(moment) = moment_at(at, &now.moments).cloned() else { return Ok(None) };
        if moment.commit == now.facts.moment.commit {
            return Ok(Some(now.facts.clone()));
        }
        let (inner, known) = (self.0.clone(), now.facts.clone());
        complete(tokio::spawn(async move { inner.read(moment, known).await.map(Some) })).await
    }
}

impl Inner {
    /// Reads the journal, if it has another entry than the one that is known.
    async fn look(self: Arc<Self>) -> Result<Now, Unavailable> {
        let known = self.now.borrow().clone();
        let (inner, before) = (self.clone(), known.clone());
        let read = blocking(move || {
            let moments = inner.archive.moments(MOMENTS)?;
            let newest = moments.first().cloned().ok_or_else(|| Unavailable("the journal has no entry".to_owned()))?;
            let facts = match before {
                Some(before) if before.facts.moment.commit == newest.commit => before.facts,
                before => {
                    let files = inner.archive.files(&newest.commit)?;
                    Arc::new(Facts::read(newest, files, before.as_ref().map(|before| &*before.facts)))
                }
            };
            Ok(Now { facts, moments: Arc::new(moments), stale: None, looked: Instant::now() })
        });
        let now = match (read.await, known) {
            (Ok(now), _) => now,
            (Err(Unavailable(why)), Some(known)) => Now { stale: Some(why), looked: Instant::now(), ..known },
            (Err(error), None) => return Err(error),
        };
        self.now.send_replace(Some(now.clone()));
        Ok(now)
    }

    /// Reads a moment of the past, one at a time.
    async fn read(self: Arc<Self>, moment: Moment, known: Arc<Facts>) -> Result<Arc<Facts>, Unavailable> {
        let kept = |commit: &CommitId| self.past.lock().iter().find(|facts| facts.moment.commit == *commit).cloned();
        if let Some(facts) = kept(&moment.commit) {
            return Ok(facts);
        }
        let _reading = self.reading.lock().await;
        if let Some(facts) = kept(&moment.commit) {
            return Ok(facts);
        }
        let inner = self.clone();
        let facts = blocking(move || {
            let files = inner.archive.files(&moment.commit)?;
            Ok(Arc::new(Facts::read(moment, files, Some(&known))))
        })
        .await?;
        let mut past = self.past.lock();
        past.truncate(PAST - 1);
        past.insert(0, facts.clone());
        Ok(facts)
    }
}

/// Returns a moment by its commit, of which seven digits are enough, or the last one at a time; a day is its end. `moments` are sorted,
/// newest first.
fn moment_at<'m>(at: &str, moments: &'m [Moment]) -> Option<&'m Moment> {
    let time = moment(at, true);
    let is_commit = at.len() >= SHORTEST && at.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_wanted = |moment: &&Moment| {
        is_commit && moment.commit.as_str().starts_with(&at.to_ascii_lowercase())
            || time.is_some_and(|time| moment.at <= time)
    };
    moments.iter().find(is_wanted)
}

async fn blocking<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, Unavailable> + Send + 'static,
) -> Result<T, Unavailable> {
    complete(tokio::task::spawn_blocking(read)).await
}

async fn complete<T>(task: JoinHandle<Result<T, Unavailable>>) -> Result<T, Unavailable> {
    task.await.map_err(|error| Unavailable(error.to_string()))?
}
