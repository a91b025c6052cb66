import BatonConcurrency
import BatonWire
import SwiftProtobuf
import Synchronization
import Testing

@testable import Peers

@Suite struct PresenceOutboxTests {
    /// The kinds of frames that were written.
    private static func kind(_ frame: Baton_Link_V1_PresenceFrame) -> String {
        switch frame.kind {
        case .hello: "hello"
        case .membership: "membership"
        case .topic(let value): value.topic
        case .keepAlive: "keep-alive"
        case .goodbye: "goodbye"
        case nil: "nothing"
        }
    }

    // H-2: a device that is removed hears why. A goodbye that was posted just when all before it had been written got lost.
    @Test func `the last words are written, whenever the stream is closed`() async throws {
        for _ in 0..<4_000 {
            let outbox = PresenceOutbox()
            outbox.post(Baton_Link_V1_Hello())
            let written = Mutex<[String]>([])
            try await withThrowingTaskGroup(of: Void.self) { group in
                let begun = OneShot()
                group.addTask {
                    await begun.wait()
                    outbox.close(reason: "revoked", goodbye: "revoked", membership: Baton_Link_V1_Membership())
                }
                try await outbox.drain { frame in
                    written.withLock { $0.append(Self.kind(frame)) }
                    begun.fire()
                }
                try await group.waitForAll()
            }
            try #require(written.withLock { $0 } == ["hello", "membership", "goodbye"])
        }
    }

    @Test func `a newer frame takes the place of the one of its kind, and the last word that of all that waits`()
        async throws
    {
        let outbox = PresenceOutbox()
        for version: UInt64 in 1...3 {
            outbox.post(
                Baton_Link_V1_TopicValue.with {
                    $0.topic = "offers"
                    $0.version = version
                })
        }
        outbox.postKeepAlive(answer: true)
        outbox.postKeepAlive(answer: false)
        var written: [Baton_Link_V1_PresenceFrame] = []
        let sent = outbox.mark()
        outbox.close(reason: "stopped", goodbye: "shutdown")
        // Nothing is added any more.
        outbox.post(Baton_Link_V1_Hello())
        try await outbox.drain { written.append($0) }
        #expect(written.map(Self.kind) == ["keep-alive", "offers", "goodbye"])
        #expect(written.first?.keepAlive.answer == true && written.dropFirst().first?.topic.version == 3)
        await sent.wait()
    }
}
