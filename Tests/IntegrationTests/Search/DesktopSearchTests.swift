import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// The desktop's search on a session bus of the test's own, asked as the shell of GNOME and KRunner do.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DesktopSearchTests {
        private static let (name, path) = ("org.baton.Baton.Search", "/org/baton/Baton/Search")
        private static let (shell, runner) = ("org.gnome.Shell.SearchProvider2", "org.kde.krunner1")

        private static func with(_ body: (TestHousehold, DesktopSession) async throws -> Void) async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let bus = try await SessionBus()
                household[0].use(bus)
                let outcome: Result<Void, any Error>
                do {
                    try await household[0].restart()
                    let desktop = DesktopSession(household[0], in: household.directory, bus: bus)
                    try await desktop.run("gdbus", "wait", "--session", "--timeout", "20", name)
                    try await body(household, desktop)
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                await bus.end()
                try outcome.get()
            }
        }

        private static func call(
            _ desktop: DesktopSession, _ interface: String, _ method: String, _ arguments: String...
        ) async throws -> String {
            let command = ["gdbus", "call", "--session", "--dest", name, "--object-path", path, "--method"]
            let called = ["\(interface).\(method)"] + arguments
            let program = try ChildProcess(command + called, environment: desktop.environment)
            program.closeInput()
            return try await within(.seconds(30), method) {
                guard try await program.status() == 0 else {
                    throw IntegrationFailure("\(method): \(program.errors.all)")
                }
                try await program.output.waitForEnd()
                return program.output.all.joined(separator: "\n")
            }
        }

        @Test(
            "the shell of GNOME and KRunner find an app's item and open it; words for places give places first (P-6)"
        )
        func desktop() async throws {
            try await Self.with { household, desktop in
                let device = household[0]
                try await household.install(.restaurantReviews)
                let identifier = TestBundle.restaurantReviews.identifier
                let fifo = device.container(of: identifier) + "/script"
                #expect(mkfifo(fifo, 0o600) == 0)
                try await device.baton("launch", identifier, "--env", "BATON_SCRIPT=\(fifo)")
                let script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
                defer { try? script.close() }
                let log = try ExampleLog(.restaurantReviews, on: device)
                try script.write(contentsOf: Data("index\nshow corner\n".utf8))
                try await log.line("indexed 2 restaurants")
                try await device.until("the place to be known and the items to be found") {
                    let places = try await device.call(SuggestionsMethods.listSuggestions).suggestions
                    let found = try await device.call(SearchMethods.search, .with { $0.query = "yank sing" }).results
                    return !places.isEmpty && !found.isEmpty
                }

                // As the shell does: while one types, then with more, then for what is shown.
                let first = try await Self.call(desktop, Self.shell, "GetInitialResultSet", "['yank', 'si']")
                let found = try #require(first.split(separator: "'").dropFirst().first.map(String.init), "\(first)")
                let second = try await Self.call(
                    desktop, Self.shell, "GetSubsearchResultSet", "['\(found)']", "['yank', 'sing']")
                #expect(second.contains("'\(found)'"))
                #expect(try await Self.call(desktop, Self.shell, "GetInitialResultSet", "['']") == "(@as [],)")
                let metas = try await Self.call(desktop, Self.shell, "GetResultMetas", "['\(found)', 'no such']")
                #expect(metas.contains("'name': <'Yank Sing'>") && metas.contains("Restaurant Reviews"))
                #expect(metas.contains("'icon': <('themed', <['application-x-executable']>)>"))
                let start = log.count
                _ = try await Self.call(desktop, Self.shell, "ActivateResult", found, "['yank']", "uint32 0")
                try await log.line("shows Yank Sing: Dumplings from carts, and a queue at noon.", from: start)

                // A place that was looked at, for the words that ask for one.
                let places = try await Self.call(desktop, Self.shell, "GetInitialResultSet", "['address', 'corner']")
                let place = try #require(places.split(separator: "'").dropFirst().first.map(String.init), "\(places)")
                #expect(place.hasPrefix("place:address:"))
                let told = try await Self.call(desktop, Self.shell, "GetResultMetas", "['\(place)']")
                #expect(told.contains("'clipboardText': <'12 Market St, Cambridge, MA 02139"), "\(told)")

                // KRunner.
                let matches = try await Self.call(desktop, Self.runner, "Match", "dumplings")
                #expect(matches.contains("'Yank Sing'") && matches.contains("'subtext'"))
                let calls = try await Self.call(desktop, Self.runner, "Match", "call corner")
                #expect(calls.contains("'Call Corner Table'") && calls.contains("100"))
                #expect(try await Self.call(desktop, Self.runner, "Actions") == "(@a(sss) [],)")
                let again = log.count
                _ = try await Self.call(desktop, Self.runner, "Run", found, "")
                try await log.line("shows Yank Sing: Dumplings from carts, and a queue at noon.", from: again)
                _ = try await Self.call(desktop, Self.runner, "Teardown")
            }
        }

        @Test(
            "the real shell of GNOME shows an app's item with its title, and the app goes on with it when it is chosen (P-6, P-11)"
        )
        func realShell() async throws {
            try await Self.with { household, desktop in
                let device = household[0]
                try await household.install(.restaurantReviews)
                let identifier = TestBundle.restaurantReviews.identifier
                let fifo = device.container(of: identifier) + "/script"
                #expect(mkfifo(fifo, 0o600) == 0)
                try await device.baton("launch", identifier, "--env", "BATON_SCRIPT=\(fifo)")
                let script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
                defer { try? script.close() }
                let log = try ExampleLog(.restaurantReviews, on: device)
                try script.write(contentsOf: Data("index\n".utf8))
                try await log.line("indexed 2 restaurants")
                try await device.until("the items to be found") {
                    try await !device.call(SearchMethods.search, .with { $0.query = "yank sing" }).results.isEmpty
                }
                try await GNOMEShell.with(
                    package: Products.package, folder: household.directory + "/shell",
                    environment: desktop.environment
                ) { shell in
                    try await shell.search("yank si")
                    let found = try await shell.found("Yank Sing")
                    #expect(found.description.hasPrefix("Restaurant Reviews – Dumplings from carts"))
                    let start = log.count
                    try await shell.activate("Yank Sing")
                    try await log.line("shows Yank Sing: Dumplings from carts, and a queue at noon.", from: start)
                }
            }
        }
    }
}
