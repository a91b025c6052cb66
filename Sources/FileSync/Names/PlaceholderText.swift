/// The text of a placeholder, for a person who opens it. Another file may have such a name, and never such a text.
package enum PlaceholderText {
    /// No placeholder is longer.
    package static let maximumBytes = 512
    private static let before = "The contents of this file ("

    /// - Parameters:
    ///   - size: of the content, in bytes.
    ///   - id: the entry that it stands for.
    package static func bytes(size: UInt64, id: EntryID) -> [UInt8] {
        let text = """
            \(before)\(size) bytes) are in iCloud and not on this device.
            “baton download” fetches them.
            \(id)

            """
        return Array(text.utf8)
    }

    /// The least and the most bytes of a placeholder.
    package static let lengths: ClosedRange<UInt64> = {
        let id = EntryID(high: 0, low: 0)
        return UInt64(bytes(size: 0, id: id).count)...UInt64(bytes(size: .max, id: id).count)
    }()

    /// Whether these are all bytes of a placeholder, whatever it stands for.
    package static func matches(_ bytes: [UInt8]) -> Bool { entry(of: bytes) != nil }

    /// - Parameter bytes: all of a file.
    /// - Returns: the entry that it stands for; nil for what is no placeholder.
    package static func entry(of bytes: [UInt8]) -> EntryID? {
        guard bytes.count <= maximumBytes, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\n")
        guard lines.count == 3, lines[0].hasPrefix(before),
            let size = UInt64(lines[0].dropFirst(before.count).prefix { $0 != " " }),
            let high = UInt64(lines[2].prefix(16), radix: 16), let low = UInt64(lines[2].dropFirst(16), radix: 16)
        else { return nil }
        let id = EntryID(high: high, low: low)
        return self.bytes(size: size, id: id) == bytes ? id : nil
    }
}
