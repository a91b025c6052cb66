import Foundation
import MetadataQuery

/// The `NSPredicate` of a format.
///
/// Foundation's initialisers are no part of it: the only one is ``init(_:)``, so it always has a parsed predicate.
final class FormatPredicate: NSPredicate {
    let parsed: MetadataPredicate

    init(_ parsed: MetadataPredicate) {
        self.parsed = parsed
        // Never asked: evaluate below is.
        super.init(value: false)
    }

    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        if let item = object as? NSMetadataItem { return parsed.evaluate(with: item.record) }
        return parsed.evaluate(with: FoundationSubject(object))
    }

    @available(*, deprecated, message: "Foundation on Linux marks it so; the text of this class can be used.")
    override var predicateFormat: String { parsed.description }

    override var description: String { parsed.description }
    override func copy(with zone: NSZone? = nil) -> Any { self }
    override var hash: Int { parsed.hashValue }
    override func isEqual(_ object: Any?) -> Bool { (object as? FormatPredicate)?.parsed == parsed }
}
