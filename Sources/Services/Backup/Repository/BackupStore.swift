package import BatonCore
package import Foundation

/// The kinds of objects at a target, each under names of its own.
package enum BackupObject: String, Hashable, Sendable, CaseIterable {
    case pack = "packs"
    case snapshot = "snapshots"
    case forgotten = "forgotten"
    case intent = "intents"
    case mark = "marks"
    /// The account's content keys, sealed to each member and to the recovery key.
    case key = "keys"
    /// The account's statements of membership, which are signed and no secret.
    case account = "account"
}

/// Where a backup is: a directory, or the account's cloud. Small, so that a target lies in no part of the format.
///
/// Names are of digits, Latin letters, `.` and `-`. A call blocks. A written object is there for every later reader, and
/// survives a loss of power; an object is there whole or not at all.
package protocol BackupStore: Sendable {
    /// - Throws: `unavailable` (`target_away`) when the target is not there.
    func check() throws(BatonError)
    func names(_ kind: BackupObject) throws(BatonError) -> [String]
    /// - Throws: `not_found` when there is none, `data_loss` when it is larger than `limit`.
    func read(_ kind: BackupObject, _ name: String, limit: Int) throws(BatonError) -> [UInt8]
    /// Exactly so many bytes.
    /// - Throws: `not_found` when there is none, `data_loss` when it ends before.
    func read(_ kind: BackupObject, _ name: String, from offset: UInt64, count: Int) throws(BatonError) -> [UInt8]
    /// Replaces what is there.
    func write(_ kind: BackupObject, _ name: String, _ bytes: [UInt8]) throws(BatonError)
    /// Replaces what is there by the parts that `parts` gives one after the other.
    func write(
        _ kind: BackupObject, _ name: String, size: UInt64,
        parts: (_ put: (Data) throws(BatonError) -> Void) throws(BatonError) -> Void
    ) throws(BatonError)
    /// One that is not there is as good as removed.
    func remove(_ kind: BackupObject, _ name: String) throws(BatonError)
    /// Writes one object, and then removes the one of that name of another kind.
    func write(
        _ kind: BackupObject, _ name: String, _ bytes: [UInt8], removing removed: BackupObject
    ) throws(BatonError)
    /// Whether objects are there whose names this device cannot even read. Nothing is collected then.
    func hasUnreadable() throws(BatonError) -> Bool
    /// Whether parts of one object are as well read side by side: from a disk, and not where what is beside a part comes with it.
    var isReadInParallel: Bool { get }
    /// Removes what writes that were killed left behind a day ago.
    /// - Parameter now: milliseconds since 1970.
    func removeRemains(now: UInt64)
    /// Ends what the store holds open.
    func close()
}

extension BackupStore {
    package func write(
        _ kind: BackupObject, _ name: String, size: UInt64,
        parts: (_ put: (Data) throws(BatonError) -> Void) throws(BatonError) -> Void
    ) throws(BatonError) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(clamping: size))
        try parts { (part: Data) throws(BatonError) in bytes += part }
        try write(kind, name, bytes)
    }

    package func write(
        _ kind: BackupObject, _ name: String, _ bytes: [UInt8], removing removed: BackupObject
    ) throws(BatonError) {
        try write(kind, name, bytes)
        try remove(removed, name)
    }

    package func hasUnreadable() throws(BatonError) -> Bool { false }

    package var isReadInParallel: Bool { false }

    package func removeRemains(now: UInt64) {}

    package func close() {}

    static func isName(_ name: String) -> Bool {
        (1...200).contains(name.utf8.count) && name.first != "."
            && name.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
                    || $0 == 0x2E
            }
    }
}
