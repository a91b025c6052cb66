import BatonWire
public import Foundation
import SwiftProtobuf
import Synchronization

/// Finds the app's own items by what is known of them. CoreSpotlight's.
///
/// The language of the query's text is Apple's: docs/app-library.md says where that leaves something open. Either set handlers
/// and call ``start()``, or read ``results``. A query is used once.
//
// @unchecked: what changes lies behind a lock.
open class CSSearchQuery: NSObject, @unchecked Sendable {
    struct Handlers: @unchecked Sendable {
        // Apple's handlers are not sendable. They are called on the serial queue of callbacks alone.
        var foundItems: (([CSSearchableItem]) -> Void)?
        var foundSuggestions: (([CSSuggestion]) -> Void)?
        var completion: (((any Error)?) -> Void)?
        var protectionClasses: [FileProtectionType] = []
    }

    let run: QueryRun
    let handlers = Mutex(Handlers())
    private let request: Baton_App_V1_QuerySearchableItemsRequest

    /// A query.
    ///
    /// - Parameters:
    ///   - queryString: as `title == "Report*"cd && contentType == "public.text"`.
    ///   - queryContext: what to fetch of the results; nil for their identifiers alone.
    public convenience init(queryString: String, queryContext: CSSearchQueryContext?) {
        self.init(
            request: .with { $0.queryString = queryString }, context: queryContext,
            client: AppRuntime.current.spotlight)
    }

    /// A query that fetches some attributes. Apple deprecates it.
    public convenience init(queryString: String, attributes: [String]?) {
        let context = CSSearchQueryContext()
        context.fetchAttributes = attributes ?? []
        self.init(queryString: queryString, queryContext: context)
    }

    init(
        request: Baton_App_V1_QuerySearchableItemsRequest, context: CSSearchQueryContext?, client: SpotlightClient
    ) {
        var request = request
        request.index = client.reference()
        request.fetchAttributes = context?.fetchAttributes ?? []
        request.filterQueries = context?.filterQueries ?? []
        request.keyboardLanguage = context?.keyboardLanguage ?? ""
        self.request = request
        run = QueryRun(client: client)
        super.init()
    }

    /// Whether ``cancel()`` was called.
    open var isCancelled: Bool { run.isCancelled }
    /// How many items were found so far. It grows before ``foundItemsHandler`` is called.
    open var foundItemCount: Int { run.itemCount }

    /// Called for each group of new results, one call at a time.
    open var foundItemsHandler: (([CSSearchableItem]) -> Void)? {
        get { handlers.withLock { $0 }.foundItems }
        set { change { $0.foundItems = newValue } }
    }

    /// Called once, at the end.
    open var completionHandler: (((any Error)?) -> Void)? {
        get { handlers.withLock { $0 }.completion }
        set { change { $0.completion = newValue } }
    }

    /// The classes of protection that are searched; empty for all that can be read now.
    open var protectionClasses: [FileProtectionType] {
        get { handlers.withLock { $0 }.protectionClasses }
        set { change { $0.protectionClasses = newValue } }
    }

    func change(_ body: (inout Handlers) -> Void) {
        var all = handlers.withLock { $0 }
        body(&all)
        let changed = all
        handlers.withLock { $0 = changed }
    }

    /// Begins. Handlers that were set before are called; the query stays until its end.
    open func start() {
        let handlers = handlers.withLock { $0 }
        begin(
            found: { found in
                switch found {
                case .items(let items): handlers.foundItems?(items)
                case .suggestions(let suggestions): handlers.foundSuggestions?(suggestions)
                }
            }, ended: { error in handlers.completion?(error) })
    }

    /// Ends the query, with ``CSSearchQueryError/Code/cancelled``. No results come afterwards.
    open func cancel() { run.cancel() }

    func begin(
        found: @escaping @Sendable (QueryRun.Found) -> Void,
        ended: @escaping @Sendable (CSSearchQueryError?) -> Void
    ) {
        var request = request
        request.protections = protectionClasses.map { Baton_App_V1_IndexProtection($0) }
        run.start(request, found: found, ended: ended)
    }

    /// The results as they are found. Reading them starts the query: no handler is called, and ``start()`` has no effect.
    public var results: Results { Results(query: self) }
}

extension CSSearchQuery {
    /// One result.
    public struct Item: Sendable, Identifiable, Hashable, Comparable {
        /// The results.
        public let item: CSSearchableItem
        /// The item's identifier.
        public var id: String { item.uniqueIdentifier }

        /// Whether both are one item of the index.
        public static func == (first: Item, second: Item) -> Bool { first.id == second.id }
        /// Whether the query ranks one item before the other.
        public static func < (first: Item, second: Item) -> Bool {
            first != second && first.item.compare(byRank: second.item) == .orderedAscending
        }
        /// By the item's identifier.
        public func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// The results of a query.
    public struct Results: AsyncSequence, Sendable {
        /// A result.
        public typealias Item = CSSearchQuery.Item
        /// A result.
        public typealias Element = Item
        let query: CSSearchQuery

        /// Begins the query.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                base: query.stream { found in
                    if case .items(let items) = found { items.map { Item(item: $0) } } else { [] }
                }.makeAsyncIterator())
        }

        /// Reads results.
        public struct Iterator: AsyncIteratorProtocol {
            var base: AsyncThrowingStream<Item, any Error>.Iterator

            /// The next result; nil at the end.
            public mutating func next() async throws -> Item? { try await base.next(isolation: #isolation) }
        }
    }

    /// The results, as a sequence. Bound: a query has 5,000 results at most.
    func stream<Element: Sendable>(
        _ map: @escaping @Sendable (QueryRun.Found) -> [Element]
    ) -> AsyncThrowingStream<Element, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Element.self)
        continuation.onTermination = { [run] termination in
            if case .cancelled = termination { run.cancel() }
        }
        begin(
            found: { found in for element in map(found) { continuation.yield(element) } },
            ended: { error in continuation.finish(throwing: error) })
        return stream
    }
}
