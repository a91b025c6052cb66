import BatonConcurrency
import CLinux
import Foundation
import Glibc
import ServiceLifecycle
import Synchronization

/// Follows gpsd on this machine, only where the person has allowed it. Reads on a thread.
final class GPSFollower: Service {
    private static let pause = Int32(30_000)
    static let port: UInt16 = 2947

    private struct State {
        var isAllowed = false
        var isOver = false
        var wakeup: Int32?
    }

    private let port: UInt16
    private let tell: @Sendable (ContextObservation) -> Void
    private let state = Mutex(State())

    init(port: UInt16 = GPSFollower.port, tell: @escaping @Sendable (ContextObservation) -> Void) {
        self.port = port
        self.tell = tell
    }

    func allow(_ allowed: Bool) {
        state.withLock { state in
            state.isAllowed = allowed
            wake(state)
        }
    }

    private func wake(_ state: State) {
        if let wakeup = state.wakeup { eventfd_write(wakeup, 1) }
    }

    func run() async throws {
        let wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeup >= 0 else { return }
        state.withLock { $0.wakeup = wakeup }
        let ended = Promise<Void>()
        let thread = Thread { [self] in
            follow(wakeup)
            ended.settle(.success(()))
        }
        thread.name = "baton.gpsd"
        thread.start()
        try? await gracefulShutdown()
        state.withLock { state in
            state.isOver = true
            wake(state)
        }
        // A task of its own, so that it is not cancelled: the thread uses what is closed here.
        await Task { try? await ended.value() }.value
        state.withLock { $0.wakeup = nil }
        close(wakeup)
    }

    // MARK: The thread

    private func follow(_ wakeup: Int32) {
        while true {
            let now = state.withLock { $0 }
            if now.isOver { return }
            if now.isAllowed {
                if let socket = connect() {
                    read(socket, wakeup)
                    close(socket)
                }
                let after = state.withLock { $0 }
                if after.isOver { return }
                if after.isAllowed { tell(.input(.gpsd, .absent, detail: "gpsd does not answer.")) }
            } else {
                tell(.input(.gpsd, .off, detail: "“baton settings set places.gpsd on” allows it."))
            }
            wait(wakeup, now.isAllowed ? Self.pause : -1)
        }
    }

    private func wait(_ wakeup: Int32, _ limit: Int32) {
        var descriptors = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
        _ = poll(&descriptors, 1, limit)
        drain(wakeup)
    }

    private func drain(_ wakeup: Int32) {
        var value: eventfd_t = 0
        _ = eventfd_read(wakeup, &value)
    }

    private func connect() -> Int32? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, size) }
        }
        let watch = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
        guard result == 0, send(socket, watch, watch.count, Int32(MSG_NOSIGNAL)) == watch.count else {
            close(socket)
            return nil
        }
        return socket
    }

    /// Until the connection ends, or it is no longer wanted.
    private func read(_ socket: Int32, _ wakeup: Int32) {
        tell(.input(.gpsd, .followed, detail: "Waits for a position."))
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var last: ContinuousClock.Instant?
        while true {
            var descriptors = [
                pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0),
                pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&descriptors, 2, -1)
            if descriptors[0].revents != 0 {
                drain(wakeup)
                let now = state.withLock { $0 }
                if now.isOver || !now.isAllowed { return }
            }
            guard descriptors[1].revents != 0 else { continue }
            let count = Glibc.read(socket, &buffer, buffer.count)
            guard count > 0 else { return }
            for byte in buffer.prefix(count) {
                guard byte == UInt8(ascii: "\n") else {
                    // A line that is too long is ignored.
                    if line.count <= GPSReport.maximumLine { line.append(byte) }
                    continue
                }
                let position = GPSReport.position(Data(line))
                line = []
                // One in a second is enough.
                guard let position, last.map({ .now - $0 >= .seconds(1) }) ?? true else { continue }
                last = .now
                tell(.input(.gpsd, .followed, detail: "Reports positions."))
                tell(.position(latitude: position.latitude, longitude: position.longitude))
            }
        }
    }
}
