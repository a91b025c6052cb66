import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// One call of the app's to its index: a value.
struct IndexRequest: Sendable {
    typealias Step = Baton_App_V1_SearchableIndexStep

    /// Bytes of one item that the daemon takes.
    static let maximumItemBytes = 256 << 10
    static let maximumIdentifierBytes = 1024

    var name: String
    var protection: Baton_App_V1_IndexProtection
    var steps: [Step]
    /// The size of the steps in their encoded form.
    var bytes: Int
    var newState: Data?
    var expectedState: Data?

    init(
        name: String = "", protection: Baton_App_V1_IndexProtection = .unspecified, steps: [Step] = [],
        newState: Data? = nil, expectedState: Data? = nil
    ) {
        self.name = name
        self.protection = protection
        self.steps = steps
        self.newState = newState
        self.expectedState = expectedState
        bytes = steps.reduce(0) { $0 + ((try? $1.serializedBytes() as [UInt8]).map(\.count) ?? 0) }
    }

    /// Whether the steps may go to the daemon together with others before them.
    var isPlain: Bool { newState == nil && expectedState == nil }

    /// - Throws: ``CSIndexError`` for an item that the daemon would refuse.
    static func steps(indexing items: [CSSearchableItem]) throws -> [Step] {
        try items.map { item in
            let identifier = item.uniqueIdentifier
            guard (1...maximumIdentifierBytes).contains(identifier.utf8.count) else {
                throw CSIndexError(
                    .invalidItemError,
                    "An item's identifier has 1 to \(maximumIdentifierBytes) bytes. Choose another one.")
            }
            let step = Step.with { $0.index = message(item) }
            let size = (try? step.serializedBytes() as [UInt8]).map(\.count) ?? .max
            guard size <= maximumItemBytes else {
                throw CSIndexError(
                    .invalidItemError,
                    "The item “\(identifier.prefix(100))” has more than 256 KiB. Give less text, and pictures by their URLs."
                )
            }
            return step
        }
    }

    private static func message(_ item: CSSearchableItem) -> Baton_App_V1_SearchableItem {
        let store = item.attributeSet.store
        var attributes = store.values
        if item.isUpdate {
            for name in store.cleared { attributes[name] = .null }
        }
        return .with {
            $0.uniqueIdentifier = item.uniqueIdentifier
            $0.domainIdentifier = item.domainIdentifier ?? ""
            if let date = item.chosenExpiration { $0.expirationTime = milliseconds(date) }
            $0.isUpdate = item.isUpdate
            $0.attributes = .init(attributes: attributes)
            $0.customAttributes = store.keys.map { key in
                .with {
                    $0.name = key.keyName
                    $0.searchable = key.isSearchable
                    $0.searchableByDefault = key.isSearchableByDefault
                    $0.unique = key.isUnique
                    $0.multiValued = key.isMultiValued
                }
            }
        }
    }

    /// Since 1970. A date that no clock reaches is the last one that is.
    private static func milliseconds(_ date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds < 0x1p53 else { return 1 << 53 }
        return milliseconds > -0x1p53 ? Int64(milliseconds) : -(1 << 53)
    }
}
