import BatonConcurrency
import BatonWire
import SwiftProtobuf
import Synchronization

/// The frames that wait to be sent on one stream.
///
/// Bounded by its kind: one place for each sort of frame and each topic, in which a newer one replaces the older, since
/// each frame says all that there is to say of its sort. So a slow peer gets the newest state, and costs no memory.
final class PresenceOutbox: Sendable {
    typealias Frame = Baton_Link_V1_PresenceFrame

    private struct State {
        var hello: Baton_Link_V1_Hello?
        var membership: Baton_Link_V1_Membership?
        var keepAlive: Baton_Link_V1_KeepAlive?
        /// Bound: the topics that this software publishes.
        var topics: [String: Baton_Link_V1_TopicValue] = [:]
        var goodbye: String?
        /// Fired once everything was written that was posted before them. Bound: one for each call of
        /// ``PresenceService/spreadMembership(within:)`` that still waits.
        var markers: [OneShot] = []
        /// Why the stream is to end once everything is sent; nothing is added any more.
        var closing: String?

        var isEmpty: Bool {
            hello == nil && membership == nil && keepAlive == nil && topics.isEmpty && goodbye == nil
        }
    }

    private let state = Mutex(State())
    /// One element is enough to say that there is something.
    private let signal = Signal()
    /// Fires when the stream is to end.
    let closed = OneShot()

    func post(_ hello: Baton_Link_V1_Hello) { add { $0.hello = hello } }
    func post(_ membership: Baton_Link_V1_Membership) { add { $0.membership = membership } }
    func post(_ value: Baton_Link_V1_TopicValue) { add { $0.topics[value.topic] = value } }

    /// Fires once everything was written that waits now; never, when the stream ends before.
    func mark() -> OneShot {
        let marker = OneShot()
        add { $0.markers.append(marker) }
        return marker
    }

    func postKeepAlive(answer: Bool) {
        add { state in
            let asked = state.keepAlive?.answer ?? false
            state.keepAlive = .with { $0.answer = answer || asked }
        }
    }

    /// Sends what waits, and a goodbye if there is one, then ends the stream.
    /// - Parameter membership: the last word, in place of all that waits.
    func close(reason: String, goodbye: String? = nil, membership: Baton_Link_V1_Membership? = nil) {
        state.withLock { state in
            guard state.closing == nil else { return }
            state.closing = reason
            state.goodbye = goodbye
            if let membership {
                state.membership = membership
                state.topics = [:]
            }
        }
        signal.send()
        closed.fire()
    }

    var closeReason: String? { state.withLock { $0.closing } }

    /// Writes what is posted, until the outbox is closed and empty.
    func drain(into write: (Frame) async throws -> Void) async throws {
        for await _ in signal.stream {
            while true {
                while let frame = take() { try await write(frame) }
                // Something that was posted meanwhile may have markers of its own.
                guard let (markers, isClosed) = allSent() else { continue }
                for marker in markers { marker.fire() }
                if isClosed { return }
                break
            }
        }
    }

    private func add(_ change: (inout State) -> Void) {
        let isOpen = state.withLock { state in
            guard state.closing == nil else { return false }
            change(&state)
            return true
        }
        if isOpen { signal.send() }
    }

    /// The markers to fire, and whether that was all; nil when something waits to be written first. In one look: what is
    /// posted with the closing, such as a goodbye, must not slip in between.
    private func allSent() -> (markers: [OneShot], isClosed: Bool)? {
        state.withLock { state in
            guard state.isEmpty else { return nil }
            defer { state.markers = [] }
            return (state.markers, state.closing != nil)
        }
    }

    private func take() -> Frame? {
        state.withLock { state in
            if let hello = state.hello.take() { return .with { $0.hello = hello } }
            if let membership = state.membership.take() { return .with { $0.membership = membership } }
            if let keepAlive = state.keepAlive.take() { return .with { $0.keepAlive = keepAlive } }
            if let (_, value) = state.topics.popFirst() { return .with { $0.topic = value } }
            if let goodbye = state.goodbye.take() { return .with { $0.goodbye = .with { $0.reason = goodbye } } }
            return nil
        }
    }
}
