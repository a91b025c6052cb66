import BatonCore
import BatonTestSupport
import Notices
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct NoticeServiceTests {
    /// Remembers its notifications.
    private final class RecordingDisplay: NoticeDisplay {
        let events: AsyncStream<NoticeDisplayEvent>
        let person: AsyncStream<NoticeDisplayEvent>.Continuation
        let told = Mutex<[NoticeService.Event]>([])

        init() { (events, person) = AsyncStream.makeStream() }

        func show(_ notice: Notice) { told.withLock { $0.append(.shown(notice)) } }
        func close(_ id: UInt64) { told.withLock { $0.append(.closed(id)) } }
        func shutdown() async { person.finish() }
    }

    private func service(
        _ displays: [any NoticeDisplay] = [], accept: @escaping @Sendable (NoticeOffer) throws -> Void = { _ in }
    ) -> NoticeService {
        NoticeService(displays: displays, recorder: NullEventRecorder(), accept: accept)
    }

    @Test("a watcher is told of what is open, then of what the display is told of")
    func watchers() async throws {
        let display = RecordingDisplay()
        let service = service([display])
        service.input(.offersChanged([Made.offer(1)]))
        var iterator = try service.watch().makeAsyncIterator()
        let first = await iterator.next()
        service.input(.offersChanged([]))
        let second = await iterator.next()
        #expect([first, second] == display.told.withLock { $0 })
    }

    @Test("a watcher that does not read is left behind, and nobody waits for it; watchers are bounded")
    func slowWatcher() async throws {
        let now = Mutex(Duration.zero)
        let service = NoticeService(
            displays: [], recorder: NullEventRecorder(), accept: { _ in }, now: { now.withLock { $0 } })
        let slow = try service.watch()
        for number in 0..<UInt64(200) {
            now.withLock { $0 += .seconds(10) }
            service.input(.acceptFailed(Made.offer(number), message: "No."))
        }
        var count = 0
        for await _ in slow { count += 1 }
        #expect(count == NoticeService.maximumUnread)
        var watchers: [AsyncStream<NoticeService.Event>] = []
        for _ in 0..<NoticeService.maximumWatchers { watchers.append(try service.watch()) }
        #expect(throws: BatonError.self) { try service.watch() }
        #expect(watchers.count == NoticeService.maximumWatchers)
    }

    @Test("what the person answers is accepted, and a refusal is told to the person (H-10, H-15)")
    func accepts() async throws {
        let display = RecordingDisplay()
        let service = service([display]) { offer in
            #expect(offer.activity == Made.activity(1))
            throw BatonError(.notFound, reason: "no_such_offer", "The offer is gone.")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            var iterator = try service.watch().makeAsyncIterator()
            service.input(.offersChanged([Made.offer(1)]))
            guard case .shown(let notice)? = await iterator.next() else { throw IntegrationFailure("nothing shown") }
            display.person.yield(.invoked(notice.id))
            #expect(await iterator.next() == .closed(notice.id))
            guard case .shown(let failure)? = await iterator.next() else { throw IntegrationFailure("nothing said") }
            #expect(failure.kind == .failed)
            #expect(failure.lines.last == "The offer is gone.")
            group.cancelAll()
        }
    }
}
