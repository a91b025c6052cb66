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
            RequestedPerson(id: person.id, name: person.name, detail: Self.detail(of: person), fromApp: person.fromApp)
        }
    }

    /// For somebody whom only an app knows, all that a call or a message may go to: the person confirms it with the name.
    private static func detail(of person: PersonSummary) -> String {
        let addresses = person.addresses
        guard let app = person.fromApp else { return addresses.first?.value ?? "" }
        // The first of each kind is where the ways lead to. Nothing is cut off, so that nothing unseen is confirmed.
        let kinds: [PersonSummary.Address.Kind] = [.telephone, .email]
        let used = kinds.compactMap { kind in addresses.first { $0.kind == kind }?.value }
        let other = person.apps.flatMap(\.donated).lazy.compactMap { $0.handle?.value }.first { !used.contains($0) }
        let parts = ["from \(app.isEmpty ? "an app" : app)"] + used + [other].compactMap { $0 }
        return parts.joined(separator: ", ")
    }

    func call(_ person: RequestedPerson) async throws {
        try await people.act(.call, person: person.id, text: nil, app: nil)
    }

    func message(_ person: RequestedPerson, text: String?) async throws {
        try await people.act(.message, person: person.id, text: text, app: nil)
    }
}
