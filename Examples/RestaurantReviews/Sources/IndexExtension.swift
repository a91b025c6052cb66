import Baton

/// Makes every restaurant findable again where the system has lost the index; it launches the app for that if need be.
final class IndexExtension: CSIndexExtensionRequestHandler {
    override func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping @Sendable () -> Void
    ) {
        print("indexes all again")
        searchableIndex.indexSearchableItems(Restaurant.all.map(\.item)) { _ in acknowledgementHandler() }
    }

    override func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping @Sendable () -> Void
    ) {
        print("indexes \(identifiers.joined(separator: ", ")) again")
        let items = Restaurant.all.filter { identifiers.contains($0.identifier) }.map(\.item)
        searchableIndex.indexSearchableItems(items) { _ in acknowledgementHandler() }
    }
}
