import BatonCore
import FileSync
import Foundation
import Testing

@testable import Documents

/// Issue 30, folders: copies that take the place of what is synced.
@Suite(.timeLimit(.minutes(2))) struct ReplacedFoldersTests {
    @Test("a directory that its copy replaces keeps the documents of its placeholders, also those further below")
    func copiedDirectory() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let other = try await world.add("C")
        try FileManager.default.createDirectory(atPath: one.folder + "/d/in/deep", withIntermediateDirectories: true)
        let names = ["d/film", "d/in/film", "d/in/deep/film"]
        let large = (1...3).map { factor in Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 7 * factor) }) }
        for (name, content) in zip(names, large) { try one.write(content, name) }
        func placeholder(_ name: String) -> String { name.replacing("film", with: ".film.icloud") }
        func hasAll(_ device: NearDocuments.Device) -> Bool {
            zip(names, large).allSatisfy { device.read($0) == $1 }
        }
        try await world.run([one, other]) {
            try await world.until("the files to come") { hasAll(other) }
            let container = try #require(other.container)
            _ = try await container.perform { try $0.keepContents("", keeps: false) }
            try await world.until("placeholders to stand there") {
                names.allSatisfy { other.read($0) == nil && other.read(placeholder($0)) != nil }
            }
            // In one step, as a restore does it; then on to another name, and back.
            let manager = FileManager.default
            let (copy, place, elsewhere) = (one.folder + "-copy", other.folder + "/d", other.folder + "/x")
            try Self.copy(place, to: copy)
            try await container.perform { _ in
                try manager.removeItem(atPath: place)
                try manager.moveItem(atPath: copy, toPath: place)
            }
            try one.write(Data("1".utf8), "d/first")
            try await world.until("the copy to be looked at") { other.read("d/.first.icloud") != nil }
            _ = try await container.perform { container in
                container.scanEverything(isAsked: true)
                container.round()
            }
            try manager.moveItem(atPath: place, toPath: elsewhere)
            try await world.until("the move to come") { one.read("x/film") != nil && one.read("d/film") == nil }
            try manager.moveItem(atPath: elsewhere, toPath: place)
            try await world.until("the move back to come") { one.read("d/film") != nil && one.read("x/film") == nil }
            #expect(hasAll(one) && names.allSatisfy { one.read(placeholder($0)) == nil })
            _ = try await container.perform { try $0.keepContents("", keeps: true) }
            try await world.until("the contents to come") { hasAll(other) }
        }
        for device in [one, other] { for container in device.service.running { await container.stop() } }
    }

    /// With the times of the files.
    private static func copy(_ path: String, to copy: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["cp", "-a", path, copy]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test("where a subvolume or another disk covers what is synced, the advice loses nothing")
    func coveredPlace() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let container = try #require(one.container)
        let message = try await container.perform { container in
            container.disk.covered = LocalPlace(directory: container.disk.rootHandle, name: try EntryName("volume"))
            return container.unreadableDirectory.message
        }
        #expect(message.contains("“volume”") && message.contains("Unmount it if it is a disk."))
        #expect(message.contains("copy it into an ordinary directory") && !message.contains("out of the folder"))
        await container.stop()
    }
}
