import AppLink
import BatonCore
public import Foundation
import MetadataQuery
import Synchronization

/// A file or directory that an ``NSMetadataQuery`` found, whether or not its content is on this device.
///
/// A query has one object for each file for as long as the file is a result. Its values change only when the query's
/// results do, on the query's queue. Safe to use from any thread.
//
// @unchecked: the only stored property is a constant that is Sendable. A subclass that stores more must keep that up.
open class NSMetadataItem: NSObject, @unchecked Sendable {
    private let current: Mutex<MetadataRecord>

    init(_ record: MetadataRecord) { current = Mutex(record) }

    var record: MetadataRecord {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// The value of an attribute (D-30), such as ``NSMetadataItemURLKey``; nil if the item has none.
    ///
    /// A `String`, `Bool`, `Int`, `Double`, `Date`, `URL`, an array of these, or an `NSError`.
    open func value(forAttribute key: String) -> Any? {
        let record = record
        if Self.errorKeys.contains(key), let problem = UbiquitousItem.Problem(record.attributes[key]) {
            var url: URL?
            if case .url(let found) = record.attributes[NSMetadataItemURLKey] { url = found }
            return UbiquityErrors.cocoa(problem, url)
        }
        return record.attributes[key].flatMap { $0 == .null ? nil : $0.any }
    }

    private static let errorKeys = [
        NSMetadataUbiquitousItemDownloadingErrorKey, NSMetadataUbiquitousItemUploadingErrorKey,
    ]

    /// The values of several attributes; those that the item has not are left out.
    open func values(forAttributes keys: [String]) -> [String: Any]? {
        var values: [String: Any] = [:]
        for key in keys { values[key] = value(forAttribute: key) }
        return values
    }

    /// The names of the attributes that the item has, in alphabetic order.
    open var attributes: [String] { record.attributes.keys.sorted() }
}
