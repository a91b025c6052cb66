import AppLink
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

/// An app's question to the daemon about places.
struct PlaceQuery: Sendable {
    enum Subject: Sendable {
        case text(String)
        case address([String: PropertyValue])
        case point(CLLocationCoordinate2D)
        /// A tag of OpenStreetMap, and where.
        case kind(String, MKCoordinateRegion)
    }

    var subject: Subject
    var purpose = Baton_App_V1_LookUpPlacesRequest.Purpose.geocode
    var near: CLLocationCoordinate2D?
    var locale: Locale?
    var limit = 5
}

/// The daemon's knowledge of it.
struct PlaceAnswer: Sendable {
    var places: [[String: PropertyValue]]
    var isPartial: Bool
}

extension AppRuntime {
    /// Longer than a geocoder may take, with those that wait before it.
    private static let lookUpTimeout = Duration.seconds(20)

    /// - Throws: `CLError`, or `CancellationError`.
    func lookUp(_ query: PlaceQuery) async throws -> PlaceAnswer {
        let profile = profile
        guard profile.socketPath != nil else {
            throw CLError(.network, "Baton's daemon cannot be reached: its socket is not known.")
        }
        let request = Baton_App_V1_LookUpPlacesRequest.with {
            $0.purpose = query.purpose
            switch query.subject {
            case .text(let text): $0.text = text
            case .address(let address): $0.address = .init(attributes: address)
            case .point(let point): $0.point = .init(point)
            case .kind(let tag, let region):
                let (low, high) = region.corners
                $0.ofKind = .with {
                    $0.kind = tag
                    $0.southWest = .init(low)
                    $0.northEast = .init(high)
                }
            }
            if let near = query.near, CLLocationCoordinate2DIsValid(near) { $0.near = .init(near) }
            if let language = query.locale?.language.languageCode?.identifier { $0.language = language }
            $0.limit = UInt32(query.limit)
        }
        do {
            let answer = try await link.call(
                PlaceMethods.lookUpPlaces, request, timeout: Self.lookUpTimeout)
            return PlaceAnswer(
                places: answer.places.compactMap { try? $0.attributes.attributes() }, isPartial: answer.isPartial)
        } catch let error as BatonError {
            try Task.checkCancellation()
            throw Self.locationError(error)
        }
    }

    private static func locationError(_ error: BatonError) -> CLError {
        switch error.code {
        case .invalidArgument: CLError(.geocodeFoundNoResult, error.message)
        default: CLError(.network, error.message)
        }
    }

    /// The places of an answer, or the error that stands for there being none.
    func geocode(_ query: PlaceQuery) async throws -> [[String: PropertyValue]] {
        let answer = try await lookUp(query)
        if answer.isPartial, let town = answer.places.first {
            let placemark = CLPlacemark(values: town)
            throw CLError(
                .geocodeFoundPartialResult,
                "Only the town of the address is known: \(placemark.locality ?? placemark.name ?? "one without a name").",
                region: placemark.region)
        }
        guard !answer.places.isEmpty else {
            throw CLError(.geocodeFoundNoResult, "Nothing is known of the place. See the setting places.geocoder.")
        }
        return answer.places
    }
}

extension Baton_App_V1_PlacePoint {
    init(_ coordinate: CLLocationCoordinate2D) {
        self.init()
        latitude = coordinate.latitude
        longitude = coordinate.longitude
    }
}

/// One request of an object that has one at a time: who may begin, and what is cancelled.
final class LookupSlot: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var number: UInt64 = 0
        var isRunning = false
    }

    private let state = Mutex(State())

    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// - Returns: false when one is under way.
    func start(_ body: @escaping @Sendable () async -> Void) -> Bool {
        state.withLock { state in
            guard !state.isRunning else { return false }
            state.isRunning = true
            state.number += 1
            let number = state.number
            // Ends with the call that it makes, or when it is cancelled here.
            state.task = Task { [self] in
                await body()
                ended(number)
            }
            return true
        }
    }

    private func ended(_ number: UInt64) {
        state.withLock { state in
            if state.number == number { state.isRunning = false }
        }
    }

    /// The next request may begin, as a handler that is called now may want to.
    func free() { state.withLock { $0.isRunning = false } }

    func cancel() { state.withLock { $0.task }?.cancel() }
}
