import BatonCore
import BatonStore
import BatonTestSupport
import Testing

@testable import People

/// A message that is to go by mail, whichever way was picked for messages.
@Suite(.timeLimit(.minutes(1))) struct PeopleMailTests {
    private static let anna = DonatedPerson(
        name: "Annie", handle: .init(value: "anna@example.org", kind: .email), customIdentifier: "7")
    private static let chat = ReachingApp(
        identity: FakePeopleApps.chat, name: "Chat", types: ["com.example.message", "INSendMessageIntent"])

    @Test("A message by mail for this once leaves the way that was picked as it is (P-49)")
    func once() async throws {
        let folder = try TemporaryDirectory()
        let apps = FakePeopleApps()
        apps.set([Self.chat], schemes: ["mailto"])
        let database = try DaemonDatabase(path: folder.file("db.sqlite"), migrations: PeopleService.migrations)
        let service = PeopleService(
            database: database, contacts: FakeContacts(all: [FakeContacts.card("Anna", email: "anna@example.org")]),
            apps: apps, recorder: NullEventRecorder(), clock: WallClock { apps.now })
        try await service.donate(.message("1", to: [Self.anna]), from: FakePeopleApps.chat)
        try await service.act(.message, person: "Anna", text: nil, app: "Chat")
        try await service.act(.message, person: "Anna", text: "Hi", onceBy: PersonWay.emailSelector)
        #expect(apps.opened == ["mailto:anna@example.org?body=Hi"])
        let person = try await service.person("Anna")
        #expect(person.ways(for: .message, schemes: ["mailto"]).first?.name == "Chat")

        // Whose address it is, is clear where one card has it.
        #expect(service.name(ofHandle: "ANNA@example.org") == "Anna")
        #expect(service.name(ofHandle: "ben@example.org") == nil)

        // Nothing opens mail any more.
        apps.set([Self.chat])
        await #expect {
            try await service.act(.message, person: "Anna", text: "Hi", onceBy: PersonWay.emailSelector)
        } throws: {
            ($0 as? BatonError)?.message.hasPrefix("Anna has no e-mail address, or nothing here opens one.") == true
        }
        try database.close()
    }

    @Test("Where an address is there, a program that opens it is missing, and a mail needs an address of mail (P-49)")
    func missing() async throws {
        let folder = try TemporaryDirectory()
        let apps = FakePeopleApps()
        apps.set([])
        let database = try DaemonDatabase(path: folder.file("db.sqlite"), migrations: PeopleService.migrations)
        let cards = [
            FakeContacts.card("Anna", email: "anna@example.org"), FakeContacts.card("Ben", telephone: "+49 30 123456"),
        ]
        let service = PeopleService(
            database: database, contacts: FakeContacts(all: cards), apps: apps, recorder: NullEventRecorder(),
            clock: WallClock { apps.now })
        func reason(_ action: PersonAction, _ name: String, byMail: Bool = false) async -> String {
            do {
                if byMail {
                    try await service.act(action, person: name, text: "Hi", onceBy: PersonWay.emailSelector)
                } else {
                    try await service.act(action, person: name, text: nil, app: "")
                }
                return ""
            } catch {
                return (error as? BatonError)?.message ?? ""
            }
        }
        #expect(await reason(.message, "Anna").contains("no program opens “anna@example.org”"))
        #expect(await reason(.call, "Ben").contains("no program opens “+49 30 123456”"))
        #expect(await reason(.call, "Anna").contains("there is no address that something opens"))
        #expect(await reason(.message, "Ben", byMail: true).hasPrefix("Ben has no e-mail address"))
        try database.close()
    }
}
