import Baton

/// All restaurants, as a person finds them.
@MainActor
final class Guide {
    private let searchable = CSSearchableIndex(name: "guide")
    private var query: CSUserQuery?

    /// Makes every restaurant findable, and remembers that it did.
    func index() {
        searchable.beginBatch()
        searchable.indexSearchableItems(Restaurant.all.map(\.item))
        searchable.endBatch(withClientState: Data("\(Restaurant.all.count)".utf8)) { error in
            print(
                error.map { "not indexed: \($0.localizedDescription)" } ?? "indexed \(Restaurant.all.count) restaurants"
            )
        }
    }

    func forget() {
        searchable.deleteAllSearchableItems { error in
            print(error.map { "not forgotten: \($0.localizedDescription)" } ?? "forgot the restaurants")
        }
    }

    /// A text that a person types into the app's own search.
    func search(_ text: String) {
        query?.cancel()
        let context = CSUserQueryContext()
        context.fetchAttributes = ["title", "contentDescription"]
        let query = CSUserQuery(userQueryString: text, userQueryContext: context)
        query.foundItemsHandler = { items in
            for item in items { print("found \(item.attributeSet.title ?? item.uniqueIdentifier)") }
        }
        query.completionHandler = { [weak query] error in
            print(
                error.map { "not searched: \($0.localizedDescription)" }
                    ?? "searched \(text): \(query?.foundItemCount ?? 0)")
        }
        self.query = query
        query.start()
    }
}
