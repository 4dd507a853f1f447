//! Addresses in the stores of symbol servers.

/// The address of a file in the store of a server. Names may hold letters that addresses may not.
pub fn address(server: &str, parts: [&str; 3]) -> String {
    let mut url = server.to_owned();
    for part in parts {
        url.push('/');
        for &byte in part.as_bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                url.push(char::from(byte));
            } else {
                url.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    url
}
