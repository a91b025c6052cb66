import Crypto
import Foundation

/// Names an entry of a tree for good: 16 random bytes, never used again.
package struct EntryID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The top of the tree. No entry has this identifier.
    package static let root = EntryID(high: 0, low: 0)
    /// The directory for entries whose own directory is lost. The same on all devices.
    package static let recovered = EntryID(high: 0, low: 1)

    package static func < (left: Self, right: Self) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    /// 32 hexadecimal digits.
    package var description: String {
        String(unsafeUninitializedCapacity: 32) { digits in
            for index in 0..<32 {
                let digit = UInt8((index < 16 ? high : low) >> UInt64(60 - 4 * (index & 15)) & 15)
                digits[index] = digit < 10 ? 0x30 + digit : 0x57 + digit
            }
            return 32
        }
    }

    /// Follows from an entry and one of its versions, so that each device that sets a version aside makes the same entry.
    package static func conflict(of entry: EntryID, dot: Dot) -> EntryID {
        derived("baton-conflict-entry-v1", entry.high, entry.low, dot.actor.rawValue, dot.counter)
    }

    /// Likewise of a version that was deleted while the entry lives on.
    static func deleted(from entry: EntryID, dot: Dot) -> EntryID {
        derived("baton-deleted-version-v1", entry.high, entry.low, dot.actor.rawValue, dot.counter)
    }

    static func derived(_ label: String, _ numbers: UInt64...) -> EntryID {
        var hash = SHA256()
        hash.update(data: Data(label.utf8))
        for number in numbers { withUnsafeBytes(of: number.bigEndian) { hash.update(bufferPointer: $0) } }
        let words = hash.finalize().withUnsafeBytes { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        return EntryID(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
    }
}
