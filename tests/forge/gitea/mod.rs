//! What is special about Gitea and Forgejo.

mod facts;
mod writes;

use serde_json::json;
use tidegate_forge::Forge;
use tidegate_model::forge::{Account, ForgeKind};

use crate::support::{Answer, Seen, Server, setup};

/// Starts a Gitea on which the page size is known.
async fn gitea(answer: impl Fn(&Seen) -> Answer + Send + Sync + 'static) -> (Server, Forge) {
    let server = Server::start(move |seen| match seen.line.as_str() {
        "GET /api/v1/settings/api" => Answer::ok(json!({ "max_response_items": 50, "default_paging_num": 30 })),
        "GET /api/v1/user" => Answer::ok(json!({ "id": 9, "login": "tidegate", "is_admin": false })),
        _ => answer(seen),
    })
    .await;
    let forge = setup(ForgeKind::Gitea, &server).forge();
    (server, forge)
}

fn account(id: u64, login: &str) -> Account {
    Account { id, login: login.to_owned(), is_bot: false }
}
