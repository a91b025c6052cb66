import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// The device that a person names with `--to`.
///
/// Names of own devices and contacts are reserved: each means that device, though anybody nearby may call
/// itself the same, above all while it is away. A stranger is meant only when none of the person's own is called so,
/// and then the person says that they mean a stranger.
struct NamedPeer {
    /// A device that the person knows, near or not.
    struct Known: Hashable {
        let id: String
        let name: String
        let relation: PeerRelation
    }

    /// How the person named it.
    let text: String
    /// Only strangers are meant.
    let isStranger: Bool

    func find(_ session: CommandSession) async throws -> Baton_Control_V1_NearbyPeer {
        let (known, revoked) = isStranger ? ([], []) : try await Self.known(session)
        let meant = try one(known.map { ($0.id, $0.name, $0) }, among: \.id)
        // The device that answers to this name now is not the device that it was.
        if meant == nil, let gone = SpokenName.best(text, among: revoked, name: { $0 }).first {
            throw Self.revoked(gone)
        }
        if meant?.relation == .ownDevice, await Self.isRevoked(session) { throw Self.thisRevoked }
        let peers = try await NearbyPeers.look(for: patience(known), subject: text, session) { peers in
            if let meant { return peers.contains { Self.is($0, meant) } }
            return strangers(peers).count { $0.id == text || $0.name.lowercased() == text.lowercased() } == 1
        }
        if let meant {
            guard let peer = peers.first(where: { Self.is($0, meant) }) else { throw away(meant) }
            return peer
        }
        let others = strangers(peers)
        guard let peer = try one(others.map { ($0.id, $0.name, $0) }, among: \.id) else {
            throw missing(peers, known)
        }
        if !isStranger { try await confirm(peer, session) }
        return peer
    }

    /// How long a device is looked for. A name that is almost a known one is likely mistyped.
    func patience(_ known: [Known]) -> Duration {
        let isKnown = known.contains { SpokenName.fit(text, $0.name) != nil }
        let isLikeOne = SpokenName.closest(to: text, among: known.map(\.name)) != nil
        return isLikeOne && !isKnown ? .seconds(2) : .seconds(8)
    }

    private func strangers(_ peers: [Baton_Control_V1_NearbyPeer]) -> [Baton_Control_V1_NearbyPeer] {
        peers.filter { $0.relation == .stranger }
    }

    private static func `is`(_ peer: Baton_Control_V1_NearbyPeer, _ known: Known) -> Bool {
        peer.id == known.id && peer.relation == known.relation
    }

    /// - Returns: also the names of own devices that were revoked.
    private static func known(_ session: CommandSession) async throws -> (known: [Known], revoked: [String]) {
        var known: [Known] = []
        var revoked: Set<String> = []
        do {
            let devices = try await session.call(ControlMethods.listDevices, .init()).devices
                .filter { !$0.thisDevice && !$0.recoveryKey }
            revoked = Set(devices.filter(\.revoked).map(\.name).filter { !$0.isEmpty })
            known = devices.filter { !$0.revoked }.map {
                Known(id: $0.deviceID, name: $0.name, relation: .ownDevice)
            }
        } catch let error as BatonError where error.code == .failedPrecondition || error.code == .notFound {
            // Without an account there are no own devices; sending needs none.
        }
        let contacts = try await session.call(AirDropMethods.listContacts, .init()).contacts
        known += contacts.map { Known(id: $0.id, name: $0.name, relation: .contact) }
        return (known, revoked.sorted())
    }

    // MARK: Matching

    /// The one that is named: by its whole name or identifier, else by the beginning of either or of a word of the name.
    /// - Throws: `invalid_argument` when it is more than one.
    private func one<Named>(
        _ candidates: [(id: String, name: String, value: Named)], among key: KeyPath<Named, String>
    ) throws -> Named? {
        let wanted = text.lowercased()
        let exact = candidates.filter { $0.name.lowercased() == wanted || $0.id == text }
        let found =
            exact.isEmpty
            ? candidates.filter {
                SpokenName.fit(text, $0.name) != nil || wanted.count >= 4 && $0.id.lowercased().hasPrefix(wanted)
            }
            : exact
        guard found.count < 2 else {
            let ids = found.map { "\($0.name) (\($0.id.prefix(12)))" }.joined(separator: ", ")
            throw BatonError(
                .invalidArgument, reason: "ambiguous_peer",
                "“\(text)” is more than one device. Name one by its identifier: \(ids).")
        }
        return found.first?.value
    }

    // MARK: Answers

    private func confirm(_ peer: Baton_Control_V1_NearbyPeer, _ session: CommandSession) async throws {
        guard session.context.terminal.isInputInteractive, !session.isJSON else {
            throw BatonError(
                .failedPrecondition, reason: "peer_is_stranger",
                "\(PeerRelation.quoted(peer.name)) is neither an own device nor a contact: anybody nearby can call itself so. "
                    + "Repeat the command with --stranger to send to it.")
        }
        try session.remark(
            "\(PeerRelation.quoted(peer.name)) is neither an own device nor a contact: anybody nearby can call itself so."
        )
        session.context.discardTypedInput()
        try session.context.standardError.write("Send to this stranger? Type y or n, then Enter: ")
        var lines = session.context.input.lines().makeAsyncIterator()
        guard let line = await lines.next(), Answer(line) == .yes else {
            throw CommandFailure.declined("Nothing was sent.")
        }
    }

    private static func revoked(_ name: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "peer_revoked",
            "\(PeerRelation.quoted(name)) was revoked: it is not one of your devices any more, so nothing is sent to it. “baton "
                + "pair” on both lets it join again. A stranger of this name is meant only with --stranger.")
    }

    private static func isRevoked(_ session: CommandSession) async -> Bool {
        (try? await session.call(ControlMethods.getStatus, .init()))?.revoked == true
    }

    private static let thisRevoked = BatonError(
        .failedPrecondition, reason: "device_revoked",
        "This device was revoked: your other devices do not take it for one of yours any more. “baton pair” on both "
            + "lets it join again.")

    private func away(_ known: Known) -> BatonError {
        let subject = known.relation.beginning(known.name)
        let advice =
            known.relation == .ownDevice
            ? "“baton explain device \(known.name)” says why."
            : "“baton explain airdrop \(known.name)” says why."
        return BatonError(
            .notFound, reason: "peer_away",
            "\(subject) is not nearby. \(advice) A stranger of this name is meant only with --stranger.")
    }

    private func missing(_ peers: [Baton_Control_V1_NearbyPeer], _ known: [Known]) -> BatonError {
        let names = (isStranger ? strangers(peers) : peers).map { "\($0.name) (\($0.relation.label))" }
        let subject = isStranger ? "No stranger's device shows itself" : "No device shows itself"
        let near =
            names.isEmpty
            ? "\(subject) to this one. Run “baton airdrop everyone” there."
            : "Nearby: \(names.joined(separator: ", "))."
        let meant = SpokenName.meant(text, among: Set(peers.map(\.name) + known.map(\.name)).sorted())
        return BatonError(
            .notFound, reason: "peer_not_found",
            "No device nearby is called “\(text)”. \(meant)\(near)")
    }
}
