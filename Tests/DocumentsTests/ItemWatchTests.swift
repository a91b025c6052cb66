import BatonWire
import FileSync
import Foundation
import Testing

@testable import Documents

/// Issue 27, section 5: a follower of a container gets the changes, and not every item anew.
@Suite("Items that are followed", .timeLimit(.minutes(2))) struct ItemWatchTests {
    private struct Follower {
        let container: ContainerEngine
        let watch: ItemWatch
        var known: [EntryID: ContainerItem]

        init(_ container: ContainerEngine) async throws {
            self.container = container
            let (watch, items) = try await container.perform { $0.watchItems() }
            self.watch = watch
            known = Dictionary(items.map { ($0.id, $0) }) { $1 }
        }

        /// At any moment the changes add up to the items that are there.
        mutating func check() async throws {
            let (items, changes) = try await container.perform { [watch] container in
                container.tellWatchers()
                return (container.reader.items(), watch.take())
            }
            known.merge(changes.changed) { $1 }
            for id in changes.removed { known[id] = nil }
            let present = Dictionary(items.map { ($0.id, $0) }) { $1 }
            #expect(known == present)
        }
    }

    private static func bytes(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8.random(in: .min ... .max) }) }

    @Test("the changes add up to the items while files and folders are made, moved, edited, evicted and deleted (D-17)")
    func changes() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        try await world.run([one, other]) {
            var followers: [Follower] = []
            for device in [one, other] { followers.append(try await Follower(try #require(device.container))) }
            func until(_ what: String, _ condition: () async throws -> Bool) async throws {
                try await world.until(what) {
                    for index in followers.indices { try await followers[index].check() }
                    return try await condition()
                }
            }
            let files = FileManager.default
            try files.createDirectory(atPath: one.folder + "/a/b", withIntermediateDirectories: true)
            for number in 0..<20 { try one.write(Data("\(number)".utf8), "a/b/\(number)") }
            try one.write(Self.bytes(3_000_000), "large.bin")
            try await until("all to come") { other.read("a/b/19") != nil && other.read("large.bin") != nil }
            try files.moveItem(atPath: other.folder + "/a", toPath: other.folder + "/c")
            try await until("the folder to move") { one.read("c/b/19") != nil }
            try files.moveItem(atPath: one.folder + "/c/b/0", toPath: one.folder + "/0")
            try one.write(Data("edited".utf8), "c/b/1")
            try await until("the file to move") { other.read("0") != nil && other.read("c/b/1") == Data("edited".utf8) }
            let container = try #require(other.container)
            try await container.perform { $0.evict(try $0.reader.find("large.bin")) }
            try await until("its content to leave") { other.read("large.bin") == nil }
            try await container.perform { $0.download(try $0.reader.find("large.bin")) }
            try await until("its content to come back") { other.read("large.bin") != nil }
            try files.removeItem(atPath: one.folder + "/c")
            try await until("the folder to go") { !files.fileExists(atPath: other.folder + "/c") }
            try await until("all to be told") {
                try await container.perform { $0.reader.items().allSatisfy(\.isUploaded) }
            }
            #expect(Set(followers[1].known.values.map(\.path)) == ["0", "large.bin"])
        }
    }

    @Test("a follower of a container that is closed is told what there is, and then no more")
    func closed() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let container = try #require(one.container)
        let early = try await Follower(container)
        await container.stop()
        for await _ in early.watch.wakeups {}
        let late = try await Follower(container)
        for await _ in late.watch.wakeups {}
        #expect(late.known.isEmpty)
    }

    @Test("an item that is listed no more is told as removed, once; one that was never told is not")
    func filter() {
        func item(_ number: UInt64, conflicts: Int = 1) -> ContainerItem {
            var item = ContainerItem(id: EntryID(high: 0, low: number), path: "\(number)", kind: .file)
            item.conflicts = conflicts
            return item
        }
        func isListed(_ item: ContainerItem) -> Bool { item.conflicts > 0 }
        var diff = ContainerDiff(container: "/nowhere")
        let first = diff.begin([item(10), item(11)], token: Data())
        #expect(first.count == 1 && first[0].reset && first[0].gathered && first[0].changed.count == 2)
        var changes = ItemChanges()
        for item in [item(10, conflicts: 0), item(12), item(13, conflicts: 0)] { changes.changed[item.id] = item }
        let second = diff.news(changes, token: Data(), where: isListed)
        #expect(second.count == 1 && !second[0].reset && !second[0].gathered)
        #expect(second[0].changed.map(\.path) == ["12"])
        #expect(second[0].removed == [EntryCodec.bytes(of: EntryID(high: 0, low: 10))])
        changes = ItemChanges()
        changes.removed = [EntryID(high: 0, low: 10)]
        #expect(diff.news(changes, token: Data(), where: isListed).isEmpty)
    }
}
