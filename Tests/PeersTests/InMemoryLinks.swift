import BatonClient
import BatonCore
import BatonTransport
import BatonWire
import Peers
import Synchronization

/// One direction of a stream, with room for a few frames: a writer waits for room as a socket's does.
final class FramePipe: Sendable {
    typealias Frame = Baton_Link_V1_PresenceFrame
    private static let room = 4

    private struct State {
        var frames: [Frame] = []
        var isClosed = false
        var reader: CheckedContinuation<Void, Never>?
        var writers: [CheckedContinuation<Void, Never>] = []

        mutating func waiting() -> [CheckedContinuation<Void, Never>] {
            let all = writers + [reader].compactMap(\.self)
            writers = []
            reader = nil
            return all
        }
    }
    private let state = Mutex(State())

    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            return state.waiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    func write(_ frame: Frame) async throws {
        while true {
            try Task.checkCancellation()
            let isDone = try state.withLock { state throws -> Bool in
                guard !state.isClosed else { throw BatonError(.unavailable, reason: "pipe_closed", "Closed.") }
                guard state.frames.count < Self.room else { return false }
                state.frames.append(frame)
                return true
            }
            wake()
            if isDone { return }
            await pause {
                $0.frames.count >= Self.room
            } keep: {
                $0.writers.append($1)
            }
        }
    }

    func next() async throws -> Frame? {
        while true {
            try Task.checkCancellation()
            let (frame, isOver) = state.withLock { state -> (Frame?, Bool) in
                guard !state.frames.isEmpty else { return (nil, state.isClosed) }
                return (state.frames.removeFirst(), false)
            }
            if frame != nil { wake() }
            if frame != nil || isOver { return frame }
            await pause {
                $0.frames.isEmpty
            } keep: {
                $0.reader = $1
            }
        }
    }

    private func wake() {
        for continuation in state.withLock({ $0.waiting() }) { continuation.resume() }
    }

    private func pause(
        while condition: (State) -> Bool, keep: (inout State, CheckedContinuation<Void, Never>) -> Void
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isKept = state.withLock { state in
                    guard condition(state), !state.isClosed, !Task.isCancelled else { return false }
                    keep(&state, continuation)
                    return true
                }
                if !isKept { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }
}

/// Both ends of a stream in memory.
struct FrameDuplex {
    let toAcceptor = FramePipe()
    let toDialler = FramePipe()

    func stream(ofDialler: Bool) -> PresenceStream {
        let (incoming, outgoing) = ofDialler ? (toDialler, toAcceptor) : (toAcceptor, toDialler)
        return PresenceStream(
            incoming: ConnectResponses { { try await incoming.next() } },
            outgoing: ConnectWriter { try await outgoing.write($0) })
    }

    func close() {
        toAcceptor.close()
        toDialler.close()
    }
}

/// Where devices accept links, by host; what TLS would prove is what is registered.
final class InMemoryLinks: Sendable {
    private struct Place {
        var device: DeviceID
        var accept: @Sendable (DeviceID, PresenceStream) async throws -> Void
        var refusal: BatonError?
    }
    private let places = Mutex<[String: Place]>([:])
    private let dialled = Mutex<[String]>([])

    /// Every attempt: `from>to`.
    var attempts: [String] { dialled.withLock { $0 } }

    func listen(
        _ host: String, as device: DeviceID, accept: @escaping @Sendable (DeviceID, PresenceStream) async throws -> Void
    ) {
        places.withLock { $0[host] = Place(device: device, accept: accept) }
    }

    func refuse(_ host: String, with error: BatonError?) { places.withLock { $0[host]?.refusal = error } }

    func dialer(for device: DeviceID, host: String) -> any LinkDialer {
        Dialer(links: self, device: device, host: host)
    }

    private struct Dialer: LinkDialer {
        let links: InMemoryLinks
        let device: DeviceID
        let host: String

        func connect(to address: DiscoveredAddress, serverName: String) async throws -> any LinkConnection {
            links.dialled.withLock { $0.append("\(host)>\(address.host)") }
            guard let place = links.places.withLock({ $0[address.host] }) else {
                // There is no answer; not even a refusal.
                try await ContinuousClock().sleep(for: .seconds(3600))
                throw CancellationError()
            }
            if let refusal = place.refusal { throw refusal }
            return Connection(peer: place.device, address: address, local: device, accept: place.accept)
        }
    }

    private final class Connection: LinkConnection {
        let peer: DeviceID
        let address: DiscoveredAddress
        private let local: DeviceID
        private let accept: @Sendable (DeviceID, PresenceStream) async throws -> Void
        private let duplex = FrameDuplex()

        init(
            peer: DeviceID, address: DiscoveredAddress, local: DeviceID,
            accept: @escaping @Sendable (DeviceID, PresenceStream) async throws -> Void
        ) {
            self.peer = peer
            self.address = address
            self.local = local
            self.accept = accept
        }

        func openPresence() async throws -> PresenceStream {
            // The server's task for this stream: ends when either side closes the pipes, which `close` does at the latest.
            Task { [duplex, accept, local] in
                try? await accept(local, duplex.stream(ofDialler: false))
                duplex.close()
            }
            return duplex.stream(ofDialler: true)
        }

        func close() { duplex.close() }
    }
}
