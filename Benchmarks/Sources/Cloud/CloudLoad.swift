import BatonCore
import Foundation
import Synchronization

/// Many devices of one server, in one process.
///
/// Commands, a line each: `sign-in COUNT` makes so many devices, `subscribe STREAMS` opens so many subscriptions of
/// each, `still-subscribed 0` counts those that are open, and `write SECONDS` has all devices write one item a call for
/// so long.
struct CloudLoad {
    /// Signing in and TLS handshakes under way at once.
    private static let atOnce = 32

    let target: CloudTarget

    func run() async throws {
        var devices: [CloudDevice] = []
        let subscriptions = Subscriptions()
        for await words in Lines.fromStandardInput() where words.count == 2 {
            guard let count = Int(words[1]) else { continue }
            do {
                switch words[0] {
                case "sign-in":
                    let first = devices.count
                    devices += (0..<count).map { CloudDevice(target, number: first + $0) }
                    try await forEach(Array(devices[first...])) { try await $0.signIn() }
                    Lines.print(["event": "signed_in", "count": devices.count])
                case "subscribe":
                    try await forEach(devices) { device in
                        // The beginning of a subscription.
                        try await device.writeOne()
                        device.disconnect()
                        for _ in 0..<count { try await subscriptions.open(device) }
                    }
                    Lines.print(["event": "subscribed", "count": subscriptions.count])
                case "still-subscribed":
                    Lines.print(["event": "still_subscribed", "count": subscriptions.count])
                case "write": try await write(devices, seconds: UInt64(count))
                default: break
                }
            } catch {
                Lines.print(["event": "error", "message": "\(error)"])
            }
        }
    }

    private func forEach(
        _ devices: [CloudDevice], _ body: @escaping @Sendable (CloudDevice) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, device) in devices.enumerated() {
                if index >= Self.atOnce { try await group.next() }
                group.addTask { try await body(device) }
            }
            try await group.waitForAll()
        }
    }

    private func write(_ devices: [CloudDevice], seconds: UInt64) async throws {
        // Not counted: connecting.
        try await forEach(devices) { try await $0.writeOne() }
        let begin = monotonicNanoseconds()
        let end = begin + seconds * 1_000_000_000
        let all = try await withThrowingTaskGroup(of: [UInt64].self, returning: [UInt64].self) { group in
            for device in devices { group.addTask { try await device.write(until: end) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let times = all.sorted()
        let elapsed = monotonicNanoseconds() - begin
        guard let last = times.last else { return }
        Lines.print([
            "event": "written", "count": times.count, "ns": Int(elapsed), "p50_ns": Int(times[times.count / 2]),
            "p99_ns": Int(times[times.count * 99 / 100]), "max_ns": Int(last),
        ])
    }
}

/// Subscriptions that are open, each read by a task of its own.
private final class Subscriptions: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    /// Returns when the server has said the first of it.
    func open(_ device: CloudDevice) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let waiting = Waiting(continuation)
            // Until the process ends.
            Task {
                do {
                    try await device.subscribe {
                        self.number.withLock { $0 += 1 }
                        waiting.end(nil)
                    }
                } catch {
                    if !waiting.end(error) { self.number.withLock { $0 -= 1 } }
                }
            }
        }
    }

    private final class Waiting: Sendable {
        private let continuation: Mutex<CheckedContinuation<Void, any Error>?>

        init(_ continuation: CheckedContinuation<Void, any Error>) { self.continuation = Mutex(continuation) }

        /// - Returns: whether it waited still.
        @discardableResult
        func end(_ error: (any Error)?) -> Bool {
            let taken = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            if let error { taken?.resume(throwing: error) } else { taken?.resume() }
            return taken != nil
        }
    }
}
