package import BatonCore
package import Foundation

/// Rules for every driver of items, in addition to docs/cloud.md. Times are in milliseconds.
package struct StoreRules: Sendable {
    /// How long a deletion is remembered.
    package var retention: UInt64 = 90 * day
    /// How long the answer to a batch is remembered; a day at least.
    package var repetition: UInt64 = 2 * day
    /// How long a blob stays that no item names.
    package var grace: UInt64 = day
    /// Bytes of an account's items and blobs, where it has no quota of its own; 0 for no bound.
    package var quota: UInt64 = 10 << 30
    package var zonesPerAccount = 10_000
    /// While over quota, writes that do not grow the account are accepted until this many bytes await deletion: see
    /// ``checkWrite(used:leaving:growth:removes:own:)``.
    package var leavingOverQuota = 64 << 20
    /// The largest total size of items returned with a conflict; at least one item is returned.
    package var conflictBytes = 4 << 20
    package var clock: WallClock
    /// Makes random bytes, as many as requested.
    package var random: @Sendable (Int) -> Data
    /// Names the process that has the store open, for as long as it has: see ``ZoneHistory``.
    package private(set) var incarnation: UInt64 = 0

    private static let day: UInt64 = 86_400_000

    package init(clock: WallClock = .system, random: @escaping @Sendable (Int) -> Data = StoreRules.systemRandom) {
        self.clock = clock
        self.random = random
    }

    package static let epochLength = 16
    static let secretLength = 32

    /// Bytes that a remembered answer counts towards the account's quota: about the size of its row and index entries.
    package static let answerCost = 256

    /// For keys too: the system's generator.
    @Sendable package static func systemRandom(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The instant before which something is older than `age`.
    func cutoff(_ age: UInt64) -> UInt64 {
        let now = clock.milliseconds
        return now > age ? now - age : 0
    }

    /// For a store that is being opened.
    package func withNewIncarnation() -> StoreRules {
        var rules = self
        // 0 is no device.
        rules.incarnation = number(bytes: 8) | 1
        return rules
    }

    /// A random one.
    func number(bytes count: Int) -> UInt64 { random(count).reduce(0) { $0 << 8 | UInt64($1) } }

    // MARK: Refusals

    /// - Throws: `resource_exhausted` when the write grows the account beyond its quota. Writes that shrink it always
    ///   pass.
    /// - Parameter own: the account's own quota, before that of all.
    func checkQuota(used: Int, growth: Int, own: UInt64?) throws(BatonError) {
        let quota = own ?? quota
        guard growth > 0, quota > 0, used + growth > Int(clamping: quota) else { return }
        throw BatonError(
            .resourceExhausted, reason: "quota_exceeded",
            "The account may keep \(ByteSize.text(quota)) and has \(ByteSize.text(used)). Remove something (“baton documents purge” "
                + "removes deleted documents for good), or ask for more room. A zone that was "
                + "deleted counts until all of it is gone, which takes a minute or more, and each batch \(Self.answerCost) "
                + "bytes until its answer is forgotten, which takes days.")
    }

    /// Checks a batch, which also leaves an answer behind. Over quota, writes that do not grow the account are accepted
    /// up to a limit; otherwise a client that rewrites the same bytes for ever would fill the disk with answers.
    /// - Parameters:
    ///   - leaving: bytes of `used` that await deletion, of deleted zones and old answers.
    ///   - removes: whether it deletes something.
    /// - Throws: `resource_exhausted`.
    func checkWrite(used: Int, leaving: Int, growth: Int, removes: Bool, own: UInt64?) throws(BatonError) {
        guard growth > 0 || leaving >= leavingOverQuota else { return }
        let spare = removes && growth > 0 ? Self.removingOverQuota : 0
        try checkQuota(used: max(0, used - spare), growth: growth + Self.answerCost, own: own)
    }

    /// The record of a deletion may be larger than what it deletes, and would keep a full account full: batches with a deletion may
    /// exceed the quota by so many bytes in all.
    package static let removingOverQuota = 256 << 10

    /// - Throws: `failed_precondition` for a size that is not what the blob is known with.
    static func checkSize(_ size: UInt64, of known: BlobRecord?) throws(BatonError) {
        guard let known, known.standing != .removing, known.size != size else { return }
        throw otherSize(known.size)
    }

    func checkZones(_ count: Int) throws(BatonError) {
        guard count < zonesPerAccount else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_zones",
                "The account has \(count) zones, as many as it may. Delete one first.")
        }
    }

    package static let unknownAccount = BatonError(
        .unauthenticated, reason: "unknown_account", "This server has no such account. Register it.")
    static let unknownZone = BatonError(
        .notFound, reason: "unknown_zone", "There is no such zone. Its first write creates it.")
    static let repeatedKey = BatonError(
        .invalidArgument, reason: "idempotency_key_reused",
        "Another batch was written under this idempotency key. Make a new key for each batch.")
    static let membershipChanged = BatonError(
        .aborted, reason: "membership_changed", "The account's membership has just changed. Try again.")
    static let missingBlob = BatonError(
        .failedPrecondition, reason: "blob_missing", "An item names a blob that was not uploaded. Upload it first.")
    static let blobBeingCollected = BatonError(
        .aborted, reason: "blob_being_collected",
        "The blob is being removed just now, since nothing named it. Upload it again in a moment.")
    static func otherSize(_ size: UInt64) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "other_size",
            "The blob was begun with a size of \(size) bytes. Say the same size with every part.")
    }
    static let accountExists = BatonError(
        .alreadyExists, reason: "account_exists", "The account is registered already.")
    static let notFirst = BatonError(
        .permissionDenied, reason: "invitation_needed",
        "This server has an account, and registers others by invitation. Ask its operator for one: “baton-cloud invite”."
    )
    static let usedUp = BatonError(
        .permissionDenied, reason: "used_already", "That was used already, and is good for one use. Ask for a new one.")
}
