package import BatonCore
package import BatonWire
package import Crypto
import Foundation

/// The members of an account: a set of signed statements that only grows, and the conclusions from it.
///
/// Any two devices that hold the same statements come to the same verdicts, in whatever order the statements came.
///
/// - The **genesis** is the one statement that the root key may make: it adds the first device. It is fixed when the
///   value is made, so a stolen root key adds no device.
/// - Each signer's statements form a chain: numbered from 1, each naming the hash of the one before.
/// - A statement is kept once its signer's key is known (from a statement that added the signer), its signature is
///   right, and its predecessor is kept. A **revocation** does not need its predecessor, so that a refused or withheld
///   statement cannot keep it from spreading; it needs the key of the device that it names, so that none can fill an
///   account with revocations of devices that do not exist. A statement that comes too early is **pending**; anything
///   else is refused individually. The decision uses only the set itself, so it does not depend on the order either.
/// - An addition **counts** when its signer was itself added by one that counts, and
///   - the signer is not revoked, and the statement is before any fork of the signer's chain (two statements with one
///     number: a stolen key or a restored copy of the device; which branch is honest is not known, so neither adds);
///   - or the signer is revoked, and the statement is in the part of its chain that *every* revocation of it names by
///     number and hash. Statements that a stolen device adds or repeats later, however dated, are outside of that part.
/// - A revocation counts always, even when its signer is revoked: two devices that revoke each other are both out. This
///   fails safe: a thief can end an account's trust, never enter it. A revoked identifier is revoked for good.
/// - A **member** was added by an addition that counts, and is not revoked.
///
/// Bounds: ``maximumDevices``, ``maximumStatements``, ``maximumBytes``, and per signer ``maximumOfSigner`` and
/// ``maximumBytesOfSigner``. The first revocation of each device is outside all of these, in a reserve of its own:
/// whatever a stolen device has filled, it can be revoked, everywhere. Statements beyond the bounds are refused with
/// `resource_exhausted`; devices that reach a bound at the same time may differ in which statement they refused.
package struct Membership: Sendable {
    /// Devices ever added, revoked ones included.
    package static let maximumDevices = 1024
    /// The reserve included.
    package static let maximumStatements = 4096
    /// The reserve included; so that the whole of it, with the names of all devices, travels in one message of the link.
    package static let maximumBytes = 3 << 20
    /// One revocation of each device, of at most ``maximumReservedSize``.
    package static let revocationReserve = maximumDevices
    package static let maximumReservedSize = 512
    /// So that one stolen device does not use up what the others need.
    package static let maximumOfSigner = 1024
    package static let maximumBytesOfSigner = 1 << 20
    /// Statements that wait for another. Beyond it the oldest is dropped; it comes again with the next exchange.
    package static let maximumPending = 256
    package static let maximumPendingBytes = 1 << 20

    package let accountID: AccountID
    package let rootKey: P256.Signing.PublicKey

    /// In an order in which each follows those that it needs.
    private(set) var statements: [MembershipStatement] = []
    private(set) var index: [[UInt8]: Int] = [:]
    private(set) var chains: [DeviceID: SignerChain] = [:]
    /// The keys of all devices ever added.
    private(set) var keys: [DeviceID: P256.Signing.PublicKey] = [:]
    private(set) var pending: [MembershipStatement] = []
    /// Devices whose place in the reserve is taken.
    private var reserved: Set<DeviceID> = []
    /// The usage outside of the reserve.
    private var used = Usage()
    private var usedBySigner: [MembershipStatement.Signer: Usage] = [:]
    private(set) var standing = Standing()

    /// The account as it begins.
    /// - Throws: `invalid_argument` or `permission_denied` when `genesis` is not the root key's addition of a device.
    package init(
        rootKey: P256.Signing.PublicKey, genesis: Baton_Link_V1_SignedStatement
    ) throws(BatonError) {
        accountID = AccountID(rootKey: rootKey)
        self.rootKey = rootKey
        let statement = try MembershipStatement(genesis, account: accountID)
        guard statement.signer == .root, statement.sequence == 1,
            case .add(let device, let certificate) = statement.kind,
            statement.isSigned(by: rootKey)
        else {
            throw BatonError(.invalidArgument, reason: "invalid_genesis", "The account's first statement is not valid.")
        }
        keys[device] = try Self.checkedKey(
            of: device, certificate: certificate, issuer: accountID.rawValue, issuerKey: rootKey)
        keep(statement)
        standing = evaluate()
    }

    /// The whole of an account as another device sends it.
    /// - Throws: as ``init(rootKey:genesis:)``; `invalid_argument` when there is not exactly one genesis.
    package init(rootKey: P256.Signing.PublicKey, statements: [Baton_Link_V1_SignedStatement]) throws(BatonError) {
        let account = AccountID(rootKey: rootKey)
        let genesis = statements.prefix(Self.maximumStatements).filter {
            (try? MembershipStatement($0, account: account))?.signer == .root
        }
        guard genesis.count == 1, let first = genesis.first else {
            throw BatonError(
                .invalidArgument, reason: "invalid_genesis", "The account does not have exactly one first statement.")
        }
        try self.init(rootKey: rootKey, genesis: first)
        merge(statements)
    }

    /// All kept statements, each after those that it needs.
    package var messages: [Baton_Link_V1_SignedStatement] { statements.map(\.message) }

    package struct MergeOutcome: Sendable {
        /// Statements that are kept now and were not before.
        package var added = 0
        package var pending = 0
        package var refusedCount = 0
        /// Why, for the first few that were refused.
        package var refusals: [BatonError] = []
    }

    /// Takes in statements in any order, any number of times.
    @discardableResult
    package mutating func merge(_ messages: [Baton_Link_V1_SignedStatement]) -> MergeOutcome {
        var outcome = MergeOutcome()
        var ready = pending
        pending = []
        for message in messages.prefix(2 * Self.maximumStatements) {
            do throws(BatonError) {
                ready.append(try MembershipStatement(message, account: accountID))
            } catch {
                outcome.refuse(error)
            }
        }
        takeIn(ready, &outcome)
        if outcome.added > 0 { standing = evaluate() }
        outcome.pending = pending.count
        return outcome
    }

    /// Keeps what can be kept. Each statement is tried once, and once more after the one that it waited for came.
    private mutating func takeIn(_ candidates: [MembershipStatement], _ outcome: inout MergeOutcome) {
        var ready = candidates
        var next = 0
        var waiting: [Prerequisite: [Int]] = [:]
        while next < ready.count {
            let position = next
            let statement = ready[position]
            next += 1
            guard index[statement.hash] == nil else { continue }
            do throws(BatonError) {
                if let prerequisite = try accept(statement) {
                    waiting[prerequisite, default: []].append(position)
                    continue
                }
            } catch {
                outcome.refuse(error)
                continue
            }
            outcome.added += 1
            ready += (waiting.removeValue(forKey: .statement(statement.hash)) ?? []).map { ready[$0] }
            if case .add(let device, _) = statement.kind {
                ready += (waiting.removeValue(forKey: .key(device)) ?? []).map { ready[$0] }
            }
        }
        pending = Self.bounded(waiting.values.joined().sorted().map { ready[$0] })
    }

    private enum Prerequisite: Hashable {
        case key(DeviceID)
        case statement([UInt8])
    }

    /// Keeps the statement, or returns what it waits for.
    private mutating func accept(_ statement: MembershipStatement) throws(BatonError) -> Prerequisite? {
        guard case .device(let signer) = statement.signer else {
            throw Self.refusal("foreign_genesis", "The root key made a second statement; it is not believed.")
        }
        guard let key = keys[signer] else { return .key(signer) }
        guard statement.isSigned(by: key) else {
            throw Self.refusal("bad_signature", "A statement's signature does not match its signer's key.")
        }
        if case .revoke(let device, _, _) = statement.kind {
            guard keys[device] != nil else { return .key(device) }
        } else if statement.sequence > 1 {
            guard let place = index[statement.previous] else { return .statement(statement.previous) }
            guard statement.follows(statements[place]) else {
                throw Self.refusal("broken_chain", "A statement does not continue its signer's chain.")
            }
        }
        var added: (DeviceID, P256.Signing.PublicKey)?
        if case .add(let device, let certificate) = statement.kind {
            added = (
                device,
                try Self.checkedKey(of: device, certificate: certificate, issuer: signer.rawValue, issuerKey: key)
            )
        }
        try checkRoom(for: statement)
        if let (device, key) = added { keys[device] = key }
        keep(statement)
        return nil
    }

    private mutating func keep(_ statement: MembershipStatement) {
        index[statement.hash] = statements.count
        statements.append(statement)
        if let device = needsReserve(statement) {
            reserved.insert(device)
        } else {
            used.add(statement)
            usedBySigner[statement.signer, default: Usage()].add(statement)
        }
        if case .device(let signer) = statement.signer {
            chains[signer, default: SignerChain()].append(statement)
        }
    }

    /// - Throws: `resource_exhausted` at a bound.
    func checkRoom(for statement: MembershipStatement) throws(BatonError) {
        if needsReserve(statement) != nil { return }
        var deviceFits = true
        if case .add(let device, _) = statement.kind {
            deviceFits = keys.count < Self.maximumDevices || keys[device] != nil
        }
        let reservedBytes = Self.revocationReserve * Self.maximumReservedSize
        guard deviceFits,
            used.fits(statement, Self.maximumStatements - Self.revocationReserve, Self.maximumBytes - reservedBytes)
        else {
            throw BatonError(
                .resourceExhausted, reason: "membership_full",
                "The account has had as many devices and changes as it can hold. Make a new account.")
        }
        let ofSigner = usedBySigner[statement.signer] ?? Usage()
        guard ofSigner.fits(statement, Self.maximumOfSigner, Self.maximumBytesOfSigner) else {
            throw BatonError(
                .resourceExhausted, reason: "signer_full",
                "One device has made as many changes to the account as it may. Use another device of the account.")
        }
    }

    /// The device whose place in the reserve the statement would take; nil for a statement that takes none.
    private func needsReserve(_ statement: MembershipStatement) -> DeviceID? {
        guard case .revoke(let device, _, _) = statement.kind, statement.size <= Self.maximumReservedSize,
            keys[device] != nil, !reserved.contains(device)
        else { return nil }
        return device
    }

    /// The key in a device's certificate, after checking its issuer and its subject.
    private static func checkedKey(
        of device: DeviceID, certificate: [UInt8], issuer: String, issuerKey: P256.Signing.PublicKey
    ) throws(BatonError) -> P256.Signing.PublicKey {
        let certificate = try DeviceCertificate(der: certificate)
        guard certificate.deviceID == device, certificate.issuer == issuer, certificate.isSigned(by: issuerKey) else {
            throw refusal("bad_certificate", "A device's certificate is not its sponsor's, or not that device's.")
        }
        return certificate.key
    }

    private static func bounded(_ waiting: [MembershipStatement]) -> [MembershipStatement] {
        var bytes = 0
        let kept = waiting.suffix(maximumPending).reversed().prefix { statement in
            bytes += statement.size
            return bytes <= maximumPendingBytes
        }
        return Array(kept.reversed())
    }

    private static func refusal(_ reason: String, _ message: String) -> BatonError {
        BatonError(.permissionDenied, reason: reason, message)
    }
}

/// How much statements take.
private struct Usage: Sendable {
    var count = 0
    var bytes = 0

    mutating func add(_ statement: MembershipStatement) {
        count += 1
        bytes += statement.size
    }

    func fits(_ statement: MembershipStatement, _ maximumCount: Int, _ maximumBytes: Int) -> Bool {
        count < maximumCount && bytes + statement.size <= maximumBytes
    }
}

extension Membership.MergeOutcome {
    fileprivate mutating func refuse(_ error: BatonError) {
        refusedCount += 1
        if refusals.count < 8 { refusals.append(error) }
    }
}

/// One signer's statements by number. More than one under a number is a fork. Numbers may be missing before a revocation,
/// which is kept without its predecessor.
struct SignerChain: Sendable {
    private(set) var bySequence: [UInt64: [[UInt8]]] = [:]
    /// Up to which number none is missing.
    private(set) var last: UInt64 = 0
    private(set) var firstFork: UInt64?

    mutating func append(_ statement: MembershipStatement) {
        bySequence[statement.sequence, default: []].append(statement.hash)
        while bySequence[last + 1] != nil { last += 1 }
        if bySequence[statement.sequence, default: []].count > 1 {
            firstFork = min(firstFork ?? .max, statement.sequence)
        }
    }

    /// The end of the part that every branch shares.
    var lastUnforked: (sequence: UInt64, hash: [UInt8]) {
        let sequence = min(last, firstFork.map { $0 - 1 } ?? last)
        return (sequence, bySequence[sequence]?.first ?? [])
    }

    /// Where the signer's next statement goes: after the longest branch.
    var end: (sequence: UInt64, hash: [UInt8]) {
        (last, bySequence[last]?.max { $0.lexicographicallyPrecedes($1) } ?? [])
    }
}
