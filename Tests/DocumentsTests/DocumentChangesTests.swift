import FileSync
import Foundation
import Testing

@testable import Documents

/// Issue 27, section 5: search is told which documents changed, and not of every one anew.
@Suite("Changes of documents for search", .timeLimit(.minutes(2))) struct DocumentChangesTests {
    private struct Follower {
        let container: ContainerEngine
        var known: [String: ContainerDocument] = [:]
        /// How often it was told of all documents, and the most that it was told of at once otherwise.
        var looksAtAll = 0
        var most = 0
        /// How many were named by the last check.
        var last = 0

        init(_ container: ContainerEngine) { self.container = container }

        /// At any moment the changes add up to the documents that are there.
        mutating func check() async throws {
            let (changes, all) = try await container.perform { container in
                let reader = container.reader
                return (container.takeUnsearched().map(reader.documentChanges), reader.documents())
            }
            if let changes {
                for document in changes.documents { known[document.key] = document }
                for key in changes.gone { known[key] = nil }
                last = changes.documents.count
                most = max(most, last)
            } else {
                looksAtAll += 1
                let taken = try await container.perform { $0.takeAllDocuments() }
                known = Dictionary(taken.map { ($0.key, $0) }) { $1 }
                last = taken.count
                return
            }
            #expect(known == Dictionary(all.map { ($0.key, $0) }) { $1 })
        }
    }

    private static func bytes(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8.random(in: .min ... .max) }) }

    @Test(
        "the changes add up to the documents while files and folders are made, moved, edited, evicted and deleted (D-17, P-59)"
    )
    func changes() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        try await world.run([one, other]) {
            var followers = [Follower(try #require(one.container)), Follower(try #require(other.container))]
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
            try await until("its documents to have the new path") {
                followers.allSatisfy { follower in
                    follower.known.values.count { $0.path.hasPrefix(follower.container.path + "/c/b/") } == 20
                }
            }
            try files.moveItem(atPath: one.folder + "/c/b/0", toPath: one.folder + "/0")
            try one.write(Data("edited".utf8), "c/b/1")
            try await until("the file to move") { other.read("0") != nil && other.read("c/b/1") == Data("edited".utf8) }
            let container = try #require(other.container)
            try await container.perform { $0.evict(try $0.reader.find("large.bin")) }
            try await until("its content to leave") {
                followers[1].known.values.contains { $0.name == "large.bin" && !$0.isReadable }
            }
            try await container.perform { $0.download(try $0.reader.find("large.bin")) }
            try await until("its content to come back") {
                followers[1].known.values.contains { $0.name == "large.bin" && $0.isReadable }
            }
            try files.removeItem(atPath: one.folder + "/c")
            try await until("the folder to go") { followers.allSatisfy { $0.known.count == 2 } }
            #expect(Set(followers[1].known.values.map(\.name)) == ["0", "large.bin"])
        }
    }

    @Test(
        "an edit of one of many documents tells search of that one; more than the bound at once have it look at all (P-59)"
    )
    func bounds() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        try await world.run([one, other]) {
            var follower = Follower(try #require(one.container))
            func until(_ what: String, _ condition: () -> Bool) async throws {
                try await world.until(what) {
                    try await follower.check()
                    return condition()
                }
            }
            for number in 0..<50 { try one.write(Data("\(number)".utf8), "\(number)") }
            try await until("the documents to be known") { follower.known.count == 50 && other.read("49") != nil }
            try await world.until("nothing to be told any more") {
                // Asked before the check: that a document was uploaded is a change, too, which a later check would take.
                let isDone = try await follower.container.perform { $0.reader.items().allSatisfy(\.isUploaded) }
                try await follower.check()
                return isDone && follower.last == 0
            }
            (follower.looksAtAll, follower.most) = (0, 0)
            let old = follower.known.values.first { $0.name == "7" }?.modified ?? 0
            try one.write(Data("edited".utf8), "7")
            try await until("the edit to be told") {
                follower.known.values.contains { $0.name == "7" && $0.modified > old }
            }
            #expect(follower.looksAtAll == 0 && follower.most < 50)
        }
        let maximum = UnsearchedDocuments.maximum(of: 0)
        #expect(UnsearchedDocuments.maximum(of: 30_000) == 15_000)
        let ids = (0...UInt64(maximum)).map { EntryID(high: 0, low: 100 + $0) }
        let taken = try await #require(one.container).perform { container in
            var unsearched = UnsearchedDocuments()
            let first = unsearched.take(container.reader, untold: [])
            unsearched.begin(container.reader)
            unsearched.note(Set(ids.dropLast()), of: 0)
            let few = unsearched.take(container.reader, untold: [])
            unsearched.note(Set(ids), of: 0)
            return (first, few?.count, unsearched.take(container.reader, untold: []))
        }
        #expect(taken.0 == nil && taken.1 == maximum && taken.2 == nil)
    }
}
