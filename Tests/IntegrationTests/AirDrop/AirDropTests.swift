import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Sending to devices nearby, by the command line and real daemons.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct AirDropTests {
        private struct Sent: Decodable {
            struct Outcome: Decodable {
                var result: String
                var items: Int
                var bytes: UInt64
            }
            var event: String
            var outcome: Outcome?
        }

        private struct Asked: Decodable { var transfer_id: String }

        private func content(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

        /// Files of many kinds below one folder.
        private func makeItems(in directory: String) throws -> (folder: String, file: String) {
            let folder = directory + "/Büro"
            try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
            try FileManager.default.createDirectory(atPath: folder + "/many", withIntermediateDirectories: true)
            for number in 0..<200 {
                try Data("\(number)".utf8).write(to: URL(fileURLWithPath: "\(folder)/many/\(number).txt"))
            }
            try Data().write(to: URL(fileURLWithPath: folder + "/nothing"))
            let file = directory + "/large.bin"
            var generator = SeededGenerator(seed: 7)
            let bytes = (0..<(3 << 20) / 8).flatMap { _ in
                withUnsafeBytes(of: UInt64.random(in: .min ... .max, using: &generator)) { Array($0) }
            }
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            return (folder, file)
        }

        private func expectSame(_ folder: String, as other: String) throws {
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
            #expect(try FileManager.default.subpathsOfDirectory(atPath: other).sorted() == names)
            for name in names where !name.hasSuffix("empty") && name != "many" {
                #expect(try content("\(folder)/\(name)") == content("\(other)/\(name)"))
            }
        }

        private func ready(_ receiving: ChildProcess) async throws {
            try await within(.seconds(20), "the receiver to be ready") {
                try await receiving.output.expect { $0.contains(#""event":"ready""#) ? $0 : nil }
            }
        }

        @Test("files, folders and links reach another device of the account, which has each of them (A-1, A-5)")
        func ownDevice() async throws {
            try await TestHousehold.with(2) { household in
                let (sender, receiver) = (household[0], household[1])
                let (folder, file) = try makeItems(in: household.directory)
                let receiving = try receiver.startBaton(["receive", "--accept"])
                try await ready(receiving)
                for round in 1...2 {
                    let sent = try await sender.baton(
                        "send", folder, file, "https://example.com/page", "--to", receiver.name)
                    let last = try JSONDecoder().decode(Sent.self, from: Data((sent.lines.last ?? "").utf8))
                    #expect(last.outcome?.result == "delivered")
                    #expect(last.outcome?.items == 3)
                    let downloads = receiver.home + "/Downloads"
                    // A file that is there already keeps its name.
                    try expectSame(folder, as: downloads + (round == 1 ? "/Büro" : "/Büro 2"))
                    #expect(try content(downloads + (round == 1 ? "/large.bin" : "/large 2.bin")) == content(file))
                }
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: receiver.home + "/Downloads").count == 4,
                    "nothing half done is left")
            }
        }

        @Test(
            "a person who declines is heard at the sender, and nothing is kept; nobody is asked while AirDrop is off (A-1)"
        )
        func declined() async throws {
            try await TestHousehold.with(2) { household in
                let (sender, receiver) = (household[0], household[1])
                let (_, file) = try makeItems(in: household.directory)
                let receiving = try receiver.startBaton(["receive"])
                try await ready(receiving)
                let sending = try sender.startBaton(["send", file, "--to", receiver.name])
                let asked = try await within(.seconds(20), "the question") {
                    try await receiving.output.expect { $0.contains(#""event":"asked""#) ? $0 : nil }
                }
                let line = Data(asked.found.utf8)
                receiving.write("no \(try JSONDecoder().decode(Asked.self, from: line).transfer_id)")
                let status = try await within(.seconds(20), "the answer") { try await sending.status() }
                #expect(status == 5)
                try await sending.errors.waitForEnd()
                #expect(sending.errors.all.joined().contains("declined"))
                #expect(!FileManager.default.fileExists(atPath: receiver.home + "/Downloads/large.bin"))

                try await receiver.baton("airdrop", "off")
                let refused = try await sender.baton(
                    ["send", file, "--to", receiver.name], expecting: nil)
                #expect(refused.status != 0)
            }
        }

        @Test("a transfer goes on where it was after the cable was cut (A-1)")
        func resumed() async throws {
            try await TestHousehold.with(2) { household in
                let (sender, receiver) = (household[0], household[1])
                let file = household.directory + "/film.bin"
                _ = FileManager.default.createFile(atPath: file, contents: nil)
                // Sparse, so that it costs no disk here.
                let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
                try handle.write(contentsOf: Data("end".utf8))
                try handle.truncate(atOffset: 600 << 20)
                try handle.close()
                let receiving = try receiver.startBaton(["receive", "--accept"])
                try await ready(receiving)
                let sending = try sender.startBaton(["send", file, "--to", receiver.name])
                try await within(.seconds(20), "some progress") {
                    try await receiving.output.expect { $0.contains(#""event":"progress""#) ? $0 : nil }
                }
                try await household.cut(receiver)
                try await household.restore(receiver)
                let status = try await within(.seconds(90), "the rest") { try await sending.status() }
                #expect(status == 0, "\(sending.errors.all)")
                let arrived = receiver.home + "/Downloads/film.bin"
                #expect(try FileManager.default.attributesOfItem(atPath: arrived)[.size] as? Int == 600 << 20)
                let beginning = try FileHandle(forReadingFrom: URL(fileURLWithPath: arrived)).read(upToCount: 3)
                #expect(beginning == Data("end".utf8))
            }
        }

        @Test(
            "a picture goes to the app that takes its type, which is launched and shows it (A-8, A-9, A-10, A-11, A-14, S-19)"
        )
        func picture() async throws {
            try await TestHousehold.with(2) { household in
                let (sender, receiver) = (household[0], household[1])
                try await household.install(.pngViewer)
                let log = try FileFollower("\(receiver.locations.appLogs)/com.example.PNGViewer.log")
                let receiving = try receiver.startBaton(["receive", "--accept"])
                try await ready(receiving)
                let picture = household.directory + "/photo.png"
                try Data(
                    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
                        + [0, 0, 0, 4, 0, 0, 0, 3, 8, 6, 0, 0, 0] + [0, 0, 0, 0]
                ).write(to: URL(fileURLWithPath: picture))
                try await sender.baton("send", picture, "--to", receiver.name)
                try await within(.seconds(20), "the app to show the picture") {
                    try await log.lines.expect { $0.contains("shows photo.png, 4 x 3") ? $0 : nil }
                }
                #expect(!FileManager.default.fileExists(atPath: receiver.home + "/Downloads/photo.png"))
                try await within(.seconds(20), "the outcome") {
                    try await receiving.output.expect {
                        $0.contains(#""bundle_id":"com.example.PNGViewer""#) ? $0 : nil
                    }
                }
            }
        }

        @Test("a disk that is full, before or in the middle, keeps nothing, and both are told (A-1)")
        func diskFull() async throws {
            try await TestHousehold.with(2) { household in
                let (sender, receiver) = (household[0], household[1])
                let (_, large) = try makeItems(in: household.directory)
                let downloads = receiver.home + "/Downloads"
                try FileManager.default.createDirectory(atPath: downloads, withIntermediateDirectories: true)
                let daemon = try #require(receiver.daemon).processID
                // In the daemon's own view of the disk.
                func there(_ command: String) async throws -> [String] {
                    let process = try ChildProcess(["nsenter", "-t", "\(daemon)", "-m", "sh", "-c", command])
                    #expect(try await within(.seconds(20), command) { try await process.status() } == 0)
                    try await process.output.waitForEnd()
                    return process.output.all
                }
                _ = try await there("mount -t tmpfs -o size=2m tmpfs '\(downloads)'")
                // Small files take more room than they have bytes.
                let many = household.directory + "/many"
                try FileManager.default.createDirectory(atPath: many, withIntermediateDirectories: true)
                for number in 0..<800 { try Data("x".utf8).write(to: URL(fileURLWithPath: "\(many)/\(number)")) }
                let receiving = try receiver.startBaton(["receive", "--accept"])
                try await ready(receiving)
                for item in [large, many] {
                    let before = receiving.output.count
                    let sent = try await sender.baton("send", item, "--to", receiver.name, expecting: nil)
                    #expect(sent.status != 0 && (sent.errors + sent.lines.joined()).contains("disk_full"), "\(sent)")
                    try await within(.seconds(20), "the receiver to be told") {
                        try await receiving.output.expect(from: before) { $0.contains("disk_full") ? $0 : nil }
                    }
                    #expect(try await there("ls -A '\(downloads)'").isEmpty)
                }
            }
        }

        /// The next question that an app asks, with options.
        private func question(on device: TestDevice) async throws -> Baton_Control_V1_QuestionNews {
            let client = device.client
            return try await within(.seconds(20), "the app's question") {
                for try await news in try await client.serverStream(ControlMethods.watchQuestions, .init())
                where news.hasQuestion { return news }
                throw IntegrationFailure("The questions ended.")
            }
        }

        private func answer(_ title: String, on device: TestDevice) async throws {
            let news = try await question(on: device)
            let number = try #require(
                news.question.options.firstIndex { $0.title == title }, "\(news.question.options.map(\.title))")
            try await device.baton("answer", "\(news.questionID)", "\(number + 1)")
        }

        @Test(
            "a picture goes from a share sheet to the other device's app, without a question (A-1, A-5, A-10, S-17, S-19)"
        )
        func shareSheet() async throws {
            try await TestHousehold.with(2) { household in
                let (sender, receiver) = (household[0], household[1])
                try await household.install(.shareSheet)
                try await household.install(.pngViewer)
                try await receiver.baton("settings", "set", "airdrop-own-devices", "accept")
                #expect(try await receiver.baton("airdrop").lines.joined().contains(#""accepts_own_devices":true"#))
                let app = try FileFollower("\(sender.locations.appLogs)/com.example.ShareSheet.log")
                let viewer = try FileFollower("\(receiver.locations.appLogs)/com.example.PNGViewer.log")
                try await sender.baton("open", "sharesheet:picture")
                try await answer("AirDrop", on: sender)
                try await answer("\(receiver.name) (your device)", on: sender)
                try await within(.seconds(20), "the other device's app to show the picture") {
                    try await viewer.lines.expect { $0.contains("shows Image.png, 1 x 1") ? $0 : nil }
                }
                try await within(.seconds(20), "the sheet's end") {
                    try await app.lines.expect {
                        $0.contains("completed com.apple.UIKit.activity.AirDrop") ? $0 : nil
                    }
                }
                #expect(!app.lines.all.contains { $0.contains("not completed") })

                // A person who wants none of the devices.
                try await sender.baton("open", "sharesheet:text?Hello")
                try await answer("AirDrop", on: sender)
                let devices = try await question(on: sender)
                try await sender.baton("answer", "\(devices.questionID)")
                try await within(.seconds(20), "the sheet's end") {
                    try await app.lines.expect {
                        $0.contains("not completed com.apple.UIKit.activity.AirDrop") ? $0 : nil
                    }
                }
                let shared = sender.locations.data + "/airdrop/shared"
                let left = (try? FileManager.default.contentsOfDirectory(atPath: shared)) ?? []
                #expect(left.isEmpty, "the daemon keeps nothing of it")
            }
        }

        @Test("the file manager's action sends the files that were chosen, whatever their names (A-1)")
        func fileManager() async throws {
            try await TestHousehold.with(2) { household in
                let (sender, receiver) = (household[0], household[1])
                try await receiver.baton("settings", "set", "airdrop-own-devices", "accept")
                // The terminal and the person, who chooses the device.
                let programs = household.directory + "/bin"
                try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
                let scripts = [
                    "xdg-terminal-exec": #"exec "$@" </dev/null"#,
                    "baton":
                        "shift; exec '\(try Products.path("baton"))' --home '\(sender.home)' send --to '\(receiver.name)' \"$@\"",
                ]
                for (name, text) in scripts {
                    try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: "\(programs)/\(name)"))
                    try FileManager.default.setAttributes(
                        [.posixPermissions: 0o755], ofItemAtPath: "\(programs)/\(name)")
                }
                let names = ["--to nobody.txt", "*.txt", "a $(touch b) \"'.txt"]
                let files = names.map { "\(household.directory)/\($0)" }
                for file in files { try Data(file.utf8).write(to: URL(fileURLWithPath: file)) }
                let action = try ChildProcess(
                    sender.prefix + [Products.package + "/Packaging/file-manager/send-with-baton"],
                    environment: [
                        "PATH": programs + ":/usr/bin:/bin",
                        "NAUTILUS_SCRIPT_SELECTED_FILE_PATHS": files.joined(separator: "\n") + "\n",
                    ])
                let status = try await within(.seconds(30), "the action") { try await action.status() }
                #expect(status == 0, "\(action.errors.all)")
                let downloads = receiver.home + "/Downloads"
                #expect(Set(try FileManager.default.contentsOfDirectory(atPath: downloads)) == Set(names))
            }
        }

        @Test("“explain airdrop” says whether a device is seen, and what is in the way (A-1)")
        func explained() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                let (here, there) = (household[0], household[1])
                _ = try await there.call(ControlMethods.createAccount, .with { $0.deviceName = "Küche" })
                let hidden = try await here.baton("explain", "airdrop", "küche", expecting: 1).lines.joined()
                #expect(hidden.contains("baton airdrop everyone"))
                try await there.baton("airdrop", "everyone")
                try await here.baton("explain", "airdrop", "küche")
                let other = try await here.baton("explain", "airdrop", "Nobody", expecting: 1).lines.joined()
                #expect(other.contains("Küche"))
            }
        }

        // MARK: Other implementations

        private var openDrop: String { Products.package + "/.build/opendrop/bin/opendrop" }

        @Test(
            "OpenDrop finds a device that everyone may see, and sends it files and links; hidden, it is not found (A-1)"
        )
        func fromOpenDrop() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let (other, receiver) = (household[0], household[1])
                _ = try await receiver.call(ControlMethods.createAccount, .with { $0.deviceName = "Küche" })
                let (_, file) = try makeItems(in: household.directory)
                let environment = ["HOME": household.directory + "/opendrop"]
                func openDrop(_ arguments: String...) async throws -> String {
                    // Finding ends when it is interrupted, sending by itself.
                    let seconds = arguments.first == "find" ? "8" : "50"
                    let process = try ChildProcess(
                        other.prefix + ["timeout", "-s", "INT", seconds, self.openDrop] + arguments
                            + ["-i", NetworkNamespaces.interface, "-n", "Phone"], environment: environment)
                    _ = try await within(.seconds(60), "OpenDrop") { try await process.status() }
                    try await process.output.waitForEnd()
                    try await process.errors.waitForEnd()
                    return (process.output.all + process.errors.all).joined(separator: "\n")
                }
                // It may take long on a machine that is busy.
                func openDropFinds(_ name: String) async throws {
                    let process = try ChildProcess(
                        other.prefix + ["timeout", "-s", "INT", "60", self.openDrop, "find"]
                            + ["-i", NetworkNamespaces.interface, "-n", "Phone"], environment: environment)
                    do {
                        try await within(.seconds(60), "OpenDrop finds \(name)") {
                            try await process.errors.expect { $0.contains("name \(name)") ? $0 : nil }
                        }
                        // It writes down what it found when it is interrupted.
                        process.send(SIGINT)
                        _ = try await within(.seconds(20), "OpenDrop") { try await process.status() }
                    } catch {
                        await process.end()
                        throw error
                    }
                }
                #expect(try await !openDrop("find").contains("Küche"))

                let receiving = try receiver.startBaton(["receive", "--accept"])
                try await ready(receiving)
                try await receiver.baton("airdrop", "everyone")
                try await openDropFinds("Küche")
                let sent = try await openDrop("send", "-r", "Küche", "-f", file)
                #expect(sent.contains("successful"), "\(sent)")
                #expect(try content(receiver.home + "/Downloads/large.bin") == content(file))
                _ = try await openDrop("send", "-r", "Küche", "-u", "-f", "https://example.com/page")
                try await within(.seconds(20), "the link") {
                    try await receiving.output.expect { $0.contains("https://example.com/page") ? $0 : nil }
                }

                try await receiver.baton("airdrop", "contacts")
                #expect(try await !openDrop("find").contains("Küche"))
            }
        }

        @Test("OpenDrop receives a file (A-1)")
        func toOpenDrop() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let (sender, other) = (household[0], household[1])
                let (_, file) = try makeItems(in: household.directory)
                let folder = household.directory + "/received"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let peer = try ChildProcess(
                    other.prefix + [
                        openDrop, "receive", "-i", NetworkNamespaces.interface, "-n", "Telefon",
                    ], environment: ["HOME": household.directory + "/opendrop"], directory: folder)
                do {
                    try await sender.baton("send", file, "--to", "telefon", "--stranger")
                    #expect(try content(folder + "/large.bin") == content(file))
                } catch {
                    await peer.end()
                    throw error
                }
                await peer.end()
            }
        }
    }
}
