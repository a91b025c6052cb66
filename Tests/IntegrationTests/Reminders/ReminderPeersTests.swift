import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Reminders go to a second home by Debian's vdirsyncer and a CalDAV server, Radicale (P-15). The homes share no account.
    @Suite(.serialized, .timeLimit(.minutes(2))) struct ReminderPeersTests {
        private static func run(
            _ command: [String], _ environment: [String: String], expecting expected: Int32? = 0
        ) async throws -> Int32 {
            let program = try ChildProcess(command, environment: environment)
            program.closeInput()
            let status = try await within(.seconds(30), command.prefix(4).joined(separator: " ")) {
                try await program.status()
            }
            if let expected, status != expected { throw IntegrationFailure("\(command): \(program.errors.all)") }
            return status
        }

        private static func folder(_ device: TestDevice) async throws -> String {
            struct List: Decodable { var folder: String }
            return try await device.baton("reminders", "list").decode(List.self).folder
        }

        private static func has(
            _ device: TestDevice, _ subject: String, _ state: Baton_Control_V1_Reminder.State
        ) async throws -> Bool {
            try await device.call(RemindersMethods.listReminders, .with { $0.all = true }).reminders
                .contains { $0.subject == subject && $0.state == state }
        }

        @Test("vdirsyncer and Radicale bring a reminder to a second home, and its end back (P-15)")
        func caldav() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let (first, second) = (household[0], household[1])
                let home = household.directory + "/caldav"
                try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
                let environment = ["HOME": home, "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
                let port = Int.random(in: 30_000..<32_000)
                try """
                [server]
                hosts = 127.0.0.1:\(port)
                [auth]
                type = none
                [storage]
                filesystem_folder = \(home)/store
                """.write(toFile: home + "/radicale.conf", atomically: true, encoding: .utf8)
                let server = try ChildProcess(
                    ["/usr/bin/radicale", "--config", home + "/radicale.conf"], environment: environment)
                server.closeInput()
                do {
                    let url = "http://127.0.0.1:\(port)/anna/reminders/"
                    try await first.until("Radicale to make a calendar") {
                        try await Self.run(
                            ["curl", "-sf", "-o", "/dev/null", "-u", "anna:x", "-X", "MKCALENDAR", url], environment,
                            expecting: nil) == 0
                    }
                    func synchronize(_ device: TestDevice, _ name: String, discovers: Bool = false) async throws {
                        let file = home + "/\(name).conf"
                        try """
                        [general]
                        status_path = "\(home)/\(name)"
                        [pair reminders]
                        a = "here"
                        b = "there"
                        collections = null
                        [storage here]
                        type = "filesystem"
                        path = "\(try await Self.folder(device))"
                        fileext = ".ics"
                        [storage there]
                        type = "caldav"
                        url = "\(url)"
                        username = "anna"
                        password = "x"
                        item_types = ["VTODO"]
                        """.write(toFile: file, atomically: true, encoding: .utf8)
                        if discovers {
                            _ = try await Self.run(["/usr/bin/vdirsyncer", "-c", file, "discover"], environment)
                        }
                        _ = try await Self.run(["/usr/bin/vdirsyncer", "-c", file, "sync"], environment)
                    }
                    try await first.baton("reminders", "add", "Buy milk", "--when", "in 2 hours")
                    try await synchronize(first, "first", discovers: true)
                    // The folder is made with the first reminder.
                    try await second.baton("reminders", "add", "Here before", "--when", "in 3 hours")
                    try await synchronize(second, "second", discovers: true)
                    try await second.until("the reminder to be in the second home") {
                        try await Self.has(second, "Buy milk", .scheduled)
                    }
                    let item = try #require(
                        try await second.call(RemindersMethods.listReminders, .init()).reminders
                            .first { $0.subject == "Buy milk" })
                    try await second.baton("reminders", "done", item.reminderID)
                    try await synchronize(second, "second")
                    try await synchronize(first, "first")
                    try await first.until("its end to be known in the first home") {
                        let isDone = try await Self.has(first, "Buy milk", .done)
                        return try await Self.has(first, "Here before", .scheduled) && isDone
                    }
                } catch {
                    await server.kill()
                    throw error
                }
                await server.kill()
            }
        }
    }
}
