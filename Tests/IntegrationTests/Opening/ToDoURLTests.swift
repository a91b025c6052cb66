import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Incoming URLs are checked: by the daemon for invalid ones, by the example as its listing says.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ToDoURLTests {
        /// Names that are accepted, and when the tasks are due.
        private static let accepted: [(url: String, name: String, due: [Int]?)] = [
            ("todolist:?Buy%20milk", "Buy milk", nil),
            ("todolist://new?today's#today", "today's", nil),
            ("TODOLIST://x?Quarterly%20Report#200806231300", "Quarterly Report", [2008, 6, 23, 13, 0]),
            ("todolist:?Leap#202402290000", "Leap", [2024, 2, 29, 0, 0]),
            ("todolist:?Late#202612312359", "Late", [2026, 12, 31, 23, 59]),
            ("todolist:?Gr%C3%BC%C3%9Fe%20%F0%9F%90%92", "Grüße 🐒", nil),
            ("todolist:?100%25%20sure%3F%23", "100% sure?#", nil),
            // Another calendar is named: 2551 of the Buddhist one is 2008.
            ("todolist:?Buddhist#buddhist:255106231300", "Buddhist", [2008, 6, 23, 13, 0]),
            ("todolist:?Named#gregorian:200806231300", "Named", [2008, 6, 23, 13, 0]),
            // Nothing of this passes a shell.
            ("todolist:?$(touch%20x);'%60rm%60'#today", "$(touch x);'`rm`'", nil),
        ]

        private static let refused = [
            // No name, or none that is text.
            "todolist:", "todolist://www.acme.com", "todolist:?", "todolist:?#200806231300", "todolist:?%FF%FE",
            "todolist:?%C3", "todolist:?a%00b", "todolist:?line%0Afeed", "todolist:?escape%1B%5B2J",
            // No date: an empty one, letters, signs, too short, too long, digits of another script.
            "todolist:?x#", "todolist:?x#tomorrow", "todolist:?x#TODAY", "todolist:?x#20080623130",
            "todolist:?x#2008062313000", "todolist:?x#20080623130x", "todolist:?x#-00806231300",
            "todolist:?x#+00806231300", "todolist:?x#2008-06-2313", "todolist:?x#%D9%A2%D9%A0%D9%A0%D9%A8%D9%A0%D9%A6",
            // Fields that no calendar has.
            "todolist:?x#200813231300", "todolist:?x#200800231300", "todolist:?x#200806311300",
            "todolist:?x#202302290000", "todolist:?x#200806232400", "todolist:?x#200806231360",
            "todolist:?x#martian:200806231300", "todolist:?x#gregorian:gregorian:200806231300",
        ]

        @Test(
            "the listing's rules hold for each URL: name, date by fixed positions, Gregorian whatever the person's calendar is; what breaks one is refused and not added (U-17, U-18, U-19, U-20, U-21, U-22, S-16)"
        )
        func listing() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.toDo)
                // A person whose calendar is the Buddhist one.
                let language = "th_TH.UTF-8@calendar=buddhist"
                try await device.baton(
                    "launch", "com.acme.ToDoList", "--env", "LANG=\(language)", "--env", "LC_ALL=\(language)")
                let formatter = ISO8601DateFormatter()
                let start = formatter.string(from: Date())
                for url in Self.accepted.map(\.url) {
                    #expect(try await Self.isHandled(url, on: device), "\(url)")
                }
                for url in Self.refused {
                    #expect(try await !Self.isHandled(url, on: device), "\(url)")
                }
                let end = formatter.string(from: Date())
                let tasks = try SendingTests.tasks(on: device)
                #expect(tasks.count == Self.accepted.count)
                for (task, expected) in zip(tasks, Self.accepted) {
                    let parts = task.split(separator: " ", maxSplits: 1).map(String.init)
                    #expect(parts.last == expected.name)
                    if let due = expected.due {
                        let date = try #require(SendingTests.date(due[0], due[1], due[2], due[3], due[4]))
                        #expect(parts.first == formatter.string(from: date), "\(expected.url)")
                    } else {
                        // Now, which ISO 8601 lets compare as text.
                        #expect((start...end).contains(parts[0]), "\(expected.url)")
                    }
                }
            }
        }

        /// Whether the app said that it has opened it.
        private static func isHandled(_ url: String, on device: TestDevice) async throws -> Bool {
            do {
                return try await device.call(ControlMethods.openItem, .with { $0.url = url }).handled
            } catch let error as BatonError where error.code == .invalidArgument {
                return false
            }
        }

        @Test("a URL of another scheme that the app claims too is none of its tasks: the method returns false (U-19)")
        func otherScheme() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let (device, team) = (household[0], try await household.makeTeam())
                let path = try TestBundle.toDo.write(in: household.directory)
                let file = URL(fileURLWithPath: path + "/Info.plist")
                let text = try String(contentsOf: file, encoding: .utf8)
                let both = text.replacing(
                    "<string>todolist</string>", with: "<string>todolist</string><string>errands</string>")
                #expect(both != text)
                try Data(both.utf8).write(to: file)
                try await device.baton("sign", path, "--team", team)
                try await device.baton("install", "--yes", path)
                let log = try ExampleLog(.toDo, on: device)
                #expect(try await Self.isHandled("todolist:?Milk", on: device))
                let start = log.count
                #expect(try await !Self.isHandled("errands:?Bread", on: device))
                try await log.line("refused errands:?Bread", from: start)
                let tasks = try SendingTests.tasks(on: device)
                #expect(tasks.count == 1 && tasks.first?.hasSuffix(" Milk") == true)
            }
        }

        @Test(
            "what is no URL reaches no app: a megabyte, control characters, bad escapes, texts that run backwards (U-17)"
        )
        func hostile() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.toDo)
                let urls: [(String, String)] = [
                    ("todolist:?" + String(repeating: "a", count: 1 << 20), "url_too_long"),
                    ("todolist:?a\u{0}b", "invalid_url"), ("todolist:?a\nb", "invalid_url"),
                    ("todolist:?a\u{1B}[2Jb", "invalid_url"), ("todolist:?a\u{7F}b", "invalid_url"),
                    ("todolist:?a b", "invalid_url"), ("todolist:?%", "invalid_url"), ("todolist:?%2", "invalid_url"),
                    ("todolist:?%zz", "invalid_url"), ("todolist:?\u{202E}gpj.exe", "invalid_url"),
                    ("todolist:?\u{2066}x\u{2069}", "invalid_url"), ("todolist:?\u{FEFF}x", "invalid_url"),
                    ("t\u{043E}dolist:?x", "invalid_url"), ("todolist", "invalid_url"), ("", "invalid_url"),
                    ("--help", "invalid_url"), ("$(todolist):?x", "invalid_url"),
                ]
                for (url, reason) in urls {
                    let error = await #expect(throws: BatonError.self, "\(url.prefix(40))") {
                        _ = try await device.call(ControlMethods.openItem, .with { $0.url = url })
                    }
                    #expect(error?.reason == reason, "\(url.prefix(40)): \(error?.message ?? "")")
                }
                #expect(try await device.call(ControlMethods.getStatus).appsRunning == 0)
                // A long one that is a URL arrives whole.
                let name = String(repeating: "a", count: 60_000)
                let answer = try await device.call(ControlMethods.openItem, .with { $0.url = "todolist:?\(name)" })
                #expect(answer.handled)
                #expect(try SendingTests.tasks(on: device).first?.hasSuffix(" \(name)") == true)
            }
        }
    }
}
