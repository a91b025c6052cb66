import BatonClient
import BatonCore
import BatonTransport
import BatonWire
import Dispatch
import Foundation
import NIOCore
import SwiftProtobuf
import Synchronization

/// Joins each caller of `OpenStream` with the next one of `AcceptStream`, as a daemon does.
final class Switchboard: Sendable {
    private let taken: AsyncStream<BytePipe>
    private let take: AsyncStream<BytePipe>.Continuation
    private let next: Mutex<Void> = .init(())
    let ended: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

    init() {
        (taken, take) = AsyncStream.makeStream()
        (ended, end) = AsyncStream.makeStream()
    }

    var router: ConnectRouter {
        var router = ConnectRouter()
        router.unary(ControlMethods.getStatus) { _, _ in .with { $0.home = "here" } }
        router.pipe(ContinuationStreamMethods.openStream) { [self] request, _, upgrade in
            if request.acceptanceID == "refuse" {
                throw BatonError(.permissionDenied, reason: "streams_not_granted", "Not yours.")
            }
            let near = try await upgrade.accept()
            for await far in taken {
                await PipeRelay.run(near, far)
                break
            }
            end.yield()
        }
        router.pipe(ContinuationStreamMethods.acceptStream) { [self] _, _, upgrade in
            let pipe = try await upgrade.accept()
            take.yield(pipe)
            try await pipe.channel.closeFuture.get()
        }
        return router
    }

    /// Two ends that are joined.
    static func pair(
        _ socketPath: String, settings: StreamEndpoint.Settings = .init()
    ) async throws -> (StreamEndpoint, StreamEndpoint) {
        let (near, far) = try await pipes(socketPath)
        return (
            try await StreamEndpoint.start(near, settings: settings),
            try await StreamEndpoint.start(far, settings: settings)
        )
    }

    static func pipes(_ socketPath: String) async throws -> (BytePipe, BytePipe) {
        let far = try await BytePipe.open(
            ContinuationStreamMethods.acceptStream, .init(), socketPath: socketPath, timeout: .seconds(10))
        let near = try await BytePipe.open(
            ContinuationStreamMethods.openStream, .init(), socketPath: socketPath, timeout: .seconds(10))
        return (near, far)
    }
}

/// Runs what waits on a thread of its own.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}

extension StreamEndpoint {
    /// Writes everything; false when it could not.
    func writeAll(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let result = rest.withUnsafeBytes { write($0) }
            guard case .bytes(let count) = result else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads until something else than bytes comes.
    func readAll() -> (bytes: [UInt8], last: Reading) {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 70_000)
        while true {
            let result = buffer.withUnsafeMutableBytes { read(into: $0) }
            guard case .bytes(let count) = result else { return (all, result) }
            all += buffer[..<count]
        }
    }
}
