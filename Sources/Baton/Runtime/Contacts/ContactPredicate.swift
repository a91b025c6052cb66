import Foundation

/// The predicates of `CNContact`, which the daemon evaluates.
///
/// Foundation's initialisers are no part of it: the only one is ``init(_:)``.
final class ContactPredicate: NSPredicate {
    enum Filter: Sendable, Hashable {
        case name(String)
        case email(String)
        case telephone(String)
        case identifiers([String])
        /// Those of a group or a container that is not here.
        case nothing
        case everything
    }

    let filter: Filter

    init(_ filter: Filter) {
        self.filter = filter
        super.init(value: false)
    }

    /// Only the daemon knows which contacts are meant.
    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool { false }
    override func copy(with zone: NSZone? = nil) -> Any { self }
    override var hash: Int { filter.hashValue }
    override func isEqual(_ object: Any?) -> Bool { (object as? ContactPredicate)?.filter == filter }
}
