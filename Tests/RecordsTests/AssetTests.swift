import BatonCore
import BatonStore
import BatonTestSupport
import BatonWire
import Crypto
import FileSync
import Foundation
import GRDB
import RecordMerge
import SwiftProtobuf
import Synchronization
import Testing

@testable import Records
@testable import Sync

/// Contents that apps hand over in parts (D-1).
@Suite("Assets of records", .timeLimit(.minutes(1)))
struct AssetTests {
    private struct Full: Error {}

    /// A disk that may be full.
    private final class Disk: Sendable {
        let isFull = Mutex(false)
        let blobs = Mutex<[Data]>([])

        func put(_ blob: Data) throws -> BlobReference {
            guard !isFull.withLock({ $0 }) else { throw Full() }
            blobs.withLock { $0.append(blob) }
            var bytes = Data(SHA256.hash(data: blob)) + Data(count: 32)
            withUnsafeBytes(of: UInt64(blob.count).bigEndian) { bytes.append(contentsOf: $0) }
            return try BlobReference(bytes)
        }
    }

    private static func container(_ name: String = "lists") throws -> RecordContainer {
        try #require(RecordContainer(team: .development, identifier: "iCloud.com.example.\(name)"))
    }

    @Test("A part whose blob could not be kept is not lost, and is taken when it comes once more (D-1)")
    func full() async throws {
        let (disk, container) = (Disk(), try Self.container())
        let uploads = AssetUploads(clock: .system) { try disk.put($0) }
        let parts = (0..<5).map { Data(repeating: UInt8($0), count: 2 << 20) } + [Data([9, 9])]
        var (id, offset): (Data, UInt64) = (Data(), 0)
        var asset: RecordAsset?
        for (index, part) in parts.enumerated() {
            func write() async throws -> (id: Data, asset: RecordAsset?) {
                try await uploads.write(
                    part, at: offset, isLast: index == parts.count - 1, of: id, kind: .file, container: container)
            }
            // The fourth part fills a blob, and the last one ends another.
            if index == 3 || index == 5 {
                disk.isFull.withLock { $0 = true }
                for _ in 0..<2 { await #expect(throws: Full.self) { try await write() } }
                disk.isFull.withLock { $0 = false }
            }
            (id, asset) = try await write()
            offset += UInt64(part.count)
        }
        let whole = parts.reduce(Data(), +)
        #expect(disk.blobs.withLock { $0.reduce(Data(), +) } == whole)
        #expect(asset?.digest == Data(SHA256.hash(data: whole)))
        #expect(asset?.parts.map(\.size) == [8 << 20, (2 << 20) + 2])
    }

    @Test("What a record says of a content is not believed until the content is here (D-1)")
    func sameContent() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        let (service, replica) = (device.service, try await device.replica)
        let content = Data("content".utf8)
        let digest = Data(SHA256.hash(data: content))
        func asset(_ bytes: Data) async throws -> RecordAsset {
            let part = RecordAsset.Part(try await service.blobs.put(bytes))
            return RecordAsset(kind: .file, size: UInt64(content.count), digest: digest, parts: [part])
        }
        let invented = RecordAsset(
            kind: .file, size: UInt64(content.count), digest: digest,
            parts: [.init(blob: Data(repeating: 1, count: 32), key: Data(count: 32), size: UInt64(content.count))])
        let other = try await asset(Data("another".utf8))
        try await replica.perform { transaction in
            for claim in [invented, other] { try transaction.keep(claim) }
        }
        let first = try await asset(content)
        #expect(try await service.keep(first, in: replica) == first)
        try await replica.perform { try $0.db.execute(sql: "UPDATE asset SET seen = 1") }
        #expect(try await service.keep(asset(content), in: replica) == first)
        // It is as new as one that was handed over now.
        let times = try await replica.perform { try Int64.fetchAll($0.db, sql: "SELECT seen FROM asset ORDER BY seen") }
        #expect(times.count == 3 && times.dropLast() == [1, 1] && times.last ?? 0 > 1)
    }

    @Test("A content that the cloud had, and that is handed over anew, stays here until the cloud has it again (D-1)")
    func handedOverAgain() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        let (service, replica) = (device.service, try await device.replica)
        let content = Data("content".utf8)
        func handOver() async throws -> RecordAsset {
            let part = RecordAsset.Part(try await service.blobs.put(content))
            let asset = RecordAsset(
                kind: .file, size: UInt64(content.count), digest: Data(SHA256.hash(data: content)), parts: [part])
            return try await service.keep(asset, in: replica)
        }
        let asset = try await handOver()
        let blob = try #require(BlobID(asset.parts[0].blob))
        try await service.blobs.shared([blob])
        #expect(try await !service.blobs.isOwn(blob))
        #expect(try await handOver() == asset)
        #expect(try await service.blobs.isOwn(blob))

        // So does that of a record which the cloud has lost.
        try await device.makeZone()
        var save = RecordsDevice.record("n", [:])
        save.record.fields = [
            .with {
                $0.name = "file"
                $0.value.asset = RecordsWire.message(asset)
            }
        ]
        _ = try await device.save([save])
        let zone = try #require(RecordsDevice.container).zone(#require(RecordZoneName("Z")))
        let items = try await device.zones.pending(in: zone, limit: 5)
        try await device.zones.written(items.map { ($0, 1) }, in: zone)
        try await service.blobs.shared(Set(items.flatMap(\.blobs)))
        #expect(try await !service.blobs.isOwn(blob))
        try await device.zones.zoneReset(of: zone)
        #expect(try await service.blobs.isOwn(blob))
    }

    @Test("A database in which a record names an asset opens again, with what an earlier version wrote (D-1)")
    func opensAgain() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("replica.sqlite")
        let old = try DaemonDatabase(path: path, migrations: Array(ReplicaSchema.migrations.prefix(3)))
        try old.writeBlocking {
            try $0.execute(sql: "INSERT INTO asset_use (asset, zone, name) VALUES (x'01', 7, 'n')")
        }
        try old.close()
        let account = RecordsAccount(
            account: RecordsDevice.account, device: DeviceID(unchecked: String(repeating: "B", count: 26)))
        for _ in 0..<2 {
            let replica = try RecordReplica(
                container: Self.container(), account: account, path: path, clock: .system, deviceName: { _ in nil },
                trigger: { nil })
            let row = try await replica.perform { transaction in
                // As each open checks it.
                #expect(try String.fetchOne(transaction.db, sql: "PRAGMA quick_check(1)") == "ok")
                return try Row.fetchOne(transaction.db, sql: "SELECT hex(asset), zone, name FROM asset_use")
                    .map { "\($0[0] as String) \($0[1] as Int) \($0[2] as String)" }
            }
            #expect(row == "01 7 n")
            await replica.close()
        }
    }

    @Test("Records whose contents only another device has do not keep newer ones from being sent (D-1)")
    func contentsElsewhere() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        let zone = try #require(RecordsDevice.container).zone(#require(RecordZoneName("Z")))
        let stamp = Stamp(time: HybridTimestamp(rawValue: 1), actor: ActorID(rawValue: 1))
        for number in 0..<12 {
            let part = RecordAsset.Part(blob: Data(repeating: UInt8(number), count: 32), key: Data(count: 32), size: 1)
            let asset = RecordAsset(kind: .file, size: 1, digest: Data(count: 32), parts: [part])
            let photo = try Record(
                validating: RecordName("photo\(number)"), type: "Photo",
                fields: ["file": Register(stamp: stamp, value: .asset(asset))], counters: [:],
                context: DotContext([stamp.actor: 1]), presence: [Dot(actor: stamp.actor, counter: 1)],
                mergedInto: nil, deletion: nil)
            try await device.zones.exchanged([photo.name.text: RecordCodec.encode(photo)], in: zone)
        }
        #expect(try await device.zones.pending(in: zone, limit: 5).count == 5)
        _ = try await device.save([RecordsDevice.record("n", ["text": "one"])])
        let items = try await device.zones.pending(in: zone, limit: 5)
        #expect(items.map(\.name) == ["photo10", "photo11", "n"])
        try await device.zones.written(items.filter { $0.name == "n" }.map { ($0, 1) }, in: zone)
        let finding = try #require(try await device.zones.findings(in: zone).first?.finding)
        #expect(finding.hasPrefix("12 of what waits"))
        #expect(finding.hasSuffix(": photo0, photo1, photo2, photo3, photo4 …"))
        // Another device may have brought them meanwhile.
        #expect(try await device.zones.pending(in: zone, limit: 5).map(\.name).first == "photo0")
    }

    @Test("Where the account has no room, a deletion goes without contents that the cloud never had (D-1, case 37)")
    func deletionWithoutRoom() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        let zone = try #require(RecordsDevice.container).zone(#require(RecordZoneName("Z")))
        let stamp = Stamp(time: HybridTimestamp(rawValue: 1), actor: ActorID(rawValue: 1))
        let content = Data("content".utf8)
        let part = RecordAsset.Part(try await device.service.blobs.put(content))
        let asset = RecordAsset(
            kind: .file, size: UInt64(content.count), digest: Data(SHA256.hash(data: content)), parts: [part])
        for (name, presence) in [("kept", [Dot(actor: stamp.actor, counter: 1)]), ("gone", [])] as [(String, Set<Dot>)]
        {
            let photo = try Record(
                validating: RecordName(name), type: "Photo",
                fields: ["file": Register(stamp: stamp, value: .asset(asset))], counters: [:],
                context: DotContext([stamp.actor: 1]), presence: presence, mergedInto: nil,
                deletion: presence.isEmpty ? stamp : nil)
            try await device.zones.exchanged([name: RecordCodec.encode(photo)], in: zone)
        }
        func blobs() async throws -> [String: Int] {
            let items = try await device.zones.pending(in: zone, limit: 5)
            return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.blobs.count) })
        }
        #expect(try await blobs() == ["kept": 1, "gone": 1])
        await device.zones.refused(BatonError(.resourceExhausted, reason: "quota_exceeded", "No room."), in: zone)
        #expect(try await blobs() == ["kept": 1, "gone": 0])
    }

    @Test("An app that begins upload after upload gives up its own, and no other app's (D-1)")
    func manyUploads() async throws {
        let disk = Disk()
        let ticks = Mutex(0.0)
        // A second goes by with each look.
        let clock = WallClock {
            ticks.withLock { ticks in
                ticks += 1
                return Date(timeIntervalSince1970: ticks)
            }
        }
        let uploads = AssetUploads(clock: clock) { try disk.put($0) }
        func begin(_ container: RecordContainer) async throws -> Data {
            try await uploads.write(
                Data([1]), at: 0, isLast: false, of: Data(), kind: .file, container: container
            ).id
        }
        func isKnown(_ id: Data, _ container: RecordContainer) async -> Bool {
            let answer = try? await uploads.write(
                Data([1]), at: 1, isLast: true, of: id, kind: .file, container: container)
            return answer?.asset != nil
        }
        let (one, other, third) = (try Self.container("one"), try Self.container("two"), try Self.container("three"))
        let first = try await begin(one)
        var busy: [Data] = []
        for _ in 0..<40 { busy.append(try await begin(other)) }
        var more: [Data] = []
        for _ in 0..<40 { more.append(try await begin(third)) }
        #expect(await isKnown(first, one))
        let last = (try #require(more.last), try #require(busy.last))
        #expect(await isKnown(last.0, third))
        #expect(await !isKnown(busy[0], other))
        #expect(await isKnown(last.1, other))
    }
}
