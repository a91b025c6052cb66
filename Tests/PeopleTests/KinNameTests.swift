import BatonCore
import BatonStore
import BatonTestSupport
import Testing
import VCard

@testable import People

/// Who is meant by a word that says what a person is to another, and how many.
@Suite(.timeLimit(.minutes(1))) struct KinNameTests {
    private func withService(_ cards: [ContactCard], _ body: (PeopleService) async throws -> Void) async throws {
        let folder = try TemporaryDirectory()
        let database = try DaemonDatabase(path: folder.file("db.sqlite"), migrations: PeopleService.migrations)
        let apps = FakePeopleApps()
        try await body(
            PeopleService(
                database: database, contacts: FakeContacts(all: cards), apps: apps, recorder: NullEventRecorder(),
                clock: WallClock { apps.now }))
        try database.close()
    }

    private static func isUnknown(_ error: any Error) -> Bool { (error as? BatonError)?.reason == "unknown_person" }

    @Test("“Frau” is not Frau Weber, and “Mama” no pizzeria: a card is called so where that is all of its name (P-48)")
    func wholeNames() async throws {
        let names = ["Frau Weber", "Mama Mia Pizzeria", "Sonja Reed", "Dad Bell", "Opa"]
        var grandmother = FakeContacts.card("Oma at the sea")
        grandmother.givenName = "Oma"
        var sister = FakeContacts.card("Sis Bell")
        (sister.givenName, sister.familyName) = ("Sis", "Bell")
        var mother = FakeContacts.card("Mamadou Bell")
        mother.nickname = "Mam"
        try await withService(names.map { FakeContacts.card($0) } + [grandmother, sister, mother]) { service in
            for word in ["Frau", "mama", "son", "Dad", "sis"] {
                let found = try await service.named(word).map(\.name)
                #expect(found.isEmpty, "\(word) is \(found)")
                // So no reminder waits for one of them.
                await #expect { try await service.person(word) } throws: { Self.isUnknown($0) }
            }
            #expect(try await service.named("opa").map(\.name) == ["Opa"])
            #expect(try await service.person("opa").name == "Opa")
            #expect(try await service.named("Oma").map(\.name) == ["Oma at the sea"])
            #expect(try await service.person("mam").name == "Mamadou Bell")
            // Another word may be a part of the name.
            #expect(try await service.person("Weber").name == "Frau Weber")
            #expect(try await service.named("Frau Weber").map(\.name) == ["Frau Weber"])
        }
    }

    @Test("of those whom cards name so there are at most ten, each with the label of that card (P-48)")
    func labels() async throws {
        var max = FakeContacts.card("Max Bell")
        max.relations = [.init(label: "child", value: "Tim")]
        let sons = (0..<12).map { FakeContacts.card("Tim Number\($0)") }
        try await withService([max] + sons) { service in
            let found = try await service.kin("son")
            #expect(found.count == 10)
            #expect(found.allSatisfy { $0.owner == "Max Bell" && $0.label == "child" })
        }
    }
}
