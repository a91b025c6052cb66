import BatonCore
import People
import RequestGrammar
import Requests

/// People that a sentence names.
struct RequestedPeople: RequestPeople {
    private static let maximum = 10

    let people: PeopleService

    func knownNames() async -> [String] { people.names(limit: RequestLexicon.maximumPeople) }

    func resolve(_ word: String) async throws -> [RequestedPerson] {
        try await people.named(word).prefix(Self.maximum).map { person in
            RequestedPerson(
                id: person.id, name: person.name,
                detail: person.fromApp.map { "from \($0)" } ?? person.addresses.first?.value ?? "")
        }
    }

    func call(_ person: RequestedPerson) async throws {
        try await people.act(.call, person: person.id, text: nil, app: nil)
    }

    func message(_ person: RequestedPerson, text: String?) async throws {
        try await people.act(.message, person: person.id, text: text, app: nil)
    }
}
