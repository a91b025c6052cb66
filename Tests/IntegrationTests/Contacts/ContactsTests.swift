import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// The person's contacts, with a real daemon, an installed app and files on the disk.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ContactsTests {
        private static let (probe, type) = ("com.example.contacts", "com.example.contacts.any")

        private struct Cards: Decodable {
            struct Card: Decodable {
                var id: String
                var name: String
                var emails: [String]
                var sources: [String]
            }
            var cards: [Card]
        }

        private static let ann = """
            BEGIN:VCARD
            VERSION:3.0
            UID:ann-1
            N:Appleseed;Ann;;;
            FN:Ann Appleseed
            EMAIL;TYPE=HOME:ann@example.com
            TEL;TYPE=CELL:+1 (800) 275-2273
            X-KEPT:as it is
            END:VCARD

            """
        private static let others = """
            BEGIN:VCARD
            VERSION:2.1
            N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;;
            TEL;WORK:030 1234567
            END:VCARD
            BEGIN:VCARD
            VERSION:4.0
            UID:ann-2
            FN:Appleseed, Ann
            TEL;VALUE=uri:tel:8002752273
            EMAIL:ann@work.example
            END:VCARD

            """

        private static func folder(_ device: TestDevice) throws -> String {
            let folder = "\(device.home)/share/contacts"
            try FileManager.default.createDirectory(atPath: folder + "/work", withIntermediateDirectories: true)
            return folder
        }

        private static func write(_ text: String, to path: String) throws {
            try Data(text.replacing("\n", with: "\r\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        }

        private static func until(_ names: [String], on device: TestDevice) async throws {
            try await device.until("the cards \(names)") {
                try await device.baton("cards").decode(Cards.self).cards.map(\.name) == names
            }
        }

        /// - Returns: the event that answers.
        private static func tell(
            _ app: TestApp, _ event: String, _ command: [String: Any]
        ) async throws -> [String: String] {
            let start = app.events.count
            try app.tell(command.merging(["do": "contacts"]) { $1 })
            return try await app.events.first(event, from: start)
        }

        private struct Questions: Decodable {
            struct Item: Decodable {
                var questionId: UInt64
                var title: String
                var options: [String]
            }
            var questions: [Item]
        }

        private static func questions(_ device: TestDevice) async throws -> [Questions.Item] {
            let answer = try await device.baton("questions")
            return try answer.decode(Questions.self).questions
        }

        @Test(
            "an app reads contacts once the person has allowed it on the command line, hears of a change on the disk, and writes them (P-48, P-50)"
        )
        func reading() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let folder = try Self.folder(device)
                try Self.write(Self.ann, to: "\(folder)/ann.vcf")
                try Self.write(Self.others, to: "\(folder)/work/others.vcf")
                try await Self.until(["Ann Appleseed", "Jörg Müller"], on: device)
                let cards = try await device.baton("cards", "list", "ann").decode(Cards.self).cards
                #expect(cards.first?.emails == ["ann@example.com", "ann@work.example"])

                try await household.install(.probe(Self.probe, types: [Self.type]))
                let app = try TestApp(Self.probe, on: device)
                try await app.launch()
                #expect(try await Self.tell(app, "contacts", ["mode": "status"])["more"] == "0")
                #expect(try await Self.tell(app, "contactsFailed", ["mode": "find", "id": "ann"])["code"] == "100")
                _ = try await Self.tell(app, "contacts", ["mode": "watch"])
                try await device.baton("cards", "access", Self.probe, "on")
                #expect(try await Self.tell(app, "contacts", ["mode": "status"])["more"] == "3")
                var found = try await Self.tell(app, "contacts", ["mode": "find", "id": "appleseed ann"])
                #expect(found["result"] == "Ann Appleseed" && found["more"] == "ann@example.com, ann@work.example")
                found = try await Self.tell(app, "contacts", ["mode": "find", "type": "number", "id": "18002752273"])
                #expect(found["result"] == "Ann Appleseed")
                found = try await Self.tell(
                    app, "contacts", ["mode": "find", "type": "email", "id": "ANN@work.example"])
                #expect(found["result"] == "Ann Appleseed")
                found = try await Self.tell(app, "contacts", ["mode": "find", "type": "identifier", "id": "ann-2"])
                #expect(found["result"] == "Ann Appleseed")
                found = try await Self.tell(app, "contacts", ["mode": "find", "id": "nobody"])
                #expect(found["result"] == "")

                let start = app.events.count
                try Self.write(Self.others.replacing("J=C3=B6rg", with: "Jan"), to: "\(folder)/work/others.vcf")
                try await app.events.first("contactsChanged", from: start)
                found = try await Self.tell(app, "contacts", ["mode": "find", "id": "jan"])
                #expect(found["result"] == "Jan Müller")

                _ = try await Self.tell(app, "contacts", ["mode": "rename", "id": "ann", "title": "Anna"])
                try await device.until("Anna in the file") {
                    try String(contentsOfFile: "\(folder)/ann.vcf", encoding: .utf8).contains("N:Appleseed;Anna;")
                }
                #expect(
                    try String(contentsOfFile: "\(folder)/ann.vcf", encoding: .utf8).contains("X-KEPT:as it is\r\n"))
                _ = try await Self.tell(app, "contacts", ["mode": "save", "title": "Zed", "id": "555 0199"])
                try await Self.until(["Anna Appleseed", "Jan Müller", "Zed"], on: device)
            }
        }

        @Test(
            "an app that the person refuses gets an error at once, also after a restart; another answer changes it (P-48)"
        )
        func refusal() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try Self.write(Self.ann, to: "\(Self.folder(device))/ann.vcf")
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let app = try TestApp(Self.probe, on: device)
                try await app.launch()
                let start = app.events.count
                try app.tell(["do": "contacts", "mode": "request"])
                try await device.until("the question") { try await Self.questions(device).count == 1 }
                let question = try #require(try await Self.questions(device).first)
                #expect(question.title.contains(Self.probe) && question.options == ["Allow", "Do not allow"])
                try await device.baton("answer", "\(question.questionId)", "2")
                let asked = try await app.events.first("contactsAsked", from: start)
                #expect(asked["granted"] == "false" && asked["code"] == "100")
                #expect(try await Self.tell(app, "contactsFailed", ["mode": "find", "id": "ann"])["code"] == "100")

                try await device.restart()
                // It is remembered, and the person is not asked again.
                try await device.until("the app to be refused") {
                    try await Self.tell(app, "contacts", ["mode": "status"])["more"] == "2"
                }
                let again = try await Self.tell(app, "contactsAsked", ["mode": "request"])
                #expect(again["code"] == "100")
                #expect(try await Self.questions(device).isEmpty)
                try await device.baton("cards", "access", Self.probe, "on")
                try await device.until("the card to be read") {
                    try await Self.tell(app, "contacts", ["mode": "find", "id": "ann"])["result"] == "Ann Appleseed"
                }
            }
        }

        @Test(
            "cards of Evolution Data Server are there with those of the folder, of the same person too, and a new one is told (P-48)"
        )
        func evolution() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try Self.write(Self.ann, to: "\(Self.folder(device))/ann.vcf")
                let home = "\(household.directory)/evolution"
                try FileManager.default.createDirectory(
                    atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                let bus = try await SessionBus(
                    services: "/usr/share/dbus-1/services",
                    prefix: [
                        "env", "-u", "XDG_DATA_HOME", "-u", "XDG_CONFIG_HOME", "-u", "XDG_CACHE_HOME", "HOME=\(home)",
                        "XDG_RUNTIME_DIR=\(home)", "GSETTINGS_BACKEND=memory",
                    ])
                device.use(bus)
                let outcome: Result<Void, any Error>
                do {
                    try await device.restart()
                    try await Self.evolution(device, DesktopSession(device, in: household.directory, bus: bus))
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                await bus.end()
                try outcome.get()
            }
        }

        private static func evolution(_ device: TestDevice, _ desktop: DesktopSession) async throws {
            let prefix = "org.gnome.evolution.dataserver."
            try await device.until("the address books to be read") {
                try await device.baton("log").lines.joined().contains("Evolution Data Server's address books were read")
            }
            // The daemon has the book open, so that what this program opens is there for the next one.
            let opened = try await desktop.output(
                of: "busctl", "--user", "call", prefix + "AddressBook10",
                "/org/gnome/evolution/dataserver/AddressBookFactory", prefix + "AddressBookFactory", "OpenAddressBook",
                "s", "system-address-book")
            let words = opened.joined().split(separator: "\"").map(String.init)
            try #require(words.count >= 4)
            let (path, service) = (words[1], words[3])
            try await desktop.run("busctl", "--user", "call", service, path, prefix + "AddressBook", "Open")
            let cards = [
                "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lee;Bo;;;\r\nFN:Bo Lee\r\nEND:VCARD",
                "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Appleseed;Ann;;;\r\nFN:Ann Appleseed\r\nEMAIL:ann@example.com\r\nEND:VCARD",
            ]
            try await desktop.run(
                "busctl", "--user", "call", service, path, prefix + "AddressBook", "CreateContacts", "asu", "2",
                cards[0], cards[1], "0")
            try await until(["Ann Appleseed", "Bo Lee"], on: device)
            let found = try await device.baton("cards").decode(Cards.self).cards
            #expect(found.first?.sources == ["folder", "Evolution Data Server"])
        }
    }
}
