import BatonCore
import FileSync
import Foundation
import Glibc
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

    @Test(
        "of a directory and its copy the placeholders' documents are where the placeholders are, and go with the last of them"
    )
    func copyBesideDirectory() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let other = try await world.add("C")
        let large = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try FileManager.default.createDirectory(atPath: one.folder + "/d/in", withIntermediateDirectories: true)
        for name in ["d/film", "d/in/film"] { try one.write(large + Data(name.utf8), name) }
        func has(_ folder: String) -> Bool {
            ["film", "in/film"].allSatisfy { one.read("\(folder)/\($0)") == large + Data("d/\($0)".utf8) }
        }
        try await world.run([one, other]) {
            try await world.until("the files to come") { other.read("d/in/film") != nil && other.read("d/film") != nil }
            let container = try #require(other.container)
            _ = try await container.perform { try $0.keepContents("", keeps: false) }
            try await world.until("placeholders to stand there") {
                other.read("d/.film.icloud") != nil && other.read("d/in/.film.icloud") != nil
            }
            let (manager, folder) = (FileManager.default, other.folder)
            // The name that a person sees, with the copy, and the directory itself elsewhere.
            try await container.perform { _ in
                try manager.moveItem(atPath: folder + "/d", toPath: folder + "/x")
                try Self.copy(folder + "/x", to: folder + "/d")
                try Data("new".utf8).write(to: URL(fileURLWithPath: folder + "/d/new"))
            }
            try await world.until("the move and the copy to come") { has("x") && one.read("d/new") != nil }
            #expect(["film", ".film.icloud"].allSatisfy { one.read("d/\($0)") == nil })
            // Now only the copy is left. It has its own time.
            #expect(utimes(folder + "/d/.film.icloud", nil) == 0)
            try manager.removeItem(atPath: folder + "/x")
            try await world.until("the documents to go to the copy") { has("d") && one.read("x/film") == nil }
            try await container.perform { container in
                #expect(container.reader.items(deleted: true).allSatisfy { $0.kind == .directory })
            }
            // A placeholder that is written anew stays one.
            #expect(utimes(folder + "/d/in/.film.icloud", nil) == 0)
            try other.write(Data("later".utf8), "d/in/later")
            try await world.until("the later one to come") { one.read("d/in/later") != nil }
            #expect(one.read("d/in/.film.icloud") == nil && has("d"))
            _ = try await container.perform { try $0.keepContents("", keeps: true) }
            try await world.until("the contents to come") {
                other.read("d/in/film") == one.read("d/in/film") && other.read("d/film") == one.read("d/film")
            }
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
