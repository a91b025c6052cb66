public import Foundation

/// The results of a query that have one value of an attribute, as they were when it was asked for its groups.
//
// @unchecked: all stored properties are constants, and the results are items of the query or the app's own objects.
open class NSMetadataQueryResultGroup: NSObject, @unchecked Sendable {
    /// The attribute's name.
    open var attribute: String { storedAttribute }
    /// The value; `NSNull` where the results have none.
    open var value: Any { storedValue }
    /// The groups by the next attribute; nil if there is no further one.
    open var subgroups: [NSMetadataQueryResultGroup]? { storedSubgroups.isEmpty ? nil : storedSubgroups }
    /// How many results the group has.
    open var resultCount: Int { results.count }
    /// The results, in the query's order.
    open var results: [Any] { storedResults }

    private let storedAttribute: String
    private let storedValue: Any
    private let storedSubgroups: [NSMetadataQueryResultGroup]
    private let storedResults: [Any]

    init(attribute: String, value: Any, results: [Any], subgroups: [NSMetadataQueryResultGroup]) {
        storedAttribute = attribute
        storedValue = value
        storedResults = results
        storedSubgroups = subgroups
    }

    /// A result of the group.
    /// - Parameter idx: below ``resultCount``. Another one is a mistake of the program (``BatonExceptions``).
    open func result(at idx: Int) -> Any {
        guard storedResults.indices.contains(idx) else {
            BatonExceptions.raiseInvalidArgument(
                "A group of \(storedResults.count) results has none at \(idx). Ask for resultCount first.")
            return NSNull()
        }
        return storedResults[idx]
    }
}
