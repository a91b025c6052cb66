import BatonCore
import BatonTestSupport
import BatonWire
import Dispatch
import Foundation
import RecordMerge
import SwiftProtobuf
import Sync
import Testing

@testable import Records

/// Contents of assets that near devices have, in an account without a cloud (D-1, D-36).
@Suite("Assets of near devices", .timeLimit(.minutes(1)))
struct NearAssetTests {
    /// Hands over bytes as an app does, and saves a record that names them.
    private func save(_ bytes: Data, as name: String, on device: RecordsDevice) async throws -> RecordAsset {
        let replica = try await device.replica
        var (id, offset, asset): (Data, Int, RecordAsset?) = (Data(), 0, nil)
        repeat {
            let part = Data(bytes.dropFirst(offset).prefix(RecordsBounds.partBytes))
            offset += part.count
            (id, asset) = try await device.service.uploads.write(
                part, at: UInt64(offset - part.count), isLast: offset == bytes.count, of: id, kind: .file,
                container: replica.container)
        } while offset < bytes.count
        let kept = try await device.service.keep(try #require(asset), in: replica)
        var record = RecordsDevice.record(name, [:])
        record.record.fields = [
            .with {
                $0.name = "file"
                $0.value.asset = RecordsWire.message(kept)
            }
        ]
        let answer = try await device.save([record])
        #expect(answer.saved.allSatisfy { !$0.hasProblem })
        return kept
    }

    /// The asset of a record, as this device has it.
    private func asset(of name: String, on device: RecordsDevice) async throws -> RecordAsset {
        let result = try await device.fetch(name)
        let id = try #require(result.record.fields.first).value.asset.assetID
        return try #require(try await device.replica.perform { try $0.asset(id) })
    }

    private func read(_ asset: RecordAsset, on device: RecordsDevice) async throws -> Data {
        var bytes = Data()
        try await device.service.read(asset, in: device.replica) { bytes += $0 }
        return bytes
    }

    /// Another byte in each page, so that parts that were exchanged would show.
    private static func bytes(_ count: Int) -> Data {
        stride(from: 0, to: count, by: 4096).reduce(into: Data()) { bytes, offset in
            bytes += Data(repeating: UInt8(truncatingIfNeeded: offset >> 12), count: min(4096, count - offset))
        }
    }

    @Test("A record comes with its fields, and its file from the device that has it when an app asks (D-1, D-36)")
    func fetched() async throws {
        let directory = try TemporaryDirectory()
        let world = NearRecords()
        let (one, two) = (try await world.add(directory, "a"), try await world.add(directory, "b"))
        for device in [one, two] { try await device.makeZone() }
        let content = Self.bytes(9 << 20)
        _ = try await save(content, as: "photo", on: one)
        try await one.give(to: two)
        let asset = try await asset(of: "photo", on: two)
        #expect(asset.size == UInt64(content.count))

        // No device has it: the record is there, its file is not.
        world.set(away: "a", true)
        let gone = await #expect(throws: BatonError.self) { try await read(asset, on: two) }
        #expect(gone?.reason == "asset_not_available")
        world.set(away: "a", false)
        #expect(try await read(asset, on: two) == content)
        // It stays here, and is read without the other one.
        let calls = world.answered(by: "a")
        #expect(try await read(asset, on: two) == content)
        #expect(world.answered(by: "a") == calls)
        let blobs = try Set(asset.parts.map { try $0.reference.id })
        let needed = try await two.zones.neededBlobs(among: blobs)
        #expect(try await two.zones.namedBlobs(among: blobs.union([try #require(BlobID(Data(count: 32)))])) == blobs)
        #expect(needed.count == asset.parts.count, "an account without a cloud has it on its devices only")

        // A third one gets it from a device that is there.
        let three = try await world.add(directory, "c")
        try await three.makeZone()
        try await two.give(to: three)
        world.set(away: "a", true)
        #expect(try await read(self.asset(of: "photo", on: three), on: three) == content)
    }

    // A device whose network went away still counts as connected for some seconds.
    @Test("A device that does not answer holds up nothing that another one has (D-1, D-36)")
    func silent() async throws {
        let directory = try TemporaryDirectory()
        let world = NearRecords()
        let (one, two) = (try await world.add(directory, "a"), try await world.add(directory, "b"))
        _ = try await world.add(directory, "c")
        world.set(silent: "c")
        for device in [one, two] { try await device.makeZone() }
        let content = Self.bytes(3_000_000)
        _ = try await save(content, as: "film", on: one)
        try await one.give(to: two)
        #expect(try await read(asset(of: "film", on: two), on: two) == content)
        // Nor does an asset that no device has hold it up for ever.
        let other = Self.bytes(2_000_000)
        _ = try await save(other, as: "other", on: one)
        try await one.give(to: two)
        world.set(silent: "a")
        let gone = await #expect(throws: BatonError.self) { try await read(asset(of: "other", on: two), on: two) }
        #expect(gone?.reason == "asset_not_available")
    }

    @Test("A small file comes with its record, before an app asks; a large one when it is asked for (D-1, D-36)")
    func small() async throws {
        let directory = try TemporaryDirectory()
        let world = NearRecords()
        let (one, two) = (try await world.add(directory, "a"), try await world.add(directory, "b"))
        for device in [one, two] { try await device.makeZone() }
        let (small, large) = (Self.bytes(100_000), Self.bytes((1 << 20) + 1))
        _ = try await save(small, as: "small", on: one)
        _ = try await save(large, as: "large", on: one)
        try await one.give(to: two)
        let assets = (try await asset(of: "small", on: two), try await asset(of: "large", on: two))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await two.service.run() }
            defer { group.cancelAll() }
            let reference = try #require(assets.0.parts.first).reference
            while try await !two.service.blobs.isHere(reference) {
                try await Task.sleep(for: .milliseconds(10))  // sleeps: a blob that came causes no event
            }
            world.set(away: "a", true)
            #expect(try await read(assets.0, on: two) == small)
            await #expect(throws: BatonError.self) { try await read(assets.1, on: two) }
        }
    }

    @Test("A device is given what records of the zone name, and nothing else that lies on the disk (D-1)")
    func onlyNamed() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        try await device.makeZone("Other")
        let asset = try await save(Self.bytes(1000), as: "photo", on: device)
        let named = try #require(asset.parts.first).blob
        let other = try await device.service.blobs.put(Data("a document".utf8)).id.bytes
        let harness = RecordLinkHarness(device.service)
        let container = try #require(RecordsDevice.container)
        func zone(_ name: String) throws -> Baton_Link_V1_ZoneName {
            container.zone(try #require(RecordZoneName(name))).message
        }
        func find(_ blobs: [Data], in zone: Baton_Link_V1_ZoneName) async throws -> [Bool] {
            try await harness.find(
                .with {
                    $0.zone = zone
                    $0.blobs = blobs
                }, for: RecordsDevice.id("b")
            ).whole
        }
        #expect(try await find([named, other, Data([1])], in: zone("Z")) == [true, false, false])
        #expect(try await find([named], in: zone("Other")) == [false])
        func refusal(_ change: @escaping (inout Baton_Link_V1_ReadAssetBlobRequest) -> Void) async throws -> String? {
            let request = try Baton_Link_V1_ReadAssetBlobRequest.with {
                $0.zone = try zone("Z")
                $0.blob = named
                $0.length = 100
                change(&$0)
            }
            return await #expect(throws: BatonError.self) {
                _ = try await harness.read(request, for: RecordsDevice.id("b"))
            }?.reason
        }
        #expect(try await refusal { $0.blob = other } == "blob_not_here")
        #expect(try await refusal { $0.blob = Data([1]) } == "malformed_blob")
        #expect(try await refusal { $0.length = 0 } == "malformed_blob")
        #expect(try await refusal { $0.length = (1 << 20) + 1 } == "malformed_blob")
        #expect(try await refusal { $0.offset = .max } == "malformed_blob")
        #expect(try await refusal { $0.zone.name = "nobody's" } == "unknown_zone")
        #expect(try await refusal { $0.zone.kind = "documents" } == "unknown_zone")
        await #expect(throws: BatonError.self) {
            try await find(Array(repeating: named, count: RecordLinkHarness.blobsAtOnce + 1), in: zone("Z"))
        }
        // Beyond the end there is nothing, which is no mistake.
        let end = try await harness.read(
            .with {
                $0.zone = try zone("Z")
                $0.blob = named
                $0.offset = 1 << 30
                $0.length = 10
            }, for: RecordsDevice.id("b"))
        #expect(end.bytes.isEmpty)
    }

    @Test("A device has so many questions for contents under way here, and others do not wait for it (D-1, D-36)")
    func boundQuestions() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        let replica = try await device.replica
        let harness = RecordLinkHarness(device.service)
        let zone = replica.container.zone(try #require(RecordZoneName("Z"))).message
        @Sendable func isRefused(_ name: String) async throws -> Bool {
            do {
                _ = try await harness.find(.with { $0.zone = zone }, for: RecordsDevice.id(name))
                return false
            } catch let error as BatonError where error.reason == "too_many_calls" {
                return true
            }
        }
        // Nothing is answered while the replica's thread is held, so the first answers are refusals.
        let (gate, (holds, hold)) = (DispatchSemaphore(value: 0), AsyncStream.makeStream(of: Void.self))
        async let held: Void = replica.perform { _ in
            hold.finish()
            // Without the bound nothing is refused: then the calls are answered after this, and the test fails.
            _ = gate.wait(timeout: .now() + 20)
        }
        for await _ in holds {}
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<RecordLinkHarness.askings + 3 { group.addTask { try await isRefused("b") } }
            for _ in 0..<3 { #expect(try await group.next() == true) }
            group.addTask { try await isRefused("c") }
            gate.signal()
            for try await isRefused in group { #expect(!isRefused) }
        }
        try await held
        #expect(try await !isRefused("b"))
    }

    @Test("Many files are read at once from a device, which is asked no more at once than it answers (D-1, D-36)")
    func manyReadings() async throws {
        let directory = try TemporaryDirectory()
        let world = NearRecords()
        let (one, two) = (try await world.add(directory, "a"), try await world.add(directory, "b"))
        for device in [one, two] { try await device.makeZone() }
        var assets: [RecordAsset] = []
        for number in 0..<RecordLinkHarness.askings + 8 {
            let bytes = Self.bytes(40_000) + Data([UInt8(number)])
            assets.append(try await save(bytes, as: "file \(number)", on: one))
        }
        try await one.give(to: two)
        let (gate, (holds, hold)) = (DispatchSemaphore(value: 0), AsyncStream.makeStream(of: Void.self))
        let replica = try await one.replica
        async let held: Void = replica.perform { _ in
            hold.finish()
            _ = gate.wait(timeout: .now() + 20)
        }
        for await _ in holds {}
        try await withThrowingTaskGroup(of: Int.self) { group in
            for asset in assets { group.addTask { [self] in try await read(asset, on: two).count } }
            while world.underWay(at: "a") < RecordsBounds.nearAskings {
                try Task.checkCancellation()
                await Task.yield()
            }
            gate.signal()
            for try await count in group { #expect(count == 40_001) }
        }
        try await held
        #expect(world.mostUnderWay(at: "a") == RecordsBounds.nearAskings)
    }
}
