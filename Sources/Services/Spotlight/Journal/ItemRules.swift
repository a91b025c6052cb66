import BatonCore
import BatonWire
import Foundation
import SearchText
import SwiftProtobuf

/// Pure rules about what apps want indexed.
enum ItemRules {
    /// Checks the steps of a call. Bad input is refused whole.
    static func check(
        _ request: Baton_App_V1_UpdateSearchableIndexRequest, limits: SpotlightLimits
    ) throws(BatonError) {
        guard request.steps.count <= limits.maximumSteps else {
            throw invalid("too_many_items", "One call may have \(limits.maximumSteps) steps. Make several calls.")
        }
        guard request.index.name.utf8.count <= limits.maximumClientState else {
            throw invalid("invalid_index_name", "The name of an index may have \(limits.maximumClientState) bytes.")
        }
        if request.hasNewClientState {
            guard !request.index.name.isEmpty else {
                throw invalid(
                    "invalid_client_state", "The default index has no client state. Use an index with a name.")
            }
            guard request.newClientState.count <= limits.maximumClientState else {
                throw invalid(
                    "invalid_client_state", "A client state may have \(limits.maximumClientState) bytes.")
            }
        }
        for step in request.steps { try check(step, limits) }
    }

    private static func check(
        _ step: Baton_App_V1_SearchableIndexStep, _ limits: SpotlightLimits
    ) throws(BatonError) {
        switch step.kind {
        case .index(let item): try check(item, limits)
        case .deleteItem(let text)?, .deleteDomain(let text)?:
            guard text.utf8.count <= limits.maximumIdentifier else {
                throw invalid("invalid_item", "An identifier may have \(limits.maximumIdentifier) bytes.")
            }
        case .deleteAll?: break
        case nil: throw invalid("invalid_step", "A step of the change is of a kind that this daemon does not know.")
        }
    }

    private static func check(_ item: Baton_App_V1_SearchableItem, _ limits: SpotlightLimits) throws(BatonError) {
        guard !item.uniqueIdentifier.isEmpty, item.uniqueIdentifier.utf8.count <= limits.maximumIdentifier,
            item.domainIdentifier.utf8.count <= limits.maximumIdentifier
        else {
            throw invalid(
                "invalid_item",
                "An item's identifiers may have \(limits.maximumIdentifier) bytes, and the unique one may not be empty."
            )
        }
        let size = size(of: item)
        guard size <= limits.maximumItemSize else {
            throw invalid(
                "invalid_item",
                "The item “\(item.uniqueIdentifier.prefix(100))” has \(size) bytes; \(limits.maximumItemSize) are allowed. "
                    + "Leave out text that is not needed to find it.")
        }
        _ = try item.attributes.attributes()
    }

    static func size(of item: Baton_App_V1_SearchableItem) -> Int {
        (try? (item.serializedBytes() as [UInt8]).count) ?? .max
    }

    /// The size of an update with all that the item has then.
    private static func size(
        of item: Baton_App_V1_SearchableItem, merged attributes: [String: PropertyValue]
    ) -> Int {
        var whole = item
        whole.attributes = .init(attributes: attributes)
        return size(of: whole)
    }

    /// The item that a step makes.
    ///
    /// - Parameter old: what is in the index now.
    /// - Returns: nil for one that cannot be read.
    static func item(
        _ item: Baton_App_V1_SearchableItem, of owner: ItemOwner, protection: ItemProtection, old: IndexedItem?,
        time: UInt64, limits: SpotlightLimits
    ) -> IndexedItem? {
        guard let given = try? item.attributes.attributes() else { return nil }
        var attributes = given
        if item.isUpdate, let old { attributes = old.attributes.merging(given) { $1 } }
        attributes = attributes.filter { $0.value != .null }
        let latest = time &+ limits.lifetime
        let old = item.isUpdate ? old : nil
        var result = IndexedItem(
            source: .item, owner: owner, key: item.uniqueIdentifier, attributes: attributes, indexed: time,
            time: seen(attributes) ?? time,
            expires: item.hasExpirationTime ? UInt64(clamping: item.expirationTime) : old?.expires ?? latest,
            size: old == nil ? size(of: item) : size(of: item, merged: attributes))
        result.domain = item.domainIdentifier.isEmpty ? old?.domain ?? "" : item.domainIdentifier
        result.protection = protection
        let custom = item.customAttributes.filter { $0.searchable && $0.searchableByDefault }
            .map { "custom:" + $0.name.filter { !$0.isNewline } }
        result.searchedCustom = custom.isEmpty ? old?.searchedCustom ?? [] : custom
        return result
    }

    /// When a person had to do with it, as the app says.
    private static func seen(_ attributes: [String: PropertyValue]) -> UInt64? {
        for name in ["lastUsedDate", "contentModificationDate", "contentCreationDate"] {
            guard case .date(let date)? = attributes[name] else { continue }
            let milliseconds = date.timeIntervalSince1970 * 1000
            if milliseconds > 0, milliseconds < 9e15 { return UInt64(milliseconds) }
        }
        return nil
    }

    /// The language of an item's words.
    static func language(of item: IndexedItem, person: TextLanguage) -> TextLanguage {
        item.texts("languages").first.map { TextLanguage($0) } ?? person
    }

    static func invalid(_ reason: String, _ message: String) -> BatonError {
        BatonError(.invalidArgument, reason: reason, message)
    }
}
