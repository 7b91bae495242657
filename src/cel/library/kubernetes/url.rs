//! Functions on URLs.

use std::rc::Rc;

use crate::context::{Context, EvalError};
use crate::library::declaration::Row;
use crate::value::{Built, Map, Part, Url, Value};

pub(in crate::library) const ROWS: &[Row] = &[
    Row("url", "string_to_url", "(string) -> url", Some(read)),
    Row("getScheme", "url_get_scheme", "url.() -> string", Some(scheme)),
    Row("getHost", "url_get_host", "url.() -> string", Some(host)),
    Row("getHostname", "url_get_hostname", "url.() -> string", Some(hostname)),
    Row("getPort", "url_get_port", "url.() -> string", Some(port)),
    Row("getEscapedPath", "url_get_escaped_path", "url.() -> string", Some(path)),
    Row("getQuery", "url_get_query", "url.() -> map(string, list(string))", Some(query)),
    Row("isURL", "is_url_string", "(string) -> bool", Some(is_url)),
];

fn read<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::String(text)] = args else { return Err(EvalError::Failed) };
    let url = Url::read(text).filter(|_| Url::is_request(text));
    url.map(|url| Value::Url(Rc::new(url))).ok_or(EvalError::Failed)
}

fn is_url<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::String(text)] = args else { return Err(EvalError::Failed) };
    Ok(Value::Bool(Url::is_request(text)))
}

fn part<'a>(args: &[Value<'a>], part: impl FnOnce(&Url) -> String) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::Url(url)] => Ok(Value::string(part(url))),
        _ => Err(EvalError::Failed),
    }
}

fn scheme<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |url| url.scheme.clone())
}

fn host<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |url| String::from_utf8_lossy(&url.host).into_owned())
}

fn hostname<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |url| url.host_and_port().0)
}

fn port<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, |url| url.host_and_port().1)
}

fn path<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    part(args, Url::escaped_path)
}

fn query<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::Url(url)] = args else { return Err(EvalError::Failed) };
    context.meter.allocate(url.query.len().saturating_mul(4))?;
    let mut members: Vec<(String, Vec<Value<'a>>)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for pair in url.query.split('&').filter(|pair| !pair.is_empty() && !pair.contains(';')) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (Some(key), Some(value)) = (Part::Query.unescape(key), Part::Query.unescape(value)) else { continue };
        let key = String::from_utf8_lossy(&key).into_owned();
        let value = Value::string(String::from_utf8_lossy(&value));
        let at = *places.entry(key.clone()).or_insert(members.len());
        match members.get_mut(at) {
            Some((_, values)) => values.push(value),
            None => members.push((key, vec![value])),
        }
    }
    let mut built = Built::default();
    members.into_iter().for_each(|(key, values)| built.insert(Value::string(key), Value::list(values)));
    Ok(Value::Map(Map::of(built)))
}
