import BatonCore
import Foundation

/// A place in the changes of a database or a zone: 16 bytes of its identity, the number of the change in 8, and within a change that is
/// told in several pages the name of the record after which it goes on.
///
/// Apps keep it as it is. One of another replica, or one that somebody made up, is refused: never a crash.
struct ReplicaToken: Hashable, Sendable {
    var identity: Data
    var sequence: Int64
    /// Empty: all records of the change were told.
    var after = ""

    var bytes: Data { identity + Self.bytes(of: sequence) + Data(after.utf8) }

    /// The change of which the first is told that was not: names are not empty.
    var first: Int64 { after.isEmpty ? sequence + 1 : sequence }

    /// Compares as the number does.
    static func bytes(of sequence: Int64) -> Data {
        withUnsafeBytes(of: UInt64(clamping: sequence).bigEndian) { Data($0) }
    }

    init(identity: Data, sequence: Int64, after: String = "") {
        (self.identity, self.sequence, self.after) = (identity, sequence, after)
    }

    /// - Parameter last: the number of the last change: no token can be of a later one.
    /// - Throws: `change_token_expired` for one of another place.
    init(_ bytes: Data, identity: Data, last: Int64) throws(BatonError) {
        let bytes = Data(bytes)
        guard bytes.count >= 24, bytes.count <= 24 + 255, bytes.prefix(16) == identity else {
            throw RecordsError.tokenExpired
        }
        let number = bytes[16..<24].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let sequence = Int64(exactly: number), sequence <= last,
            let after = String(validating: bytes[24...], as: UTF8.self)
        else { throw RecordsError.tokenExpired }
        self.init(identity: Data(identity), sequence: sequence, after: after)
    }
}
