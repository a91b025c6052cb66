import BatonCore
import Foundation

/// An item of the class `.complete` before it is sealed.
struct SealedItem: Codable, Sendable {
    private var key: String
    private var domain: String
    /// A baton.value.v1.PropertyDictionary.
    private var attributes: Data
    private var searchedCustom: [String]
    private var indexed: UInt64
    private var time: UInt64
    private var expires: UInt64
    private var size: Int
    private(set) var language: String

    init(_ stored: StoredItem) {
        let item = stored.item
        key = item.key
        domain = item.domain
        attributes = AttributeCoding.encode(item.attributes)
        searchedCustom = item.searchedCustom
        indexed = item.indexed
        time = item.time
        expires = item.expires
        size = item.size
        language = stored.language
    }

    func item(of owner: ItemOwner) -> IndexedItem {
        var item = IndexedItem(
            source: .item, owner: owner, key: key, attributes: AttributeCoding.decode(attributes) ?? [:],
            indexed: indexed, time: time, expires: expires, size: size)
        item.domain = domain
        item.protection = .complete
        item.searchedCustom = searchedCustom
        return item
    }

    /// The kind and the owner of the bytes: they open as nothing else.
    static func info(_ kind: Kind, _ owner: ItemOwner) -> Data {
        Data("baton-search-\(kind.rawValue)-v1\0".utf8) + Data(owner.team) + Data("\0\(owner.bundleID)".utf8)
    }

    enum Kind: String {
        case item, entry
    }
}
