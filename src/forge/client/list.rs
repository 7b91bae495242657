//! Lists of many pages. A list is complete, or it is an error.

use std::sync::Arc;

use reqwest::Url;
use serde::de::DeserializeOwned;
use tidegate_model::forge::ForgeKind;

use super::etags::Kept;
use super::links::next;
use super::queue::{Client, etag, parsed_list};
use crate::error::{Error, Result};
use crate::wire::{Call, Reply, failure, garbage};

/// The most pages of a list. A list with more is an error, because a part of it must not look like all of it.
const PAGES: usize = 100;

/// The pages of a list without links: their size, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbered {
    /// The number of entries of a full page, or `None` if it is unknown.
    pub(crate) size: Option<usize>,
}

impl Client {
    /// Reads a list, following the links to the next pages. Known pages of GitHub are asked for only if they changed.
    pub(crate) async fn linked<T: DeserializeOwned>(&self, call: &Call) -> Result<Vec<T>> {
        self.pages(call).await.map(|(items, _)| items)
    }

    /// Reads the first page of a list only.
    pub(crate) async fn first_page<T: DeserializeOwned>(&self, call: &Call) -> Result<Vec<T>> {
        parsed_list(call, &self.ask(call).await?.body)
    }

    /// Reads a list, and reports whether all of its pages were known.
    async fn pages<T: DeserializeOwned>(&self, call: &Call) -> Result<(Vec<T>, bool)> {
        let (mut items, mut is_known, mut page) = (Vec::new(), true, call.clone());
        for _ in 0..PAGES {
            let (kept, is_same) = self.page(&page).await?;
            is_known &= is_same;
            items.extend(parsed_list(&page, &kept.body)?);
            match &kept.next {
                Some(url) => page.url = url.clone(),
                None => return Ok((items, is_known)),
            }
        }
        Err(too_long(call))
    }

    /// Reads a list as [`Client::linked`] does. Returns `None` if all pages are those of the last list that was returned. `accept` judges
    /// the list: one that it refuses was not returned.
    pub(crate) async fn watched<T: DeserializeOwned, U>(
        &self,
        call: &Call,
        accept: impl FnOnce(Vec<T>) -> Result<U>,
    ) -> Result<Option<U>> {
        let list = call.url.as_str().to_owned();
        let was_delivered = self.delivered.lock().remove(&list);
        let (items, is_known) = self.pages(call).await?;
        let accepted = accept(items)?;
        self.delivered.lock().insert(list);
        Ok((!(was_delivered && is_known)).then_some(accepted))
    }

    /// Reads one page, and reports whether it is the known one.
    async fn page(&self, page: &Call) -> Result<(Arc<Kept>, bool)> {
        // Only GitHub does not count an answer without content.
        let known = if self.kind() == ForgeKind::GitHub { self.etags.lock().get(&page.url) } else { None };
        let reply = self.send(page, known.as_ref().and_then(|known| known.etag.as_ref())).await?;
        match known {
            Some(known) if reply.status == 304 => return Ok((known, true)),
            _ if !reply.is_success() => return Err(failure(page, &reply)),
            _ => {}
        }
        let next = self.next_page(page, &reply)?;
        let kept = Arc::new(Kept { etag: etag(&reply), body: reply.body, next });
        if self.kind() == ForgeKind::GitHub {
            self.etags.lock().put(&page.url, Arc::clone(&kept));
        }
        Ok((kept, false))
    }

    /// Reads a list whose pages have numbers, and whose header `X-Total-Count` is the number of all entries. Pages may contain
    /// fewer entries than that, because the forge leaves out what the token may not see. A page with an entry that ends the
    /// list is the last one.
    pub(crate) async fn numbered<T: DeserializeOwned>(
        &self,
        call: &Call,
        pages: Numbered,
        is_last: impl Fn(&T) -> bool,
    ) -> Result<Vec<T>> {
        let mut items: Vec<T> = Vec::new();
        for number in 1..=PAGES {
            let mut page = call.clone();
            page.url.query_pairs_mut().append_pair("page", &number.to_string());
            let reply = self.ask(&page).await?;
            let total = reply.header("x-total-count").and_then(|total| total.trim().parse::<usize>().ok());
            let total = total.ok_or_else(|| garbage(call, "the header X-Total-Count is missing"))?;
            let found: Vec<T> = parsed_list(&page, &reply.body)?;
            let is_end = match pages.size {
                Some(size) => number.saturating_mul(size) >= total,
                None => found.is_empty(),
            };
            let is_found = found.iter().any(&is_last);
            items.extend(found);
            if items.len() >= total || is_end || is_found {
                return Ok(items);
            }
        }
        Err(too_long(call))
    }

    /// Returns the address of the next page.
    fn next_page(&self, page: &Call, reply: &Reply) -> Result<Option<Url>> {
        let Some(header) = reply.headers.get("link") else { return Ok(None) };
        let header = header.to_str().map_err(|_| garbage(page, "the header Link is not a string"))?;
        next(header).map(|target| self.address().same_origin(&reply.url, target, "the next page")).transpose()
    }
}

fn too_long(call: &Call) -> Error {
    garbage(call, format_args!("the list has more than {PAGES} pages, and a part of it would be misleading"))
}
