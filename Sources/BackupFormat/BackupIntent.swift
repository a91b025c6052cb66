package import BatonCore

/// The packs that a backup relies on while it is made. Collecting removes none of it.
///
/// The rules that make this safe without a lock:
/// 1. A writer writes its intent, and only then looks which packs are marked. It uses none that is.
/// 2. A mark is never taken back.
/// 3. A collector reads the marks, then the intents, then the snapshots, and removes only what was marked before it began.
/// 4. A writer names packs in its intent before it writes them, and removes the intent after its snapshot is there.
package struct BackupIntent: Hashable, Sendable {
    private static let format: UInt8 = 1
    /// An intent that was not written again for so long is a dead writer's.
    package static let lifetime: UInt64 = 7 * 24 * 3600 * 1000
    package static let maximumPacks = 4_000_000
    /// So many packs are named before they are written.
    package static let reserve = 32

    package var device: DeviceID
    /// Milliseconds since 1970.
    package var written: UInt64
    package var packs: Set<BackupPack.ID>

    package init(device: DeviceID, written: UInt64, packs: Set<BackupPack.ID>) {
        self.device = device
        self.written = written
        self.packs = packs
    }

    /// A clock that was set back makes an intent live longer, never shorter.
    package func isLive(now: UInt64) -> Bool { now < written || now - written < Self.lifetime }

    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.put(Self.format)
        writer.put(device.rawValue)
        writer.put(written)
        writer.put(UInt32(clamping: packs.count))
        for pack in packs.sorted() { writer.put(raw: pack.bytes) }
        return writer.bytes
    }

    package init(decoding bytes: some Sequence<UInt8>) throws(BatonError) {
        var reader = BinaryReader(bytes, "an intent")
        guard try reader.number(UInt8.self) == Self.format, let device = DeviceID(rawValue: try reader.text()) else {
            throw reader.refusal
        }
        self.device = device
        written = try reader.number()
        packs = []
        for _ in 0..<(try reader.count(of: BackupPack.ID.size, limit: Self.maximumPacks)) {
            guard let pack = BackupPack.ID(try reader.raw(BackupPack.ID.size)) else { throw reader.refusal }
            packs.insert(pack)
        }
        try reader.end()
    }
}

/// Says since when a pack is to go. Milliseconds since 1970.
package enum PackMark {
    package static func encoded(_ time: UInt64) -> [UInt8] {
        var writer = BinaryWriter()
        writer.put(time)
        return writer.bytes
    }

    package static func time(_ bytes: some Sequence<UInt8>) throws(BatonError) -> UInt64 {
        var reader = BinaryReader(bytes, "a mark")
        let time: UInt64 = try reader.number()
        try reader.end()
        return time
    }
}
