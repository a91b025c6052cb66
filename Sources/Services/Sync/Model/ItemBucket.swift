import Foundation

/// Some items of a zone in one buffer: for each its place (8) ‖ digest (16) ‖ length of the stamp (4) ‖ of the name (4) ‖ stamp ‖ name.
/// One object an item was several hundred bytes.
struct ItemBucket: Sendable {
    struct Item {
        fileprivate let bytes: UnsafeRawBufferPointer
        fileprivate let start: Int
        fileprivate let stampSize: Int
        fileprivate let nameSize: Int

        fileprivate init(_ bytes: UnsafeRawBufferPointer, at start: Int) {
            self.bytes = bytes
            self.start = start
            stampSize = Int(bytes.loadUnaligned(fromByteOffset: start + 24, as: UInt32.self))
            nameSize = Int(bytes.loadUnaligned(fromByteOffset: start + 28, as: UInt32.self))
        }

        fileprivate var end: Int { start + ItemBucket.headSize + stampSize + nameSize }
        private var stampStart: Int { start + ItemBucket.headSize }
        fileprivate var nameBytes: Slice<UnsafeRawBufferPointer> { bytes[stampStart + stampSize..<end] }

        var place: UInt64 { bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self) }
        var digest: RangeDigest {
            let low = bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
            let high = bytes.loadUnaligned(fromByteOffset: start + 16, as: UInt64.self)
            return RangeDigest(ofItem: UInt128(high) << 64 | UInt128(low))
        }
        var stamp: Data { Data(bytes[stampStart..<stampStart + stampSize]) }
        var name: String { String(decoding: nameBytes, as: UTF8.self) }

        fileprivate func isIt(_ name: String, _ place: UInt64) -> Bool {
            self.place == place && nameSize == name.utf8.count && nameBytes.elementsEqual(name.utf8)
        }
    }

    private static let headSize = 32

    private var bytes: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }

    func visit(_ body: (Item) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let item = Item(bytes, at: start)
                body(item)
                start = item.end
            }
        }
    }

    private func find<Value>(_ name: String, _ place: UInt64, _ body: (Item) -> Value) -> Value? {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let item = Item(bytes, at: start)
                if item.isIt(name, place) { return body(item) }
                start = item.end
            }
            return nil
        }
    }

    func digest(of name: String, _ place: UInt64) -> RangeDigest? { find(name, place, \.digest) }

    func stamp(of name: String, _ place: UInt64) -> Data? { find(name, place, \.stamp) }

    mutating func remove(_ name: String, _ place: UInt64) {
        guard let range = find(name, place, { $0.start..<$0.end }) else { return }
        bytes.removeSubrange(range)
    }

    mutating func add(_ name: String, _ place: UInt64, _ stamp: Data, _ digest: RangeDigest) {
        let count = bytes.count + Self.headSize + stamp.count + name.utf8.count
        // As many bytes as there are, and no room for more: most buckets change seldom.
        if bytes.capacity < count || bytes.capacity > 2 * count { bytes.reserveCapacity(count) }
        for word in [place, UInt64(truncatingIfNeeded: digest.item), UInt64(truncatingIfNeeded: digest.item >> 64)] {
            withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
        }
        for size in [UInt32(clamping: stamp.count), UInt32(clamping: name.utf8.count)] {
            withUnsafeBytes(of: size) { bytes.append(contentsOf: $0) }
        }
        bytes.append(contentsOf: stamp)
        bytes.append(contentsOf: name.utf8)
    }
}
