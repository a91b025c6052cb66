import Foundation
import MetadataQuery

/// The `NSPredicate` of a format.
///
/// Foundation's initialisers are no part of it: the only one is ``init(_:problem:)``, so it always has a parsed predicate.
final class FormatPredicate: NSPredicate {
    let parsed: MetadataPredicate
    /// Why the format could not be read, where the predicate is false for everything on that account.
    let problem: PredicateFormatError?

    init(_ parsed: MetadataPredicate, problem: PredicateFormatError? = nil) {
        self.parsed = parsed
        self.problem = problem
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
