import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Reminders with a real daemon, todoman, and a notification server.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct RemindersTests {
        private static let (probe, type) = ("com.example.probe", "com.example.probe.note")

        private struct List: Decodable {
            struct Item: Decodable {
                var reminderId: String
                var subject: String
                var state: String
                var file: String?
                var activityTitle: String?
            }
            var reminders: [Item]
            var folder: String
            var problems: [String]
        }

        private struct Opened: Decodable {
            var bundleId: String?
            var appName: String?
        }

        private static func list(_ device: TestDevice, _ arguments: String...) async throws -> List {
            try await device.baton(["reminders", "list"] + arguments).decode(List.self)
        }

        private static func wait(
            _ what: String, on device: TestDevice, _ matches: @escaping @Sendable ([Baton_Control_V1_Reminder]) -> Bool
        ) async throws {
            try await device.until(what) {
                matches(try await device.call(RemindersMethods.listReminders, .with { $0.all = true }).reminders)
            }
        }

        /// Runs todoman on the folder.
        private static func todoman(_ folder: String, _ home: String, _ arguments: String...) async throws -> [String] {
            let configuration = home + "/todoman.py"
            let text = """
                path = "\(folder)"
                date_format = "%Y-%m-%d"
                time_format = "%H:%M"
                cache_path = "\(home)/todoman.sqlite3"
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: configuration))
            let process = try ChildProcess(
                ["/usr/bin/todoman", "--config", configuration] + arguments,
                environment: ["HOME": home, "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"])
            process.closeInput()
            return try await within(.seconds(30), "todoman") {
                #expect(try await process.status() == 0, "\(process.errors.all)")
                try await process.output.waitForEnd()
                return process.output.all
            }
        }

        @Test(
            "todoman lists and completes what “baton reminders add” made, and what todoman makes is a reminder (P-15)")
        func todoman() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                try await device.baton("reminders", "add", "Buy milk", "--when", "in 2 hours")
                try await device.baton("reminders", "add", "Water plants", "--when", "arriving:home")
                let list = try await Self.list(device)
                #expect(list.reminders.map(\.subject) == ["Buy milk", "Water plants"])
                #expect(list.problems == [])

                let lines = try await Self.todoman(list.folder, device.home, "list").joined(separator: "\n")
                #expect(lines.contains("Buy milk") && lines.contains("Water plants"))
                let number = try #require(
                    lines.split(separator: "\n").first { $0.contains("Buy milk") }?.split(separator: " ")
                        .first { Int($0) != nil })
                _ = try await Self.todoman(list.folder, device.home, "done", String(number))
                try await Self.wait("todoman's change to be taken in", on: device) {
                    $0.contains { $0.subject == "Buy milk" && $0.state == .done }
                }
                _ = try await Self.todoman(
                    list.folder, device.home, "new", "--list", "reminders", "--due", "2099-01-01 10:00", "From todoman")
                try await Self.wait("todoman's reminder", on: device) {
                    $0.contains { $0.subject == "From todoman" && $0.state == .scheduled }
                }

                // A removed reminder is gone, also after a restart.
                let file = try #require(list.reminders.last?.file)
                try FileManager.default.removeItem(atPath: list.folder + "/" + file)
                try await Self.wait("the removal to be taken in", on: device) {
                    !$0.contains { $0.subject == "Water plants" }
                }
                try await device.restart()
                #expect(try await Self.list(device).reminders.map(\.subject) == ["From todoman"])
            }
        }

        @Test(
            "a reminder is a notification with Open, Done and Snooze; Open continues the activity, cold (P-15, P-13, S-21)"
        )
        func notice() async throws {
            let bus = try await SessionBus()
            do {
                let desktop = try await NotificationServer(on: bus)
                try await TestHousehold.with(1) { household in
                    let device = household[0]
                    device.use(bus)
                    try await device.restart()
                    try await household.install(.probe(Self.probe, types: [Self.type]))
                    let app = try TestApp(Self.probe, on: device)
                    try await app.launch()
                    try app.make("one", type: Self.type, title: "Yank Sing", ["number": 5])
                    try await device.until("the activity to be current") {
                        try await device.call(ControlMethods.listActivities).activities.contains { $0.current }
                    }
                    try await device.baton("reminders", "add", "--this", "Book a table", "--when", "in 2 seconds")
                    let item = try #require(try await Self.list(device).reminders.first)
                    #expect(item.activityTitle == "Yank Sing")
                    try await device.baton("quit", Self.probe)

                    let (event, next) = try await desktop.first("notify") { $0.summary == "Book a table" }
                    let id = try #require(event.id)
                    #expect(event.body?.contains("probe: Yank Sing") == true)
                    #expect(event.actions == ["default", "Open", "open", "Open", "done", "Done", "snooze", "Snooze"])
                    desktop.invoke(id, "open")
                    try await app.events.first("continue", ["number": "5"])
                    try await desktop.first("close", from: next) { $0.id == id }

                    // Its address does the same, and Snooze and Done are heard.
                    try await device.baton("quit", Self.probe)
                    let opened = try await device.baton("open", "baton-reminder:\(item.reminderId)")
                        .decode(Opened.self)
                    #expect(opened.bundleId == Self.probe && opened.appName != nil)
                    try await device.baton("reminders", "snooze", item.reminderId)
                    #expect(try await Self.list(device).reminders.first?.state == "snoozed")
                    try await device.baton("reminders", "add", "Second", "--when", "in 1 second")
                    let second = try await desktop.first("notify", from: next) { $0.summary == "Second" }.event
                    desktop.invoke(try #require(second.id), "done")
                    try await Self.wait("the reminder to be done", on: device) {
                        $0.contains { $0.subject == "Second" && $0.state == .done }
                    }
                }
                await desktop.end()
                await bus.end()
            } catch {
                await bus.end()
                throw error
            }
        }

        @Test("a reminder is on the account's other devices, and an answer there takes the notice away here (P-15)")
        func devices() async throws {
            try await TestHousehold.with(2) { household in
                let (first, second) = (household[0], household[1])
                try await first.baton("reminders", "add", "Call", "--when", "in 3 seconds")
                try await Self.wait("a notice there", on: second) { $0.contains { $0.state == .shown } }
                try await Self.wait("a notice here", on: first) { $0.contains { $0.state == .shown } }
                let id = try #require(try await Self.list(second).reminders.first?.reminderId)
                try await second.baton("reminders", "done", id)
                try await Self.wait("the answer here", on: first) { $0.contains { $0.state == .done } }
            }
        }
    }
}
