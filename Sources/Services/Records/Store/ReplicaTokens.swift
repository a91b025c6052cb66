import BatonCore
import Foundation

/// A place in the changes of a database or a zone: 16 bytes of its identity, the number of the change in 8, and within a change that is
/// told in several pages the name of the record after which it goes on. While a first reading goes on, the number has its highest bit
/// set and the change at which that began follows in 8 bytes.
///
/// Apps keep it as it is. One of another replica, or one that somebody made up, is refused: never a crash.
struct ReplicaToken: Hashable, Sendable {
    var identity: Data
    var sequence: Int64
    /// Empty: all records of the change were told.
    var after = ""
    /// While a first reading goes on: the last change when it began. Nothing that was removed before was ever told.
    var began: Int64?

    private static let reading: UInt64 = 1 << 63

    var bytes: Data {
        guard let began else { return identity + Self.bytes(of: sequence) + Data(after.utf8) }
        let number = UInt64(clamping: sequence) | Self.reading
        return identity + withUnsafeBytes(of: number.bigEndian) { Data($0) } + Self.bytes(of: began) + Data(after.utf8)
    }

    /// - Parameter removed: the last change that is not there any more.
    /// - Throws: `change_token_expired` where it may not have been told.
    func check(removed: Int64) throws(BatonError) {
        guard removed <= began ?? sequence else { throw RecordsError.tokenExpired }
    }

    /// The change of which the first is told that was not: names are not empty.
    var first: Int64 { after.isEmpty ? sequence + 1 : sequence }

    /// Compares as the number does.
    static func bytes(of sequence: Int64) -> Data {
        withUnsafeBytes(of: UInt64(clamping: sequence).bigEndian) { Data($0) }
    }

    init(identity: Data, sequence: Int64, after: String = "", began: Int64? = nil) {
        (self.identity, self.sequence, self.after, self.began) = (identity, sequence, after, began)
    }

    /// - Parameter last: the number of the last change: no token can be of a later one.
    /// - Throws: `change_token_expired` for one of another place.
    init(_ bytes: Data, identity: Data, last: Int64) throws(BatonError) {
        let bytes = Data(bytes)
        guard bytes.count >= 24, bytes.count <= 32 + 255, bytes.prefix(16) == identity else {
            throw RecordsError.tokenExpired
        }
        func number(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        let isReading = number(16) & Self.reading != 0
        guard !isReading || bytes.count >= 32, let sequence = Int64(exactly: number(16) & ~Self.reading),
            sequence <= last,
            let began = isReading ? Int64(exactly: number(24)) : 0, began <= last,
            let after = String(validating: bytes[(isReading ? 32 : 24)...], as: UTF8.self)
        else { throw RecordsError.tokenExpired }
        self.init(identity: Data(identity), sequence: sequence, after: after, began: isReading ? began : nil)
    }
}
