import BatonCore
import BatonStore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Sync
import Testing

@testable import Records

/// Saves, fetches and changes of records, as apps that speak CloudKit make them (D-1).
@Suite("Records of a container", .timeLimit(.minutes(1)))
struct RecordsServiceTests {
    @Test("What was saved is fetched, with a tag; an old tag is refused with the record that is there (D-1)")
    func tags() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        let first = try #require(try await device.save([RecordsDevice.record("n", ["text": "one"])]).saved.first)
        #expect(!first.hasProblem)
        #expect(first.record.texts == ["text": "one"])
        #expect(first.record.created > 0 && first.record.createdBy == "_me")

        let tag = first.record.changeTag
        let second = try #require(
            try await device.save([RecordsDevice.record("n", tag: tag, ["text": "two"])]).saved.first)
        #expect(second.record.changeTag != tag)
        let third = try #require(
            try await device.save([RecordsDevice.record("n", tag: tag, ["text": "three"])]).saved.first)
        #expect(third.problem.reason == "server_record_changed")
        #expect(third.record.texts == ["text": "two"])
        let insertion = try #require(try await device.save([RecordsDevice.record("n", ["text": "x"])]).saved.first)
        #expect(insertion.problem.reason == "server_record_changed")
        let lost = try #require(try await device.save([RecordsDevice.record("m", tag: tag, ["text": "x"])]).saved.first)
        #expect(lost.problem.reason == "unknown_item")
        #expect(try await device.fetch("m").problem.reason == "unknown_item")
        let policy = try await device.save([RecordsDevice.record("n", tag: tag, ["more": "4"])], policy: .changedKeys)
        #expect(policy.saved.first?.record.texts == ["text": "two", "more": "4"])
        let all = try await device.save([RecordsDevice.record("n", ["last": "5"])], policy: .allKeys)
        #expect(all.saved.first?.record.texts == ["last": "5"])
    }

    @Test("A record says which device changed it last, where its name is known (D-1)")
    func lastDevice() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        let unnamed = try await device.save([RecordsDevice.record("n", ["text": "one"])])
        #expect(unnamed.saved.first?.record.modifiedByDevice == "")
        let own = String(repeating: "B", count: 26)
        device.service.connect(deviceNames: { $0 == own ? "Desk" : nil })
        #expect(try await device.fetch("n").record.modifiedByDevice == "Desk")
        #expect(try await device.changes().records.map(\.modifiedByDevice) == ["Desk"])
    }

    @Test("Nothing of an atomic batch with one old tag is saved (D-1, case 40)")
    func atomic() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        _ = try await device.save([RecordsDevice.record("n", ["text": "one"])])
        let answer = try await device.save([
            RecordsDevice.record("n", tag: "old", ["text": "x"]), RecordsDevice.record("m", ["text": "y"]),
        ])
        #expect(answer.saved.map(\.problem.reason) == ["server_record_changed", "batch_request_failed"])
        #expect(try await device.fetch("m").hasProblem)
        let apart = try await device.save(
            [RecordsDevice.record("n", tag: "old", ["text": "x"]), RecordsDevice.record("m", ["text": "y"])],
            atomic: false)
        #expect(apart.saved.map(\.hasProblem) == [true, false])
    }

    @Test("Changes come after a token, deletions too; tokens of elsewhere and garbage are refused (D-1)")
    func changes() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        try await device.makeZone("Y")
        _ = try await device.save((0..<10).map { RecordsDevice.record("n\($0)", ["text": "\($0)"]) })
        let first = try await device.changes()
        #expect(first.records.count == 10 && first.deleted.isEmpty && !first.more)
        _ = try await device.save([], deleting: ["n3"])
        let second = try await device.changes(since: first.token)
        #expect(second.records.isEmpty)
        #expect(second.deleted.map(\.id.recordName) == ["n3"])
        #expect(try await device.changes().deleted.isEmpty)

        var later = first.token
        later[20] = 0xFF
        for token in [later, Data([1, 2, 3]), Data(count: 24), first.token + Data(count: 300), first.token.prefix(20)] {
            await #expect(throws: BatonError.self) { try await device.changes(since: token) }
        }
        await #expect(throws: BatonError.self) { try await device.changes(since: first.token, zone: "Y") }
        await #expect(throws: BatonError.self) { try await device.changes(zone: "X") }
    }

    @Test("A parent must be there, and cannot go without its children (D-1)")
    func parents() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        let child = RecordsDevice.record("child", parent: "parent", ["text": "c"])
        #expect(try await device.save([child]).saved.first?.problem.reason == "reference_violation")
        let both = try await device.save([child, RecordsDevice.record("parent", ["text": "p"])])
        #expect(both.saved.allSatisfy { !$0.hasProblem })
        #expect(try await device.save([], deleting: ["parent"]).deleted.first?.problem.reason == "reference_violation")
        let gone = try await device.save([], deleting: ["parent", "child"])
        #expect(gone.deleted.allSatisfy { !$0.hasProblem })
    }

    @Test("A parent takes a child with it that refers to it so, and stays where the child's own child would be left")
    func parentWithReference() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        func child(_ name: String, of parent: String, goesAlong: Bool) -> Baton_App_V1_RecordSave {
            var save = RecordsDevice.record(name, parent: parent, [:])
            guard goesAlong else { return save }
            save.record.fields = [
                .with {
                    $0.name = "list"
                    $0.value.reference.record = .with {
                        $0.recordName = parent
                        $0.zone.zoneName = "Z"
                    }
                    $0.value.reference.deletesSelf = true
                }
            ]
            return save
        }
        _ = try await device.save([
            RecordsDevice.record("list", [:]), child("item", of: "list", goesAlong: true),
            child("note", of: "item", goesAlong: false),
        ])
        #expect(try await device.save([], deleting: ["list"]).deleted.first?.problem.reason == "reference_violation")
        #expect(try await device.save([], deleting: ["note"]).deleted.allSatisfy { !$0.hasProblem })
        #expect(try await device.save([], deleting: ["list"]).deleted.allSatisfy { !$0.hasProblem })
        #expect(try await device.fetch("item").problem.reason == "unknown_item")
    }

    @Test("What goes with a record whose deletion is refused stays, and so does its parent")
    func parentOfWhatStays() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        var item = RecordsDevice.record("item", parent: "list", [:])
        item.record.fields = [
            .with {
                $0.name = "owner"
                $0.value.reference.record = .with {
                    $0.recordName = "owner"
                    $0.zone.zoneName = "Z"
                }
                $0.value.reference.deletesSelf = true
            }
        ]
        _ = try await device.save([
            RecordsDevice.record("list", [:]), RecordsDevice.record("owner", [:]), item,
            RecordsDevice.record("note", parent: "owner", [:]),
        ])
        let kept = try await device.save([], deleting: ["list", "owner"])
        #expect(kept.deleted.map(\.problem.reason) == ["reference_violation", "reference_violation"])
        let gone = try await device.save([], deleting: ["list", "owner", "note"])
        #expect(gone.deleted.allSatisfy { !$0.hasProblem })
    }

    @Test("A restart keeps everything; leaving the account removes it (D-1)")
    func restart() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        _ = try await device.save([RecordsDevice.record("n", ["text": "one"])])
        let token = try await device.changes().token
        let account = device.service.account
        await device.service.accountChanged(to: nil, left: [])
        await #expect(throws: BatonError.self) { try await device.fetch("n") }
        await device.service.accountChanged(to: account, left: [])
        #expect(try await device.fetch("n").record.texts == ["text": "one"])
        #expect(try await device.changes(since: token).records.isEmpty)
        await device.service.accountChanged(to: nil, left: [RecordsDevice.account])
        await device.service.accountChanged(to: account, left: [])
        await #expect(throws: BatonError.self) { try await device.changes() }
    }

    @Test("An app that asks while the daemon starts hears of no account only once it is known that there is none (D-1)")
    func starting() async throws {
        let directory = try TemporaryDirectory()
        let database = try DaemonDatabase(path: directory.file("a.sqlite"), migrations: SyncStore.migrations)
        let service = RecordsService(
            directory: directory.file("records"),
            blobs: try await BlobService(database: database, path: directory.file("blobs")),
            recorder: NullEventRecorder())
        async let isThere = {
            try await service.waitForAccount()
            return service.account != nil
        }()
        await service.accountChanged(
            to: RecordsAccount(account: RecordsDevice.account, device: RecordsDevice.id("a")), left: [])
        #expect(try await isThere)
    }

    @Test("Two devices that were apart have both edits; what one had not seen keeps a record that it deletes (D-1)")
    func apart() async throws {
        let directory = try TemporaryDirectory()
        let (one, two) = (try await RecordsDevice(directory, "a"), try await RecordsDevice(directory, "b"))
        _ = try await two.replica
        try await one.makeZone()
        let saved = try await one.save([RecordsDevice.record("n", ["text": "one", "title": "t"])])
        try await one.give(to: two)
        let tag = try #require(saved.saved.first?.record.changeTag)
        // The tag is of the content: it is the same there.
        #expect(try await two.fetch("n").record.changeTag == tag)
        _ = try await one.save([RecordsDevice.record("n", tag: tag, ["text": "here"])])
        _ = try await two.save([RecordsDevice.record("n", tag: tag, ["title": "there"])])
        try await one.give(to: two)
        try await two.give(to: one)
        for device in [one, two] {
            #expect(try await device.fetch("n").record.texts == ["text": "here", "title": "there"])
        }
        _ = try await one.save([], deleting: ["n"])
        let now = try await two.fetch("n").record.changeTag
        _ = try await two.save([RecordsDevice.record("n", tag: now, ["text": "kept"])])
        try await one.give(to: two)
        try await two.give(to: one)
        for device in [one, two] { #expect(try await device.fetch("n").record.texts["text"] == "kept") }
        let zone = try #require(RecordsDevice.container).zone(#require(RecordZoneName("Z")))
        #expect(try await one.zones.digest(of: zone) == two.zones.digest(of: zone))
    }

    @Test("What waits is given as a group, and is done with when the cloud has it as it was given (D-1)")
    func pending() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        _ = try await device.save((0..<3).map { RecordsDevice.record("n\($0)", ["text": "\($0)"]) })
        _ = try await device.save([RecordsDevice.record("m", ["text": "m"])])
        let zone = try #require(RecordsDevice.container).zone(#require(RecordZoneName("Z")))
        let items = try await device.zones.pending(in: zone, limit: 100)
        #expect(items.map(\.name) == ["n0", "n1", "n2", "m"])
        #expect(items.map(\.group) == [1, 1, 1, 2])
        _ = try await device.save([RecordsDevice.record("m", ["text": "more"])], policy: .changedKeys)
        try await device.zones.written(items.enumerated().map { ($1, UInt64($0 + 1)) }, in: zone)
        let rest = try await device.zones.pending(in: zone, limit: 100)
        #expect(rest.map(\.name) == ["m"])
        #expect(rest.first?.replaces == 4)
    }

    @Test("Hostile items are refused whole, and told to nobody (D-1)")
    func hostile() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        let zone = try #require(RecordsDevice.container).zone(#require(RecordZoneName("Z")))
        let wrong = Baton_Sync_V1_RecordItem.with {
            $0.recordType = "Note"
            $0.fields = [
                .with {
                    $0.name = "text"
                    $0.stamp = 7
                }
            ]
        }
        let contents: [Data] = [Data([0xFF, 1]), Data(count: 3 << 20), try wrong.serializedData()]
        for content in contents {
            try await device.zones.received(
                [IncomingItem(name: "n", version: 1, content: content)], in: zone)
            try await device.zones.exchanged(["n": content, "_zones": content, "": content], in: zone)
        }
        #expect(try await device.changes().records.isEmpty)
    }

    @Test("The containers of one team do not use up those of the device (D-1)")
    func manyContainers() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        func open(_ number: Int, _ team: TeamIdentity) async throws {
            let container = RecordContainer(team: team, identifier: "iCloud.com.example.c\(number)")
            _ = try await device.service.open(#require(container))
        }
        for number in 0..<64 { try await open(number, .development) }
        let error = await #expect(throws: BatonError.self) { try await open(64, .development) }
        #expect(error?.reason == "too_many_containers")
        try await open(0, TeamIdentity(fingerprint: Array(repeating: 7, count: 32)))
    }
}
