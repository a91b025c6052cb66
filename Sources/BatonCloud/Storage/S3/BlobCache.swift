import Foundation

/// Blobs that were read and checked lately: devices read them a part at a time. Policy: at the bound those go that were
/// not asked for longest.
struct BlobCache {
    private static let maximumBytes = 64 << 20

    private var blobs: [BlobAddress: (content: Data, use: UInt64)] = [:]
    private var uses: UInt64 = 0
    private var bytes = 0

    subscript(address: BlobAddress) -> Data? {
        mutating get {
            uses += 1
            blobs[address]?.use = uses
            return blobs[address]?.content
        }
    }

    mutating func add(_ content: Data, _ address: BlobAddress) {
        remove(address)
        guard content.count <= Self.maximumBytes / 2 else { return }
        while bytes + content.count > Self.maximumBytes, let oldest = blobs.min(by: { $0.value.use < $1.value.use }) {
            remove(oldest.key)
        }
        uses += 1
        blobs[address] = (content, uses)
        bytes += content.count
    }

    mutating func remove(_ address: BlobAddress) {
        if let old = blobs.removeValue(forKey: address) { bytes -= old.content.count }
    }
}
