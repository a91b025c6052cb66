import Synchronization
import Testing

@testable import BatonCommands

@Suite(.timeLimit(.minutes(1))) struct InputChunksTests {
    /// Says when the thread that reads, which holds it, is gone.
    private final class Token: Sendable {
        private let gone: AsyncStream<Void>.Continuation
        init(_ gone: AsyncStream<Void>.Continuation) { self.gone = gone }
        deinit { gone.finish() }
    }

    /// Takes some chunks of an endless input, and gives up as the host does when a frame is broken.
    private static func take(_ count: Int, releasing: Bool, _ token: Token) async throws {
        let input = InputChunks { withExtendedLifetime(token) { [0xFF, 0xFF, 0xFF, 0xFF] } }
        var decoder = NativeMessaging.Decoder()
        var taken = 0
        for try await chunk in input.chunks {
            taken += 1
            decoder.append(chunk)
            if releasing { input.release() }
            if taken == count { break }
        }
        _ = try decoder.next()
    }

    @Test("A reader that gives up at a broken frame, with several chunks there, ends the thread and does not trap")
    func givesUp() async throws {
        for (count, releasing) in [(1, false), (2, false), (1, true), (5, true)] {
            let (gone, end) = AsyncStream.makeStream(of: Void.self)
            await #expect(throws: (any Error).self) { try await Self.take(count, releasing: releasing, Token(end)) }
            for await _ in gone {}
        }
    }

    @Test("Reading goes one chunk ahead and waits for the chunk before to be released")
    func credit() async throws {
        let reads = Mutex(0)
        let input = InputChunks {
            reads.withLock { count in
                count += 1
                return count <= 20 ? [UInt8(count)] : []
            }
        }
        var chunks: [[UInt8]] = []
        for try await chunk in input.chunks {
            chunks.append(chunk)
            let begun = reads.withLock { $0 }
            #expect(begun <= chunks.count + 1)
            input.release()
        }
        #expect(chunks == (1...20).map { [$0] })
    }
}
