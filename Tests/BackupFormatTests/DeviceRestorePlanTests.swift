import BackupFormat
import BatonCore
import FileSync
import Foundation
import Testing

@Suite("Values of backups: plans, facts, pace, large apps, items of the cloud")
struct DeviceRestorePlanTests {
    private static func snapshot(
        _ number: UInt64, _ roots: [(BackupSnapshot.Root.Kind, String, UInt64)]
    ) throws
        -> BackupSnapshot
    {
        let device = try #require(DeviceID(rawValue: String(repeating: "B", count: 26)))
        return BackupSnapshot(
            id: .init(device: device, number: number), deviceName: "laptop", begun: 1, finished: 2, previous: nil,
            roots: roots.map { kind, name, bytes in
                .init(
                    kind: kind, name: name, version: "1",
                    entry: .init(name: Array("root".utf8), kind: .directory([]), mode: 0o700, modified: 0), files: 1,
                    bytes: bytes)
            }, unreadable: 0, unrested: 0)
    }

    @Test("Settings come first, then apps as they were used, then folders; an app that is wanted comes next (B-1)")
    func order() throws {
        let snapshot = try Self.snapshot(
            1,
            [
                (.folder, "/home/a/Pictures", 1), (.app, "com.example.c", 1), (.settings, "settings", 1),
                (.app, "com.example.a", 1), (.app, "com.example.b", 1), (.settings, "device", 1),
            ])
        var plan = DeviceRestorePlan(snapshot, target: "/disk", replaces: false, needsCode: false, without: ["device"])
        #expect(
            plan.pending.map(\.name) == [
                "settings", "com.example.c", "com.example.a", "com.example.b", "/home/a/Pictures",
            ])
        let wanted = try #require(BundleID(rawValue: "com.example.b"))
        plan.want(wanted)
        #expect(plan.pending.map(\.name).prefix(2) == ["settings", "com.example.b"])
        plan.finish(try #require(plan.next))
        #expect(plan.next?.name == "com.example.b" && plan.isPending(wanted))
        plan.finish(try #require(plan.next))
        #expect(!plan.isPending(wanted))
        plan.want(wanted)
        #expect(plan.pending.map(\.name) == ["com.example.c", "com.example.a", "/home/a/Pictures"])
    }

    @Test("Paths in the home of the lost device are in the home of this one, others stay (B-1)")
    func places() {
        let facts = DeviceFacts(
            home: "/home/ann", folders: [.init(name: "n", path: "/home/ann/N")], included: ["/home/ann", "/srv/x"],
            excluded: ["/home/anna/y"])
        let here = facts.placed(in: "/home/bob")
        #expect(here.included == ["/home/bob", "/srv/x"] && here.excluded == ["/home/anna/y"])
        #expect(here.folders == [.init(name: "n", path: "/home/bob/N")])
        #expect(DeviceFacts.isPlain("/home/bob/..N/.x"))
        for path in ["N", "/home/ann/../bob/.ssh", "/home/./bob", "/home/ann/..", "/a\0b"] {
            #expect(!DeviceFacts.isPlain(path))
            #expect(DeviceFacts(home: "/home/ann", included: [path]).placed(in: "/home/bob").included.isEmpty)
        }
        #expect(DeviceFacts(home: "").place(of: "/a", home: "/b") == "/a")
        #expect(DeviceFacts(home: "/").place(of: "/a", home: "/b") == "/a")
    }

    @Test("A folder comes back as it was kept: receiving only, on demand, kept; older facts say nothing (B-1)")
    func folders() throws {
        var films = DeviceFacts.Folder(name: "films", path: "/home/ann/Films")
        films.isReadOnly = true
        films.onDemand = Array(repeating: "00", count: DeviceFacts.maximumEntries + 1)
        films.kept = ["11"]
        let written = try JSONEncoder().encode(DeviceFacts(home: "/home/ann", folders: [films]))
        let read = try JSONDecoder().decode(DeviceFacts.self, from: written)
        let placed = try #require(read.placed(in: "/home/bob").folders.first)
        #expect(placed.path == "/home/bob/Films" && placed.isReadOnly == true && placed.kept == ["11"])
        #expect(placed.onDemand?.count == DeviceFacts.maximumEntries)
        let old = #"{"home":"/h","handlers":[],"folders":[{"name":"n","path":"/p"}],"included":[],"excluded":[]}"#
        let before = try JSONDecoder().decode(DeviceFacts.self, from: Data(old.utf8))
        #expect(before.folders == [.init(name: "n", path: "/p")])
    }

    @Test("While somebody works a backup takes a fifth of a processor, and no pause is long (B-1)")
    func pace() {
        var pace = BackupPace(cpu: .zero, wall: .zero)
        var (cpu, wall) = (Duration.zero, Duration.zero)
        var longest = Duration.zero
        for step in 0..<2000 {
            // Now and then it waits for a disk: that is not saved up.
            if step == 700 { wall += .seconds(100) }
            cpu += .milliseconds(7)
            wall += .milliseconds(8)
            let rest = pace.rest(cpu: cpu, wall: wall)
            longest = max(longest, rest)
            wall += rest
        }
        let share = cpu / (wall - .seconds(100))
        #expect(share < 0.23 && share > 0.15, "\(share)")
        #expect(longest <= BackupPace.longest)
    }

    @Test(
        "An app that keeps more than 100 MB of its own making in a backed-up place is named, by its newest backup (B-5)"
    )
    func largeApps() throws {
        let old = try Self.snapshot(1, [(.app, "com.example.old", 900_000_000), (.app, "com.example.a", 1)])
        let new = try Self.snapshot(
            2,
            [
                (.app, "com.example.a", 100_000_001), (.app, "com.example.b", 100_000_000),
                (.folder, "/srv", 900_000_000), (.app, "com.example.c", 200_000_000),
            ])
        #expect(LargeApps.found(in: [old, new]).map(\.bundleID) == ["com.example.c", "com.example.a"])
        #expect(LargeApps.found(in: []).isEmpty)
    }

    @Test("Another snapshot in the place of one is told by the next one's hash (B-1)")
    func chain() throws {
        let device = try #require(DeviceID(rawValue: String(repeating: "B", count: 26)))
        func id(_ number: UInt64) -> BackupSnapshot.ID { .init(device: device, number: number) }
        let (one, two) = (ContentHash(1, 0, 0, 0), ContentHash(2, 0, 0, 0))
        let previous: [BackupSnapshot.ID: ContentHash?] = [id(1): nil, id(2): one, id(3): nil, id(5): two]
        #expect(SnapshotChain.exchanged(previous, hashes: [id(1): one, id(2): two]).isEmpty)
        #expect(SnapshotChain.exchanged(previous, hashes: [id(1): two, id(2): two]) == [id(1)])
        #expect(SnapshotChain.exchanged(previous, hashes: [id(4): one]) == [id(4)])
    }

    @Test("An item of the cloud is read as it was written, and nothing else is read (B-1)")
    func cloudObjects() throws {
        let blob = CloudObject.Blob(hash: [UInt8](repeating: 7, count: 32), size: 1000)
        for object in [CloudObject.inline([]), .inline([1, 2, 3]), .blobs([blob, blob])] {
            #expect(try CloudObject(decoding: object.encoded) == object)
            for cut in 0..<object.encoded.count {
                #expect(throws: BatonError.self) { try CloudObject(decoding: object.encoded.prefix(cut)) }
            }
            #expect(throws: BatonError.self) { try CloudObject(decoding: object.encoded + [0]) }
        }
        for bad in [
            CloudObject.blobs([]), .blobs([.init(hash: blob.hash, size: 0)]),
            .blobs([.init(hash: blob.hash, size: UInt32(CloudObject.blobBytes) + 1)]),
            .inline([UInt8](repeating: 0, count: CloudObject.maximumInline + 1)),
        ] {
            #expect(throws: BatonError.self) { try CloudObject(decoding: bad.encoded) }
        }
    }
}
