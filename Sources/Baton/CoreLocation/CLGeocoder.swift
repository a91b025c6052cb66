import BatonCore
import BatonWire
public import Foundation

/// The handler that is called when a request of a ``CLGeocoder`` has ended, on the main thread.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// Finds where an address is, and which address a coordinate has. CoreLocation's.
///
/// The daemon asks, in this order: places that the person has looked at on this device, the geocoder that the setting
/// `places.geocoder` names, and a list of towns. A town is never passed off as an address: where only the town of a street is
/// known, the error is ``CLError/Code/geocodeFoundPartialResult``, with the town's region in its `userInfo`. The
/// `horizontalAccuracy` of a placemark's location says how exact it is.
///
/// One request at a time: another one meanwhile fails with ``CLError/Code/network``. Handlers are called on the main thread.
open class CLGeocoder: NSObject, @unchecked Sendable {
    private let slot = LookupSlot()
    private let runtime = AppRuntime.current

    /// A geocoder that does nothing yet.
    public override init() { super.init() }

    /// Whether a request is under way.
    open var isGeocoding: Bool { slot.isRunning }

    /// Ends the request: its handler is called with ``CLError/Code/geocodeCanceled``.
    open func cancelGeocode() { slot.cancel() }

    // MARK: With handlers

    /// The address of a location.
    open func reverseGeocodeLocation(
        _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        reverseGeocodeLocation(location, preferredLocale: nil, completionHandler: completionHandler)
    }

    /// The address of a location, in a language.
    open func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        start(PlaceQuery(subject: .point(location.coordinate), locale: locale), completionHandler)
    }

    /// Where an address on one line is.
    open func geocodeAddressString(
        _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        geocodeAddressString(addressString, in: nil, preferredLocale: nil, completionHandler: completionHandler)
    }

    /// Where an address on one line is; what is near the region goes first.
    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        geocodeAddressString(addressString, in: region, preferredLocale: nil, completionHandler: completionHandler)
    }

    /// Where an address on one line is; what is near the region goes first.
    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        start(
            PlaceQuery(
                subject: .text(addressString), near: (region as? CLCircularRegion)?.center, locale: locale),
            completionHandler)
    }

    /// Where an address of the address book is: the keys are those of ``CLPlacemark/addressDictionary``. Apple deprecates it.
    open func geocodeAddressDictionary(
        _ addressDictionary: [AnyHashable: Any], completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        start(Self.query(addressDictionary), completionHandler)
    }

    /// Where a postal address is.
    open func geocodePostalAddress(
        _ postalAddress: CNPostalAddress, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        geocodePostalAddress(postalAddress, preferredLocale: nil, completionHandler: completionHandler)
    }

    /// Where a postal address is.
    open func geocodePostalAddress(
        _ postalAddress: CNPostalAddress, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        start(PlaceQuery(subject: .address(postalAddress.store.values), locale: locale), completionHandler)
    }

    // MARK: Asynchronous

    /// The address of a location.
    open func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale? = nil
    ) async throws -> [CLPlacemark] {
        try await placemarks(PlaceQuery(subject: .point(location.coordinate), locale: locale))
    }

    /// Where an address on one line is.
    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion? = nil, preferredLocale locale: Locale? = nil
    ) async throws -> [CLPlacemark] {
        try await placemarks(
            PlaceQuery(subject: .text(addressString), near: (region as? CLCircularRegion)?.center, locale: locale))
    }

    /// Where an address of the address book is.
    open func geocodeAddressDictionary(_ addressDictionary: [AnyHashable: Any]) async throws -> [CLPlacemark] {
        try await placemarks(Self.query(addressDictionary))
    }

    /// Where a postal address is.
    open func geocodePostalAddress(
        _ postalAddress: CNPostalAddress, preferredLocale locale: Locale? = nil
    ) async throws -> [CLPlacemark] {
        try await placemarks(PlaceQuery(subject: .address(postalAddress.store.values), locale: locale))
    }

    // MARK: The request

    private static func query(_ dictionary: [AnyHashable: Any]) -> PlaceQuery {
        var strings: [String: Any] = [:]
        for (key, value) in dictionary {
            if let key = key as? String { strings[key] = value }
        }
        let placemark = MKPlacemark(coordinate: kCLLocationCoordinate2DInvalid, addressDictionary: strings)
        var values = placemark.store.values
        values["latitude"] = nil
        values["longitude"] = nil
        return PlaceQuery(subject: .address(values))
    }

    private func placemarks(_ query: PlaceQuery) async throws -> [CLPlacemark] {
        try await withCheckedThrowingContinuation { continuation in
            start(query) { placemarks, error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(placemarks ?? []))
            }
        }
    }

    private func start(_ query: PlaceQuery, _ handler: @escaping CLGeocodeCompletionHandler) {
        // The handler is Apple's, which says nothing of threads but that it is called on the main one: once, there.
        nonisolated(unsafe) let handler = handler
        let runtime = runtime
        let isStarted = slot.start { [slot] in
            let result = await Self.result(query, runtime)
            slot.free()
            runtime.onMain {
                switch result {
                case .success(let values): handler(values.map { CLPlacemark(values: $0) }, nil)
                case .failure(let error): handler(nil, error)
                }
            }
        }
        guard !isStarted else { return }
        runtime.onMain {
            handler(nil, CLError(.network, "The geocoder answers one request at a time. Wait for the one before."))
        }
    }

    private static func result(
        _ query: PlaceQuery, _ runtime: AppRuntime
    ) async -> Result<[[String: PropertyValue]], any Error> {
        do {
            return .success(try await runtime.geocode(query))
        } catch is CancellationError {
            return .failure(CLError(.geocodeCanceled, "The request was cancelled."))
        } catch {
            return .failure(error)
        }
    }
}
