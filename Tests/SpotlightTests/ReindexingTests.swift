import BatonCore
import Foundation
import Synchronization
import Testing

@testable import Spotlight

@Suite("Having apps index again", .timeLimit(.minutes(1)))
struct ReindexingTests {
    // Issue 28, part 2: one at a time, and an unanswered request comes again.
    @Test("One app after the other is launched, and one that stays silent again after an hour")
    func round() {
        let (notes, mail) = (SearchDevice.notes, SearchDevice.mail)
        var round = ReindexRound()
        #expect(round.next([mail, notes], now: 1000) == mail)
        #expect(round.next([mail, notes], now: 1000) == notes)
        #expect(round.next([mail, notes], now: 2000) == nil)
        #expect(round.next([mail], now: 1000 + ReindexRound.interval) == mail)
        round.forget(mail)
        #expect(round.next([mail], now: 1000 + ReindexRound.interval) == mail)
        #expect(round.next([], now: 0) == nil)
    }

    @Test(
        "A lost index launches installed apps with an index extension until they acknowledge, without a client state too"
    )
    func lost() async throws {
        let device = try SearchDevice()
        device.state.withLock { $0.extended = [SearchDevice.notes] }
        let service = try device.service()
        let running = Task { try await service.run() }
        var events = device.events.makeAsyncIterator()
        #expect(await events.next() == "launched")
        #expect(device.state.withLock { $0.ended.isEmpty })
        // The app attaches, is asked, and acknowledges.
        await service.appAttached(SearchDevice.notes)
        #expect(await events.next() == "ended")
        #expect(device.state.withLock { $0.reindexed } == [SearchDevice.notes])
        #expect(device.state.withLock { $0.launched } == [SearchDevice.notes])
        #expect(try await service.journal.reindexing().isEmpty)
        await #expect { try await service.requestReindexing(of: SearchDevice.mail.bundleID) } throws: {
            ($0 as? BatonError)?.reason == "no_index_extension"
        }
        running.cancel()
        _ = await running.result
        service.close()
    }
}
