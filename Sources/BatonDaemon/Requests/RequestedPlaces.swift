import BatonCore
import Opening
import Requests
import Suggestions

/// Places that the person looked at, and the way there.
struct RequestedPlaces: RequestPlaces {
    let suggestions: Suggestions

    func known() async -> [RequestedPlace] {
        suggestions.suggestions(field: nil, limit: PlaceMemory.maximumPlaces).compactMap { RequestedPlace($0.place) }
    }

    func directions(to destination: RequestDestination) async throws -> String {
        let selector: String
        switch destination {
        case .address(let address): selector = address.text
        case .known(let place): selector = place.id
        case .named(let name): selector = name
        case .home, .work:
            throw BatonError(
                .failedPrecondition, reason: "unknown_place",
                "Where your \(destination.name) is, is not known yet. Name its address instead.")
        }
        let (app, isHandled, _) = try await suggestions.directions(to: selector)
        let name = app?.name ?? "The desktop's map"
        guard isHandled else {
            throw BatonError(
                .aborted, reason: "not_handled", "\(name) was asked for directions, but did not take them.")
        }
        return name
    }
}

/// Calls by the handler of `tel:`.
struct RequestedCalls: RequestTelephone {
    let opening: OpeningService
    /// The name of an app, for people.
    let name: @Sendable (BundleID) -> String

    func call(_ number: TelephoneAddress) async throws -> String {
        let outcome: OpeningService.Outcome
        do {
            outcome = try await opening.open(number.url, from: .person)
        } catch let error as BatonError where error.reason == "no_handler" {
            throw BatonError(
                .notFound, reason: "no_telephone_app",
                "Nothing here calls numbers. Install an app that opens “tel:”, or one of the desktop's.", cause: error)
        }
        let app = outcome.app.map(name) ?? ""
        guard outcome.isHandled else {
            throw BatonError(.aborted, reason: "not_handled", "\(app) was asked to call, but did not.")
        }
        return app
    }
}
