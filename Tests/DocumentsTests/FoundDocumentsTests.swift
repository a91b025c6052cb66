import BatonCore
import FileSync
import Foundation
import Glibc
import Sync
import Testing

@testable import Documents

/// Documents as search is told of them (H-37, P-59).
@Suite("Documents for search", .timeLimit(.minutes(1))) struct FoundDocumentsTests {
    @Test("each file below Documents is told with its path, its time, and whether it is here")
    func all() async throws {
        let world = try await CloudDocuments()
        let name = try #require(ContainerName(team: .development, identifier: "iCloud.com.example.Notes"))
        try await world.run { folder in
            let container = try await world.service.open(name)
            try await DocumentsZones(world.service).didFinishInitialFetch(name.zone, by: .cloud)
            try FileManager.default.createDirectory(
                atPath: container.path + "/Documents/in", withIntermediateDirectories: true)
            for file in ["Documents/a.txt", "Documents/in/b.txt", "own.txt"] {
                try world.random(20_000).write(to: URL(fileURLWithPath: "\(container.path)/\(file)"))
            }
            try world.write(Data("one".utf8), "c.txt")
            try await world.until("all to be in the cloud", container) { container in
                try await container.perform { container in
                    let items = container.reader.items()
                    return items.count == 5 && items.allSatisfy(\.isUploaded)
                }
            }
            try await container.perform { $0.evict(try $0.reader.find("Documents/in/b.txt")) }
            try await world.until("it to leave", container) { container in
                access(container.path + "/Documents/in/b.txt", F_OK) != 0
            }
            try await world.until("the folder's file to be known", folder) { folder in
                try await folder.perform { $0.reader.items().count == 1 }
            }
            let changes = try await world.service.takenChanges()
            // Nobody had asked before.
            #expect(changes.isAll && changes.gone.isEmpty)
            let found = changes.documents.sorted { $0.path < $1.path }
            let paths = ["a.txt", "in/b.txt"].map { "\(container.path)/Documents/\($0)" } + [world.path("c.txt")]
            #expect(found.map(\.path) == paths.sorted())
            for document in found {
                let isAway = document.name == "b.txt"
                #expect(document.isReadable == !isAway)
                #expect(document.container == (document.name == "c.txt" ? folder.name : name))
                #expect(document.key.hasPrefix(document.container.zone.name + ":") && document.key.utf8.count > 33)
                #expect(document.modified > 1_500_000_000_000)
            }
            #expect(Set(found.map(\.key)).count == 3)
            // In parts they are the same.
            let parts = try await container.perform { container in
                let reader = container.reader
                return reader.documentIDs.flatMap { reader.documents([$0]) }
            }
            #expect(parts.sorted { $0.path < $1.path } == found.filter { $0.container == name })
            let (items, counts) = try await container.perform { ($0.reader.items(), $0.reader.counts) }
            let files = items.filter { $0.kind != .directory }
            #expect(counts.items == UInt64(items.count) && counts.bytes == files.reduce(0) { $0 + $1.size })
            #expect(counts.notDownloaded == 1 && counts.conflicts == 0 && counts.toUpload == 0)
            #expect(counts.toDownload == UInt64(files.count(where: \.isDownloading)))
            for document in found where document.container == name {
                let item = try #require(items.first { "\(container.path)/\($0.path)" == document.path })
                #expect(document.modified == UInt64(item.modified) / 1_000_000)
            }
            let next = try await world.service.takenChanges()
            #expect(!next.isAll && !next.documents.contains { $0.name == "a.txt" }, "it is as it was told")
            await world.service.rest([name])
            let left = try await world.service.takenChanges()
            #expect(
                left.isAll && left.documents.map(\.name) == ["c.txt"],
                "a container that closes takes its documents along")
        }
    }

    @Test("a document that leaves this device keeps the time that it had here, also one that was set later")
    func times() async throws {
        let world = try await CloudDocuments()
        try await world.run { folder in
            try world.write(Data("one".utf8), "c.txt")
            func areHere() async throws -> Bool {
                try await folder.perform { container in
                    let items = container.reader.items()
                    return items.count == 1 && items.allSatisfy(\.isUploaded)
                }
            }
            try await world.until("it to be in the cloud", folder) { _ in try await areHere() }
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: world.path("c.txt"))
            try await world.until("the time to be known", folder) { container in
                try await container.perform { $0.reader.documents().map(\.modified) == [1_600_000_000_000] }
            }
            try await world.until("the time to be in the cloud", folder) { _ in try await areHere() }
            try await folder.perform { $0.evict(try $0.reader.find("c.txt")) }
            try await world.until("it to leave", folder) { container in
                try await container.perform { $0.reader.documents().map(\.isReadable) == [false] }
            }
            let documents = try await folder.perform { $0.reader.documents() }
            #expect(documents.map(\.modified) == [1_600_000_000_000])
        }
    }

    @Test("containers are in the order of their identifiers, then of their teams")
    func order() throws {
        let names = try ["iCloud.com.example.B", "iCloud.com.example.A"].map {
            try #require(ContainerName(team: .development, identifier: $0))
        }
        #expect(names.sorted().map(\.identifier) == ["iCloud.com.example.A", "iCloud.com.example.B"])
        #expect(!(names[0] < names[0]))
        #expect(ContainerName.hexadecimal([0, 0x0F, 0xA9, 0xFF] as [UInt8]) == "000fa9ff")
        #expect(ContainerName.drive.teamName == String(repeating: "0", count: 64))
    }
}

extension DocumentsService {
    /// What the reader is given, as one.
    fileprivate func takenChanges() async throws -> (isAll: Bool, documents: [ContainerDocument], gone: [String]) {
        var taken = DocumentChanges()
        let isAll = try await takeChangesOfDocuments {
            taken.documents += $0.documents
            taken.gone += $0.gone
        }
        return (isAll, taken.documents, taken.gone)
    }
}
