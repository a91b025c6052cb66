import BatonCore
import BatonWire
public import Foundation
import Synchronization

/// Finds where an address is: Apple's newer form of ``CLGeocoder``. MapKit's.
//
// @unchecked: what changes lies behind a lock.
open class MKGeocodingRequest: NSObject, @unchecked Sendable {
    private struct State {
        var region: MKCoordinateRegion?
        var locale: Locale?
    }

    /// The address on one line.
    public let addressString: String
    private let state = Mutex(State())
    private let lookup = MapItemLookup()

    /// A request; nil for an empty address.
    public init?(addressString: String) {
        guard !addressString.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else { return nil }
        self.addressString = addressString
        super.init()
    }

    /// Where: what is nearer goes first.
    open var region: MKCoordinateRegion? {
        get { state.withLock { $0.region } }
        set { state.withLock { $0.region = newValue } }
    }

    /// The language of the answer.
    open var preferredLocale: Locale? {
        get { state.withLock { $0.locale } }
        set { state.withLock { $0.locale = newValue } }
    }

    /// Whether the request is under way.
    open var isLoading: Bool { lookup.isRunning }
    /// Whether ``cancel()`` was called.
    open var isCancelled: Bool { lookup.isCancelled }
    /// Ends the request with an error.
    open func cancel() { lookup.cancel() }

    private var query: PlaceQuery {
        PlaceQuery(subject: .text(addressString), near: region?.focus, locale: preferredLocale)
    }

    /// The places, the best first.
    open var mapItems: [MKMapItem] {
        get async throws { try await lookup.mapItems(query) }
    }

    /// The places, the best first. The handler is called on the main thread.
    open func getMapItems(completionHandler: @escaping ([MKMapItem]?, (any Error)?) -> Void) {
        lookup.start(query, completionHandler)
    }
}

/// Finds the address of a location: Apple's newer form of ``CLGeocoder``. MapKit's.
//
// @unchecked: what changes lies behind a lock.
open class MKReverseGeocodingRequest: NSObject, @unchecked Sendable {
    /// The location.
    public let location: CLLocation
    private let locale = Mutex<Locale?>(nil)
    private let lookup = MapItemLookup()

    /// A request; nil for a location that is not on the earth.
    public init?(location: CLLocation) {
        guard CLLocationCoordinate2DIsValid(location.coordinate) else { return nil }
        self.location = location
        super.init()
    }

    /// The language of the answer.
    open var preferredLocale: Locale? {
        get { locale.withLock { $0 } }
        set { locale.withLock { $0 = newValue } }
    }

    /// Whether the request is under way.
    open var isLoading: Bool { lookup.isRunning }
    /// Whether ``cancel()`` was called.
    open var isCancelled: Bool { lookup.isCancelled }
    /// Ends the request with an error.
    open func cancel() { lookup.cancel() }

    private var query: PlaceQuery { PlaceQuery(subject: .point(location.coordinate), locale: preferredLocale) }

    /// The place.
    open var mapItems: [MKMapItem] {
        get async throws { try await lookup.mapItems(query) }
    }

    /// The place. The handler is called on the main thread.
    open func getMapItems(completionHandler: @escaping ([MKMapItem]?, (any Error)?) -> Void) {
        lookup.start(query, completionHandler)
    }
}

/// The common part of both requests.
private final class MapItemLookup: Sendable {
    private let slot = LookupSlot()
    private let cancelled = Mutex(false)
    private let runtime = AppRuntime.current

    var isRunning: Bool { slot.isRunning }
    var isCancelled: Bool { cancelled.withLock { $0 } }

    func cancel() {
        cancelled.withLock { $0 = true }
        slot.cancel()
    }

    func mapItems(_ query: PlaceQuery) async throws -> [MKMapItem] {
        try await withCheckedThrowingContinuation { continuation in
            start(query) { items, error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(items ?? []))
            }
        }
    }

    func start(_ query: PlaceQuery, _ handler: @escaping ([MKMapItem]?, (any Error)?) -> Void) {
        // Apple's handler, which is called once, on the main thread.
        nonisolated(unsafe) let handler = handler
        let runtime = runtime
        let isCancelled = isCancelled
        let isStarted =
            !isCancelled
            && slot.start { [slot] in
                let result: Result<[MKMapItem], any Error>
                do {
                    result = .success(try await runtime.geocode(query).map { MKMapItem(found: $0) })
                } catch is CancellationError {
                    result = .failure(CLError(.geocodeCanceled, "The request was cancelled."))
                } catch {
                    result = .failure(error)
                }
                slot.free()
                runtime.onMain {
                    switch result {
                    case .success(let items): handler(items, nil)
                    case .failure(let error): handler(nil, error)
                    }
                }
            }
        guard !isStarted else { return }
        runtime.onMain {
            handler(
                nil,
                isCancelled
                    ? CLError(.geocodeCanceled, "The request was cancelled. Make another one.")
                    : CLError(.network, "The request is under way. Wait for its answer."))
        }
    }
}
