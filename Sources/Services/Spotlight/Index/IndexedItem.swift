package import BatonCore
import Foundation
import GRDB

/// Where something that people find comes from. The numbers are on the disk.
package enum SearchSource: Int, Hashable, Sendable, CaseIterable {
    case activity = 1
    case item = 2
    case document = 3
    case page = 4
}

/// The protection class of an item, as Apple's file protection names it. The numbers are on the disk.
package enum ItemProtection: Int, Hashable, Sendable, CaseIterable {
    case none = 1
    case complete = 2
    case completeUnlessOpen = 3
    case untilFirstAuthentication = 4
}

/// The owner of an item: an app by bundle identifier and the whole fingerprint of its team, or none (a page's).
package struct ItemOwner: Hashable, Sendable {
    package var app: AppIdentity?

    package init(_ app: AppIdentity?) { self.app = app }

    var team: [UInt8] { app?.team.fingerprint ?? [] }
    var bundleID: String { app?.bundleID.rawValue ?? "" }

    /// SQL for the number of the owner with ``columns``.
    static let number = "(SELECT id FROM owner WHERE team = ? AND bundle_id = ?)"
    /// A condition for all items of that owner. The index by keys begins with the source.
    static let items = "source IN (1, 2, 3, 4) AND owner = \(number)"
    /// A condition for all items of the apps with a bundle identifier.
    static let itemsOfApps = "source IN (1, 2, 3, 4) AND owner IN (SELECT id FROM owner WHERE bundle_id = ?)"

    var columns: StatementArguments { [Data(team), bundleID] }

    /// Nil when this version cannot read it.
    init?(team: [UInt8], bundleID: String) {
        guard !bundleID.isEmpty else {
            app = nil
            return
        }
        guard let bundleID = BundleID(rawValue: bundleID), team.isEmpty || team.count == 32 else { return nil }
        app = AppIdentity(
            bundleID: bundleID, team: team.isEmpty ? .development : TeamIdentity(fingerprint: team))
    }
}

/// Something that people find.
package struct IndexedItem: Hashable, Sendable {
    package var source: SearchSource
    package var owner: ItemOwner
    /// Unique among those of its owner and source: the app's identifier, the saved activity's, the document's, the address.
    package var key: String
    /// Empty for none.
    package var domain = ""
    /// Which version of a document is in the index; empty for others.
    package var version = ""
    package var protection = ItemProtection.untilFirstAuthentication
    /// By Apple's names, and `custom:NAME`.
    package var attributes: [String: PropertyValue]
    /// Keys `custom:NAME` that a person's words find.
    package var searchedCustom: [String] = []
    /// Milliseconds since 1970: when it was indexed, when it was last seen or changed, and when it goes.
    package var indexed: UInt64
    package var time: UInt64
    package var expires: UInt64
    /// Bytes of what the app gave.
    package var size: Int

    package init(
        source: SearchSource, owner: ItemOwner, key: String, attributes: [String: PropertyValue], indexed: UInt64,
        time: UInt64? = nil, expires: UInt64, size: Int = 0
    ) {
        self.source = source
        self.owner = owner
        self.key = key
        self.attributes = attributes
        self.indexed = indexed
        self.time = time ?? indexed
        self.expires = expires
        self.size = size
    }

    package func text(_ name: String) -> String? {
        switch attributes[name] {
        case .string(let text)?: text
        case .url(let url)?: url.absoluteString
        default: nil
        }
    }

    package var title: String { text("title") ?? text("displayName") ?? texts("alternateNames").first ?? "" }

    func texts(_ name: String) -> [String] {
        switch attributes[name] {
        case .string(let text)?: [text]
        case .array(let values)?: values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        default: []
        }
    }
}

/// An item as it is in the index.
package struct StoredItem: Hashable, Sendable {
    package var id: Int64
    package var item: IndexedItem
    /// Which stems are in the index.
    package var language: String
    /// How often a person chose it, and when last.
    package var uses: Int
    package var lastUsed: UInt64
}
