package import BatonConcurrency
package import BatonCore
import OrderedCollections

/// Decides who may have continuation streams, and keeps count of them; the bytes pass elsewhere.
///
/// A value without I/O and without a clock, like ``HandoffStateMachine``. Invariants (simulated): a pair is only ever
/// between the app that was given an activity and the one that gave it; the count is that of pairs open or being
/// opened; a pair that one side does not take ends at its deadline; nothing outlives its app, or its device's presence.
package struct StreamStateMachine: StateMachine {
    /// Inputs without a result. Those with one are methods: ``open(_:_:by:now:)``, ``requested(_:_:activity:by:now:)``,
    /// ``take(_:by:)`` and ``opened(_:)``.
    package enum Input: Hashable, Sendable {
        /// A payload was handed over.
        case allow(StreamGrant)
        /// The app did not take the activity after all.
        case revoke(AcceptanceID)
        /// The app will not take the pair.
        case declined(StreamID, message: String)
        case ended(StreamID)
        case sessionEnded(SessionID)
        case deviceLost(DeviceID)
    }

    /// The service is to end a pair.
    package struct Closing: Sendable {
        package var stream: StreamID
        package var error: BatonError
    }

    private struct Key: Hashable {
        var acceptance: AcceptanceID
        var role: StreamGrant.Role
    }

    private struct Granted {
        var grant: StreamGrant
        var until: Duration
        /// The app that gave the activity has ended: kept, so that requests for streams get that answer.
        var hasEnded = false
    }

    private struct Stream {
        var key: Key
        var session: SessionID
        var device: DeviceID
        /// Until when it must be open; nil once it is.
        var deadline: Duration?
        /// The app has come for it (origin).
        var isTaken = false
    }

    private let configuration: HandoffConfiguration
    /// The oldest first.
    private var grants: OrderedDictionary<Key, Granted> = [:]
    private var streams: [StreamID: Stream] = [:]

    package init(configuration: HandoffConfiguration = .init()) { self.configuration = configuration }

    /// For tests of the bounds.
    package var counts: (grants: Int, streams: Int) { (grants.count, streams.count) }

    package mutating func handle(_ input: Input, now: Timestamp) -> [Closing] {
        switch input {
        case .allow(let grant):
            allow(grant, now: now.monotonic)
            return []
        case .revoke(let acceptance): return revoke(acceptance)
        case .declined(let stream, let message): return declined(stream, message: message)
        case .ended(let stream):
            ended(stream)
            return []
        case .sessionEnded(let session): return sessionEnded(session)
        case .deviceLost(let device): return deviceLost(device)
        }
    }

    package func nextDeadline(now: Timestamp) -> Duration? { nextDeadline }

    package mutating func advance(now: Timestamp) -> [Closing] { advance(now: now.monotonic) }

    // MARK: Permission

    /// A payload was handed over: streams may follow it for a while.
    package mutating func allow(_ grant: StreamGrant, now: Duration) {
        let key = Key(acceptance: grant.acceptance, role: grant.role)
        guard grants[key] == nil else { return }
        grants[key] = Granted(grant: grant, until: now + configuration.streamGrantLifetime)
        while let (_, oldest) = grants.elements.first,
            grants.count > configuration.maximumRemembered || oldest.until <= now
        {
            grants.removeFirst()
        }
    }

    /// The app did not take the activity after all.
    package mutating func revoke(_ acceptance: AcceptanceID) -> [Closing] {
        let key = Key(acceptance: acceptance, role: .receiver)
        guard grants.removeValue(forKey: key) != nil else { return [] }
        return close(Self.gone("The continuation failed.")) { $0.key == key }
    }

    private func permitted(_ key: Key, now: Duration) throws(BatonError) -> StreamGrant {
        guard let granted = grants[key], granted.until > now else { throw Self.notGranted }
        guard !granted.hasEnded else { throw Self.appEnded }
        guard granted.grant.supportsStreams else {
            throw BatonError(
                .failedPrecondition, reason: "streams_not_supported",
                "The activity does not support streams: the app that offered it did not set "
                    + "supportsContinuationStreams.")
        }
        return granted.grant
    }

    private func checkBounds(_ key: Key, _ device: DeviceID) throws(BatonError) {
        guard streams.count < configuration.maximumStreams,
            streams.values.count(where: { $0.device == device }) < configuration.maximumStreamsPerDevice,
            streams.values.count(where: { $0.key == key }) < configuration.maximumStreamsPerContinuation
        else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_streams",
                "Too many pairs of streams are open at once: at most "
                    + "\(configuration.maximumStreamsPerContinuation) for one activity, "
                    + "\(configuration.maximumStreamsPerDevice) with one device and \(configuration.maximumStreams) in "
                    + "all. Close some.")
        }
    }

    // MARK: The receiver

    /// The app that was given an activity asks for a pair.
    /// - Returns: the device to connect to, and the activity there.
    /// - Throws: `permission_denied`, `failed_precondition`, `resource_exhausted`.
    package mutating func open(
        _ stream: StreamID, _ acceptance: AcceptanceID, by session: SessionID, now: Duration
    ) throws(BatonError) -> (device: DeviceID, activity: ActivityID) {
        let key = Key(acceptance: acceptance, role: .receiver)
        guard grants[key]?.grant.session == session else { throw Self.notGranted }
        let grant = try permitted(key, now: now)
        try checkBounds(key, grant.device)
        streams[stream] = Stream(
            key: key, session: session, device: grant.device, deadline: now + configuration.streamOpenDeadline)
        return (grant.device, grant.activity)
    }

    // MARK: The origin

    /// The device that was given an activity asks for a pair.
    /// - Returns: the app to ask.
    /// - Throws: `permission_denied`, `not_found` when the app has ended, `failed_precondition`, `resource_exhausted`.
    package mutating func requested(
        _ stream: StreamID, _ acceptance: AcceptanceID, activity: ActivityID, by device: DeviceID, now: Duration
    ) throws(BatonError) -> SessionID {
        let key = Key(acceptance: acceptance, role: .origin)
        guard let grant = grants[key]?.grant, grant.device == device, grant.activity == activity else {
            throw Self.notGranted
        }
        _ = try permitted(key, now: now)
        try checkBounds(key, device)
        streams[stream] = Stream(
            key: key, session: grant.session, device: device, deadline: now + configuration.streamTakeDeadline)
        return grant.session
    }

    /// The app comes for a pair that was announced to it.
    /// - Throws: `not_found` for one that was not announced to it, that it has taken already, or that is over.
    package mutating func take(_ stream: StreamID, by session: SessionID) throws(BatonError) {
        guard let entry = streams[stream], entry.key.role == .origin, entry.session == session, !entry.isTaken else {
            throw BatonError(.notFound, reason: "unknown_stream", "There is no such pair of streams (any more).")
        }
        streams[stream]?.isTaken = true
    }

    // MARK: The end

    /// Bytes can pass.
    /// - Returns: false when the pair is over already.
    package mutating func opened(_ stream: StreamID) -> Bool {
        guard streams[stream] != nil else { return false }
        streams[stream]?.deadline = nil
        return true
    }

    package mutating func ended(_ stream: StreamID) { streams[stream] = nil }

    /// The app will not take the pair.
    package mutating func declined(_ stream: StreamID, message: String) -> [Closing] {
        close(Self.gone(message)) { [id = stream] in $1 == id && $0.deadline != nil }
    }

    package mutating func sessionEnded(_ session: SessionID) -> [Closing] {
        grants.removeAll { $0.key.role == .receiver && $0.value.grant.session == session }
        for (key, granted) in grants where granted.grant.session == session { grants[key]?.hasEnded = true }
        return close(Self.appEnded) { $0.session == session }
    }

    /// The device went away, or was revoked.
    package mutating func deviceLost(_ device: DeviceID) -> [Closing] {
        close(Self.gone("The other device went away.")) { $0.device == device }
    }

    package var nextDeadline: Duration? { streams.values.compactMap(\.deadline).min() }

    /// Ends pairs that were not opened in time. Idempotent.
    package mutating func advance(now: Duration) -> [Closing] {
        close(
            BatonError(
                .deadlineExceeded, reason: "stream_not_taken",
                "The other app did not take its end of the streams in time.")
        ) { $0.deadline.map { $0 <= now } ?? false }
    }

    private mutating func close(_ error: BatonError, where isMeant: (Stream) -> Bool) -> [Closing] {
        close(error) { stream, _ in isMeant(stream) }
    }

    private mutating func close(_ error: BatonError, where isMeant: (Stream, StreamID) -> Bool) -> [Closing] {
        streams.filter { isMeant($0.value, $0.key) }.keys.sorted().map { stream in
            streams[stream] = nil
            return Closing(stream: stream, error: error)
        }
    }

    private static var notGranted: BatonError {
        BatonError(
            .permissionDenied, reason: "streams_not_granted",
            "Streams are only for the app that was given the activity, and for a while after it was given.")
    }

    /// For the app at the other end.
    private static var appEnded: BatonError { gone("The app that offered this activity has ended.") }

    private static func gone(_ message: String) -> BatonError {
        BatonError(.notFound, reason: "stream_gone", message)
    }
}
