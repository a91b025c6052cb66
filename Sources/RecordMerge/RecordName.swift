package import BatonCore

/// Names a record in its zone for good.
///
/// A row of a mirrored table is named by its table and its primary key, so that two devices give one row one name: see
/// ``RecordTable/rowName(of:)``.
package struct RecordName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package static let maximumLength = 255

    package let text: String

    /// - Throws: `invalid_argument` (`bad_record_name`) for what is no name: empty, longer than 255 characters, not printable ASCII,
    ///   or with an underscore at the start.
    package init(_ text: String) throws(BatonError) {
        let bytes = text.utf8
        guard !bytes.isEmpty, bytes.count <= Self.maximumLength, bytes.first != UInt8(ascii: "_"),
            bytes.allSatisfy({ (0x20..<0x7F).contains($0) })
        else {
            throw BatonError(
                .invalidArgument, reason: "bad_record_name",
                "A record's name is empty, longer than 255 characters, not ASCII, or begins with an underscore. Give it another name."
            )
        }
        self.text = text
    }

    /// For what has been checked: printable ASCII of at most 255 characters.
    init(unchecked text: String) { self.text = text }

    /// Whether it is a row's of that table.
    func isRow(of table: String) -> Bool { text.hasPrefix(RecordTable.namePrefix(of: table)) }

    package var description: String { text }

    // Texts of ASCII have one form only, so they sort by their bytes.
    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}
