package import BatonCore
package import BatonWire
package import Crypto
import Foundation
import SwiftProtobuf

/// All generations of the account's content keys that a device knows, and the keys derived from them.
///
/// - The **first** generation and the key of names follow from one secret, which every device gets when it joins.
/// - A further generation is kept when its issuer's signature holds, and every device that it names as revoked is
///   revoked here too. So a holder of a generation would hand it to none of the devices that it names; and a device
///   that hands keys to members only never hands one to a device that it names.
/// - A generation is **usable** for sealing when a member issued it (or it is the first), and it names exactly the
///   devices that are revoked now. The newest usable one is used, by counter, then by identifier: the same one on every
///   device that has the same statements and generations. Every generation opens items that were sealed under it.
///
/// Bounds: ``maximumCount`` and ``maximumBytes``; one issuer may use half of the common room. A reserve is kept for a
/// usable generation where there is none: whatever a stolen device has filled, the others can continue without it.
/// Generations beyond the bounds are refused.
package struct KeyRing: Sendable {
    /// Generations besides the first, the reserve included.
    package static let maximumCount = 256
    package static let reserveCount = 64
    /// Limit in a message, the reserve included: the rest of the link's message of membership.
    package static let maximumBytes = 256 << 10
    package static let reserveBytes = 64 << 10
    /// Generations that wait for statements. Beyond it the oldest is dropped; it comes again with the next exchange.
    package static let maximumPending = 32
    package static let maximumPendingBytes = 128 << 10

    package let account: AccountID
    /// 32 bytes. They give access to the first generation and the key of names. Never logged.
    package let secret: [UInt8]
    package let first: ContentKey
    let namingKey: SymmetricKey
    /// By what contents of documents are cut: 2048 bytes that follow from the secret.
    package var gearKey: [UInt8] { ContentKey.derive("baton-gear-v1", from: secret, 2048) }
    /// Without the first; the oldest first.
    private(set) var others: [ContentKey] = []
    private var index: [ContentKey.ID: ContentKey] = [:]
    private(set) var pending: [Baton_Link_V1_ContentKey] = []
    private var bytes = 0

    /// As the account begins.
    /// - Parameter secret: the random secret of the account's first device.
    /// - Throws: `invalid_argument` unless it has 32 bytes.
    package init(account: AccountID, secret: [UInt8]) throws(BatonError) {
        guard secret.count == ContentKey.size else {
            throw BatonError(.invalidArgument, reason: "invalid_content_key", "A content key must have 32 bytes.")
        }
        self.account = account
        self.secret = secret
        first = ContentKey(firstOf: secret)
        namingKey = SymmetricKey(data: ContentKey.derive("baton-naming-v1", from: secret, 32))
    }

    /// As this device stored it.
    /// - Throws: `invalid_argument` when it is malformed.
    package init(
        account: AccountID, secret: [UInt8], restoring messages: [Baton_Link_V1_ContentKey]
    ) throws(BatonError) {
        try self.init(account: account, secret: secret)
        for message in messages {
            let key = try ContentKey(message, account: account)
            if index[key.id] == nil { keep(key) }
        }
    }

    // MARK: Reading

    package func generation(_ id: ContentKey.ID) -> ContentKey? { id == first.id ? first : index[id] }

    /// The oldest first.
    package var generations: [ContentKey] { [first] + others }

    /// The generations for other members, without the secret. They are sent to members only.
    package var messages: [Baton_Link_V1_ContentKey] { others.compactMap(\.message) }

    /// The generation to seal under now; nil when a device or the newest generation's issuer was revoked since it was
    /// made.
    package func usable(in membership: Membership) -> ContentKey? {
        let revoked = membership.revoked
        for key in others.reversed() where key.revoked == revoked {
            if let issuer = key.issuer, membership.isMember(issuer) { return key }
        }
        return revoked.isEmpty ? first : nil
    }

    // MARK: Changing

    package struct MergeOutcome: Sendable {
        /// Generations that are kept now and were not before.
        package var added = 0
        /// They name devices of whose revocation, or an issuer of which, nothing is known yet.
        package var waiting = 0
        package var refusedCount = 0
    }

    /// Takes in generations in any order, any number of times, after the statements that came with them.
    @discardableResult
    package mutating func merge(_ messages: [Baton_Link_V1_ContentKey], membership: Membership) -> MergeOutcome {
        var outcome = MergeOutcome()
        let candidates = pending + messages.prefix(2 * Self.maximumCount)
        pending = []
        for message in candidates where message.statement.count <= ContentKey.maximumStatementSize {
            guard generation(ContentKey.id(of: message)) == nil else { continue }
            switch Self.judge(message, membership) {
            case .keep(let key) where hasRoom(for: key, membership):
                keep(key)
                outcome.added += 1
            case .keep, .refuse: outcome.refusedCount += 1
            case .wait(let message): if !pending.contains(message) { pending.append(message) }
            }
        }
        pending = Self.bounded(pending)
        outcome.waiting = pending.count
        return outcome
    }

    /// Makes a generation, when there is none that can be sealed under.
    /// - Parameter random: that many random bytes.
    /// - Returns: true when one was made: it is to be stored before it is used, and handed to the other members.
    /// - Throws: `failed_precondition` when this device is no member; `resource_exhausted` at a bound.
    package mutating func makeIfNeeded(
        by issuer: P256.Signing.PrivateKey, membership: Membership, random: (Int) -> [UInt8]
    ) throws(BatonError) -> Bool {
        guard membership.isMember(DeviceID(key: issuer.publicKey)) else {
            throw BatonError(
                .failedPrecondition, reason: "not_a_member", "This device does not belong to the account any more.")
        }
        guard usable(in: membership) == nil else { return false }
        let greatest = others.last?.counter ?? 0
        let key = try ContentKey.make(
            account: account, counter: greatest == .max ? .max : greatest + 1, revoked: membership.revoked,
            key: random(ContentKey.size), issuer: issuer)
        guard hasRoom(for: key, membership) else {
            throw BatonError(
                .resourceExhausted, reason: "content_keys_full",
                "The account has had as many content keys as it can hold. Make a new account.")
        }
        keep(key)
        return true
    }

    // MARK: Judging

    private enum Verdict {
        case keep(ContentKey)
        case wait(Baton_Link_V1_ContentKey)
        case refuse
    }

    private static func judge(_ message: Baton_Link_V1_ContentKey, _ membership: Membership) -> Verdict {
        guard let key = try? ContentKey(message, account: membership.accountID), let issuer = key.issuer,
            let known = key.message
        else { return .refuse }
        // The issuer may be any device ever added: items sealed before its revocation must still open.
        guard let issuerKey = membership.key(of: issuer) else { return .wait(known) }
        guard key.isSigned(by: issuerKey) else { return .refuse }
        guard key.revoked.isSubset(of: membership.revoked) else { return .wait(known) }
        return .keep(key)
    }

    private func hasRoom(for key: ContentKey, _ membership: Membership) -> Bool {
        let ofIssuer = others.filter { $0.issuer == key.issuer }
        let commonCount = Self.maximumCount - Self.reserveCount
        let commonBytes = Self.maximumBytes - Self.reserveBytes
        if others.count < commonCount, bytes + key.size <= commonBytes, ofIssuer.count < commonCount / 2,
            ofIssuer.reduce(key.size, { $0 + $1.size }) <= commonBytes / 2
        {
            return true
        }
        guard let issuer = key.issuer, membership.isMember(issuer), key.revoked == membership.revoked,
            usable(in: membership) == nil
        else { return false }
        return others.count < Self.maximumCount && bytes + key.size <= Self.maximumBytes
    }

    private mutating func keep(_ key: ContentKey) {
        let place = others.firstIndex { Self.isOlder(key, $0) } ?? others.endIndex
        others.insert(key, at: place)
        index[key.id] = key
        bytes += key.size
    }

    private static func isOlder(_ left: ContentKey, _ right: ContentKey) -> Bool {
        left.counter != right.counter ? left.counter < right.counter : left.id < right.id
    }

    private static func bounded(_ waiting: [Baton_Link_V1_ContentKey]) -> [Baton_Link_V1_ContentKey] {
        var bytes = 0
        let kept = waiting.suffix(maximumPending).reversed().prefix { message in
            bytes += message.statement.count
            return bytes <= maximumPendingBytes
        }
        return Array(kept.reversed())
    }
}
