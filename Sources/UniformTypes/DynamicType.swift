import BatonCore

/// A type without a declaration: it stands for a tag, and its identifier holds that tag, so that it means the same on
/// every device.
///
/// The identifier is `dyn.b` and base 32, in lower case, of the tag's class, the tag and what it conforms to. Apple's own
/// encoding is private; identifiers of other systems are not read.
package struct DynamicType: Sendable, Hashable {
    package let tagClass: TypeTagClass
    package let tag: String
    /// The one type that it conforms to.
    package let conformsTo: String

    static let prefix = "dyn."
    /// The first letter of what is encoded: another form of these identifiers gets another letter.
    private static let form = "b"

    /// - Returns: nil when `tag` is no tag of that class.
    package init?(tagClass: TypeTagClass, tag: String, conformsTo: String) {
        guard let tag = TypeIdentifier.folded(tag: tag, of: tagClass), TypeIdentifier.isValid(conformsTo) else {
            return nil
        }
        self.tagClass = tagClass
        self.tag = tag
        self.conformsTo = TypeIdentifier.folded(conformsTo)
    }

    package init?(identifier: String) {
        let identifier = TypeIdentifier.folded(identifier)
        guard identifier.hasPrefix(Self.prefix + Self.form), identifier.utf8.count <= 1_500,
            let bytes = Base32.decode(String(identifier.dropFirst(Self.prefix.count + 1))),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let tagClass = TypeTagClass(code: parts[0]) else { return nil }
        self.init(tagClass: tagClass, tag: parts[1], conformsTo: parts[2])
        // One type has one identifier.
        guard self.identifier == identifier else { return nil }
    }

    package var identifier: String {
        Self.prefix + Self.form + Base32.encode("\(tagClass.code)\n\(tag)\n\(conformsTo)".utf8).lowercased()
    }
}

extension TypeTagClass {
    fileprivate var code: String {
        switch self {
        case .filenameExtension: "e"
        case .mimeType: "m"
        }
    }

    fileprivate init?(code: String) {
        guard let value = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = value
    }
}
