import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// URLs and files reach apps: the examples, real daemons, the command line.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct OpeningTests {
        private struct Opened: Decodable { var bundleId: String? }
        /// One point.
        private static let png =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

        /// The words of each line in the list of the app ToDo.
        private static func toDos(on device: TestDevice) throws -> [[Substring]] {
            let path = device.container(of: "com.acme.ToDoList") + "/Documents/todo.txt"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            return text.split(separator: "\n").map { line in line.split(separator: " ") }
        }

        @Test(
            "a URL launches the app that claims its scheme, with the URL in the launch options; a running app gets it at once (U-1, U-9, U-10, U-12, U-13, U-14, U-19, U-20, S-16)"
        )
        func scheme() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.toDo)
                let printed = try ExampleLog(.toDo, on: device)
                let opened = try await device.baton("open", "ToDoList://new?Buy%20milk#202612241800")
                #expect(try opened.decode(Opened.self).bundleId == "com.acme.ToDoList")
                try await printed.line("added Buy milk")
                let first = printed.file.lines.all
                let order = ["launched for ToDoList://new?Buy%20milk#202612241800", "active", "added Buy milk"]
                #expect(first.filter { order.contains($0) } == order)

                // It runs: no second process, and no launch callbacks.
                let start = printed.count
                try await device.baton("open", "todolist:?Second")
                try await printed.line("added Second", from: start)
                #expect(!printed.file.lines.all.dropFirst(start).contains { $0.hasPrefix("launched") })
                let lines = try Self.toDos(on: device)
                #expect(lines.map { $0.dropFirst().joined(separator: " ") } == ["Buy milk", "Second"])

                // A refusal of the app is reported.
                let refused = try await device.baton("open", "todolist:?%00", expecting: nil)
                #expect(refused.status != 0)
                // A cold start that the app refuses: the launch callback returns false, and open is not called (U-10).
                try await device.baton("quit", "com.acme.ToDoList")
                let cold = printed.count
                let denied = try await device.baton("open", "todolist:?%00", expecting: nil)
                #expect(denied.status != 0)
                try await printed.line("launched for todolist:?%00", from: cold)
                #expect(!printed.file.lines.all.dropFirst(cold).contains { $0.hasPrefix("refused") })
            }
        }

        @Test("of two apps with one scheme the rule decides, then the person; explain says which rule did (U-8)")
        func choice() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                var other = TestBundle.probe("com.zeta.todo", types: [])
                other.info = ["CFBundleURLTypes": [["CFBundleURLSchemes": ["todolist"], "CFBundleTypeRole": "Editor"]]]
                try await household.install(other)
                try await household.install(.toDo)
                func opens() async throws -> String {
                    let text = try await device.baton("explain", "url", "todolist:?x").lines.joined()
                    return text.contains("It opens in com.zeta.todo")
                        ? "com.zeta.todo"
                        : text.contains("It opens in com.acme.ToDoList") ? "com.acme.ToDoList" : text
                }
                #expect(try await opens() == "com.acme.ToDoList")
                try await device.baton("default", "scheme", "todolist", "com.zeta.todo")
                #expect(try await opens() == "com.zeta.todo")
                try await device.restart()
                #expect(try await opens() == "com.zeta.todo")
                try await device.baton("default", "scheme", "todolist", "--reset")
                #expect(try await opens() == "com.acme.ToDoList")
                // An app that does not claim it, and a scheme of the system, cannot be chosen.
                try await device.baton("default", "type", "public.png", "com.zeta.todo", expecting: nil)
                let reserved = try await device.baton("default", "scheme", "https", "com.zeta.todo", expecting: nil)
                #expect(reserved.status != 0)
                try await device.baton("uninstall", "com.acme.ToDoList", "--yes")
                #expect(try await opens() == "com.zeta.todo")
                let nobody = try await device.baton("open", "nobody-claims-this:x", expecting: nil)
                #expect(nobody.status != 0 && nobody.errors.contains("nobody-claims-this"))
            }
        }

        @Test(
            "a file goes to the app that declares its type, as a copy in its Inbox that cannot be changed (A-8, A-9, A-11, A-12, A-13, A-14, S-19)"
        )
        func file() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.pngViewer)
                let printed = try ExampleLog(.pngViewer, on: device)
                let png = try #require(Data(base64Encoded: Self.png))
                let path = "\(household.directory)/Größe.png"
                try png.write(to: URL(fileURLWithPath: path))
                #expect(try await device.baton("type", path).lines.joined().contains("public.png"))
                try await device.baton("open", path)
                try await printed.line("shows Größe.png, 1 x 1")
                try await printed.line("moved Größe.png")
                // The source stays, the copy was moved.
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == png)
                let documents = device.container(of: "com.example.PNGViewer") + "/Documents"
                let kept = documents + "/Pictures/Größe.png"
                #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == png)
                let mode = try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? NSNumber
                #expect(mode?.int16Value == 0o444)
                #expect(try FileManager.default.contentsOfDirectory(atPath: documents + "/Inbox").isEmpty)

                // A name that is taken gets a number, and nothing is written over.
                try Data("old".utf8).write(to: URL(fileURLWithPath: documents + "/Inbox/Größe.png"))
                let start = printed.count
                try await device.baton("open", path, "--with", "com.example.PNGViewer")
                try await printed.line("shows Größe-1.png", from: start)
                #expect(try Data(contentsOf: URL(fileURLWithPath: documents + "/Inbox/Größe.png")) == Data("old".utf8))

                // A type that no app declares, where the desktop opens nothing either.
                let text = "\(household.directory)/x.quux"
                try Data("x".utf8).write(to: URL(fileURLWithPath: text))
                #expect(
                    try await device.baton("explain", "file", text).lines.joined().contains("The desktop opens it."))
                #expect(
                    try await device.baton("open", "\(household.directory)/missing.png", expecting: nil).status != 0)
            }
        }

        @Test(
            "a file that comes while the app is in the background is noted there, and shown when it is in front again (A-11, A-14, S-19)"
        )
        func background() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.pngViewer)
                let app = TestBundle.pngViewer.identifier
                let fifo = device.container(of: app) + "/script"
                #expect(mkfifo(fifo, 0o600) == 0)
                try await device.baton("launch", app, "--env", "BATON_SCRIPT=\(fifo)")
                let script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
                defer { try? script.close() }
                let printed = try ExampleLog(.pngViewer, on: device)
                try script.write(contentsOf: Data("hide\n".utf8))
                try await printed.line("hidden")
                let path = "\(household.directory)/later.png"
                try Data(base64Encoded: Self.png)?.write(to: URL(fileURLWithPath: path))
                try await device.baton("open", path)
                try await printed.line("noted later.png")
                let documents = device.container(of: app) + "/Documents"
                #expect(try FileManager.default.contentsOfDirectory(atPath: documents + "/Inbox") == ["later.png"])
                #expect(!printed.file.lines.all.contains { $0.hasPrefix("shows") })

                try script.write(contentsOf: Data("show\n".utf8))
                try await printed.line("shows later.png, 1 x 1")
                try await printed.line("moved later.png")
                #expect(try FileManager.default.contentsOfDirectory(atPath: documents + "/Inbox").isEmpty)
                #expect(try FileManager.default.contentsOfDirectory(atPath: documents + "/Pictures") == ["later.png"])
            }
        }

        @Test("100 cold starts: each URL is delivered once, none twice (U-12)")
        func coldStarts() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.toDo)
                let count = Schedules.count(100, soak: 1_000)
                for number in 0..<count {
                    try await device.baton("open", "todolist:?task-\(number)")
                    try await device.baton("quit", "com.acme.ToDoList")
                }
                let expected: [Substring] = (0..<count).map { "task-\($0)" }
                #expect(try Self.toDos(on: device).compactMap(\.last) == expected)
            }
        }
    }
}
