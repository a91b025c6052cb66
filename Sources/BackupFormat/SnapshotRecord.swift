package import BatonCore
package import FileSync

/// A snapshot or its stone, as a target holds it: the bytes that were signed, and the signature.
package struct SnapshotRecord: Hashable, Sendable {
    package var content: [UInt8]
    package var signature: [UInt8]

    package init(content: [UInt8], signature: [UInt8]) {
        self.content = content
        self.signature = signature
    }

    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.put(short: signature)
        writer.put(raw: content)
        return writer.bytes
    }

    package init(decoding bytes: [UInt8]) throws(BatonError) {
        var reader = BinaryReader(bytes, "a snapshot")
        signature = try reader.short()
        content = try reader.raw(reader.remaining)
        guard signature.count == 64, !content.isEmpty else { throw reader.refusal }
    }
}

/// Says that a snapshot was forgotten, and by which device: without it a missing number is a loss.
package struct ForgottenSnapshot: Hashable, Sendable {
    private static let format: UInt8 = 1
    package var id: BackupSnapshot.ID
    package var by: DeviceID
    /// Milliseconds since 1970.
    package var time: UInt64

    package init(id: BackupSnapshot.ID, by: DeviceID, time: UInt64) {
        self.id = id
        self.by = by
        self.time = time
    }

    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.put(Self.format)
        writer.put(id.description)
        writer.put(by.rawValue)
        writer.put(time)
        return writer.bytes
    }

    package init(decoding bytes: [UInt8]) throws(BatonError) {
        var reader = BinaryReader(bytes, "the record of a forgotten snapshot")
        guard try reader.number(UInt8.self) == Self.format, let id = BackupSnapshot.ID(try reader.text()),
            let by = DeviceID(rawValue: try reader.text())
        else { throw reader.refusal }
        self.id = id
        self.by = by
        time = try reader.number()
        try reader.end()
    }
}

/// Which numbers of a device's snapshots are gone without anybody having forgotten them.
package enum SnapshotChain {
    /// - Parameters:
    ///   - known: the highest number that this device itself has made there, if it is the one.
    /// - Returns: at most 1000.
    package static func missing(
        present: Set<UInt64>, forgotten: Set<UInt64>, known: UInt64 = 0
    ) -> [UInt64] {
        let last = max(known, present.max() ?? 0, forgotten.max() ?? 0)
        guard last > 0, last <= BackupSnapshot.ID.maximumNumber else { return [] }
        return Array((1...last).lazy.filter { !present.contains($0) && !forgotten.contains($0) }.prefix(1000))
    }

    /// Snapshots that their followers do not name: the list is not the one that was written.
    /// - Parameters:
    ///   - previous: what each snapshot says of the one before it.
    ///   - hashes: SHA-256 of each snapshot's signed bytes.
    package static func exchanged(
        _ previous: [BackupSnapshot.ID: ContentHash?], hashes: [BackupSnapshot.ID: ContentHash]
    ) -> [BackupSnapshot.ID] {
        previous.compactMap { id, named -> BackupSnapshot.ID? in
            guard id.number > 1, let named else { return nil }
            let before = BackupSnapshot.ID(device: id.device, number: id.number - 1)
            guard let hash = hashes[before], hash != named else { return nil }
            return before
        }.sorted()
    }

    /// The number of a device's next snapshot: the first that is free. A file that proves nothing moves it over its own number alone,
    /// since numbers that are left out count as missing.
    /// - Parameters:
    ///   - believed: the highest that this device remembers, or has signed.
    ///   - claimed: those of files that prove nothing, and of stones.
    /// - Returns: nil where no number is left.
    package static func next(believed: UInt64, claimed: Set<UInt64>) -> UInt64? {
        guard believed < BackupSnapshot.ID.maximumNumber else { return nil }
        var number = believed + 1
        while claimed.contains(number) { number += 1 }
        return number <= BackupSnapshot.ID.maximumNumber ? number : nil
    }
}
