import BatonConcurrency
package import BatonCore
package import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf

/// Answers apps about what they have indexed.
package struct SpotlightHarness: Sendable {
    /// Bytes of items in one message of an answer; an item is smaller than a message may be.
    private static let messageSize = 1 << 20

    private let service: SpotlightService
    /// An app deletes everything that it has indexed: awaited before it is answered.
    private let emptied: @Sendable (AppIdentity) async throws -> Void

    package init(
        _ service: SpotlightService,
        emptied: @escaping @Sendable (AppIdentity) async throws -> Void = { _ in }
    ) {
        self.service = service
        self.emptied = emptied
    }

    /// Where queries are read, so that a long one keeps the daemon's calls from no thread.
    private static let parsing = BlockingQueue("development.baton.queries")

    package func register(on router: inout ConnectRouter) {
        router.app(SpotlightMethods.updateSearchableIndex) { [self] request, caller in
            let app = caller.identity
            try await service.update(request, of: app)
            if request.steps.contains(where: { if case .deleteAll? = $0.kind { true } else { false } }) {
                try await emptied(app)
            }
            return .init()
        }
        router.app(SpotlightMethods.fetchClientState) { [self] request, caller in
            let state = try await service.clientState(request.index, of: caller.identity)
            return .with { if let state { $0.clientState = state } }
        }
        router.appStream(SpotlightMethods.querySearchableItems) { [self] request, caller, writer in
            try await answer(request, caller.identity, writer)
        }
        router.app(SpotlightMethods.reportEngagement) { [self] request, caller in
            try await service.engaged(request, of: caller.identity)
            return .init()
        }
    }

    private func answer(
        _ request: Baton_App_V1_QuerySearchableItemsRequest, _ app: AppIdentity,
        _ writer: ConnectWriter<Baton_App_V1_QuerySearchableItemsAnswer>
    ) async throws {
        let query = try await Self.parsing.run { [service] in try service.parse(request) }
        var done = Baton_App_V1_QueryDone()
        if let user = query.user, user.maximumSuggestions > 0 {
            let suggestions = try await service.suggestions(user, of: app)
            done.suggestions = UInt32(clamping: suggestions.count)
            if !suggestions.isEmpty { try await writer.write(.with { $0.suggestions = suggestions }) }
        }
        // The items are in memory until the app has read it: once for each app.
        let last = try await service.queryTurns.withTurn(of: app) {
            let items = try await service.items(query, of: app)
            return (try await write(items, request, writer), items.count)
        }
        done.items = UInt32(clamping: last.1)
        var part = last.0
        part.done = done
        try await writer.write(part)
    }

    /// - Returns: the last part, which is not written yet.
    private func write(
        _ items: [StoredItem], _ request: Baton_App_V1_QuerySearchableItemsRequest,
        _ writer: ConnectWriter<Baton_App_V1_QuerySearchableItemsAnswer>
    ) async throws -> Baton_App_V1_QuerySearchableItemsAnswer {
        let names: Set<String>? = request.fetchAttributes.contains("*") ? nil : Set(request.fetchAttributes)
        var part = Baton_App_V1_QuerySearchableItemsAnswer()
        var size = 0
        for stored in items {
            let message = Self.message(stored, names)
            size += (try? (message.serializedBytes() as [UInt8]).count) ?? 0
            part.items.append(message)
            if size >= Self.messageSize {
                try await writer.write(part)
                (part, size) = (.init(), 0)
            }
        }
        return part
    }

    private static func message(_ stored: StoredItem, _ names: Set<String>?) -> Baton_App_V1_SearchableItem {
        let item = stored.item
        let attributes = item.attributes.filter { name, _ in
            guard let names else { return true }
            return names.contains(name) || name.hasPrefix("custom:") && names.contains(String(name.dropFirst(7)))
        }
        return .with {
            $0.uniqueIdentifier = item.key
            $0.domainIdentifier = item.domain
            $0.expirationTime = Int64(clamping: item.expires)
            $0.attributes = .init(attributes: attributes)
            $0.indexed = item.indexed
        }
    }
}
