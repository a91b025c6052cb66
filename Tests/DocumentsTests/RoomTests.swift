import BatonCore
// With Glibc: the C types count as those of the module that includes their header first.
import CoreFoundation
import FileSync
import Foundation
import Glibc
import Sync
import Testing

@testable import Documents

/// Issue 30, folders: documents of apps leave a disk with little room, and come back ahead.
@Suite("Documents of apps on a disk with little room", .timeLimit(.minutes(2))) struct RoomTests {
    @Test("what is missing is what is to stay free, and of a small disk a tenth")
    func missing() {
        #expect(DiskRoom(free: 1 << 20, all: 1 << 40).missing(of: 1 << 30) == (1 << 30) - (1 << 20))
        #expect(DiskRoom(free: 1 << 31, all: 1 << 40).missing(of: 1 << 30) == 0)
        #expect(DiskRoom(free: 50, all: 1000).missing(of: 1 << 30) == 50)
        #expect(DiskRoom(free: 0, all: 0).missing(of: .max) == 0)
    }

    @Test("a disk is looked at again before it can be full, and not more often")
    func pauses() {
        #expect(DiskRoom(free: 1 << 30, all: 1 << 40).pause(keeping: 1 << 30) == .seconds(30))
        #expect(DiskRoom(free: 14 << 30, all: 1 << 40).pause(keeping: 4 << 30) == .seconds(80))
        #expect(DiskRoom(free: 1 << 40, all: 1 << 41).pause(keeping: 1 << 30) == .seconds(600))
        #expect(DiskRoom(free: 5, all: 10).pause(keeping: .max) == .seconds(30))
        #expect(DiskRoom(free: .max, all: .max).pause(keeping: 0) == .seconds(600))
    }

    @Test("what did not come ahead is left alone for an hour")
    func patience() throws {
        let name = try #require(ContainerName(team: .development, identifier: "iCloud.com.example.Notes"))
        var ahead = DocumentsService.Prefetching()
        ahead.note([EntryID(high: 1, low: 2)], in: name)
        #expect(ahead.failed(in: name) == [EntryID(high: 1, low: 2)])
        #expect(ahead.failed(in: .drive).isEmpty)
        #expect(ahead.failed(in: name, now: .now + .seconds(3601)).isEmpty)
    }

    @Test("nothing is looked at where nothing may leave the disk or come ahead")
    func rests() async throws {
        let folder = try await CloudDocuments()
        #expect(await folder.service.lookAtDisks() == nil, "a folder of which nothing is on demand")
        try await Self.with { world, _, _ in
            let pause = await world.service.lookAtDisks()
            #expect(pause.map { $0 >= .seconds(30) } == true)
            var limits = FolderLimits()
            limits.room = 0
            world.service.pacer.set(limits, isMetered: nil, isOnBattery: nil)
            #expect(await world.service.lookAtDisks() == nil)
            limits.prefetches = true
            world.service.pacer.set(limits, isMetered: true, isOnBattery: nil)
            #expect(await world.service.lookAtDisks() == nil, "the network is metered")
            world.service.pacer.set(limits, isMetered: false, isOnBattery: nil)
            #expect(await world.service.lookAtDisks() == .seconds(30))
            let folder = try #require(world.service.running.first { $0.name.folderName != nil })
            limits = FolderLimits()
            world.service.pacer.set(limits, isMetered: nil, isOnBattery: nil)
            #expect(try await folder.perform { $0.roomPause } == nil)
            _ = try await folder.perform { try $0.keepContents("", keeps: false) }
            #expect(try await folder.perform { $0.roomPause } != nil)
        }
    }

    @Test("contents come ahead as soon as the person wants that (D-36)")
    func wakes() async throws {
        try await Self.with { world, container, path in
            #expect(await world.service.makeRoom(.max) == 3)
            try await world.until("all to leave", container) { _ in
                ["a", "b", "c"].allSatisfy { !Self.isHere(path("Documents/\($0)")) }
            }
            var limits = FolderLimits()
            (limits.room, limits.prefetches) = (1, true)
            world.service.pacer.set(limits, isMetered: nil, isOnBattery: nil)
            try await world.until("all to come", container) { _ in
                ["a", "b", "c"].allSatisfy { Self.isHere(path("Documents/\($0)")) }
            }
        }
    }

    /// A container of an app with documents that the cloud has; the oldest one first.
    private static func with(
        _ body: (CloudDocuments, ContainerEngine, _ path: (String) -> String) async throws -> Void
    ) async throws {
        let world = try await CloudDocuments()
        let name = try #require(ContainerName(team: .development, identifier: "iCloud.com.example.Notes"))
        try await world.run { _ in
            let container = try await world.service.open(name)
            try await DocumentsZones(world.service).didFinishInitialFetch(name.zone, by: .cloud)
            let path: (String) -> String = { "\(container.path)/\($0)" }
            for (index, file) in ["Documents/a", "Documents/b", "Documents/c", "own"].enumerated() {
                try world.random(20_000).write(to: URL(fileURLWithPath: path(file)))
                let time = timespec(tv_sec: 1_000_000_000 + index * 1000, tv_nsec: 0)
                _ = [time, time].withUnsafeBufferPointer { utimensat(AT_FDCWD, path(file), $0.baseAddress, 0) }
            }
            try await world.until("all to be in the cloud", container) { container in
                try await container.perform { container in
                    let items = container.reader.items()
                    return items.count == 5 && items.allSatisfy(\.isUploaded) && container.ledger.sending.isEmpty
                }
            }
            try await body(world, container, path)
        }
    }

    private static func isHere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    @Test("those that were not used for longest leave, none that is open, and nothing that is the app's (D-36)")
    func leaving() async throws {
        try await Self.with { world, container, path in
            let file = open(path("Documents/a"), O_RDONLY)
            defer { close(file) }
            #expect(file >= 0)
            #expect(await world.service.makeRoom(0) == 0)
            // The first one is open: the next one goes in its place.
            #expect(await world.service.makeRoom(1) == 1)
            try await world.until("the second one to leave", container) { _ in !Self.isHere(path("Documents/b")) }
            #expect(Self.isHere(path("Documents/.b.icloud")))
            #expect(Self.isHere(path("Documents/a")) && Self.isHere(path("Documents/c")))
            #expect(await world.service.makeRoom(.max) == 1)
            try await world.until("the third one to leave", container) { _ in !Self.isHere(path("Documents/c")) }
            #expect(Self.isHere(path("Documents/a")) && Self.isHere(path("own")))
            #expect(await world.service.makeRoom(.max) == 0)
        }
    }

    @Test("what left for want of room comes back ahead, where that is wanted; what a person evicted does not")
    func ahead() async throws {
        try await Self.with { world, container, path in
            try await container.perform { $0.evict(try $0.reader.find("Documents/c")) }
            try await world.until("it to leave", container) { _ in !Self.isHere(path("Documents/c")) }
            #expect(await world.service.makeRoom(.max) == 2)
            try await world.until("the others to leave", container) { _ in
                ["a", "b"].allSatisfy { !Self.isHere(path("Documents/\($0)")) }
            }
            let found = try await container.perform { container in
                container.prefetchCandidates(room: 30_000, atMost: 8, except: []).map {
                    container.reader.item($0.id)?.path
                }
            }
            #expect(found == ["Documents/b"], "the newest one; both would take too much room")
            #expect(await world.service.prefetch(container).isEmpty)
            #expect(!Self.isHere(path("Documents/b")), "nobody wants it ahead")

            var limits = FolderLimits()
            limits.prefetches = true
            world.service.pacer.set(limits, isMetered: true, isOnBattery: nil)
            #expect(await world.service.prefetch(container).isEmpty)
            #expect(!Self.isHere(path("Documents/b")), "the network is metered")
            world.service.pacer.set(limits, isMetered: false, isOnBattery: nil)
            #expect(await world.service.prefetch(container).isEmpty)
            #expect(["a", "b"].allSatisfy { Self.isHere(path("Documents/\($0)")) })
            #expect(!Self.isHere(path("Documents/c")))
            #expect(try await container.perform { $0.planner.state.leftForRoom.isEmpty })
        }
    }

    @Test("one that the cloud does not have yet stays (D-36)")
    func unsent() async throws {
        try await Self.with { world, container, path in
            try world.random(30_000).write(to: URL(fileURLWithPath: path("Documents/new")))
            try await world.until("it to be read", container, takes: false) { container in
                try await container.perform { $0.reader.items().count == 6 }
            }
            #expect(await world.service.makeRoom(.max) == 3)
            try await world.until("the others to leave", container, takes: false) { _ in
                ["a", "b", "c"].allSatisfy { !Self.isHere(path("Documents/\($0)")) }
            }
            #expect(Self.isHere(path("Documents/new")))
        }
    }
}
