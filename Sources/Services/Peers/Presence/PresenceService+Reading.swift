import BatonClient
import BatonConcurrency
import BatonCore
import BatonTrust
import BatonWire
import SwiftProtobuf
import Synchronization

/// Reads the other device's frames.
extension PresenceService {
    /// Reads until the stream ends or says something that it must not.
    ///
    /// Nothing is believed before hello and membership have come and hold. Reading itself is paced, so that a device that
    /// sends without end is slowed down by its own connection.
    func read(
        _ incoming: ConnectResponses<Baton_Link_V1_PresenceFrame>, _ id: StreamID, _ peer: DeviceID,
        _ outbox: PresenceOutbox, _ inbox: TopicInbox
    ) async throws {
        var isEstablished = false
        var framePace = TokenBucket(burst: 200, interval: .milliseconds(2), now: clock.now())
        // Each costs signatures to verify.
        var membershipPace = TokenBucket(burst: 10, interval: .milliseconds(500), now: clock.now())
        for try await frame in incoming {
            if let time = framePace.pace(now: clock.now()) { try await clock.sleep(time) }
            // It is over; only the last frames are still on their way out.
            guard outbox.closeReason == nil else { continue }
            heard(id)
            switch frame.kind {
            case .hello(let hello): try greet(hello, id, peer, outbox, isEstablished: isEstablished)
            case .membership(let membership):
                if let time = membershipPace.pace(now: clock.now()) { try await clock.sleep(time) }
                try requireHello(id)
                try await merge(membership, from: peer)
                guard !isEstablished else { continue }
                isEstablished = true
                establish(id, peer, outbox)
            case .topic(let value):
                try require(isEstablished)
                received(value, from: peer, into: inbox)
            case .keepAlive(let keepAlive):
                try require(isEstablished)
                if keepAlive.answer { outbox.postKeepAlive(answer: false) }
            case .goodbye(let goodbye): throw Self.error(forGoodbye: goodbye.reason)
            // A newer version's frame.
            case nil: continue
            }
        }
    }

    private func heard(_ id: StreamID) {
        let wall = wallClock.now
        state.withLock { $0.streams[id]?.lastSeen = wall }
        decide(quietly: true) { machine, now in machine.heard(id, now: now) }
    }

    private func require(_ isEstablished: Bool) throws {
        guard !isEstablished else { return }
        throw BatonError(
            .failedPrecondition, reason: "hello_missing", "The other device did not begin with hello and membership.")
    }

    private func requireHello(_ id: StreamID) throws {
        try require(state.withLock { $0.streams[id]?.hello != nil })
    }

    private func greet(
        _ hello: Baton_Link_V1_Hello, _ id: StreamID, _ peer: DeviceID, _ outbox: PresenceOutbox, isEstablished: Bool
    ) throws {
        guard hello.protocolVersion >= ConnectProtocol.oldestVersion else {
            outbox.close(reason: "protocol_too_old", goodbye: "protocol_too_old")
            let error = BatonError(
                .failedPrecondition, reason: "peer_too_old",
                "The other device's Baton (\(Self.printable(hello.softwareVersion))) is too old for this one. Update it."
            )
            state.withLock { $0.findings.refusedHello(peer, error, at: wallClock.now) }
            recorder.record("presence", "refused", error.message, ["device_id": peer.rawValue])
            // The goodbye is the answer; the stream ends when it was sent.
            return
        }
        var hello = Self.bounded(hello)
        let before = state.withLock { state -> Baton_Link_V1_Hello? in
            let before = state.streams[id]?.hello
            // The incarnation is that of the connection, for good.
            if let before { hello.incarnation = before.incarnation }
            state.streams[id]?.hello = hello
            return before
        }
        guard isEstablished, before != nil else { return }
        learnInstance(hello, of: peer)
    }

    private func merge(_ message: Baton_Link_V1_Membership, from peer: DeviceID) async throws {
        try await membership.merge(message, peer)
        switch membership.standing(peer) {
        case .member: break
        case .revoked:
            throw BatonError(.permissionDenied, reason: "revoked", "This device was removed from the account.")
        case .unknown:
            throw BatonError(
                .permissionDenied, reason: "not_a_member",
                "The other device cannot show that it belongs to the account.")
        }
    }

    private func establish(_ id: StreamID, _ peer: DeviceID, _ outbox: PresenceOutbox) {
        // A device that is too old was refused before; its goodbye is under way.
        guard outbox.closeReason == nil, let stream = state.withLock({ $0.streams[id] }), let hello = stream.hello
        else {
            return
        }
        if stream.isHeldBack { outbox.post(frame(for: peer)) }
        state.withLock { $0.findings.greeted(peer, hello, at: wallClock.now) }
        learnInstance(hello, of: peer)
        decide { [membership] machine, now in
            // Asked here, where a change of the membership that comes later finds the stream established.
            guard membership.standing(peer) == .member else { return machine.dismissed(id, now: now) }
            return machine.handshaken(id, incarnation: hello.incarnation, now: now)
        }
    }

    private func learnInstance(_ hello: Baton_Link_V1_Hello, of peer: DeviceID) {
        guard !hello.instance.isEmpty else { return }
        state.withLock { $0.findings.learned(hello.instance, of: peer) }
        decide { machine, now in machine.learned(instance: hello.instance, of: peer, now: now) }
    }

    private static func error(forGoodbye reason: String) -> BatonError {
        switch reason {
        case "protocol_too_old":
            BatonError(
                .failedPrecondition, reason: "protocol_too_old",
                "The other device refuses this device's Baton as too old. Update this device.")
        case "revoked":
            BatonError(.permissionDenied, reason: "revoked_here", "This device was removed from the account.")
        case "not_a_member":
            BatonError(
                .permissionDenied, reason: "not_a_member_there",
                "The other device says that this one does not belong to the account any more.")
        case "shutdown":
            BatonError(.unavailable, reason: "goodbye", "The other device was shut down.")
        default:
            BatonError(.unavailable, reason: "goodbye", "The other device ended the connection.")
        }
    }

    /// With the known fields only, since it is kept for as long as the stream.
    private static func bounded(_ hello: Baton_Link_V1_Hello) -> Baton_Link_V1_Hello {
        .with {
            $0.protocolVersion = hello.protocolVersion
            $0.softwareVersion = printable(hello.softwareVersion)
            $0.incarnation = hello.incarnation
            $0.deviceName = (try? DeviceProfiles.validName(hello.deviceName)) ?? ""
            $0.timestamp = hello.timestamp
            $0.port = hello.port
            $0.instance = String(hello.instance.unicodeScalars.prefix(63))
        }
    }

    /// For logs and terminals.
    private static func printable(_ text: String) -> String {
        String(text.unicodeScalars.prefix(64).filter { (0x20...0x7E).contains($0.value) }.map(Character.init))
    }
}
