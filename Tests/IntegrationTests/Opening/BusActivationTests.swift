import BatonCore
import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Apps on a session bus of the test's own, called by GLib's programs (`org.freedesktop.Application`).
    @Suite(.serialized, .timeLimit(.minutes(5))) struct BusActivationTests {
        private static let toDo = "com.acme.ToDoList"
        private static let path = "/com/acme/ToDoList"
        private static let interface = "org.freedesktop.Application"

        private static func with(
            _ body: (TestHousehold, DesktopSession) async throws -> Void
        ) async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let bus = try await SessionBus()
                household[0].use(bus)
                let outcome: Result<Void, any Error>
                do {
                    try await household[0].restart()
                    try await household.install(.toDo)
                    let desktop = DesktopSession(household[0], in: household.directory, bus: bus)
                    try await desktop.index(lists: ["x-scheme-handler/todolist"])
                    try await desktop.run("gdbus", "wait", "--session", "--timeout", "20", toDo)
                    try await body(household, desktop)
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                await bus.end()
                try outcome.get()
            }
        }

        @Test(
            "programs call an app by its name on the bus: it is launched, then its running process gets the URL (U-12, U-13)"
        )
        func calls() async throws {
            try await Self.with { household, desktop in
                let device = household[0]
                let log = try ExampleLog(.toDo, on: device)
                try await desktop.run(
                    "gdbus", "call", "--session", "--dest", Self.toDo, "--object-path", Self.path, "--method",
                    Self.interface + ".Open", "['todolist:?By%20gdbus']", "{}")
                try await log.line("added By gdbus")
                #expect(log.file.lines.all.contains("launched for todolist:?By%20gdbus"))
                let first = try await process(on: device)
                let start = log.count
                try await desktop.run("gapplication", "launch", Self.toDo, "todolist:?By%20gapplication")
                try await log.line("added By gapplication", from: start)
                let entry = "\(device.locations.desktopEntries)/\(Self.toDo).desktop"
                try await desktop.run("gio", "launch", entry, "todolist:?By%20gio")
                try await log.line("added By gio", from: start)
                try await desktop.run("xdg-open", "todolist:?By%20xdg-open")
                try await log.line("added By xdg-open", from: start)
                #expect(try await process(on: device) == first)
                #expect(!log.file.lines.all.dropFirst(start).contains { $0.hasPrefix("launched") })

                // Activation without a URL launches it.
                try await device.baton("quit", Self.toDo)
                let quit = log.count
                try await desktop.run("gapplication", "launch", Self.toDo)
                try await log.line("active", from: quit)
                #expect(try await process(on: device) != first)
                try await desktop.run("desktop-file-validate", entry)
                let status = try await device.baton("status").decode(Status.self)
                #expect(status.desktopBusProblem == nil)
            }
        }

        @Test func `bad calls are answered with an error, and an app that is uninstalled has no name any more`()
            async throws
        {
            try await Self.with { household, desktop in
                @Sendable func call(_ method: String, _ arguments: [String]) async throws -> Int32 {
                    try await desktop.run(
                        [
                            "gdbus", "call", "--session", "--dest", Self.toDo, "--object-path", Self.path, "--method",
                            method,
                        ]
                            + arguments, expecting: nil)
                }
                #expect(try await call(Self.interface + ".Open", ["'no array'", "{}"]) != 0)
                #expect(try await call(Self.interface + ".ActivateAction", ["'x'", "[]", "{}"]) != 0)
                #expect(try await call(Self.interface + ".Nothing", []) != 0)
                #expect(try await call(Self.interface + ".Open", ["['todolist:?\\u202e']", "{}"]) != 0)
                #expect(try await call(Self.interface + ".Open", ["['file:///nonexistent/x.png']", "{}"]) != 0)
                let many = "[" + Array(repeating: "'todolist:?x'", count: 101).joined(separator: ",") + "]"
                #expect(try await call(Self.interface + ".Open", [many, "{}"]) != 0)
                let seen = try await desktop.output(
                    of: "gdbus", "introspect", "--session", "--dest", Self.toDo, "--object-path", Self.path)
                #expect(seen.contains { $0.contains(Self.interface) })

                let device = household[0]
                let services = device.home + "/share/dbus-1/services"
                #expect(try FileManager.default.contentsOfDirectory(atPath: services) == ["\(Self.toDo).service"])
                try await device.baton("uninstall", Self.toDo, "--yes")
                try await within(.seconds(20), "the name to be given up") {
                    while try await call(Self.interface + ".Activate", ["{}"]) == 0 {}
                }
                #expect(try desktop.entries().isEmpty)
                #expect(try FileManager.default.contentsOfDirectory(atPath: services).isEmpty)
            }
        }

        @Test func `the bus starts the daemon, which launches the app; without a bus the rest works`() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.toDo)
                let silent = try await device.baton("status").decode(Status.self)
                #expect(silent.desktopBusProblem?.isEmpty == false)
                let services = device.home + "/share/dbus-1/services"
                let desktop = DesktopSession(device, in: household.directory)
                try await desktop.index(lists: ["x-scheme-handler/todolist"])
                try await device.stop()
                let bus = try await SessionBus(services: services, prefix: device.prefix)
                let outcome: Result<Void, any Error>
                do {
                    let log = try ExampleLog(.toDo, on: device)
                    try await DesktopSession(device, in: household.directory, bus: bus).run(
                        "gio", "open", "todolist:?Started")
                    try await log.line("added Started")
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                // The bus's child, which the device does not know.
                if let started = try? await device.baton("status").decode(Status.self) {
                    kill(started.processID, SIGTERM)
                }
                await bus.end()
                try outcome.get()
            }
        }

        private struct Status: Decodable {
            var processId: Int32
            var desktopBusProblem: String?
            var processID: Int32 { processId }
        }

        private struct Apps: Decodable {
            struct App: Decodable { var processId: Int32? }
            var apps: [App]
        }

        private func process(on device: TestDevice) async throws -> Int32? {
            try await device.baton("apps").decode(Apps.self).apps.first?.processId
        }
    }
}
