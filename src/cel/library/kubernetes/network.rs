//! IP addresses and CIDR blocks.
//!
//! # Source
//! Go `net/netip`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::context::{Context, EvalError};
use crate::library::declaration::Row;
use crate::value::{Cidr, Value};

pub(in crate::library) const ROWS: &[Row] = &[
    Row("ip", "string_to_ip", "(string) -> ip", Some(read_address)),
    Row("family", "ip_family", "ip.() -> int", Some(family)),
    Row("ip.isCanonical", "ip_is_canonical", "(string) -> bool", Some(is_canonical)),
    Row("isUnspecified", "ip_is_unspecified", "ip.() -> bool", Some(is_unspecified)),
    Row("isLoopback", "ip_is_loopback", "ip.() -> bool", Some(is_loopback)),
    Row("isLinkLocalMulticast", "ip_is_link_local_multicast", "ip.() -> bool", Some(is_link_local_multicast)),
    Row("isLinkLocalUnicast", "ip_is_link_local_unicast", "ip.() -> bool", Some(is_link_local_unicast)),
    Row("isGlobalUnicast", "ip_is_global_unicast", "ip.() -> bool", Some(is_global_unicast)),
    Row("isIP", "is_ip", "(string) -> bool", Some(is_address)),
    Row("string", "ip_to_string", "(ip) -> string", Some(to_string)),
    Row("cidr", "string_to_cidr", "(string) -> cidr", Some(read_block)),
    Row("containsIP", "cidr_contains_ip_string", "cidr.(string) -> bool", Some(contains_address)),
    Row("containsIP", "cidr_contains_ip_ip", "cidr.(ip) -> bool", Some(contains_address)),
    Row("containsCIDR", "cidr_contains_cidr_string", "cidr.(string) -> bool", Some(contains_block)),
    Row("containsCIDR", "cidr_contains_cidr", "cidr.(cidr) -> bool", Some(contains_block)),
    Row("ip", "cidr_ip", "cidr.() -> ip", Some(address_of)),
    Row("prefixLength", "cidr_prefix_length", "cidr.() -> int", Some(prefix_length)),
    Row("masked", "cidr_masked", "cidr.() -> cidr", Some(masked)),
    Row("isCIDR", "is_cidr", "(string) -> bool", Some(is_block)),
    Row("string", "cidr_to_string", "(cidr) -> string", Some(to_string)),
];

/// Parses an IP address. Zones and IPv4-mapped IPv6 addresses are rejected.
fn address(text: &str) -> Option<IpAddr> {
    let address: IpAddr = text.parse().ok()?;
    let mapped = matches!(address, IpAddr::V6(address) if address.to_ipv4_mapped().is_some());
    (!mapped).then_some(address)
}

fn block(text: &str) -> Option<Cidr> {
    let (address_text, bits) = text.rsplit_once('/')?;
    let address = address(address_text)?;
    let is_plain = bits.bytes().all(|byte| byte.is_ascii_digit()) && (bits == "0" || !bits.starts_with('0'));
    let bits: u8 = bits.parse().ok().filter(|_| is_plain)?;
    (bits <= length(address)).then_some(Cidr { address, bits })
}

fn length(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

impl Cidr {
    /// Returns the first address of the block.
    fn start(self) -> IpAddr {
        match self.address {
            IpAddr::V4(address) => {
                let mask = u32::MAX.checked_shl(u32::from(32 - self.bits.min(32))).unwrap_or(0);
                IpAddr::V4(Ipv4Addr::from(u32::from(address) & mask))
            }
            IpAddr::V6(address) => {
                let mask = u128::MAX.checked_shl(u32::from(128 - self.bits.min(128))).unwrap_or(0);
                IpAddr::V6(Ipv6Addr::from(u128::from(address) & mask))
            }
        }
    }

    fn contains(self, address: IpAddr) -> bool {
        self.address.is_ipv4() == address.is_ipv4() && Self { address, ..self }.start() == self.start()
    }
}

fn text<'t>(args: &'t [Value<'_>]) -> Result<&'t str, EvalError> {
    match args {
        [Value::String(text)] => Ok(text),
        _ => Err(EvalError::Failed),
    }
}

fn read_address<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    address(text(args)?).map(Value::Ip).ok_or(EvalError::Failed)
}

fn is_address<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    Ok(Value::Bool(address(text(args)?).is_some()))
}

fn is_canonical<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let text = text(args)?;
    let address = address(text).ok_or(EvalError::Failed)?;
    Ok(Value::Bool(address.to_string() == text))
}

fn tested<'a>(args: &[Value<'a>], test: impl FnOnce(IpAddr) -> bool) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::Ip(address)] => Ok(Value::Bool(test(*address))),
        _ => Err(EvalError::Failed),
    }
}

fn family<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::Ip(address)] => Ok(Value::Int(if address.is_ipv4() { 4 } else { 6 })),
        _ => Err(EvalError::Failed),
    }
}

fn is_unspecified<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    tested(args, |address| address.is_unspecified())
}

fn is_loopback<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    tested(args, |address| address.is_loopback())
}

fn is_link_local_multicast<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    tested(args, |address| match address {
        IpAddr::V4(address) => address.octets().starts_with(&[224, 0, 0]),
        IpAddr::V6(address) => address.segments().first().is_some_and(|first| first & 0xff0f == 0xff02),
    })
}

fn link_local_unicast(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    }
}

fn is_link_local_unicast<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    tested(args, link_local_unicast)
}

fn is_global_unicast<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    tested(args, |address| {
        let broadcast = matches!(address, IpAddr::V4(address) if address.is_broadcast());
        !broadcast
            && !address.is_unspecified()
            && !address.is_loopback()
            && !address.is_multicast()
            && !link_local_unicast(address)
    })
}

fn to_string<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::Ip(address)] => Ok(Value::string(address.to_string())),
        [Value::Cidr(Cidr { address, bits })] => Ok(Value::string(format!("{address}/{bits}"))),
        _ => Err(EvalError::Failed),
    }
}

fn read_block<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    block(text(args)?).map(Value::Cidr).ok_or(EvalError::Failed)
}

fn is_block<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    Ok(Value::Bool(block(text(args)?).is_some()))
}

fn contains_address<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let (outer, inner) = match args {
        [Value::Cidr(outer), Value::String(text)] => (outer, address(text).ok_or(EvalError::Failed)?),
        [Value::Cidr(outer), Value::Ip(inner)] => (outer, *inner),
        _ => return Err(EvalError::Failed),
    };
    Ok(Value::Bool(outer.contains(inner)))
}

fn contains_block<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let (outer, inner) = match args {
        [Value::Cidr(outer), Value::String(text)] => (outer, block(text).ok_or(EvalError::Failed)?),
        [Value::Cidr(outer), Value::Cidr(inner)] => (outer, *inner),
        _ => return Err(EvalError::Failed),
    };
    Ok(Value::Bool(outer.bits <= inner.bits && outer.contains(inner.address)))
}

fn address_of<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::Cidr(block)] => Ok(Value::Ip(block.address)),
        _ => Err(EvalError::Failed),
    }
}

fn prefix_length<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::Cidr(block)] => Ok(Value::Int(i64::from(block.bits))),
        _ => Err(EvalError::Failed),
    }
}

fn masked<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::Cidr(block)] => Ok(Value::Cidr(Cidr { address: block.start(), ..*block })),
        _ => Err(EvalError::Failed),
    }
}
