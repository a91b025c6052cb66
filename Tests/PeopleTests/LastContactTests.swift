import BatonCore
import BatonStore
import BatonTestSupport
import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing
import VCard

@testable import People

/// The person whom “call back” means.
@Suite(.timeLimit(.minutes(1))) struct LastContactTests {
    private static let anna = DonatedPerson(
        name: "Annie", handle: .init(value: "anna@example.org", kind: .email), customIdentifier: "7")
    private static let ben = DonatedPerson(name: "Ben", customIdentifier: "8")

    private static func call(
        _ person: DonatedPerson, _ identifier: String, at time: Double, came: Bool
    ) -> Baton_Value_V1_Interaction {
        .with {
            $0.identifier = identifier
            $0.start = time
            $0.direction = came ? .incoming : .outgoing
            $0.intent.className = "INStartCallIntent"
            $0.intent.parameters = .init(attributes: ["contacts": .array([person.full])])
        }
    }

    @Test(
        "it is the one of the last call that came, else the last who was reached; never a group or of an app that is gone (P-23)"
    )
    func last() async throws {
        let folder = try TemporaryDirectory()
        let apps = FakePeopleApps()
        let (chat, phone) = (FakePeopleApps.chat, FakePeopleApps.phone)
        let both = [
            ReachingApp(identity: chat, name: "Chat", types: []),
            ReachingApp(identity: phone, name: "Phone", types: []),
        ]
        apps.set(both)
        let database = try DaemonDatabase(path: folder.file("db.sqlite"), migrations: PeopleService.migrations)
        let service = PeopleService(
            database: database, contacts: FakeContacts(all: [FakeContacts.card("Anna", email: "anna@example.org")]),
            apps: apps, recorder: NullEventRecorder(), clock: WallClock { apps.now })
        func last() async throws -> [String] {
            try await service.lastContact().map { [$0.person.name, $0.app] } ?? []
        }
        #expect(try await last().isEmpty)
        try await service.donate(.message("1", to: [Self.ben, Self.anna]), from: chat)
        #expect(try await last().isEmpty)
        try await service.donate(.message("2", to: [Self.ben], at: 1_799_999_000), from: chat)
        #expect(try await last() == ["Ben", "Chat"])
        // As the card calls her.
        try await service.donate(Self.call(Self.anna, "3", at: 1_799_998_000, came: true), from: phone)
        #expect(try await last() == ["Anna", "Phone"])
        try await service.donate(Self.call(Self.ben, "4", at: 1_799_999_900, came: false), from: phone)
        #expect(try await last() == ["Anna", "Phone"])
        try await service.donate(Self.call(Self.ben, "5", at: 1_799_999_950, came: true), from: phone)
        #expect(try await last() == ["Ben", "Phone"])
        apps.set([both[0]])
        #expect(try await last() == ["Ben", "Chat"])
        try database.close()
    }
}
