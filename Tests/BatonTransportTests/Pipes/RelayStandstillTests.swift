import BatonClient
import BatonTransport
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@Suite("Standstills of a relay", .timeLimit(.minutes(1)))
struct RelayStandstillTests {
    @Test("When bytes went out and nothing comes back for a while the relay says so, once until something comes again")
    func once() async throws {
        try await relaying { loop, near, far, calls in
            try await near.writeInbound(ByteBuffer(string: "first"))
            await loop.advanceTime(by: .seconds(4))
            // More bytes are no answer.
            try await near.writeInbound(ByteBuffer(string: "second"))
            #expect(calls.count == 0)
            await loop.advanceTime(by: .seconds(1))
            #expect(calls.count == 1)
            try await near.writeInbound(ByteBuffer(string: "third"))
            await loop.advanceTime(by: .seconds(3600))
            #expect(calls.count == 1)
            // Something comes: from now on the next bytes count, and those alone.
            try await far.writeInbound(ByteBuffer(string: "answer"))
            await loop.advanceTime(by: .seconds(3600))
            #expect(calls.count == 1)
            for _ in 0..<3 {
                try await near.writeInbound(ByteBuffer(string: "again"))
                await loop.advanceTime(by: .seconds(4))
                try await far.writeInbound(ByteBuffer(string: "answer"))
            }
            try await near.writeInbound(ByteBuffer(string: "last"))
            await loop.advanceTime(by: .seconds(4))
            #expect(calls.count == 1)
            await loop.advanceTime(by: .seconds(1))
            #expect(calls.count == 2)
        }
    }

    @Test("Bytes for the first pipe, which an app may be slow to answer, are no standstill")
    func otherWay() async throws {
        try await relaying { loop, _, far, calls in
            try await far.writeInbound(ByteBuffer(string: "for the app"))
            await loop.advanceTime(by: .seconds(3600))
            #expect(calls.count == 0)
        }
    }

    // MARK: Support

    private final class Calls: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    private static func pipe(_ channel: NIOAsyncTestingChannel) async throws -> BytePipe {
        try await channel.testingEventLoop.executeInContext { try BytePipe(upgraded: channel) }
    }

    /// - Parameter body: gets two channels whose bytes are relayed.
    private func relaying(
        _ body: (NIOAsyncTestingEventLoop, NIOAsyncTestingChannel, NIOAsyncTestingChannel, Calls) async throws -> Void
    ) async throws {
        let loop = NIOAsyncTestingEventLoop()
        let (near, far) = (NIOAsyncTestingChannel(loop: loop), NIOAsyncTestingChannel(loop: loop))
        let (first, second) = (try await Self.pipe(near), try await Self.pipe(far))
        let calls = Calls()
        let relay = Task { await PipeRelay.run(first, second, patience: .seconds(5)) { calls.add() } }
        // Until both handlers are there, in place of the holders.
        for channel in [near, far] {
            while try await loop.executeInContext({
                (try? channel.pipeline.syncOperations.handler(type: PipeHolder.self)) != nil
            }) { await Task.yield() }
        }
        try await body(loop, near, far, calls)
        first.close()
        second.close()
        await loop.run()
        await relay.value
    }
}
