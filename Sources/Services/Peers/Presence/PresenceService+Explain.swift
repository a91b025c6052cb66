package import BatonCore
import BatonTransport
package import BatonWire
import Foundation
import Synchronization

extension PresenceService {
    /// Why devices cannot be found now, for people; empty when nothing is known to be in the way.
    package var discoveryFinding: String {
        state.withLock { state in
            if let obstacle = state.findings.obstacle { return obstacle }
            if let address = state.findings.unreachable {
                return "A device of the account is announced but cannot be reached: its firewall may block TCP port "
                    + "\(address.port). See “baton explain device”."
            }
            return state.findings.refusedAt != nil && state.current.isEmpty ? PresenceExplanation.mayBeRevoked : ""
        }
    }

    /// A device that knows the account refused this one's certificate. Not proof of anything: any device that has had a discovery
    /// key can do that. But it is all that a device learns which was off while it was revoked, since none lets it connect.
    package func refusedByPeer() {
        let now = wallClock.now
        let isFirst = state.withLock { state in
            defer { state.findings.refusedAt = now }
            return state.findings.refusedAt == nil
        }
        guard isFirst else { return }
        recorder.record("presence", "refused_by_peer", PresenceExplanation.mayBeRevoked, [:])
    }

    /// Each stage on the way to a connection with a device, with what was found last and what to do about it.
    package func explain(device: DeviceID) -> [Baton_Link_V1_Stage] {
        if device == membership.localDevice() { return [Baton_Link_V1_Stage("device", .ok, "That is this device.")] }
        let (findings, connection) = state.withLock { state in
            (state.findings, state.current[device].flatMap { state.streams[$0] }.map { PresenceConnection(device, $0) })
        }
        return PresenceExplanation(
            findings: findings, connection: connection, standing: membership.standing(device),
            hasAccount: membership.localDevice() != nil, now: wallClock.now, device: device
        ).stages
    }
}

/// Turns findings into sentences.
struct PresenceExplanation {
    let findings: PresenceFindings
    let connection: PresenceConnection?
    let standing: PresenceMembership.Standing
    let hasAccount: Bool
    let now: Date
    let device: DeviceID

    static let mayBeRevoked =
        "Devices of the account refuse this one: it may have been revoked. If so, pair it again (“baton pair”)."

    private typealias Stage = Baton_Link_V1_Stage

    var stages: [Baton_Link_V1_Stage] {
        [account, network, announced, recognised, dialled, tls, hello, connected]
    }

    private var isConnected: Bool { connection != nil }
    private var known: PresenceFindings.Device? { findings.devices[device] }
    private var announcements: [PresenceFindings.Instance] { findings.instances.values.filter { $0.device == device } }
    private var current: PresenceFindings.Instance? {
        announcements.filter { $0.lostAt == nil }.max { $0.seenAt < $1.seenAt }
    }
    /// Announcements of the account that did not say of which device they are.
    private var unattributed: [PresenceFindings.Instance] {
        findings.instances.values.filter { $0.isOurs && $0.device == nil && $0.lostAt == nil }
    }
    private var failure: (error: BatonError, at: Date)? {
        (announcements + unattributed).compactMap(\.failure).max { $0.at < $1.at }
    }

    private var account: Stage {
        guard hasAccount else {
            return Stage(
                "account", .failed, "This device has no account.", "Run “baton account create”, or “baton pair”.")
        }
        switch standing {
        case .member: return Stage("account", .ok, "Both devices belong to the account.")
        case .revoked:
            return Stage(
                "account", .failed, "The device was removed from the account.", "Pair it again to re-add it.")
        case .unknown:
            return Stage(
                "account", .failed, "The account has no such device.", "Run “baton devices”, or pair the device.")
        }
    }

    private var network: Stage {
        guard let obstacle = findings.obstacle else {
            return Stage("network", .ok, "Multicast can be used on this device's network.")
        }
        return Stage(
            "network", .failed, obstacle, "Connect this device to a network, and allow UDP port 5353 in its firewall.")
    }

    private var announced: Stage {
        if let current {
            return Stage("announced", .ok, "Announced for \(span(since: current.seenAt)) at \(list(current)).")
        }
        if isConnected {
            return Stage("announced", .unknown, "Not seen on the network, but the device has connected by itself.")
        }
        let advice =
            "Start batond on that device. Both must be on the same network, and the network must let multicast DNS"
            + " (UDP port 5353) through: guest networks and client isolation often do not."
        if let last = announcements.compactMap(\.lostAt).max() {
            return Stage("announced", .failed, "No longer announced; last \(ago(last)).", advice)
        }
        if !unattributed.isEmpty {
            return Stage(
                "announced", .unknown,
                "\(unattributed.count) devices of the account are announced that have not identified themselves.")
        }
        return Stage("announced", .failed, "Not seen on the network.", advice)
    }

    private var recognised: Stage {
        if current != nil || isConnected {
            return Stage("recognised", .ok, "The announcement is one of the account's.")
        }
        let strangers = findings.instances.values.count { !$0.isOurs && $0.lostAt == nil }
        guard strangers > 0, announcements.isEmpty, unattributed.isEmpty else {
            return Stage("recognised", .unknown, "There is no announcement to recognise.")
        }
        return Stage(
            "recognised", .unknown,
            "\(strangers) announcements on the network are of other accounts, or this device cannot read them.",
            "If it is one of them, pair the two devices again.")
    }

    private var dialled: Stage {
        if let connection, let address = connection.address {
            let who = connection.dialledHere ? "This device connected to it" : "It connected to this device"
            return Stage("dialled", .ok, "\(who) (\(address)).")
        }
        if isConnected { return Stage("dialled", .ok, "It connected to this device.") }
        if let failure, PresenceFindings.isOfNetwork(failure.error) {
            return Stage(
                "dialled", .failed, "No connection \(ago(failure.at)): \(failure.error.message)",
                "Check the firewall of that device: \(port) must be reachable from this network.")
        }
        if let last = known?.lastDial {
            return Stage("dialled", .ok, "The last connection was made \(ago(last.at)).")
        }
        return failure == nil
            ? Stage("dialled", .unknown, "No connection was tried yet.")
            : Stage("dialled", .ok, "It answers.")
    }

    private var port: String {
        let instance = current ?? unattributed.max { $0.seenAt < $1.seenAt }
        return instance?.addresses.first.map { "TCP port \($0.port)" } ?? "its Baton port"
    }

    private var tls: Stage {
        if isConnected { return Stage("tls", .ok, "Both devices proved who they are.") }
        if let failure, !PresenceFindings.isOfNetwork(failure.error) {
            return Stage(
                "tls", .failed, "Refused \(ago(failure.at)): \(failure.error.message)",
                "If the device was removed from the account or set up again, pair it again.")
        }
        if let refused = findings.refusedAt {
            return Stage(
                "tls", .unknown, "A device of the account refused this one \(ago(refused)).", Self.mayBeRevoked)
        }
        return known?.lastDial == nil
            ? Stage("tls", .unknown, "There was no connection on which to prove anything.")
            : Stage("tls", .ok, "Both devices proved who they are when they were last connected.")
    }

    private var hello: Stage {
        if let refusal = known?.refusal, !isConnected {
            return Stage(
                "hello", .failed, "Refused \(ago(refusal.at)): \(refusal.error.message)", advice(refusal.error))
        }
        guard let hello = known?.hello else { return Stage("hello", .unknown, "The devices have not spoken yet.") }
        return Stage("hello", .ok, "It runs Baton \(hello.version).")
    }

    private var connected: Stage {
        if let connection { return Stage("connected", .ok, "Connected for \(span(since: connection.since)).") }
        guard let last = known?.disconnected else { return Stage("connected", .failed, "Not connected.") }
        return Stage("connected", .failed, "Not connected; the last connection ended \(ago(last.at)) (\(last.reason)).")
    }

    // MARK: Words

    private func advice(_ error: BatonError) -> String {
        switch error.reason {
        case "peer_too_old": "Update Baton on that device."
        case "protocol_too_old": "Update Baton on this device."
        case "not_a_member", "not_a_member_there", "revoked_here": "Pair the two devices again."
        default: "Update Baton on both devices."
        }
    }

    private func list(_ instance: PresenceFindings.Instance) -> String {
        instance.addresses.prefix(4).map(\.description).joined(separator: ", ")
    }

    private func ago(_ date: Date) -> String { "\(span(since: date)) ago" }

    private func span(since date: Date) -> String {
        let seconds = max(0, Int(now.timeIntervalSince(date)))
        switch seconds {
        case 0..<2: return "a moment"
        case 2..<120: return "\(seconds) seconds"
        case 120..<7200: return "\(seconds / 60) minutes"
        default: return "\(seconds / 3600) hours"
        }
    }
}
