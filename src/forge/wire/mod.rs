//! Single requests to one origin: what is sent, what comes back, and what it costs.

mod address;
mod body;
mod budget;
mod call;
mod exchange;
mod failure;
mod limits;
mod nullable;
mod object;
mod operation;
mod reply;
mod token;
mod traffic;
mod transport;

pub(crate) use address::Address;
pub use body::NoAnswer;
pub(crate) use call::Call;
pub(crate) use exchange::Wire;
pub(crate) use failure::{failure, garbage};
pub(crate) use nullable::nullable;
pub(crate) use object::Object;
pub(crate) use operation::Operation;
pub(crate) use reply::Reply;
pub(crate) use token::Token;
pub use traffic::Usage;
pub use transport::Transport;
