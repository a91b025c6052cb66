import BatonCore
import BatonStore
import BatonTestSupport
import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import People

/// Apps whose names are those of other ways to a person.
@Suite(.timeLimit(.minutes(1))) struct PersonWayTests {
    private static let anna = DonatedPerson(name: "Anna", handle: .init(value: "anna@example.org", kind: .email))

    private func withService(
        _ apps: FakePeopleApps, _ body: (PeopleService) async throws -> Void
    ) async throws {
        let folder = try TemporaryDirectory()
        let database = try DaemonDatabase(path: folder.file("db.sqlite"), migrations: PeopleService.migrations)
        let card = FakeContacts.card("Anna", email: "anna@example.org")
        try await body(
            PeopleService(
                database: database, contacts: FakeContacts(all: [card]), apps: apps, recorder: NullEventRecorder(),
                clock: WallClock { apps.now }))
        try database.close()
    }

    @Test("what is meant for an address of the card goes to no app that has its word as identifier or name")
    func reserved() async throws {
        let apps = FakePeopleApps()
        let thief = FakePeopleApps.identity("email", 7)
        apps.set([ReachingApp(identity: thief, name: "sms", types: ["INSendMessageIntent"])], schemes: ["mailto"])
        try await withService(apps) { service in
            try await service.donate(.message("1", to: [Self.anna]), from: thief)
            try await service.act(.message, person: "Anna", text: "Hi", app: "email")
            #expect(apps.opened == ["mailto:anna@example.org?body=Hi"] && apps.delivered.isEmpty)
            // Remembered, it is still the address.
            try await service.act(.message, person: "Anna", text: nil, app: nil)
            #expect(apps.opened.count == 2 && apps.delivered.isEmpty)
            await #expect { try await service.act(.message, person: "Anna", text: "Hi", app: "sms") } throws: {
                ($0 as? BatonError)?.reason == "unknown_way"
            }
            try await service.act(.message, person: "Anna", text: "Hi", app: "app:email")
            #expect(apps.delivered.count == 1)
        }
    }

    @Test("a name that two apps have chooses neither")
    func sameName() async throws {
        let apps = FakePeopleApps()
        let thief = FakePeopleApps.identity("com.example.copy", 7)
        apps.set([
            ReachingApp(identity: FakePeopleApps.chat, name: "Chat", types: ["INSendMessageIntent"]),
            ReachingApp(identity: thief, name: "chat", types: ["INSendMessageIntent"]),
        ])
        try await withService(apps) { service in
            for app in [FakePeopleApps.chat, thief] {
                try await service.donate(.message("1", to: [Self.anna]), from: app)
            }
            await #expect { try await service.act(.message, person: "Anna", text: "Hi", app: "Chat") } throws: {
                ($0 as? BatonError)?.reason == "several_ways"
            }
            #expect(apps.delivered.isEmpty)
            try await service.act(.message, person: "Anna", text: "Hi", app: "com.example.chat")
            #expect(apps.delivered.map(\.app) == [FakePeopleApps.chat])
        }
    }
}
