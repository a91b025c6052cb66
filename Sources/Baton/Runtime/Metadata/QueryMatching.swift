import BatonCore
import Foundation
import MetadataQuery

/// Makes functions on records of an app's predicates and sort descriptors.
enum QueryMatching {
    static func matches(_ predicate: NSPredicate, items: [Any]?) -> @Sendable (MetadataRecord) -> Bool {
        let isListed = isListed(items)
        if let predicate = (predicate as? FormatPredicate)?.parsed {
            return { isListed($0) && predicate.evaluate(with: $0) }
        }
        // A predicate never changes once it is made.
        nonisolated(unsafe) let predicate = predicate
        return { isListed($0) && predicate.evaluate(with: NSMetadataItem($0)) }
    }

    private static func isListed(_ items: [Any]?) -> @Sendable (MetadataRecord) -> Bool {
        guard let items else { return { _ in true } }
        var ids: Set<String> = []
        var paths: Set<String> = []
        for item in items {
            if let item = item as? NSMetadataItem { ids.insert(item.record.id) }
            if let url = item as? URL, url.isFileURL { paths.insert(url.standardizedFileURL.path) }
        }
        return { [ids, paths] record in
            if ids.contains(record.id) { return true }
            guard case .url(let url) = record.attributes[NSMetadataItemURLKey] else { return false }
            return paths.contains(url.standardizedFileURL.path)
        }
    }

    static func order(
        _ descriptors: [NSSortDescriptor]
    ) -> (@Sendable (MetadataRecord, MetadataRecord) -> ComparisonResult)? {
        guard !descriptors.isEmpty else { return nil }
        // A sort descriptor never changes once it is made.
        nonisolated(unsafe) let descriptors = descriptors
        return { left, right in
            let (left, right) = (NSMetadataItem(left), NSMetadataItem(right))
            for descriptor in descriptors {
                let result = descriptor.compare(left, to: right)
                if result != .orderedSame { return result }
            }
            return .orderedSame
        }
    }
}
