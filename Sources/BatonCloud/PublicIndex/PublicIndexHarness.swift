import BatonCore
import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers `PublicIndexService`, where the server keeps a public index. Nothing of a call is logged.
struct PublicIndexHarness: Sendable {
    private static let maximumEntries = 50
    private static let maximumText = 256

    let store: PublicIndexStore
    let authorizer: RequestAuthorizer
    /// By account: 200 pages at once, then one in a minute.
    private let givers = RateLimiter<AccountID>(perSecond: 1 / 60, burst: 200)
    private let finders = RateLimiter<AccountID>(perSecond: 5, burst: 30)
    /// For all that an account gave, which takes a look at every entry.
    private let leavers = RateLimiter<AccountID>(perSecond: 1 / 600, burst: 3)

    init(store: PublicIndexStore, authorizer: RequestAuthorizer) {
        self.store = store
        self.authorizer = authorizer
    }

    func register(on router: inout ConnectRouter) {
        unary(PublicIndexMethods.givePublic, "GivePublic", on: &router) { request, account in
            let entries = try Self.entries(request.entries)
            try Self.check(givers.admits(account, cost: Double(entries.count)))
            try await store.give(entries, by: account)
            return .init()
        }
        unary(PublicIndexMethods.takeBackPublic, "TakeBackPublic", on: &router) { request, account in
            if request.all {
                try Self.check(leavers.admits(account))
                try await store.takeBackAll(of: account)
            } else {
                let entries = try Self.entries(request.entries)
                try Self.check(finders.admits(account))
                try await store.takeBack(entries, of: account)
            }
            return .init()
        }
        unary(PublicIndexMethods.findPublic, "FindPublic", on: &router) { request, account in
            guard request.text.utf8.count <= Self.maximumText else {
                throw BatonError(
                    .invalidArgument, reason: "query_too_long", "At most \(Self.maximumText) bytes are searched for.")
            }
            try Self.check(finders.admits(account))
            let limit = request.limit == 0 ? 20 : Int(min(request.limit, 50))
            let found = try await store.find(request.text, limit: limit)
            return .with { $0.entries = found.map(Baton_Cloud_V1_PublicEntry.init) }
        }
    }

    private func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ name: String, on router: inout ConnectRouter,
        _ handler: @escaping @Sendable (Request, AccountID) async throws -> Response
    ) {
        router.unary(method) { request, context in
            try await authorizer.metrics.measure(name) {
                try await handler(request, try await authorizer.admit(context).0.account)
            }
        }
    }

    private static func check(_ isAdmitted: Bool) throws(BatonError) {
        guard isAdmitted else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_calls",
                "The account calls the public index too often. Wait a minute.")
        }
    }

    /// A device cleans what it gives; what is not clean comes from something else.
    private static func entries(_ messages: [Baton_Cloud_V1_PublicEntry]) throws(BatonError) -> [PublicEntry] {
        guard messages.count <= maximumEntries else {
            throw BatonError(
                .invalidArgument, reason: "too_many_entries", "A call may have \(maximumEntries) entries.")
        }
        var entries: [PublicEntry] = []
        for message in messages {
            guard
                let entry = PublicEntry(url: message.url, title: message.title, keywords: message.keywords),
                entry.url == message.url, entry.title == message.title
            else {
                throw BatonError(
                    .invalidArgument, reason: "not_public",
                    "A page of the public index has an address of http or https at a public site, without a query, and a title."
                )
            }
            entries.append(entry)
        }
        return entries
    }
}

extension Baton_Cloud_V1_PublicEntry {
    init(_ entry: PublicEntry) {
        self = .with {
            $0.url = entry.url
            $0.title = entry.title
            $0.keywords = entry.keywords
        }
    }
}
