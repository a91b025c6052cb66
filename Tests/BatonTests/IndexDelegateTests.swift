import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

/// The delegate of an index, asked by a daemon in memory.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct IndexDelegateTests {
    private final class Listener: NSObject, CSSearchableIndexDelegate {
        let heard = Mailbox<String>()

        func searchableIndex(
            _ searchableIndex: CSSearchableIndex,
            reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping @Sendable () -> Void
        ) {
            heard.send("all")
            acknowledgementHandler()
            acknowledgementHandler()
        }

        func searchableIndex(
            _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
            acknowledgementHandler: @escaping @Sendable () -> Void
        ) {
            heard.send("only \(identifiers.joined(separator: " "))")
            acknowledgementHandler()
        }

        func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) { heard.send("slow") }
        func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) { heard.send("fast") }
    }

    // Issue 28, part 1: the delegate hears of throttling.
    @Test("an index's delegate hears that indexing is slow and fast again, and is asked to index again, until it goes")
    func delegate() async throws {
        try await withApp { app in
            let index = CSSearchableIndex(name: "notes")
            var listener: Listener? = Listener()
            let heard = try #require(listener).heard
            index.indexDelegate = listener
            _ = try await app.nextAttach()
            for (isSlow, event) in [(true, "slow"), (false, "fast")] {
                #expect(try await app.ask(.indexThrottled(.with { $0.throttled = isSlow })) == .done(.init()))
                #expect(try await heard.next() == event)
            }
            #expect(try await app.ask(.reindex(.with { $0.all = true })) == .done(.init()))
            #expect(try await heard.next() == "all")
            #expect(try await app.ask(.reindex(.with { $0.uniqueIdentifiers = ["1", "2"] })) == .done(.init()))
            #expect(try await heard.next() == "only 1 2")
            // The index does not hold it, once the last call has returned.
            await withCheckedContinuation { waiter in app.runtime.onCallbackQueue { waiter.resume() } }
            listener = nil
            #expect(index.indexDelegate == nil)
            #expect(try await app.ask(.indexThrottled(.with { $0.throttled = true })) == .done(.init()))
            guard case .error? = try await app.ask(.reindex(.with { $0.all = true })) else {
                Issue.record("An index without a delegate has acknowledged.")
                return
            }
        }
    }
}
