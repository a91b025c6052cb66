public import Foundation
import MetadataQuery
import Synchronization

extension NSSortDescriptor {
    /// Sorts by an attribute, as ``NSMetadataQuery/sortDescriptors`` does; also dictionaries by a key.
    ///
    /// Foundation on Linux has no key-value coding, and marks its own initialiser as unavailable. Values without an
    /// order (none, or of different kinds) come first, and kind by kind.
    /// - Parameter key: an attribute or key; nil or `self` for the objects themselves.
    public convenience init(key: String?, ascending: Bool) {
        self.init(key: key, ascending: ascending) { ValueOrder.sortOrder($0, $1) }
    }

    /// Sorts by an attribute, with a comparison of the app's.
    /// - Parameter comparator: gets the two values; `NSNull` where there is none.
    public convenience init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
        self.init(keyPath: \Any?.[sortKey: key ?? "self"], ascending: ascending) { left, right in
            comparator(ValueOrder.unwrapped(left), ValueOrder.unwrapped(right))
        }
    }

    /// The attribute by which this sorts; nil if it was made with a key path of Swift's.
    public var key: String? {
        guard type(of: keyPath).rootType == Any?.self else { return nil }
        let probe = SortKeys.Probe()
        _ = compare(probe, to: probe)
        return probe.key.withLock { $0 }
    }

    /// Whether this can compare items of a query: otherwise Foundation would end the program.
    var comparesItems: Bool {
        let root = type(of: keyPath).rootType
        return root == Any?.self || root == NSMetadataItem.self || root == NSObject.self
    }
}

enum SortKeys {
    /// Remembers the key that it is asked for.
    final class Probe: Sendable {
        let key = Mutex<String?>(nil)
    }
}

extension Optional where Wrapped == Any {
    fileprivate subscript(sortKey key: String) -> Any? {
        guard let self else { return nil }
        switch self {
        case let probe as SortKeys.Probe:
            probe.key.withLock { $0 = key }
            return nil
        case let item as NSMetadataItem: return key == "self" ? item : item.value(forAttribute: key)
        case let entries as [String: Any]: return entries[key]
        default: return key == "self" ? self : nil
        }
    }
}
