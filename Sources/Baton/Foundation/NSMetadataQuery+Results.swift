import BatonCore
public import Foundation
import MetadataQuery

extension NSMetadataQuery {
    /// How many results there are (D-30).
    public var resultCount: Int { objects.withLock { $0.results.count } }

    /// The results in order: ``NSMetadataItem``s, or what the delegate put in their place.
    public var results: [Any] { objects.withLock { objects in objects.results.compactMap { objects.object($0.id) } } }

    /// A result (D-30).
    /// - Parameter idx: below ``resultCount``. Another one is a mistake of the program (``BatonExceptions``).
    public func result(at idx: Int) -> Any {
        let result = objects.withLock { objects in
            objects.results.indices.contains(idx) ? objects.object(objects.results[idx].id) : nil
        }
        if let result { return result }
        BatonExceptions.raiseInvalidArgument(
            "A query of \(resultCount) results has none at \(idx). Ask for resultCount first, with updates disabled.")
        return NSNull()
    }

    /// Where a result is; `NSNotFound` if it is not one.
    public func index(ofResult result: Any) -> Int {
        let wanted = result as AnyObject
        return results.firstIndex { ($0 as AnyObject) === wanted } ?? NSNotFound
    }

    /// The value of an attribute of a result, as ``NSMetadataItem/value(forAttribute:)`` gives it; nil if there is none.
    public func value(ofAttribute attrName: String, forResultAt idx: Int) -> Any? {
        let record = objects.withLock { objects in
            objects.results.indices.contains(idx) ? objects.results[idx] : nil
        }
        return record.flatMap { NSMetadataItem($0).value(forAttribute: attrName) }
    }

    /// Calls a block with each result and its index, until it sets its third parameter to true. Updates are disabled
    /// meanwhile.
    public func enumerateResults(_ block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
        enumerateResults(options: [], using: block)
    }

    /// The same, from the last to the first with `.reverse`.
    public func enumerateResults(
        options opts: NSEnumerationOptions, using block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        disableUpdates()
        defer { enableUpdates() }
        let results = Array(results.enumerated())
        var shouldStop = ObjCBool(false)
        for (index, result) in opts.contains(.reverse) ? results.reversed() : results {
            block(result, index, &shouldStop)
            if shouldStop.boolValue { return }
        }
    }

    /// For each of ``valueListAttributes`` its values, each with the number of results that have it.
    public var valueLists: [String: [NSMetadataQueryAttributeValueTuple]] {
        let attributes = settings.withLock { $0.valueListAttributes }
        let records = objects.withLock { $0.results }
        var lists: [String: [NSMetadataQueryAttributeValueTuple]] = [:]
        for attribute in attributes {
            let counts = QueryGrouping.counts(of: attribute, resultCount: records.count) { records[$0].attributes[$1] }
            lists[attribute] = counts.map {
                NSMetadataQueryAttributeValueTuple(
                    attribute: attribute, value: replacement(for: $0.value, attribute), count: $0.count)
            }
        }
        return lists
    }

    /// The results in groups, as ``groupingAttributes`` says; empty if it says nothing.
    public var groupedResults: [NSMetadataQueryResultGroup] {
        let attributes = settings.withLock { $0.groupingAttributes } ?? []
        let (records, objects) = objects.withLock { objects in
            (objects.results, objects.results.map { objects.object($0.id) ?? NSNull() })
        }
        let groups = QueryGrouping.groups(by: attributes, members: Array(records.indices)) {
            records[$0].attributes[$1]
        }
        return groups.map { group($0, objects) }
    }

    private func group(_ group: QueryGroup, _ objects: [Any]) -> NSMetadataQueryResultGroup {
        NSMetadataQueryResultGroup(
            attribute: group.attribute, value: replacement(for: group.value, group.attribute),
            results: group.members.map { objects[$0] }, subgroups: group.subgroups.map { self.group($0, objects) })
    }

    private func replacement(for value: PropertyValue, _ attribute: String) -> Any {
        delegate?.metadataQuery(self, replacementValueForAttribute: attribute, value: value.any) ?? value.any
    }
}
