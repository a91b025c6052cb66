package import BatonCore
package import Crypto

/// A device that belongs, or did, to an account.
package struct DeviceRecord: Sendable {
    package let id: DeviceID
    package let key: P256.Signing.PublicKey
    /// In DER.
    package let certificate: [UInt8]
    /// The device that admitted it; nil for the account's first device.
    package let sponsor: DeviceID?
    /// When, by the sponsor's clock.
    package let added: HybridTimestamp
}

extension Membership {
    /// The conclusions drawn from the statements.
    struct Standing: Sendable {
        /// Added by an addition that counts, revoked or not.
        var rooted: [DeviceID: DeviceRecord] = [:]
        var revoked: Set<DeviceID> = []
        var members: [DeviceID: DeviceRecord] = [:]
    }

    /// The devices that are trusted now.
    package func members() -> [DeviceID: DeviceRecord] { standing.members }

    package func isMember(_ device: DeviceID) -> Bool { standing.members[device] != nil }

    /// For good.
    package func isRevoked(_ device: DeviceID) -> Bool { standing.revoked.contains(device) }

    package var revoked: Set<DeviceID> { standing.revoked }

    /// When the device was revoked first, by the clock of the device that did it; nil for one that was not.
    package func revocation(of device: DeviceID) -> HybridTimestamp? {
        statements.compactMap { statement in
            if case .revoke(device, _, _) = statement.kind { statement.timestamp } else { nil }
        }.min()
    }

    /// A device that was admitted by the rules, whether or not it was revoked since.
    package func record(of device: DeviceID) -> DeviceRecord? { standing.rooted[device] }

    /// The key of any device that a kept statement names as added.
    package func key(of device: DeviceID) -> P256.Signing.PublicKey? { keys[device] }

    /// Two statements of one device have the same number: additions from there on do not count.
    package func isForked(_ device: DeviceID) -> Bool { chains[device]?.firstFork != nil }

    /// Additions by one signer that the rules let count, if the signer is rooted.
    private enum ValidPart {
        case before(UInt64)
        case named(Set<[UInt8]>)

        func contains(_ statement: MembershipStatement) -> Bool {
            switch self {
            case .before(let sequence): statement.sequence < sequence
            case .named(let hashes): hashes.contains(statement.hash)
            }
        }
    }

    func evaluate() -> Standing {
        var heads: [DeviceID: Set<ChainEnd>] = [:]
        var additions: [MembershipStatement.Signer: [MembershipStatement]] = [:]
        for statement in statements {
            switch statement.kind {
            case .add:
                additions[statement.signer, default: []].append(statement)
            case .revoke(let device, let sequence, let hash):
                heads[device, default: []].insert(ChainEnd(sequence: sequence, hash: hash))
            case .unknown: break
            }
        }
        var standing = Standing()
        standing.revoked = Set(heads.keys)
        var reached: [MembershipStatement.Signer] = [.root]
        while let signer = reached.popLast() {
            let valid = validPart(of: signer, heads: heads)
            for statement in additions[signer, default: []] where valid.contains(statement) {
                guard let record = record(statement) else { continue }
                if let known = standing.rooted[record.id] {
                    // Let in twice: the earlier record is shown, on every device the same.
                    if Self.order(record, known) { standing.rooted[record.id] = record }
                } else {
                    standing.rooted[record.id] = record
                    reached.append(.device(record.id))
                }
            }
        }
        standing.members = standing.rooted.filter { !standing.revoked.contains($0.key) }
        return standing
    }

    private func validPart(of signer: MembershipStatement.Signer, heads: [DeviceID: Set<ChainEnd>]) -> ValidPart {
        guard case .device(let device) = signer else { return .before(.max) }
        guard let heads = heads[device] else { return .before(chains[device]?.firstFork ?? .max) }
        return .named(commonPart(of: heads, signer: signer))
    }

    /// The statements from which every one of `ends` descends, or that are it. An end that is not known (yet), or is
    /// not what the revocation says of it, leaves nothing.
    private func commonPart(of ends: Set<ChainEnd>, signer: MembershipStatement.Signer) -> Set<[UInt8]> {
        guard let lowest = ends.min(by: { $0.sequence < $1.sequence }), lowest.sequence > 0 else { return [] }
        for end in ends {
            guard let place = index[end.hash], statements[place].signer == signer,
                statements[place].sequence == end.sequence
            else { return [] }
        }
        var shared = Set<[UInt8]>()
        var sequences: [[UInt8]: UInt64] = [:]
        walk(from: lowest.hash) { statement in
            shared.insert(statement.hash)
            sequences[statement.hash] = statement.sequence
            return true
        }
        var seen = Set<[UInt8]>()
        var limit = lowest.sequence
        for end in ends {
            var meeting: UInt64?
            var joinedSeen = false
            walk(from: end.hash) { statement in
                meeting = sequences[statement.hash]
                if meeting != nil { return false }
                joinedSeen = !seen.insert(statement.hash).inserted
                return !joinedSeen
            }
            // A walk that joins an earlier one meets where that one met, which is in `limit` already.
            if !joinedSeen { limit = min(limit, meeting ?? 0) }
        }
        return shared.filter { sequences[$0, default: .max] <= limit }
    }

    /// Visits a statement and those before it in its signer's chain, until `visit` returns false or one is missing.
    private func walk(from hash: [UInt8], _ visit: (MembershipStatement) -> Bool) {
        guard var place = index[hash] else { return }
        while visit(statements[place]) {
            // A revocation is kept whatever it names as its predecessor.
            guard let previous = index[statements[place].previous],
                statements[place].follows(statements[previous])
            else { return }
            place = previous
        }
    }

    private func record(_ statement: MembershipStatement) -> DeviceRecord? {
        guard case .add(let device, let certificate) = statement.kind, let key = keys[device] else { return nil }
        var sponsor: DeviceID?
        if case .device(let signer) = statement.signer { sponsor = signer }
        return DeviceRecord(
            id: device, key: key, certificate: certificate, sponsor: sponsor, added: statement.timestamp)
    }

    private static func order(_ left: DeviceRecord, _ right: DeviceRecord) -> Bool {
        left.added != right.added
            ? left.added < right.added : left.certificate.lexicographicallyPrecedes(right.certificate)
    }
}

/// Where a revocation says that the valid part of a chain ends.
private struct ChainEnd: Hashable {
    let sequence: UInt64
    let hash: [UInt8]
}
