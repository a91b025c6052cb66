import Foundation
import OrderedCollections

/// Parts of blobs that were read a moment ago.
struct BlobBlocks: Sendable {
    static let size: UInt64 = 256 << 10
    /// Bound: 16 MiB. Policy: the ones that came first go.
    private static let maximum = 64

    private struct Key: Hashable {
        var blob: Data
        var number: UInt64
    }
    /// In the order in which they came.
    private var blocks: OrderedDictionary<Key, Data> = [:]

    static func numbers(of range: Range<UInt64>) -> [UInt64] {
        range.isEmpty ? [] : Array(range.lowerBound / size...(range.upperBound - 1) / size)
    }

    static func range(_ numbers: ClosedRange<UInt64>, size whole: UInt64) -> Range<UInt64> {
        (numbers.lowerBound * size)..<min(whole, (numbers.upperBound + 1) * size)
    }

    subscript(blob: Data, number: UInt64) -> Data? { blocks[Key(blob: blob, number: number)] }

    /// A part that another one has; nothing where it has none.
    mutating func take(_ blob: Data, _ number: UInt64, from other: Self) {
        let key = Key(blob: blob, number: number)
        if let bytes = other.blocks[key] { blocks[key] = bytes }
    }

    /// - Parameter needed: these stay.
    mutating func keep(_ bytes: Data, _ blob: Data, from first: UInt64, among needed: [UInt64] = []) {
        var number = first
        var rest = bytes[...]
        while !rest.isEmpty {
            let key = Key(blob: blob, number: number)
            blocks[key] = Data(rest.prefix(Int(Self.size)))
            rest = rest.dropFirst(Int(Self.size))
            number += 1
        }
        while blocks.count > Self.maximum {
            let (key, bytes) = blocks.removeFirst()
            if key.blob == blob, needed.contains(key.number) { blocks[key] = bytes }
        }
    }

    /// All these blocks must be there.
    func bytes(_ range: Range<UInt64>, of blob: Data) -> [UInt8] {
        let numbers = Self.numbers(of: range)
        guard let first = numbers.first else { return [] }
        var whole = Data()
        for number in numbers { whole += self[blob, number] ?? Data() }
        return Array(whole.dropFirst(Int(range.lowerBound - first * Self.size)).prefix(range.count))
    }
}
