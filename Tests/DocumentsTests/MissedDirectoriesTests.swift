import BatonCore
import Foundation
import Testing

@testable import Documents

/// Issue 30, folders: a directory that goes while its folder is looked at is no problem that a person could solve.
@Suite("Directories that a look misses", .timeLimit(.minutes(1))) struct MissedDirectoriesTests {
    @Test("a directory that a look cannot find is a problem only when several looks in a row have missed it (D-36)")
    func missed() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        // Deeper than a look goes: so each one finds the last directories, and opens none of them.
        let deep = one.folder + String(repeating: "/d", count: ContainerDisk.maximumDepth + 3)
        try await world.run([one]) {
            let container = try #require(one.container)
            let problems = try await container.perform { container in
                try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
                return (0..<4).map { _ in
                    container.scanEverything(isAsked: true)
                    return container.notes.problem
                }
            }
            #expect(problems.map { $0?.reason } == [nil, nil, "unreadable_directory", "unreadable_directory"])
            #expect(problems.last??.message.contains("tried again") == true)
            try FileManager.default.removeItem(atPath: one.folder + "/d")
            let after = try await container.perform { container in
                container.scanEverything(isAsked: true)
                return container.notes.problem
            }
            #expect(after == nil)
        }
        for container in one.service.running { await container.stop() }
    }
}
