import BatonTestSupport
import BatonWire
import Foundation
import Testing

extension Integration {
    /// `document-cases.md` with real daemons, disks and a real cloud, each row in both directions (D-5, D-6, D-36). Cases that cannot be done so
    /// are in the simulation's tests, `DocumentCaseTests`: 22 (a year), 14 and 15 on a file system that takes two names for one, and 32 on
    /// one that does not have the name.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DocumentCasesTests {
        /// A row in one direction, in a folder of its own.
        private struct Run: Sendable {
            let row: DocumentCase
            /// The device that does a, and the one that does b.
            var first: CaseFolder
            var second: CaseFolder
            var numbers: [String: UInt64] = [:]

            var title: String { "case \(row.number), \(row.title), in \(first.name)" }

            /// - Returns: nil when it has come out as it must.
            func fault() async throws -> String? {
                let trees = [first.tree, second.tree]
                guard trees[0] == trees[1], row.results.contains(trees[0]) else { return "\(title): \(trees)" }
                for folder in [first, second] {
                    for (file, mode) in row.modes where folder.mode(of: file) != mode {
                        return "\(title): the mode of \(file)"
                    }
                    for (file, contents) in row.kept {
                        let kept = try await folder.contents(of: file)
                        if kept != contents { return "\(title): kept of \(file) is \(kept)" }
                    }
                }
                for (before, after) in row.sameFiles where second.number(of: after) != numbers[before] {
                    return "\(title): \(after) is a copy"
                }
                return nil
            }
        }

        private static func runs(_ separation: DocumentPair.Separation, _ pair: DocumentPair) -> [Run] {
            let rows = DocumentCase.all.filter { separation == .cutOff || !$0.needsDaemon }
            return rows.enumerated().flatMap { index, row in
                [pair.both, pair.both.reversed()].enumerated().map { direction, containers in
                    let name = "\(row.number)-\(index)-\(direction == 0 ? "ab" : "ba")"
                    return Run(
                        row: row, first: CaseFolder(container: containers[0], name: name),
                        second: CaseFolder(container: containers[1], name: name))
                }
            }
        }

        @Test(
            "1 to 21, 26, 28, 29, 31, 32: each comes out as it must, in both directions (D-5, D-6, D-36)",
            arguments: DocumentPair.Separation.allCases)
        func table(separation: DocumentPair.Separation) async throws {
            try await DocumentPair.with { pair in
                var runs = Self.runs(separation, pair)
                for run in runs {
                    try run.first.make()
                    try await run.row.base(run.first)
                }
                try await pair.areEqual()
                for index in runs.indices {
                    for file in runs[index].row.sameFiles.keys {
                        runs[index].numbers[file] = runs[index].second.number(of: file)
                    }
                    runs[index].first.isSeen = separation == .cutOff
                    runs[index].second.isSeen = separation == .cutOff
                }
                try await pair.apart(separation) { [runs] in
                    for run in runs {
                        try await run.row.a(run.first)
                        try await run.row.b(run.second)
                    }
                }
                try await pair.areEqual()
                for run in runs {
                    let fault = try await run.fault()
                    #expect(fault == nil)
                }
            }
        }

        @Test("30: an eviction is no deletion, and the placeholder stands for what another device saves (D-5)")
        func eviction() async throws {
            try await DocumentPair.with { pair in
                for (container, other) in [(pair.one, pair.other), (pair.other, pair.one)] {
                    let name = "of \(other.device.machine).txt"
                    try container.write("base", to: name)
                    try await other.until(name, is: "base")
                    try await container.untilSent(name)
                    try await pair.apart(.cutOff) {
                        try await container.device.baton("evict", container.path(name))
                        try await container.device.until("the placeholder") { container.exists(".\(name).icloud") }
                        try other.write("of the other", to: name)
                    }
                    try await container.device.until("the newer version to be known") {
                        try await container.sizes(of: name).first == 12
                    }
                    #expect(container.exists(".\(name).icloud") && !container.exists(name))
                    #expect(other.read(name) == Data("of the other".utf8))
                    try await container.device.baton("download", container.path(name))
                    try await container.until(name, is: "of the other")
                }
                try await pair.areEqual()
            }
        }

        @Test(
            "23: a container that is moved away, and one that another folder replaces, delete nothing; the person is told (D-6, D-36)"
        )
        func treeVanishes() async throws {
            try await DocumentPair.with { pair in
                try pair.one.write("a", to: "d/a.txt")
                try pair.other.write("b", to: "b.txt")
                try await pair.areEqual()
                let away = pair.household.directory + "/away"
                try FileManager.default.moveItem(atPath: pair.one.root, toPath: away)
                try await pair.one.device.record("container_gone")
                // The other one's changes meanwhile come later.
                try pair.other.write("meanwhile", to: "c.txt")
                try await pair.other.untilSent("c.txt")
                #expect(pair.other.tree.count == 4)
                try FileManager.default.moveItem(atPath: away, toPath: pair.one.root)
                try await pair.one.until("c.txt", is: "meanwhile")
                try await pair.areEqual()
                #expect(pair.other.tree.count == 4)

                // Another folder, empty or with something in it, is not the container.
                try FileManager.default.moveItem(atPath: pair.one.root, toPath: away)
                try FileManager.default.createDirectory(
                    atPath: pair.one.documents, withIntermediateDirectories: true)
                try pair.one.write("new", to: "new.txt")
                try await pair.one.device.restart()
                try await pair.one.until(
                    has: ["d": "/", "d/a.txt": "a", "b.txt": "b", "c.txt": "meanwhile", "new.txt": "new"])
                try await pair.areEqual()
                #expect(pair.other.tree.count == 5)
            }
        }

        @Test("24: more than half of 100 files are deleted when a person confirms it, and come back when not (D-6)")
        func massDeletion() async throws {
            try await DocumentPair.with { pair in
                for (number, container) in pair.both.enumerated() {
                    let other = pair.both[1 - number]
                    for file in 0..<120 { try container.write("\(file)", to: "\(file).txt") }
                    try await pair.areEqual()
                    for file in 0..<100 { try container.remove("\(file).txt") }
                    try container.write("meanwhile", to: "new.txt")
                    try await container.device.record("deletions_held")
                    try await other.until("new.txt", is: "meanwhile")
                    #expect(other.tree.count == 121)
                    let decision = number == 0 ? "--undo" : "--confirm"
                    try await container.device.baton("documents", "deletions", TestContainer.identifier, decision)
                    let count = number == 0 ? 121 : 21
                    try await other.device.until("both to have \(count)") {
                        container.tree.count == count && other.tree.count == count
                    }
                    try await pair.areEqual()
                }
            }
        }

        @Test(
            "27: a directory that is renamed while what is in it is being sent comes whole, and nothing is sent twice (D-5)"
        )
        func renamedWhileSent() async throws {
            try await DocumentPair.with { pair in
                var bytes = 0
                for (container, other) in [(pair.one, pair.other), (pair.other, pair.one)] {
                    let folder = "from \(container.device.machine)"
                    for number in 0..<20 {
                        var random = SeededGenerator(seed: UInt64(number + 100 * container.device.machine))
                        let content = Data((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) })
                        bytes += content.count
                        try container.write(content, to: "\(folder)/\(number)")
                    }
                    try await other.device.until("some to come") { !other.tree.isEmpty }
                    try container.move(folder, to: "\(folder) renamed")
                    try await pair.areEqual()
                    #expect(other.tree["\(folder) renamed/19"] == "100000 bytes")
                    #expect(!other.exists(folder))
                    let usage = try await container.device.call(CloudControlMethods.getCloudUsage)
                    #expect(usage.blobBytes < UInt64(bytes) * 11 / 10)
                }
            }
        }
    }
}
