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
}
