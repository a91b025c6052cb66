package import BatonCore
import Foundation
import Glibc
import NIOCore

/// A process at the other end of the local socket, as it was when it connected.
package struct PeerProcess: Hashable, Sendable {
    package var processID: Int32
    package var userID: UInt32
    /// In clock ticks since boot: a process identifier that is used again has another one.
    package var startTime: UInt64
    /// The target of `/proc/<pid>/exe`; nil when it could not be read.
    package var executable: String?

    package init(processID: Int32, userID: UInt32, startTime: UInt64, executable: String?) {
        self.processID = processID
        self.userID = userID
        self.startTime = startTime
        self.executable = executable
    }

    /// Its program's path, also after the file was replaced, as during an upgrade.
    package var program: String? { Self.withoutDeletion(executable) }

    /// Whether it has not ended.
    package var isAlive: Bool { Self.startTime(of: processID) == startTime }

    /// The same process, whatever it runs by now.
    package func isSame(as other: PeerProcess) -> Bool {
        processID == other.processID && startTime == other.startTime
    }
}

extension PeerProcess {
    /// The kernel's `struct ucred`, which Glibc's Swift module leaves out.
    private struct Credentials: Sendable {
        var processID: Int32 = 0
        var userID: UInt32 = 0
        var groupID: UInt32 = 0
    }

    private static let peerCredentials = NIOBSDSocket.Option(rawValue: 17)  // SO_PEERCRED
    private static let peerProcessDescriptor = NIOBSDSocket.Option(rawValue: 77)  // SO_PEERPIDFD, Linux 6.5

    /// Asks the kernel which process connected. Values read from `/proc` count only if the process that connected is
    /// alive afterwards, checked through its process descriptor where the kernel provides one: a reused process
    /// identifier cannot lend its name to a stranger.
    static func identify(_ channel: any Channel) -> EventLoopFuture<PeerProcess> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(unknown("the socket has no options"))
        }
        let credentials: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(
            level: .socket, name: peerCredentials)
        let descriptor: EventLoopFuture<Int32?> = provider.unsafeGetSocketOption(
            level: .socket, name: peerProcessDescriptor
        ).map { (descriptor: Int32) in descriptor }.recover { _ in nil }
        return credentials.and(descriptor).flatMapThrowing { credentials, descriptor in
            defer { if let descriptor { close(descriptor) } }
            return try identify(credentials.processID, userID: credentials.userID, descriptor: descriptor)
        }
    }

    /// A process of which others say that it calls, as the kernel does of the peer of a socket, and a message bus of the
    /// sender of a message.
    /// - Parameter descriptor: of the process, which keeps its number from being taken for another's; nil where none
    ///   gives one.
    /// - Throws: `unauthenticated` for a process that has ended.
    package static func identify(
        _ processID: Int32, userID: UInt32, descriptor: Int32?
    ) throws(BatonError) -> PeerProcess {
        guard let before = startTime(of: processID) else { throw ended }
        let executable = executable(of: processID)
        let isAlive = descriptor.map(isAlive) ?? true
        guard isAlive, startTime(of: processID) == before else { throw ended }
        return PeerProcess(processID: processID, userID: userID, startTime: before, executable: executable)
    }

    /// The program that a process runs now, as the kernel names it; nil when it cannot be read, because the process
    /// ended or hides it.
    package static func executable(of processID: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(processID)/exe")
    }

    /// - Throws: unless the process lives and runs the program that it ran when it connected. A process can change its
    ///   program and leave its connection to another one, which would then speak in the new program's name.
    package func checkUnchanged() throws(BatonError) {
        guard Self.startTime(of: processID) == startTime else { throw Self.ended }
        guard Self.withoutDeletion(Self.executable(of: processID)) == Self.withoutDeletion(executable) else {
            throw BatonError(
                .permissionDenied, reason: "program_changed",
                "The process runs another program than when it connected. Connect again.")
        }
    }

    /// The kernel adds this once the file is unlinked, as during an upgrade.
    private static func withoutDeletion(_ path: String?) -> String? {
        path.map { $0.hasSuffix(" (deleted)") ? String($0.dropLast(10)) : $0 }
    }

    /// A process descriptor is readable once its process has ended.
    private static func isAlive(_ descriptor: Int32) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) == 0
    }

    /// When a process started, in clock ticks since boot; nil if there is none, or if it has ended and only waits to be
    /// reaped. Reads `/proc`, which is memory.
    package static func startTime(of processID: Int32) -> UInt64? {
        guard processID > 0, let bytes = stat(of: processID),
            // The second field, the name, is in parentheses and may hold any bytes.
            let nameEnd = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = bytes[(nameEnd + 1)...].split(separator: UInt8(ascii: " "))
        // State is the 3rd field of the line, the start time the 22nd.
        guard fields.count > 19, let state = fields[0].first, state != UInt8(ascii: "Z"), state != UInt8(ascii: "X")
        else { return nil }
        return UInt64(String(decoding: fields[19], as: UTF8.self))
    }

    /// The process that started it, or the one that adopted it; nil when it is gone.
    package static func parent(of processID: Int32) -> Int32? {
        guard processID > 0, let bytes = stat(of: processID), let nameEnd = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        // The second field behind the name.
        let fields = bytes[(nameEnd + 1)...].split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? Int32(String(decoding: fields[1], as: UTF8.self)) : nil
    }

    private static func stat(of processID: Int32) -> [UInt8]? {
        let descriptor = open("/proc/\(processID)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// The process is gone, and another one may have its number by now.
    package static var ended: BatonError { unknown("it has ended") }

    private static func unknown(_ why: String) -> BatonError {
        BatonError(.unauthenticated, reason: "unknown_process", "The calling process could not be identified: \(why).")
    }
}
