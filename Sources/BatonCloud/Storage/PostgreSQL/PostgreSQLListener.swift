import BatonCore
import Foundation
import Glibc
import Synchronization

/// Receives the messages of other nodes, on a thread and a connection of its own.
///
/// It makes sure every second that the connection is good. While it is not, nothing is heard; that is reported when it is
/// found, within five seconds, and again when others are heard.
final class PostgreSQLListener: Sendable {
    enum Event: Sendable {
        case message(NodeMessage)
        case interrupted
        case resumed
    }

    private let location: String
    private let channel: String
    /// By which nodes that run are known: see ``PostgreSQLNodes``.
    private let lock: Int64
    private let hear: @Sendable (Event) -> Void
    /// A pipe that is closed at its writing end when the thread must end.
    private let wake: Int32
    private let waker: Int32
    private let isClosed = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Blocks until others are heard.
    /// - Parameter hear: called on the listener's thread, in the order in which things were committed.
    init(
        location: String, channel: String, lock: Int64, hear: @escaping @Sendable (Event) -> Void
    ) throws(BatonError) {
        self.location = location
        self.channel = channel
        self.lock = lock
        self.hear = hear
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
            throw BatonError(
                .resourceExhausted, reason: "no_descriptors", "The server has no descriptors left. Raise its limit.")
        }
        (wake, waker) = (ends[0], ends[1])
        let first: PostgreSQLConnection
        do {
            first = try Self.connect(location, channel, lock)
        } catch {
            for end in ends { Glibc.close(end) }
            throw SQLFailure.meaning(error)
        }
        Thread.detachNewThread { self.run(first) }
    }

    /// Blocks until the thread has ended.
    func close() {
        guard
            isClosed.withLock({ isClosed in
                defer { isClosed = true }
                return !isClosed
            })
        else { return }
        Glibc.close(waker)
        ended.wait()
        Glibc.close(wake)
    }

    private static func connect(
        _ location: String, _ channel: String, _ lock: Int64
    ) throws -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(location, patience: 3_000)
        // The channel's name is of our own making.
        _ = try connection.run("LISTEN \(channel)")
        try PostgreSQLNodes.join(lock, connection)
        return connection
    }

    private func run(_ first: PostgreSQLConnection) {
        var connection: PostgreSQLConnection? = first
        var pause: Int32 = 100
        while !isClosed.withLock({ $0 }) {
            if let current = connection {
                do {
                    try listen(current)
                } catch {
                    connection = nil
                    hear(.interrupted)
                }
            } else if let next = try? Self.connect(location, channel, lock) {
                connection = next
                pause = 100
                hear(.resumed)
            } else {
                _ = wait(for: nil, milliseconds: Int32.random(in: pause / 2...pause))
                pause = min(2 * pause, 2000)
            }
        }
        ended.signal()
    }

    /// For a second, or until something is heard.
    private func listen(_ connection: PostgreSQLConnection) throws {
        if wait(for: connection.socket, milliseconds: 1000) {
            for text in try connection.notifications() {
                for message in NodeMessage.messages(in: text) { hear(.message(message)) }
            }
        } else {
            _ = try connection.run("SELECT 1")
        }
    }

    /// - Returns: whether something came on the socket.
    private func wait(for socket: Int32?, milliseconds: Int32) -> Bool {
        var entries = [
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        return poll(&entries, 2, milliseconds) > 0 && entries[1].revents != 0
    }
}
