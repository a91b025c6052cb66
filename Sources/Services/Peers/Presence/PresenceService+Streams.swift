package import BatonClient
import BatonConcurrency
package import BatonCore
import BatonDiscovery
package import BatonTransport
package import BatonWire
import SwiftProtobuf
import Synchronization

/// Dialling, and the exchange on a stream.
extension PresenceService {
    typealias StreamID = PresenceStateMachine.StreamID

    /// Takes a presence stream that a device opened to this one, until it ends.
    /// - Parameters:
    ///   - peer: by the certificate of its connection.
    ///   - address: where it came from.
    /// - Throws: `permission_denied` for a device that was revoked; `unavailable` without an account; `aborted` when
    ///   there are too many streams of that device already.
    package func acceptPresence(
        peer: DeviceID, address: DiscoveredAddress? = nil, incoming: ConnectResponses<Baton_Link_V1_PresenceFrame>,
        writer: ConnectWriter<Baton_Link_V1_PresenceFrame>
    ) async throws {
        guard membership.standing(peer) != .revoked else {
            recorder.record(
                "presence", "refused", "A revoked device tried to connect.", ["device_id": peer.rawValue])
            throw BatonError(.permissionDenied, reason: "revoked", "This device was removed from the account.")
        }
        // The server may be up before `run` is.
        if state.withLock({ $0.machine == nil }) { membershipChanged() }
        let outbox = PresenceOutbox()
        let accepted = decide { machine, now -> (StreamID?, [PresenceStateMachine.Action]) in
            let (id, actions) = machine.accepted(from: peer, now: now)
            let isRefused = actions.contains { if case .close(id, _) = $0 { true } else { false } }
            return (isRefused ? nil : id, actions)
        }
        guard let accepted else {
            throw BatonError(
                .unavailable, reason: "no_account", "This device has no account, or is shutting down. Try again later.")
        }
        guard let id = accepted else {
            throw BatonError(.aborted, reason: "too_many_streams", "There are too many connections of this device.")
        }
        let now = wallClock.now
        state.withLock { state in
            state.streams[id] = PresenceState.Stream(
                peer: peer, address: address, connection: nil, since: now, lastSeen: now, hello: nil)
            state.outboxes[id] = outbox
            state.findings.dialledHere(peer, from: address, at: now)
            if state.isStopping { outbox.close(reason: "stopped", goodbye: "shutdown") }
        }
        await talk(id, peer, PresenceStream(incoming: incoming, outgoing: writer), outbox)
    }

    // MARK: Dialling

    func dial(_ id: StreamID, instance: String, addresses: [DiscoveredAddress]) async {
        do {
            let race = HappyEyeballsConnector(dialer: dialer, clock: clock)
            let connection = try await race.connect(
                to: addresses, serverName: { [naming] in naming.serverName(instance, nil) }, stop: stopping)
            dialled(id, instance: instance, connection)
        } catch {
            dialFailed(id, instance: instance, addresses: addresses, error)
        }
    }

    private func dialled(_ id: StreamID, instance: String, _ connection: any LinkConnection) {
        let peer = connection.peer
        state.withLock { state in
            state.dialled[id] = connection
            state.findings.dialled(instance, peer: peer, connection.address, at: wallClock.now)
        }
        decide { machine, now in machine.dialSucceeded(id, peer: peer, now: now) }
        // A connection that was not taken up, e.g. since the account is gone, must not stay open.
        let isTakenUp = membership.localDevice() != nil
        let left = state.withLock { state in
            isTakenUp && state.machine != nil ? nil : state.dialled.removeValue(forKey: id)
        }
        left?.close()
    }

    private func dialFailed(_ id: StreamID, instance: String, addresses: [DiscoveredAddress], _ error: any Error) {
        let failure = error as? BatonError ?? BatonError(.unknown, reason: "dial_failed", "\(error)")
        state.withLock { $0.findings.dialFailed(instance, addresses: addresses, failure, at: wallClock.now) }
        recorder.record(
            "presence", "dial_failed", "A device that is announced could not be connected to: \(failure.message)",
            [
                "instance": instance, "reason": failure.reason,
                "addresses": addresses.map(\.description).joined(separator: " "),
            ])
        decide { machine, now in machine.dialFailed(id, now: now) }
        // Where it was may have changed.
        discovery.refresh(instance: instance, type: configuration.serviceType)
    }

    func open(_ id: StreamID, _ connection: any LinkConnection) async {
        let peer = connection.peer
        let outbox = PresenceOutbox()
        let now = wallClock.now
        state.withLock { state in
            state.streams[id] = PresenceState.Stream(
                peer: peer, address: connection.address, connection: connection, since: now, lastSeen: now, hello: nil)
            state.outboxes[id] = outbox
            if state.isStopping { outbox.close(reason: "stopped", goodbye: "shutdown") }
        }
        do {
            let stream = try await connection.openPresence()
            await talk(id, peer, stream, outbox)
        } catch {
            ended(id, peer, reason: (error as? BatonError)?.reason ?? "open_failed", error)
        }
        connection.close()
    }

    // MARK: Talking

    /// Reads, writes and delivers until one of them ends.
    private func talk(_ id: StreamID, _ peer: DeviceID, _ stream: PresenceStream, _ outbox: PresenceOutbox) async {
        outbox.post(makeHello())
        state.withLock { $0.streams[id]?.isHeldBack = membership.standing(peer) != .member }
        outbox.post(frame(for: peer))
        let inbox = TopicInbox()
        let reason = await withTaskGroup(of: (any Error)?.self) { group in
            group.addTask { await self.ending { try await self.read(stream.incoming, id, peer, outbox, inbox) } }
            group.addTask {
                await self.ending {
                    try await outbox.drain { frame in
                        try await stream.outgoing.write(frame)
                        self.decide(quietly: true) { machine, now in
                            machine.sent(id, now: now)
                            return []
                        }
                    }
                }
            }
            group.addTask { await self.ending { try await self.deliver(inbox, of: peer, over: id) } }
            group.addTask {
                await outbox.closed.wait()
                // For the last frames, if the peer takes them.
                try? await self.clock.sleep(self.clock.now() + .seconds(2))
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        ended(id, peer, reason: outbox.closeReason ?? (reason as? BatonError)?.reason ?? "ended", reason)
    }

    private func ending(_ body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    private func ended(_ id: StreamID, _ peer: DeviceID, reason: String, _ error: (any Error)?) {
        state.withLock { state in
            state.streams[id] = nil
            state.outboxes[id] = nil
            state.findings.ended(peer, error as? BatonError, at: wallClock.now)
        }
        decide { machine, now in machine.closed(id, reason: reason, now: now) }
    }

    // MARK: Frames of this device

    func makeHello() -> Baton_Link_V1_Hello {
        var hello = Baton_Link_V1_Hello()
        hello.protocolVersion = ConnectProtocol.version
        hello.softwareVersion = configuration.softwareVersion
        hello.incarnation = configuration.incarnation
        hello.deviceName = deviceName()
        hello.timestamp = timestamp()
        hello.port = UInt32(configuration.port())
        hello.instance = state.withLock { $0.names.current }
        return hello
    }

    /// The membership, for a device. Keys, names and the cloud are for members only: who was revoked, or is not known to have
    /// joined, gets the signed statements and nothing else.
    func frame(for device: DeviceID) -> Baton_Link_V1_Membership {
        // In this order: a content key names who was revoked when it was made, so that a device which is a member after the
        // frame was read is named by none of its keys.
        let frame = membership.frame()
        guard membership.standing(device) != .member else { return frame }
        return .with { $0.statements = frame.statements }
    }
}
