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
        try await people.named(word).prefix(Self.maximum).map { Self.person($0) }
    }

    func kin(_ word: String) async throws -> [(person: RequestedPerson, owner: String, label: String)] {
        try await people.kin(word).prefix(Self.maximum).map { (Self.person($0.person), $0.owner, $0.label) }
    }

    func resolve(_ shown: ShownPerson, from app: String) async throws -> [RequestedPerson] {
        let known = try await people.people(shownAs: shown)
        if !known.isEmpty { return known.prefix(Self.maximum).map { Self.person($0) } }
        guard !shown.addresses.isEmpty else { return [] }
        return [Self.person(PersonSummary(stranger: shown, from: app), stranger: shown)]
    }

    func lastContact() async throws -> (person: RequestedPerson, app: String)? {
        try await people.lastContact().map { (Self.person($0.person), $0.app) }
    }

    func addresses(of name: String) async throws -> [RequestedAddress]? {
        try await people.postalAddresses(of: name)?.map { .init(person: $0.person, label: $0.label, text: $0.address) }
    }

    private static func person(_ person: PersonSummary, stranger: ShownPerson? = nil) -> RequestedPerson {
        RequestedPerson(
            id: person.id, name: person.name, detail: detail(of: person), fromApp: person.fromApp, stranger: stranger)
    }

    /// For a person that only an app knows, all that a call or a message may go to: the person confirms it with the name.
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

    func call(_ person: RequestedPerson) async throws { try await act(.call, person, nil) }

    func video(_ person: RequestedPerson) async throws { try await act(.video, person, nil) }

    func message(_ person: RequestedPerson, text: String?) async throws { try await act(.message, person, text) }

    func email(_ person: RequestedPerson, text: String?) async throws {
        try await act(.message, person, text, way: PersonWay.emailSelector)
    }

    /// - Parameter way: for this once; nil for the default, or the only way.
    private func act(
        _ action: PersonAction, _ person: RequestedPerson, _ text: String?, way: String? = nil
    ) async throws {
        guard let stranger = person.stranger else {
            return try await people.act(action, person: person.id, text: text, onceBy: way)
        }
        let summary = PersonSummary(stranger: stranger, from: person.fromApp ?? "")
        try await people.act(action, with: summary, text: text, onceBy: way)
    }
}
