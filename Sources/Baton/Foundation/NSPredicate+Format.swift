public import Foundation
import Logging
import MetadataQuery

/// Gives `NSPredicate` the initialisers that take a format. Nothing else conforms to it.
///
/// An initialiser of a class cannot return a subclass, and one of a protocol can. Foundation has the same names,
/// marked as unavailable on Linux.
public protocol PredicateFormatInitializable {}

extension NSPredicate: PredicateFormatInitializable {}

extension PredicateFormatInitializable where Self == NSPredicate {
    /// A predicate from Apple's format (D-27): `NSPredicate(format: "%K == %@", NSMetadataItemFSNameKey, "a.txt")`.
    ///
    /// docs/metadata-queries.md lists what a format may hold. A format that is wrong raises an exception on Apple's
    /// systems. Here the predicate is false for everything, and the mistake is logged with its place: a format may hold
    /// text that a person typed, which must not end the program. Use ``init(checkedFormat:arguments:)`` to get the error.
    ///
    /// Evaluating is safe on any thread, and takes time linear in the text for all operators but LIKE and MATCHES,
    /// which take at most the pattern's length times the text's.
    ///
    /// - Parameters:
    ///   - format: at most 64 KiB, nested at most 64 deep.
    ///   - arguments: one for each `%K`, `%@`, `%d`, `%ld`, `%u` and `%f`.
    public init(format: String, _ arguments: Any...) { self = Self.logged(format, arguments) }

    /// The same with the arguments in an array.
    public init(format: String, argumentArray arguments: [Any]?) { self = Self.logged(format, arguments ?? []) }

    /// A predicate from Apple's format, or the reason why it is wrong. Only Baton has this initialiser.
    /// - Throws: ``PredicateFormatError`` with the place of the mistake.
    public init(checkedFormat format: String, arguments: [Any] = []) throws(PredicateFormatError) {
        do throws(PredicateSyntaxError) {
            let arguments = arguments.map(RecordQuery.argument)
            self = FormatPredicate(try MetadataPredicate(format: format, arguments: arguments))
        } catch {
            throw PredicateFormatError(error)
        }
    }

    private static func logged(_ format: String, _ arguments: [Any]) -> NSPredicate {
        do throws(PredicateFormatError) {
            return try NSPredicate(checkedFormat: format, arguments: arguments)
        } catch {
            // Not the format itself, which may hold what a person typed.
            Logger(label: "baton.predicates").critical(
                "A predicate format is wrong, so that the predicate matches nothing. \(error.message)",
                metadata: ["code": "\(error.code)", "offset": "\(error.offset)"])
            return FormatPredicate(.constant(false), problem: error)
        }
    }
}
