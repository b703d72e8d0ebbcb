//! Whether a request was meant for this server. A page of another site can make a browser ask any address under a name of its own
//! that leads here (DNS rebinding); it would then read the answers. The `Host` header tells the name that was asked for.

use std::net::{IpAddr, SocketAddr};

/// Whether the head of a request names this server: localhost or a loopback address with its port, or what it was told to listen on.
/// A server on all addresses of the machine takes every address in digits: those need no name that could lie.
pub fn is_ours(head: &str, told: &str, address: SocketAddr) -> bool {
    let mut hosts = head.lines().skip(1).filter_map(|l| l.split_once(':'));
    let mut named = hosts.by_ref().filter(|(n, _)| n.trim().eq_ignore_ascii_case("host")).map(|(_, v)| v.trim());
    let (Some(host), None) = (named.next(), named.next()) else { return false };
    let Some((name, port)) = split(host) else { return false };
    if port.unwrap_or(80) != address.port() {
        return false;
    }
    if name.eq_ignore_ascii_case("localhost") || name.eq_ignore_ascii_case(told.trim_matches(['[', ']'])) {
        return true;
    }
    match name.parse::<IpAddr>() {
        Ok(ip) => ip.is_loopback() || ip == address.ip() || address.ip().is_unspecified(),
        Err(_) => false,
    }
}

/// Name and port of a host; the brackets of an IPv6 address are taken off.
fn split(host: &str) -> Option<(&str, Option<u16>)> {
    let (name, rest) = match host.strip_prefix('[') {
        Some(inner) => inner.split_once(']')?,
        None => host.find(':').map_or((host, ""), |k| host.split_at(k)),
    };
    if rest.is_empty() {
        return Some((name, None));
    }
    Some((name, Some(rest.strip_prefix(':')?.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(host: &str, told: &str, address: &str) -> bool {
        is_ours(&format!("GET / HTTP/1.1\r\nAccept: */*\r\nHost: {host}\r\n\r\n"), told, address.parse().unwrap())
    }

    #[test]
    fn only_names_of_this_server_are_its_own() {
        let here = "127.0.0.1:7410";
        for good in ["127.0.0.1:7410", "localhost:7410", "LOCALHOST:7410", "[::1]:7410", "127.0.0.2:7410"] {
            assert!(ours(good, "127.0.0.1", here), "{good}");
        }
        let bad = [
            "",
            "localhost",
            "localhost:80",
            "localhost:7411",
            "evil.example:7410",
            "localhost.evil.example:7410",
            "192.168.0.7:7410",
            "127.0.0.1:7410:7410",
            "127.0.0.1:74100",
            "127.0.0.1:",
            "[::1]7410",
            "[::1",
            "a@127.0.0.1:7410",
        ];
        for host in bad {
            assert!(!ours(host, "127.0.0.1", here), "{host}");
        }
        assert!(ours("localhost", "127.0.0.1", "127.0.0.1:80"));
    }

    #[test]
    fn a_server_on_another_address_has_that_name_too() {
        assert!(ours("192.168.0.7:7410", "192.168.0.7", "192.168.0.7:7410"));
        assert!(ours("box.local:7410", "box.local", "192.168.0.7:7410"));
        assert!(!ours("192.168.0.8:7410", "192.168.0.7", "192.168.0.7:7410"));
        // On all addresses: any address in digits, no other name.
        assert!(ours("192.168.0.8:7410", "0.0.0.0", "0.0.0.0:7410") && ours("[fe80::1]:7410", "::", "[::]:7410"));
        assert!(!ours("evil.example:7410", "0.0.0.0", "0.0.0.0:7410"));
    }

    #[test]
    fn two_hosts_or_none_are_refused() {
        let two = "GET / HTTP/1.1\r\nHost: localhost:1\r\nHost: evil.example\r\n\r\n";
        assert!(!is_ours(two, "localhost", "127.0.0.1:1".parse().unwrap()));
        assert!(!is_ours("GET / HTTP/1.1\r\n\r\n", "localhost", "127.0.0.1:1".parse().unwrap()));
    }
}
