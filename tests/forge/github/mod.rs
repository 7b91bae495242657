//! What is special about GitHub.

mod facts;
mod writes;

use tidegate_forge::Forge;
use tidegate_model::forge::{Account, ForgeKind};

use crate::support::{Answer, Seen, Server, setup};

async fn github(answer: impl Fn(&Seen) -> Answer + Send + Sync + 'static) -> (Server, Forge) {
    let server = Server::start(answer).await;
    let forge = setup(ForgeKind::GitHub, &server).forge();
    (server, forge)
}

fn account(id: u64, login: &str) -> Account {
    Account { id, login: login.to_owned(), is_bot: false }
}
