import Foundation

extension RecordValue: Hashable, Comparable {
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.nothing, .nothing): true
        case (.integer(let left), .integer(let right)): left == right
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        case (.bytes(let left), .bytes(let right)): left == right
        default: left.order(before: right) == 0
        }
    }

    package static func < (left: Self, right: Self) -> Bool { left.order(before: right) < 0 }

    private var rank: UInt8 {
        switch self {
        case .nothing: 0
        case .integer: 1
        case .real: 2
        case .text: 3
        case .bytes: 4
        case .date: 5
        case .reference: 6
        case .asset: 7
        case .list: 8
        case .location: 9
        case .unknown: 10
        }
    }

    /// Below 0, 0 or above 0. Any order does that all devices share; numbers are compared by their bits, so that NaN has a place.
    private func order(before other: Self) -> Int {
        switch (self, other) {
        case (.nothing, .nothing): 0
        case (.integer(let left), .integer(let right)): Self.order(left, right)
        case (.real(let left), .real(let right)), (.date(let left), .date(let right)):
            Self.order(left.bitPattern, right.bitPattern)
        case (.text(let left), .text(let right)): Self.order(left.utf8, right.utf8)
        case (.bytes(let left), .bytes(let right)), (.location(let left), .location(let right)),
            (.unknown(let left), .unknown(let right)):
            Self.order(left, right)
        case (.reference(let left), .reference(let right)): Self.order(left, right)
        case (.asset(let left), .asset(let right)): left.order(before: right)
        case (.list(let left), .list(let right)): Self.order(left, right)
        default: Self.order(rank, other.rank)
        }
    }

    fileprivate static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : (left == right ? 0 : 1)
    }

    fileprivate static func order<Value: Sequence>(_ left: Value, _ right: Value) -> Int
    where Value.Element: Comparable {
        left.elementsEqual(right) ? 0 : (left.lexicographicallyPrecedes(right) ? -1 : 1)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        switch self {
        case .nothing: break
        case .integer(let value): hasher.combine(value)
        case .real(let value), .date(let value): hasher.combine(value.bitPattern)
        case .text(let value):
            // The characters' own hash is that of their normal form.
            var text = value
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .bytes(let value), .location(let value), .unknown(let value): hasher.combine(value)
        case .reference(let value): hasher.combine(value)
        case .asset(let value): hasher.combine(value)
        case .list(let values): hasher.combine(values)
        }
    }
}

extension String {
    /// Texts in two forms of Unicode are equal to Swift, and differ here.
    fileprivate func hasSameBytes(as other: String) -> Bool {
        guard self == other, utf8.count == other.utf8.count else { return false }
        return utf8.elementsEqual(other.utf8)
    }
}

extension RecordAsset {
    /// One content may lie in several places: the parts decide last.
    fileprivate func order(before other: Self) -> Int {
        let own = [RecordValue.order(kind.rawValue, other.kind.rawValue), RecordValue.order(size, other.size)]
        if let first = own.first(where: { $0 != 0 }) { return first }
        let digests = RecordValue.order(digest, other.digest)
        if digests != 0 { return digests }
        return RecordValue.order(parts, other.parts)
    }
}

extension RecordAsset.Part: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        if left.blob != right.blob { return left.blob.lexicographicallyPrecedes(right.blob) }
        if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
        return left.size < right.size
    }
}
