/// Names of items whose content is not on this device: `.NAME.icloud`, as on Apple's systems.
package enum PlaceholderName {
    private static let suffix = Array(".icloud".utf8)
    package static let additionalBytes = 8

    package static func placeholder(for name: EntryName) -> EntryName {
        EntryName(unchecked: [0x2E] + name.bytes + suffix)
    }

    /// The name of what a placeholder stands for; nil where the name is not a placeholder's.
    package static func original(of name: EntryName) -> EntryName? {
        let bytes = name.bytes
        guard bytes.first == 0x2E, bytes.count > additionalBytes, bytes.suffix(suffix.count).elementsEqual(suffix)
        else {
            return nil
        }
        return try? EntryName(bytes[1..<(bytes.count - suffix.count)])
    }
}
