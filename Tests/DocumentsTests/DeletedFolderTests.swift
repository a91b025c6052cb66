import BatonCore
import BatonTestSupport
import BatonWire
import FileSync
import Foundation
import GRDB
import Glibc
import Packs
import Sync
import Testing

@testable import Documents

/// A deleted file can come back from this disk alone, in an account without a cloud (D-36).
@Suite(.timeLimit(.minutes(1))) struct DeletedFolderTests {
    /// Contents of more than 256 numbers would not all be different.
    private static let count = 250

    private static func content(_ number: Int) -> Data {
        Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* (number + 3) &+ number) })
    }

    private static func write(to device: NearDocuments.Device) throws {
        try FileManager.default.createDirectory(
            atPath: device.folder + "/repository", withIntermediateDirectories: true)
        for number in 0..<count { try device.write(content(number), "repository/\(number)") }
    }

    private static func hasAll(_ device: NearDocuments.Device) -> Bool {
        (0..<count).allSatisfy { device.read("repository/\($0)") == content($0) }
    }

    @Test(
        "a folder of many files that takes more than a turn to delete comes back whole on both, and nothing stays in staging"
    )
    func restored() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        try Self.write(to: one)
        try await world.run([one, other]) {
            try await world.until("all to come") { Self.hasAll(other) }
            let (container, its) = (try #require(one.container), try #require(other.container))
            for each in [container, its] {
                try await world.until("all to be told") {
                    try await each.perform { $0.planner.state.unsent.isEmpty && $0.planner.state.unstored.isEmpty }
                }
            }
            let id = try await container.perform { container in
                let id = try container.reader.find("repository")
                try container.delete(id)
                return id
            }
            // It is most of what there is: the person is asked.
            try await world.until("the deletions to be held back") {
                try await container.perform { $0.planner.state.held.count >= Self.count }
            }
            _ = try await container.perform { $0.decideDeletions(delete: true) }
            try await world.until("all to leave") {
                !FileManager.default.fileExists(atPath: one.folder + "/repository")
                    && !FileManager.default.fileExists(atPath: other.folder + "/repository")
            }
            // The device of the person who deletes has nothing of it; the other one keeps it.
            try await world.until("staging to be empty") { try await its.perform { $0.disk.staged.isEmpty } }
            let hashes = try await its.perform { $0.shelf.hashes.count }
            #expect(hashes == Self.count, "every content is kept")
            try await its.perform { $0.undelete(id) }
            try await world.until("all to be back") { Self.hasAll(one) && Self.hasAll(other) }
        }
    }

    @Test(
        "a content that a crash left in staging, after it was compared and before it was kept, is kept at the next start"
    )
    func leftover() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        try await world.run([one, other]) {
            try one.write(Self.content(1), "dear")
            try one.write(Self.content(2), "other")
            try await world.until("it to come") { other.read("dear") != nil && other.read("other") != nil }
            let container = try #require(other.container)
            let hash = ContentHash(of: Self.content(1))
            // The tree has it: nothing is to be kept.
            let double = try await container.perform { try Self.stage(1, $0) }
            try await container.perform { _ = $0.disk.synchronize() }
            try await world.until("what the tree has not to be kept") {
                try await container.perform { !$0.ledger.keepLeftover(double, $0) && $0.disk.isStaged(double) }
            }
            #expect(try await container.perform { !$0.shelf.has(hash) })
            let its = try #require(one.container)
            try await its.perform { try $0.delete(try $0.reader.find("dear")) }
            try await world.until("it to leave") { other.read("dear") == nil }
            try await world.until("it to be kept") { try await container.perform { $0.shelf.has(hash) } }
            let (handle, stranger) = try await container.perform { container in
                container.shelf.remove(hash)
                return (try Self.stage(1, container), try Self.stage(9, container))
            }
            try await container.perform { _ = $0.disk.synchronize() }
            try await world.until("what was staged to be at rest, and kept") {
                try await container.perform { $0.ledger.keepLeftover(handle, $0) && $0.shelf.has(hash) }
            }
            try await world.until("what nothing names not to be kept") {
                try await container.perform { !$0.ledger.keepLeftover(stranger, $0) }
            }
        }
    }

    @Test("a file that was deleted elsewhere, and cannot go here, is no folder that is up to date")
    func staying() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        func open(_ device: NearDocuments.Device) throws -> DatabaseQueue {
            var configuration = Configuration()
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            return try DatabaseQueue(path: device.folder + "/app.db", configuration: configuration)
        }
        let made = try open(one)
        try await made.write { try $0.execute(sql: "CREATE TABLE t (v)") }
        try made.close()
        try await world.run([one, other]) {
            try await world.until("it to come") { other.read("app.db") != nil }
            let container = try #require(other.container)
            let used = try open(other)
            try await used.read { _ = try Row.fetchAll($0, sql: "SELECT * FROM t") }
            try FileManager.default.removeItem(atPath: one.folder + "/app.db")
            try await world.until("the reason to be known") {
                try await container.perform { container in
                    container.reader.findings.contains {
                        $0.finding.contains("“app.db”") && $0.finding.contains("deleted on another device")
                    }
                }
            }
            #expect(other.read("app.db") != nil)
            try used.close()
            try await world.until("it to go") { other.read("app.db") == nil }
            #expect(try await container.perform { $0.reader.findings.isEmpty })
        }
    }

    @Test("what was deleted in a folder that has another name now is named where it is asked for by the old one")
    func renamedFolder() async throws {
        let world = try NearDocuments()
        let (device, other) = (try await world.add("B"), try await world.add("C"))
        try await world.run([device, other]) {
            try FileManager.default.createDirectory(atPath: device.folder + "/d", withIntermediateDirectories: true)
            try device.write(Self.content(1), "d/letter")
            let container = try #require(device.container)
            try await world.until("it to come") { other.read("d/letter") != nil }
            let id = try await container.perform { try $0.reader.find("d/letter") }
            try FileManager.default.removeItem(atPath: device.folder + "/d/letter")
            #expect(rename(device.folder + "/d", device.folder + "/e") == 0)
            try await world.until("the deletion to be known") {
                try await container.perform { container in
                    container.reader.items(deleted: true).map(\.path) == ["e/letter"]
                }
            }
            let failures = try await container.perform { container in
                ["d/letter", "d/other"].map { path in
                    #expect(throws: BatonError.self) {
                        try container.reader.findToRestore(DocumentPath(path), item: Data())
                    }
                }
            }
            #expect(failures[0]?.message.contains("“e/letter”") == true)
            #expect(failures[1]?.message.contains("--deleted") == true)
            #expect(failures.allSatisfy { $0?.reason == "unknown_document" })
            #expect(
                try await container.perform { try $0.reader.findToRestore(DocumentPath("e/letter"), item: Data()) }
                    == id)
        }
    }

    /// No process holds it open afterwards.
    private static func stage(_ number: Int, _ container: isolated ContainerEngine) throws -> LocalHandle {
        let file = try container.disk.newFile()
        try file.write(Array(content(number)))
        return try container.disk.finish(file, [:]).0
    }

    @Test(
        "an account that gets a cloud brings there what devices kept for each other: files, and versions that are on no disk"
    )
    func broughtToTheCloud() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        try await world.run([one, other]) {
            let container = try #require(one.container)
            let (store, id) = (container.ports.store, container.row.id)
            func isStored(_ number: Int) async throws -> Bool {
                // Smaller than the smallest chunk: its only chunk is the whole.
                let hash = ContentHash(of: Self.content(number))
                return try await container.perform { _ in try store.packs.isStored(hash, in: id) }
            }
            try one.write(Self.content(1), "letter")
            try await world.until("it to come") { other.read("letter") == Self.content(1) }
            // The earlier version leaves the tree here.
            try other.write(Self.content(2), "letter")
            try await world.until("its next version to come") { one.read("letter") == Self.content(2) }
            try await world.until("both to be told") {
                try await container.perform { $0.planner.state.unsent.isEmpty && $0.planner.state.unstored.isEmpty }
            }
            try await world.until("the earlier version to be kept") {
                try await container.perform { $0.shelf.has(ContentHash(of: Self.content(1))) }
            }
            #expect(try await !isStored(1))
            try await container.perform { $0.setCloud(true) }
            try await world.until("both to be stored") {
                let (first, second) = (try await isStored(1), try await isStored(2))
                return first && second
            }
            try await world.until("nothing to be left") {
                let isBrought = try await container.perform { $0.ledger.toBring == 0 && $0.reader.findings.isEmpty }
                return try isBrought && store.nearby(in: id).isEmpty
            }
        }
    }

    @Test(
        "a document that is deleted while its content is on its way to the new cloud is kept, and goes there from the shelf"
    )
    func deletedBeforeItIsBrought() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        try await world.run([one, other]) {
            let container = try #require(one.container)
            let (store, id) = (container.ports.store, container.row.id)
            let hash = ContentHash(of: Self.content(1))
            try one.write(Self.content(1), "letter")
            try await world.until("it to be kept by the other") {
                let isTold = try await container.perform {
                    $0.planner.state.unsent.isEmpty && $0.planner.state.unstored.isEmpty
                }
                return isTold && other.read("letter") == Self.content(1)
            }
            try await container.perform { container in
                // As after `setCloud`, before anything was brought.
                container.direct.hasCloud = true
                container.ledger.notInCloud = [hash]
            }
            let its = try #require(other.container)
            try await its.perform { try $0.delete(try $0.reader.find("letter")) }
            try await world.until("it to leave") { one.read("letter") == nil }
            try await world.until("it to be kept") { try await container.perform { $0.shelf.has(hash) } }
            try await container.perform { _ in try store.addNearby([hash], to: id) }
            try await container.perform { $0.ledger.bringKept($0) }
            try await world.until("it to be brought") { try store.nearby(in: id).isEmpty }
            #expect(try await container.perform { _ in try store.packs.isStored(hash, in: id) })
        }
    }

    @Test("the same file made on two devices is one, and not listed as deleted; one that was deleted is")
    func sameFileTwice() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        for device in [one, other] {
            try device.write(Data("same".utf8), "same")
            try device.write(Data(device.id.rawValue.utf8), "gone-" + device.id.rawValue)
        }
        try await world.run([one, other]) {
            let container = try #require(one.container)
            try await world.until("all to be known") {
                try await container.perform { $0.reader.items().count == 3 && $0.planner.state.unsent.isEmpty }
            }
            try await container.perform { try $0.delete(try $0.reader.find("gone-" + other.id.rawValue)) }
            let deleted = try await container.perform { $0.reader.items(deleted: true).map(\.path) }
            #expect(deleted == ["gone-" + other.id.rawValue])
        }
    }

    @Test(
        "a file that could not be made and came to its place otherwise, as one that was there already, is not said to wait"
    )
    func madeOtherwise() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        try await world.run([one, other]) {
            try one.write(Self.content(1), "letter")
            try await world.until("it to come") { other.read("letter") == Self.content(1) }
            let container = try #require(other.container)
            try await world.until("it to be known") {
                try await container.perform { container in
                    guard let id = try? container.reader.find("letter") else { return false }
                    return container.planner.isPlaced(id)
                }
            }
            let findings = try await container.perform { container in
                container.stagingFailed(
                    try container.reader.find("letter"), DiskFailure("stage a content", code: ENOENT))
                container.round()
                return container.reader.findings.map(\.finding)
            }
            #expect(findings.isEmpty, "\(findings)")
        }
    }

    @Test(
        "what a command deletes just after it was written, on the only device that has it, can be brought back each time (D-36)",
        arguments: [false, true])
    func onlyHere(hasCloud: Bool) async throws {
        let world = try NearDocuments()
        // The cloud takes nothing.
        let device = try await world.add("B", hasCloud: hasCloud)
        let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) })
        let contents = ["large": large, "folder/other": Data(large.reversed()), "folder/small": Data("dear".utf8)]
        try FileManager.default.createDirectory(atPath: device.folder + "/folder", withIntermediateDirectories: true)
        func isWhole() -> Bool { contents.allSatisfy { device.read($0.key) == $0.value } }
        try await world.run([device]) {
            let container = try #require(device.container)
            try await world.until("the folder to be known") { try await container.perform { $0.planner.hasScanned } }
            for (name, content) in contents { try device.write(content, name) }
            for _ in 0..<2 {
                for name in ["large", "folder"] {
                    try await world.until("it to be known") {
                        try await container.perform { (try? $0.reader.find(name)) != nil }
                    }
                    _ = try await DocumentsAnswers.change(
                        .delete, DocumentPath(name), of: container, patience: .seconds(30))
                    #expect(!FileManager.default.fileExists(atPath: device.folder + "/" + name))
                }
                for name in ["large", "folder"] {
                    _ = try await DocumentsAnswers.change(.undelete, DocumentPath(name), of: container)
                }
                try await world.until("all to be back") { isWhole() }
            }
            guard hasCloud else { return }
            try await world.until("all to be known to be back") {
                try await container.perform { container in
                    contents.keys.allSatisfy { name in
                        (try? container.reader.find(name)).map(container.planner.isPlaced) ?? false
                    }
                }
            }
            // A try that met a deletion comes again in a minute: here at once. What names it waits for its packs, and for nothing else.
            try await container.perform { $0.ledger.bringKept($0) }
            try await world.until("it to be in packs") {
                try await container.perform { container in
                    try container.ledger.notInCloud.isEmpty
                        && !container.ports.store.packs.unsent(in: container.row.id, limit: .max).isEmpty
                }
            }
            #expect(
                try await container.perform { container in
                    container.planner.waitingForCloud.allSatisfy { container.ledger.uploads[$0] != nil }
                })
        }
    }
}
