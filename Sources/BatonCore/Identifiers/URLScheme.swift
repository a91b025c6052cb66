/// The scheme of a URL, in lower case: a letter, then letters, digits, `+`, `-` or `.` (RFC 3986, section 3.1).
package struct URLScheme: Hashable, Sendable, Comparable, CustomStringConvertible {
    package static let maximumLength = 64

    package let rawValue: String

    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...Self.maximumLength).contains(bytes.count), let first = bytes.first, Self.isLetter(first),
            bytes.allSatisfy({ Self.isLetter($0) || (48...57).contains($0) || [43, 45, 46].contains($0) })
        else { return nil }
        rawValue = text.lowercased()
    }

    /// The scheme of a URL's text, or nil if it has none.
    package init?(ofURL text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        self.init(String(text[..<colon]))
    }

    /// Schemes that no app may claim, because the person expects the system to open them, or because they name what is
    /// on this device or runs in a page.
    package var isReserved: Bool { Self.reserved.contains(rawValue) }

    /// Whether a page of the web is meant.
    package var isWeb: Bool { rawValue == "http" || rawValue == "https" }

    package var isFile: Bool { rawValue == "file" }

    private static let reserved: Set<String> = [
        "about", "app-settings", "baton", "baton-reminder", "blob", "callto", "chrome", "chrome-extension", "data",
        "dav", "davs",
        "facetime",
        "facetime-audio", "file", "filesystem", "ftp", "ftps", "http", "https", "imap", "irc", "ircs", "javascript",
        "ldap", "ldaps", "magnet", "mailto", "maps", "message", "moz-extension", "news", "nfs", "nntp", "pop",
        "resource",
        "sftp", "shortcuts", "sip", "sips", "sms", "smb", "ssh", "tel", "telnet", "vbscript", "view-source", "vnc",
        "wais", "webcal", "ws", "wss", "xmpp",
    ]

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    package var description: String { rawValue }

    private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }
}
