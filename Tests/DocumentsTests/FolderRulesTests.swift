import BatonCore
import BatonTestSupport
import BatonWire
import FileSync
import Foundation
import Glibc
import Sync
import Testing

@testable import Documents

/// Issue 30, folders: rules and directories on demand, on two devices that meet.
@Suite(.timeLimit(.minutes(1))) struct FolderRulesTests {
    @Test("what the folder's rules name is not sent, and they hold on every device")
    func ignored() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let other = try await world.add("C")
        try await world.run([one, other]) {
            try one.write(Data("*.o\nbuild/\n".utf8), ".batonignore")
            try await world.until("the rules to come") { other.read(".batonignore") != nil }
            try FileManager.default.createDirectory(atPath: one.folder + "/build", withIntermediateDirectories: true)
            for name in ["a.o", "build/x", "a.c"] { try one.write(Data(name.utf8), name) }
            try other.write(Data("own".utf8), "own.o")
            try other.write(Data("last".utf8), "last.c")
            try await world.until("the others to come") { other.read("a.c") != nil && one.read("last.c") != nil }
            #expect(other.read("a.o") == nil && other.read("build/x") == nil && one.read("own.o") == nil)

            // Fewer rules: what was left out comes; then what is synced stays so, also when it is saved by renaming.
            try one.write(Data("build/\n".utf8), ".batonignore")
            try await world.until("the object to come") { other.read("a.o") != nil && one.read("own.o") != nil }
            try one.write(Data("*.c\n".utf8), ".batonignore")
            try await world.until("what is ignored no more to come") { other.read("build/x") != nil }
            try await world.until("the rules to come") { other.read(".batonignore") == Data("*.c\n".utf8) }
            try other.write(Data("newer".utf8), "a.c.tmp")
            #expect(rename(other.folder + "/a.c.tmp", other.folder + "/a.c") == 0)
            try await world.until("the change to come") { one.read("a.c") == Data("newer".utf8) }
            #expect(other.read("last.c") != nil && one.read("last.c") != nil)

            // A directory that goes elsewhere stays here while something ignored is in it.
            try other.write(Data("ignored".utf8), "build/new.c")
            try FileManager.default.removeItem(atPath: one.folder + "/build")
            try await world.until("what is synced to go") { other.read("build/x") == nil }
            #expect(other.read("build/new.c") == Data("ignored".utf8))
        }
        for device in [one, other] { for container in device.service.running { await container.stop() } }
    }

    @Test("files of a directory on demand are placeholders here, and come when they are kept; the other device has all")
    func onDemand() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let other = try await world.add("C")
        try FileManager.default.createDirectory(atPath: one.folder + "/d", withIntermediateDirectories: true)
        let large = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try one.write(large, "d/old")
        try await world.run([one, other]) {
            try await world.until("the file to come") { other.read("d/old") == large }
            let container = try #require(other.container)
            #expect(try await container.perform { try $0.keepContents("d", keeps: false) } == 1)
            try one.write(large + [1], "d/new")
            try await world.until("placeholders to stand there") {
                other.read("d/.old.icloud") != nil && other.read("d/.new.icloud") != nil && other.read("d/old") == nil
            }
            #expect(one.read("d/old") == large && one.read("d/new") == large + [1])
            #expect(try await container.perform { try $0.keepContents("", keeps: true) } == 2)
            try await world.until("the contents to come") {
                other.read("d/old") == large && other.read("d/new") == large + [1]
            }
            let rates = try await container.perform { $0.reader.estimate }
            #expect(rates.down > 0 && rates.downLeft == 0 && rates.seconds == nil)

            // The disk has no room: what was said to be kept stays, what is on demand goes.
            try await container.perform { container in
                var limits = FolderLimits()
                limits.room = .max
                container.ports.pacer?.set(limits, isMetered: nil, isOnBattery: nil)
                container.makeRoom()
            }
            #expect(other.read("d/old") == large)
            _ = try await container.perform { try $0.keepContents("d", keeps: false) }
            try await world.until("they to leave") { other.read("d/old") == nil && other.read("d/new") == nil }
            try await container.perform { $0.download(try $0.reader.find("d/old")) }
            try await world.until("the one to come") { other.read("d/old") == large }
            try await container.perform { $0.makeRoom() }
            try await world.until("it to leave again") { other.read("d/old") == nil }
            #expect(one.read("d/old") == large)
        }
        for device in [one, other] { for container in device.service.running { await container.stop() } }
    }

    @Test("a folder that is joined as a lost device had it begins with placeholders where it was on demand there (B-1)")
    func onDemandAgain() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let other = try await world.add("C")
        try FileManager.default.createDirectory(atPath: one.folder + "/d/k", withIntermediateDirectories: true)
        let large = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let files: [String: Data] = ["d/film": large + [1], "d/k/song": large + [2], "note": large + [3]]
        for (name, bytes) in files { try one.write(bytes, name) }
        try await world.run([one, other]) {
            try await world.until("all to come") { files.allSatisfy { other.read($0.key) == $0.value } }
            let container = try #require(other.container)
            _ = try await container.perform { try $0.keepContents("d", keeps: false) }
            _ = try await container.perform { try $0.keepContents("d/k", keeps: true) }
            try await world.until("what is on demand to leave") {
                other.read("d/.film.icloud") != nil && other.read("d/film") == nil
            }
            let place = try #require(await other.service.folderPlaces().first)
            #expect(place.name == "work" && place.path == other.folder && !place.isReadOnly)
            #expect(place.onDemand.count == 1 && place.kept.count == 1)
            world.set(away: other.id, true)
            let marks = try await container.perform { $0.marks }
            let fresh = try await world.add("D", marks)
            try await world.run([fresh], beside: [one]) {
                try await world.until("the rest to come") {
                    fresh.read("note") == files["note"] && fresh.read("d/k/song") == files["d/k/song"]
                        && fresh.read("d/.film.icloud") != nil
                }
                #expect(fresh.read("d/film") == nil)
                #expect(await fresh.service.folderPlaces().first?.onDemand == place.onDemand)
                let again = try #require(fresh.container)
                let hash = try await again.perform { container in
                    let id = try container.reader.find("d/film")
                    return try #require(container.planner.state.entries[id]?.winner?.version.hash)
                }
                #expect(try await again.perform { !$0.shelf.has(hash) && !$0.shelf.hasPart(hash) }, "it never came")
            }
        }
        for device in [one, other] { for container in device.service.running { await container.stop() } }
    }

    @Test(
        "placeholders in a folder that is left stand for nothing: they go, or are no files when it is joined again",
        arguments: [false, true])
    func leftPlaceholders(isAway: Bool) async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let other = try await world.add("C")
        try FileManager.default.createDirectory(atPath: one.folder + "/d", withIntermediateDirectories: true)
        let large = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try one.write(large, "d/film")
        /// A directory whose name is no text.
        func path(_ device: NearDocuments.Device, _ below: String = "") -> [CChar] {
            (Array("\(device.folder)/d".utf8) + [0xFF] + Array(below.utf8) + [0]).map { CChar(bitPattern: $0) }
        }
        func has(_ device: NearDocuments.Device, _ name: String) -> Bool { access(path(device, "/\(name)"), F_OK) == 0 }
        #expect(rename(one.folder + "/d", path(one)) == 0)
        try await world.run([one, other]) {
            try await world.until("the file to come") { has(other, "film") }
            let container = try #require(other.container)
            _ = try await container.perform { try $0.keepContents("", keeps: false) }
            try await world.until("a placeholder to stand there") { has(other, ".film.icloud") && !has(other, "film") }
            let away = other.folder + "-away"
            if isAway { try FileManager.default.moveItem(atPath: other.folder, toPath: away) }
            _ = try await other.service.leaveFolder("work")
            if isAway { try FileManager.default.moveItem(atPath: away, toPath: other.folder) }
            #expect(has(other, ".film.icloud") == isAway)
            _ = try await other.service.addFolder("work", at: other.folder, joins: false)
            try await world.until("the file to come again") { has(other, "film") }
            #expect(!has(other, ".film.icloud") && !has(one, ".film.icloud"))
        }
        for device in [one, other] { for container in device.service.running { await container.stop() } }
    }

    @Test("a placeholder that a person copies is no document, under any name, and one that is moved is the document's")
    func copiedPlaceholders() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let other = try await world.add("C")
        for name in ["d", "e"] {
            try FileManager.default.createDirectory(
                atPath: one.folder + "/\(name)", withIntermediateDirectories: true)
        }
        let large = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try one.write(large, "d/film")
        try await world.run([one, other]) {
            try await world.until("the file to come") { other.read("d/film") == large }
            let container = try #require(other.container)
            _ = try await container.perform { try $0.keepContents("", keeps: false) }
            try await world.until("a placeholder to stand there") {
                other.read("d/.film.icloud") != nil && other.read("d/film") == nil
            }
            for name in ["d/.copy.icloud", "text"] {
                try FileManager.default.copyItem(
                    atPath: other.folder + "/d/.film.icloud", toPath: other.folder + "/\(name)")
            }
            try FileManager.default.moveItem(
                atPath: other.folder + "/d/.film.icloud", toPath: other.folder + "/e/.film.icloud")
            try await world.until("the move to come") { one.read("e/film") == large && one.read("d/film") == nil }
            #expect(one.read("d/.copy.icloud") == nil && one.read("d/copy") == nil && one.read("text") == nil)
            #expect(other.read("d/.copy.icloud") != nil && other.read("text") != nil)
            let reasons = try await container.perform { container in
                ["d/copy", "text"].map { container.reader.leftOut(DocumentPath($0))?.finding.contains("placeholder") }
            }
            #expect(reasons == [true, true])
        }
        for device in [one, other] { for container in device.service.running { await container.stop() } }
    }

    @Test("of two files whose names are no UTF-8, and look the same, the one is meant that has the bytes")
    func namesOfBytes() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let other = try await world.add("C")
        let content = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let names = [UInt8(0xFC), 0xF6].map { [UInt8(ascii: "m"), $0] }
        func path(_ device: NearDocuments.Device, _ name: [UInt8]) -> [CChar] {
            (Array("\(device.folder)/".utf8) + name + [0]).map { CChar(bitPattern: $0) }
        }
        func has(_ device: NearDocuments.Device, _ name: [UInt8]) -> Bool { access(path(device, name), F_OK) == 0 }
        for (index, name) in names.enumerated() {
            try one.write(content + Data([UInt8(index)]), "x")
            #expect(rename(one.folder + "/x", path(one, name)) == 0)
        }
        try await world.run([one, other]) {
            try await world.until("both to come") { names.allSatisfy { has(other, $0) } }
            let container = try #require(other.container)
            _ = try await container.perform { try $0.keepContents(DocumentPath(names[0]), keeps: false) }
            try await world.until("a placeholder to stand there") {
                has(other, Array(".".utf8) + names[0] + Array(".icloud".utf8))
            }
            #expect(has(other, names[1]))
            let second = DocumentPath(names[1])
            _ = try await DocumentsAnswers.change(.delete, second, of: container, patience: .seconds(30))
            try await world.until("the deletion to come") { !has(one, names[1]) }
            #expect(has(one, names[0]))
            _ = try await DocumentsAnswers.change(.undelete, second, of: container)
            try await world.until("it to be back") { has(one, names[1]) && has(other, names[1]) }
        }
        for device in [one, other] { for container in device.service.running { await container.stop() } }
    }

    @Test("what was synced before a rule that names it comes to a new device whole, and is deleted nowhere")
    func ignoredAfterwards() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let other = try await world.add("C")
        world.set(away: other.id, true)
        let count = 300
        func hasAll(_ device: NearDocuments.Device) -> Bool {
            (0..<count).allSatisfy {
                device.read("modules/\($0)/index") == Data("\($0)".utf8)
                    && device.read("\($0).log") == Data("\($0)".utf8)
            }
        }
        for number in 0..<count {
            try FileManager.default.createDirectory(
                atPath: one.folder + "/modules/\(number)", withIntermediateDirectories: true)
            try one.write(Data("\(number)".utf8), "modules/\(number)/index")
            try one.write(Data("\(number)".utf8), "\(number).log")
        }
        try await world.run([one, other]) {
            let (container, its) = (try #require(one.container), try #require(other.container))
            try await world.until("all to be known") {
                try await container.perform { $0.reader.items().count == 3 * count + 1 }
            }
            try one.write(Data("modules/\n*.log\n".utf8), ".batonignore")
            try await world.until("the rules to be known") {
                try await container.perform {
                    $0.disk.ignoring?.isEmpty == false && $0.reader.items().count == 3 * count + 2
                }
            }
            world.set(away: other.id, false)
            // The rules come among the files, and changes are looked at while others come.
            try await world.until("the rules to come") {
                try await its.perform { container in
                    container.scanEverything()
                    container.round()
                    return container.disk.ignoring?.isEmpty == false
                }
            }
            try await world.until("all to come") {
                try await its.perform { container in
                    container.scanEverything()
                    container.round()
                }
                return hasAll(other)
            }
            try await world.until("all to be quiet") {
                let isQuiet = try await container.perform { $0.planner.isAtRest }
                return try await its.perform { $0.planner.isAtRest } && isQuiet
            }
            #expect(hasAll(one) && hasAll(other))
            let deleted = try await container.perform { $0.reader.items(deleted: true).count }
            #expect(deleted == 0)
        }
    }

    @Test("a directory that comes is one with the ignored one in its place, and what is ignored in that stays so")
    func ignoredPlace() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let other = try await world.add("C")
        world.set(away: other.id, true)
        let rules = Data("modules/\n".utf8)
        try FileManager.default.createDirectory(atPath: one.folder + "/modules/deep", withIntermediateDirectories: true)
        for name in ["modules/a", "modules/deep/b"] { try one.write(Data(name.utf8), name) }
        try other.write(rules, ".batonignore")
        try FileManager.default.createDirectory(
            atPath: other.folder + "/modules/deep", withIntermediateDirectories: true)
        for name in ["modules/own", "modules/deep/own"] { try other.write(Data(name.utf8), name) }
        try await world.run([one, other]) {
            let (container, its) = (try #require(one.container), try #require(other.container))
            try await world.until("all to be known") {
                let isRead = try await its.perform {
                    $0.disk.ignoring?.isEmpty == false && $0.reader.items().count == 1
                }
                return try await container.perform { $0.reader.items().count == 4 } && isRead
            }
            world.set(away: other.id, false)
            try await world.until("the files to come") {
                other.read("modules/a") != nil && other.read("modules/deep/b") != nil
            }
            try await world.until("the rules to come") { one.read(".batonignore") == rules }
            for name in ["modules/own", "modules/deep/own"] {
                #expect(other.read(name) == Data(name.utf8) && one.read(name) == nil)
            }
            #expect(one.read("modules/a") != nil && one.read("modules/deep/b") != nil)
            let isTaken = try await its.perform { $0.notes.problems.values.contains { $0.reason == "name_taken" } }
            #expect(!isTaken)
        }
        for device in [one, other] { for container in device.service.running { await container.stop() } }
    }

    @Test("a file that waits for a directory in which something stays is told, and comes when that is gone (D-36)")
    func leftBehind() async throws {
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B"), try await world.add("C"))
        let files = FileManager.default
        for name in ["gone", "taken"] {
            try files.createDirectory(atPath: "\(one.folder)/\(name)", withIntermediateDirectories: true)
            try one.write(Data(name.utf8), name + "/x")
        }
        try await world.run([one, other]) {
            try await world.until("all to come") { other.read("gone/x") != nil && other.read("taken/x") != nil }
            for name in ["gone", "taken"] { try other.write(Data("mine".utf8), name + "/book.part") }
            for name in ["gone", "taken"] { try files.removeItem(atPath: "\(one.folder)/\(name)") }
            try one.write(Data("a file".utf8), "taken")
            let its = try #require(other.container)
            try await world.until("it to be told") {
                try await its.perform { container in
                    container.reader.findings.contains {
                        $0.finding.contains("“taken”") && !$0.finding.contains("“gone”")
                    }
                }
            }
            for name in ["gone", "taken"] { #expect(other.read(name + "/book.part") == Data("mine".utf8)) }
            try files.removeItem(atPath: other.folder + "/taken/book.part")
            try await world.until("it to come") { other.read("taken") == Data("a file".utf8) }
            #expect(other.read("gone/book.part") == Data("mine".utf8))
        }
    }

    @Test("why something stays on this device is told: a rule, a name, or what it is; what is not there is not found")
    func leftOut() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        try await world.run([one]) {
            let container = try #require(one.container)
            try one.write(Data("*.log\nbuild/\n".utf8), ".batonignore")
            try await world.until("the rules to be known") {
                try await container.perform { $0.disk.ignoring?.isEmpty == false }
            }
            try FileManager.default.createDirectory(atPath: one.folder + "/build", withIntermediateDirectories: true)
            for name in ["a.log", "build/x", "a.swp", "a"] { try one.write(Data(name.utf8), name) }
            #expect(mkfifo(one.folder + "/pipe", 0o600) == 0)
            try await world.until("the file to be known") {
                try await container.perform { (try? $0.reader.find("a")) != nil }
            }
            // Also one whose name is no UTF-8.
            let bytes: [UInt8] = [0xFC] + Array(".log".utf8)
            let place = (Array((one.folder + "/").utf8) + bytes + [0]).map { CChar(bitPattern: $0) }
            #expect(rename(one.folder + "/a.log", place) == 0)
            for (path, part) in [
                (bytes, "rule"), (Array("build/x".utf8), "rule"), (Array("a.swp".utf8), "“a.swp”"),
                (Array("pipe".utf8), "neither a file"),
            ] {
                let explained = try await DocumentExplanation.explain(
                    DocumentPath(Array((one.folder + "/").utf8) + path), one.service)
                let stage = try #require(explained.explanations.first?.stages.first { $0.name == "left out" })
                #expect(stage.finding.contains(part), "\(stage.finding)")
                #expect(explained.explanations.first?.healthy == false)
            }
            await #expect(throws: BatonError.self) {
                try await DocumentExplanation.explain(DocumentPath(one.folder + "/nothing"), one.service)
            }
        }
    }
}
