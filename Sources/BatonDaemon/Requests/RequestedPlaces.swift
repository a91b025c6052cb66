import BatonCore
import ContextAwareness
import Opening
import Requests
import Suggestions
import WebMarkup

/// Places that the person looked at, or is at again and again, and the way there.
struct RequestedPlaces: RequestPlaces {
    let suggestions: Suggestions
    let context: ContextService

    /// In front of the number of a place where the device stays: places that were looked at have numbers of their own.
    private static let stay = "stay:"

    func known() async -> [RequestedPlace] {
        let seen = suggestions.suggestions(field: nil, limit: PlaceMemory.maximumPlaces).compactMap {
            RequestedPlace($0.place)
        }
        // The person's own names come first: a sentence may name few places.
        return context.places().compactMap { stay in
            let name = stay.place.name
            // “Home” and “work” are words of the sentence.
            guard !name.isEmpty, !["home", "work"].contains(name.lowercased()) else { return nil }
            return RequestedPlace(id: Self.stay + "\(stay.place.id)", name: name)
        } + seen
    }

    func directions(to destination: RequestDestination) async throws -> String {
        let (app, isHandled, _) = try await lead(to: destination)
        let name = app?.name ?? "The desktop's map"
        guard isHandled else {
            throw BatonError(
                .aborted, reason: "not_handled", "\(name) was asked for directions, but did not take them.")
        }
        return name
    }

    /// - Returns: the app, whether it takes the place, and the place's name for people.
    func lead(to destination: RequestDestination) async throws -> Suggestions.Led {
        var outcome: Suggestions.Led
        switch destination {
        case .address(let address): outcome = try await suggestions.directions(to: address.text)
        case .named(let name): outcome = try await suggestions.directions(to: name)
        case .known(let place) where place.id.hasPrefix(Self.stay):
            let stay = context.places().first { Self.stay + "\($0.place.id)" == place.id }
            outcome = try await suggestions.directions(to: try self.place(stay?.place, place.name))
        case .known(let place): outcome = try await suggestions.directions(to: place.id)
        case .home, .work:
            // The person's own name for a place counts more than what was learned of where the nights are spent.
            let stays = context.places()
            let stay =
                stays.first { $0.place.name.lowercased() == destination.name }
                ?? stays.first { $0.learned == destination.name }
            guard let stay else {
                throw BatonError(
                    .failedPrecondition, reason: "unknown_place",
                    "Where your \(destination.name) is, is not known yet. Name its address instead, or name the place with "
                        + "“baton places name” while you are there.")
            }
            outcome = try await suggestions.directions(to: try self.place(stay.place, destination.name))
        }
        outcome.name = destination.name
        return outcome
    }

    /// A place where the device stays may be known by its networks alone.
    private func place(_ stay: StayPlace?, _ name: String) throws(BatonError) -> Place {
        guard let position = stay?.position,
            let coordinate = Place.Coordinate(latitude: position.latitude, longitude: position.longitude)
        else {
            throw BatonError(
                .failedPrecondition, reason: "unknown_place",
                "“\(name.shortened(toBytes: 100))” is known by its network, and not where it lies. Name its address instead."
            )
        }
        var place = Place()
        place.name = name
        place.coordinate = coordinate
        return place
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
