import BatonCore
import FileSync
import Foundation
import RecordMerge

/// A place in the changes of a database or a zone: 16 bytes of its identity, the number of the change in 8, and within a change that is
/// sent in several pages the name of the record after which it goes on. While a first reading goes on, the number has its highest
/// bit set and the change at which that began follows in 8 bytes.
///
/// A mirror's token of a state that is whole has the next bit set, and names whose changes were known up to when, 16 bytes each. Another
/// replica of the zone, as after the account was left, learns from it what the mirror's tables had shown.
///
/// Apps keep it as it is. One of another replica, or one that an app made up, is refused: never a crash.
struct ReplicaToken: Hashable, Sendable {
    var identity: Data
    var sequence: Int64
    /// Empty: all records of the change were sent.
    var after = ""
    /// While a first reading goes on: the last change when it began. Nothing that was removed before was ever sent.
    var began: Int64?
    /// Nil for a token that does not say it.
    var authors: RecordAuthors?

    private static let reading: UInt64 = 1 << 63
    private static let authored: UInt64 = 1 << 62
    /// The newest of them. The changes of others count as unknown.
    private static let maximumAuthors = 256

    var bytes: Data {
        if let authors {
            let newest = authors.times.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.prefix(Self.maximumAuthors)
            return newest.reduce(identity + Self.bytes(UInt64(clamping: sequence) | Self.authored)) { bytes, author in
                bytes + Self.bytes(author.key.rawValue) + Self.bytes(author.value.rawValue)
            }
        }
        guard let began else { return identity + Self.bytes(of: sequence) + Data(after.utf8) }
        return identity + Self.bytes(UInt64(clamping: sequence) | Self.reading) + Self.bytes(of: began)
            + Data(after.utf8)
    }

    /// - Parameter removed: the last change that is not there any more.
    /// - Throws: `change_token_expired` where it may not have been sent.
    func check(removed: Int64) throws(BatonError) {
        guard removed <= began ?? sequence else { throw RecordsError.tokenExpired }
    }

    /// The first change that was not sent completely: names are not empty.
    var first: Int64 { after.isEmpty ? sequence + 1 : sequence }

    /// Compares as the number does.
    static func bytes(of sequence: Int64) -> Data { bytes(UInt64(clamping: sequence)) }

    private static func bytes(_ number: UInt64) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }

    init(identity: Data, sequence: Int64, after: String = "", began: Int64? = nil, authors: RecordAuthors? = nil) {
        (self.identity, self.sequence, self.after, self.began) = (identity, sequence, after, began)
        self.authors = authors
    }

    /// - Parameter last: the number of the last change: no token can be of a later one.
    /// - Throws: `change_token_expired` for one of another place.
    init(_ bytes: Data, identity: Data, last: Int64) throws(BatonError) {
        try self.init(bytes)
        guard self.identity == identity, sequence <= last, began ?? 0 <= last else { throw RecordsError.tokenExpired }
    }

    /// One of whatever replica.
    /// - Throws: `change_token_expired` for an invalid token.
    init(_ bytes: Data) throws(BatonError) {
        let bytes = Data(bytes)
        guard bytes.count >= 24, bytes.count <= 24 + 16 * Self.maximumAuthors else { throw RecordsError.tokenExpired }
        func number(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        let identity = Data(bytes.prefix(16))
        if number(16) & (Self.reading | Self.authored) == Self.authored {
            guard let sequence = Int64(exactly: number(16) & ~Self.authored), bytes.count.isMultiple(of: 8),
                (bytes.count - 24).isMultiple(of: 16)
            else { throw RecordsError.tokenExpired }
            var times: [ActorID: HybridTimestamp] = [:]
            for start in stride(from: 24, to: bytes.count, by: 16) {
                times[ActorID(rawValue: number(start))] = HybridTimestamp(rawValue: number(start + 8))
            }
            self.init(identity: identity, sequence: sequence, authors: RecordAuthors(times))
            return
        }
        let isReading = number(16) & Self.reading != 0
        guard bytes.count <= 32 + 255, !isReading || bytes.count >= 32,
            let sequence = Int64(exactly: number(16) & ~Self.reading),
            let began = isReading ? Int64(exactly: number(24)) : 0,
            let after = String(validating: bytes[(isReading ? 32 : 24)...], as: UTF8.self)
        else { throw RecordsError.tokenExpired }
        self.init(identity: identity, sequence: sequence, after: after, began: isReading ? began : nil)
    }
}
