import BatonCore
import Crypto
import Foundation
import Glibc
import Packs
import Sync
import Testing

@testable import Documents
@testable import FileSync

/// Contents from devices that are near, in an account without a cloud (D-5, D-36).
@Suite("Documents of devices that are near", .timeLimit(.minutes(2))) struct NearDocumentsTests {
    private static func bytes(_ count: Int, _ seed: UInt64 = 1) -> Data {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return Data(
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            })
    }

    @Test("small files and large ones are the same on both, are known to be elsewhere, and a change sends little (D-5)")
    func folder() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        try await world.run([one, other]) {
            var large = Self.bytes(9_000_000)
            try one.write(Data("small".utf8), "small.txt")
            try other.write(Self.bytes(40_000), "medium.bin")
            try one.write(large, "large.bin")
            try await world.until("all to come") {
                other.read("small.txt") == Data("small".utf8) && one.read("medium.bin") == Self.bytes(40_000)
                    && other.read("large.bin") == large
            }
            try await world.until("all to be told") {
                for device in [one, other] {
                    let items = try await device.container?.perform { $0.reader.items() } ?? []
                    guard items.count == 3, items.allSatisfy(\.isUploaded) else { return false }
                }
                return true
            }
            let sent = world.sent.values.reduce(0, +)
            #expect(sent <= 9_100_000, "nothing is sent twice")
            large[4_500_000] &+= 1
            try other.write(large, "large.bin")
            try await world.until("the change to come") { one.read("large.bin") == large }
            #expect(world.sent.values.reduce(0, +) - sent < 1_000_000)
        }
    }

    @Test("files of one content that come together do not wait for each other, and the content comes once")
    func copies() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        let names = (0..<4).map { "copy\($0).bin" }
        for name in names { try one.write(Self.bytes(300_000), name) }
        var hasFailed = false
        try await world.run([one, other]) {
            try await world.until("all to come") {
                // One that fails is tried again after a while only.
                let unmade = try await other.container?.perform { $0.notes.unmade.isEmpty } ?? true
                if !unmade { hasFailed = true }
                return names.allSatisfy { other.read($0) == Self.bytes(300_000) }
            }
        }
        #expect(!hasFailed)
        #expect(world.sent.values.reduce(0, +) < 310_000)
    }

    @Test("what is 50 levels deep comes, moves with the first of them, and goes with it (D-5, D-36)")
    func deep() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        let names = (0..<50).map { "level \($0)" }
        let (path, moved) = (names.joined(separator: "/"), (["moved"] + names.dropFirst()).joined(separator: "/"))
        try FileManager.default.createDirectory(atPath: "\(one.folder)/\(path)", withIntermediateDirectories: true)
        let bytes = Self.bytes(20_000, 3)
        try one.write(bytes, path + "/file")
        try await world.run([one, other]) {
            try await world.until("it to come") { other.read(path + "/file") == bytes }
            #expect(rename(other.folder + "/level 0", other.folder + "/moved") == 0)
            try await world.until("it to move") {
                one.read(moved + "/file") == bytes && !FileManager.default.fileExists(atPath: one.folder + "/level 0")
            }
            try FileManager.default.removeItem(atPath: one.folder + "/moved")
            try await world.until("it to go") { !FileManager.default.fileExists(atPath: other.folder + "/moved") }
        }
    }

    @Test("one of two devices lies about a content: it comes from the other, and nothing damaged is kept (D-36)")
    func liar() async throws {
        let world = try NearDocuments()
        let (one, liar) = (try await world.add("B"), try await world.add("C"))
        let third = try await world.add("D")
        world.set(away: third.id, true)
        try await world.run([one, liar, third]) {
            let large = Self.bytes(6_000_000, 2)
            try one.write(large, "large.bin")
            try await world.until("the second device to have it") { liar.read("large.bin") == large }
            world.set(liar: liar.id)
            world.set(away: third.id, false)
            try await world.until("it to come from the one that does not lie") { third.read("large.bin") == large }
        }
    }

    @Test("a device that has gone, and counts as near still, holds up nothing between two others (D-5, D-36)")
    func silent() async throws {
        let world = try NearDocuments()
        // By its identifier it is the first.
        let gone = try await world.add("B", hasCloud: false)
        world.set(silent: gone.id)
        let one = try await world.add("C", hasCloud: false)
        let other = try await world.add("D", hasCloud: false)
        try await world.run([gone, one, other]) {
            let bytes = Self.bytes(300_000, 5)
            try one.write(bytes, "medium.bin")
            try await world.until("it to come") { other.read("medium.bin") == bytes }
            let container = try #require(other.container)
            try await container.perform { $0.evict(try $0.reader.find("medium.bin")) }
            try await world.until("it to go") { other.read("medium.bin") == nil }
            try await container.perform { $0.download(try $0.reader.find("medium.bin")) }
            try await world.until("it to come again") { other.read("medium.bin") == bytes }
        }
    }

    @Test("a content whose sender is cut goes on where it was (D-5)")
    func cut() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        try await world.run([one, other]) {
            let large = Self.bytes(8_000_000, 3)
            world.cut(after: 6)
            try one.write(large, "large.bin")
            try await world.until("it to come") { other.read("large.bin") == large }
            // A piece and a part are all that may have come in vain.
            #expect(world.sent.values.reduce(0, +) < 8_000_000 + 2_000_000)
        }
    }

    @Test("a large content goes to a near device first, and to the cloud then; a change of it sends little (D-5)")
    func first() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B", hasCloud: true), try await world.add("C", hasCloud: true))
        try await world.run([one, other]) {
            var large = Self.bytes(17_000_000, 4)
            let begin = ContinuousClock.now
            try one.write(large, "large.bin")
            try await world.until("it to come") { other.read("large.bin") == large }
            // A device that waited for the cloud would ask the other one after 15 s.
            #expect(begin.duration(to: .now) < .seconds(15))
            let container = try #require(one.container)
            try await world.until("it to be in packs") {
                try await container.perform { container in
                    try container.ledger.keptFirst.isEmpty && container.ledger.notInCloud.isEmpty
                        && !container.ports.store.packs.unsent(in: container.row.id, limit: .max).isEmpty
                }
            }
            // Only near devices may hear of it before the cloud has the packs.
            #expect(try await container.perform { !$0.planner.waitingForCloud.isEmpty })
            let sent = world.sent.values.reduce(0, +)
            #expect(sent <= 17_100_000, "nothing is sent twice")
            large[8_000_000] &+= 1
            try other.write(large, "large.bin")
            try await world.until("the change to come") { one.read("large.bin") == large }
            #expect(world.sent.values.reduce(0, +) - sent < 1_000_000)
        }
    }

    @Test(
        "a new content is offered to near devices at once where the cloud is known not to take it, and not where it answers (D-5)",
        arguments: [true, false])
    func unreachable(isUnreachable: Bool) async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B", hasCloud: true), try await world.add("C", hasCloud: true))
        world.set(cloudUnreachable: isUnreachable)
        world.set(away: other.id, true)
        try await world.run([one, other]) {
            let bytes = Self.bytes(50_000, 6)
            try one.write(bytes, "medium.bin")
            let container = try #require(one.container)
            var isOffered = false
            try await world.until("it to be in packs") {
                let (asked, waits) = try await container.perform { container in
                    (!container.ledger.toKeep.isEmpty, !container.ledger.sending.isEmpty)
                }
                isOffered = asked
                return waits
            }
            #expect(isOffered == isUnreachable)
            guard isUnreachable else { return }
            world.set(away: other.id, false)
            try await world.until("it to come") { other.read("medium.bin") == bytes }
        }
    }

    @Test("a large content whose list was lost is cut again from its file, and comes (D-5)")
    func lostRuns() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        world.set(away: other.id, true)
        try await world.run([one, other]) {
            let large = Self.bytes(40_000_000, 4)
            try one.write(large, "large.bin")
            let container = try #require(one.container)
            try await world.until("it to be read") {
                try await container.perform { container in
                    container.planner.state.entries.ids.contains { container.planner.state.entries.hasChunks($0) }
                }
            }
            let (store, id) = (container.ports.store, container.row.id)
            // As a look that came before the content was named did it.
            let runs = try store.forgetRuns(except: [], unnamedBefore: [], of: id)
            #expect(!runs.isEmpty, "it is large enough for a list of runs")
            _ = try store.forgetRuns(except: [], unnamedBefore: runs, of: id)
            world.set(away: other.id, false)
            try await world.until("it to come") { other.read("large.bin") == large }
        }
    }

    @Test("a folder that is left has no placeholders any more, which were files when it is joined again (D-36)")
    func leaving() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        let names = ["a", "b", "c"]
        func list(_ device: NearDocuments.Device) throws -> [String] {
            let names = try FileManager.default.contentsOfDirectory(atPath: device.folder)
            return names.filter { $0 != IgnoreRules.folderMarkName }.sorted()
        }
        try await world.run([one, other]) {
            for (index, name) in names.enumerated() { try one.write(Self.bytes(20_000, UInt64(index)), name) }
            try await world.until("all to come") { try list(other) == names }
            let container = try #require(other.container)
            _ = try await container.perform { try $0.keepContents("", keeps: false) }
            try await world.until("all to leave") { try list(other) == names.map { ".\($0).icloud" } }
            try other.write(Data("mine".utf8), "own")
            try await world.until("it to come") { one.read("own") != nil }
            _ = try await other.service.leaveFolder("work")
            #expect(try list(other) == ["own"])
            let joins = await other.service.elsewhere().contains(container.name)
            _ = try await other.service.addFolder("work", at: other.folder, joins: joins, isReadOnly: false)
            try await world.until("all to come again") { try list(other) == names + ["own"] }
            #expect(try list(one) == names + ["own"], "nothing was deleted, and nothing new was sent")
        }
    }

    @Test("what is in a directory that is one with another comes with that one, under its own name (D-36)")
    func mergedDirectories() async throws {
        let world = try NearDocuments()
        let device = try await world.add("B")
        let actor = ActorID(rawValue: 7)
        func entry(_ low: UInt64, in parent: EntryID, _ name: String, _ content: [UInt8]?) throws -> Entry {
            let stamp = Stamp(time: HybridTimestamp(rawValue: low), actor: actor)
            let version = try content.map { content in
                FileVersion(
                    stamp: stamp, device: "C", size: UInt64(content.count), modified: 0,
                    hash: try #require(ContentHash(Array(SHA256.hash(data: content)))),
                    body: .inline(ByteString(content)))
            }
            return Entry(
                id: EntryID(high: 1, low: low), kind: content == nil ? .directory : .file, parent: parent,
                name: try EntryName(name), version: version, stamp: stamp, actor: actor)
        }
        func tell(_ entries: [Entry]) async throws {
            let items = try entries.map { (EntryCodec.name(of: $0.id), try EntryCodec.encode($0)) }
            try await device.zones.exchanged(Dictionary(uniqueKeysWithValues: items), in: world.zone)
        }
        try await world.run([device]) {
            try await device.zones.didFinishInitialFetch(world.zone, by: .device)
            let names = ["one", "other"]
            let targets = try names.enumerated().map { try entry(UInt64($0.offset) + 1, in: .root, $0.element, nil) }
            var merged: [Entry] = []
            for (target, name) in zip(targets, names) {
                var directory = try entry(target.id.low + 10, in: .root, name, nil)
                directory.mergedInto = target.id
                merged += [directory, try entry(target.id.low + 20, in: directory.id, "copyright", Array(name.utf8))]
            }
            try await tell(merged)
            let container = try #require(device.container)
            #expect(try await container.perform { !$0.planner.state.entries.contains(.recovered) })
            try await tell(targets)
            try await world.until("all to come") {
                names.allSatisfy { device.read("\($0)/copyright") == Data($0.utf8) }
            }
            #expect(!FileManager.default.fileExists(atPath: device.folder + "/Recovered"))
        }
    }

    @Test("one half of a swap is merged with the other one, for which the device is asked that swapped (D-5, D-36)")
    func halfOfSwap() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        try await world.run([one, other]) {
            for name in ["f", "g"] { try one.write(Data(name.utf8), name) }
            try await world.until("both to come") { other.read("f") != nil && other.read("g") != nil }
            world.set(away: other.id, true)
            let container = try #require(one.container)
            let names: @Sendable () async throws -> [String: String] = {
                try await container.perform { container in
                    Dictionary(
                        uniqueKeysWithValues: container.planner.state.entries.all.map {
                            (String(decoding: $0.name.value.bytes, as: UTF8.self), EntryCodec.name(of: $0.id))
                        })
                }
            }
            let before = try await names()
            for (file, target) in [("f", "t"), ("g", "f"), ("t", "g")] {
                #expect(rename("\(one.folder)/\(file)", "\(one.folder)/\(target)") == 0)
            }
            try await world.until("the swap to be seen") {
                let after = try await names()
                return after["f"] == before["g"] && after["g"] == before["f"]
            }
            let (first, second) = (try #require(before["f"]), try #require(before["g"]))
            let half = try await one.zones.contents(of: [first], in: world.zone)
            #expect(try await other.zones.exchanged(half, in: world.zone, asked: [first]) == [second])
            let whole = try await one.zones.contents(of: [first, second], in: world.zone)
            #expect(try await other.zones.exchanged(whole, in: world.zone, asked: [first, second]).isEmpty)
            try await world.until("both to be swapped") {
                other.read("f") == Data("g".utf8) && other.read("g") == Data("f".utf8)
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: other.folder)
            #expect(!files.contains { $0.contains("(conflict") })
        }
    }

    @Test("a deletion is buried after 30 days, once all have met since; a device that was away hears of it (D-36)")
    func burial() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        try await world.run([one, other]) {
            try one.write(Data("gone".utf8), "gone.txt")
            try await world.until("it to come") { other.read("gone.txt") != nil }
            try FileManager.default.removeItem(atPath: one.folder + "/gone.txt")
            try await world.until("it to go") { other.read("gone.txt") == nil }
            let container = try #require(one.container)
            try await world.until("it to be old enough to be counted") {
                for device in [one, other] {
                    let isCounted = try await device.container?.perform { container in
                        container.buryOld(at: world.time)
                        return !container.direct.ages.ages.isEmpty
                    }
                    guard isCounted == true else { return false }
                }
                return true
            }
            for _ in 0..<5 {
                world.pass(DeletionAges<EntryID>.maximumStep - 60_000)
                for device in [one, other] { try await device.container?.perform { $0.buryOld(at: world.time) } }
            }
            try await world.until("it to be buried on both") {
                try await container.perform { $0.buryOld(at: world.time) }
                for device in [one, other] {
                    let isLeft = try await device.container?.perform { $0.planner.state.entries.count > 0 }
                    guard isLeft == false else { return false }
                }
                return true
            }
            #expect(try await other.container?.perform { $0.direct.graveyard.all.count } == 1)
        }
    }

    @Test("a member's word that all was deleted for good ends nothing here: it can be undeleted for 30 days (D-36)")
    func madeUpGraves() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        try await world.run([one, other]) {
            try one.write(Data("dear".utf8), "dear.txt")
            try await world.until("it to come") { other.read("dear.txt") != nil }
            let container = try #require(other.container)
            // Until then it lives as a change that no device has heard of.
            try await world.until("it to be told") { try await container.perform { $0.planner.state.unsent.isEmpty } }
            world.set(away: one.id, true)
            let id = try #require(try await container.perform { $0.planner.state.entries.ids.first { _ in true } })
            for time in [UInt64.max, HybridTimestamp(milliseconds: world.time, counter: 0).rawValue] {
                var graves = Graveyard()
                graves.bury(.init(id), at: time)
                for name in graves.names {
                    let content = try #require(graves.content(ofName: name))
                    try await other.zones.exchanged([name: content], in: world.zone)
                }
                let isThere = try await container.perform { $0.planner.state.entries[id]?.isPresent }
                #expect(isThere == (time == .max))
            }
            try await world.until("it to leave") { other.read("dear.txt") == nil }
            try await container.perform { $0.undelete(id) }
            try await world.until("it to come back") { other.read("dear.txt") == Data("dear".utf8) }
            world.set(away: one.id, false)
            try await world.until("both to have the same") {
                let digests = [
                    try await one.zones.digest(of: world.zone), try await other.zones.digest(of: world.zone),
                ]
                return digests[0] == digests[1] && one.read("dear.txt") == Data("dear".utf8)
            }
        }
    }
}
