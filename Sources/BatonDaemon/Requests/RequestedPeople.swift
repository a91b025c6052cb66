import BatonCore
import Requests

/// People that a sentence names.
struct RequestedPeople: RequestPeople {
    func resolve(_ word: String) async throws -> [RequestedPerson] { throw Self.missing }
    func call(_ person: RequestedPerson) async throws { throw Self.missing }
    func message(_ person: RequestedPerson, text: String?) async throws { throw Self.missing }

    private static let missing = BatonError(
        .unimplemented, reason: "no_people",
        "Baton knows no people on this device. Name a telephone number, or a place that you looked at.")
}
