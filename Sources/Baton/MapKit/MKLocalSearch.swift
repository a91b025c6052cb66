import BatonCore
import BatonWire
public import Foundation
import Synchronization

/// Finds places by words. MapKit's.
///
/// It knows the places that the person has looked at on this device, what the geocoder in the setting `places.geocoder` finds,
/// and towns. An object searches once: make another for another search. Handlers are called on the main thread.
//
// @unchecked: what changes lies behind a lock.
open class MKLocalSearch: NSObject, @unchecked Sendable {
    /// The handler that is called when a search has ended, on the main thread.
    public typealias CompletionHandler = (Response?, (any Error)?) -> Void

    /// The kinds of places that count.
    public struct ResultType: OptionSet, Sendable {
        /// Apple's bits.
        public let rawValue: UInt
        /// A set of Apple's bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Addresses and towns.
        public static let address = ResultType(rawValue: 1)
        /// Places with a name of their own.
        public static let pointOfInterest = ResultType(rawValue: 2)
    }

    /// The subject of a search. Not safe to use from several threads at once; a search takes what it says when it is made.
    open class Request: NSObject {
        /// The words.
        open var naturalLanguageQuery: String?
        /// Where: what is nearer goes first.
        open var region = MKCoordinateRegion.world
        /// The kinds of places that count.
        open var resultTypes: ResultType = [.address, .pointOfInterest]
        /// Which points of interest count, of those whose category is known; nil for all.
        open var pointOfInterestFilter: MKPointOfInterestFilter?

        /// A request that says nothing yet.
        public override init() { super.init() }

        /// Words to be searched anywhere.
        public convenience init(naturalLanguageQuery: String) {
            self.init()
            self.naturalLanguageQuery = naturalLanguageQuery
        }

        /// Words to be searched in a region.
        public convenience init(naturalLanguageQuery: String, region: MKCoordinateRegion) {
            self.init(naturalLanguageQuery: naturalLanguageQuery)
            self.region = region
        }

        /// The completion that a person has chosen.
        public convenience init(completion: MKLocalSearchCompletion) {
            self.init(
                naturalLanguageQuery: [completion.title, completion.subtitle].filter { !$0.isEmpty }.joined(
                    separator: ", "))
        }
    }

    /// The results.
    public final class Response: NSObject, Sendable {
        /// The places, the best first.
        public let mapItems: [MKMapItem]
        /// The area that they are in.
        public let boundingRegion: MKCoordinateRegion

        init(mapItems: [MKMapItem]) {
            self.mapItems = mapItems
            boundingRegion =
                MKCoordinateRegion(around: mapItems.compactMap { $0.placemark.location?.coordinate }) ?? .world
        }
    }

    private let queries: [PlaceQuery]
    private let types: ResultType
    /// Where points of interest are searched: the nearest goes first, and none is beyond the radius.
    private let circle: (center: CLLocationCoordinate2D, radius: CLLocationDistance)?
    private let filter: MKPointOfInterestFilter?
    private let slot = LookupSlot()
    private let runtime = AppRuntime.current
    private let wasStarted = Mutex(false)

    /// A search of what the request says now.
    public init(request: Request) {
        let words = request.naturalLanguageQuery?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        queries =
            words.isEmpty
            ? [] : [PlaceQuery(subject: .text(words), purpose: .search, near: request.region.focus, limit: 20)]
        types = request.resultTypes
        filter = request.pointOfInterestFilter
        circle = nil
        super.init()
    }

    /// A search for the points of interest that the request says now, the nearest first.
    public init(request: MKLocalPointsOfInterestRequest) {
        queries = request.queries
        types = .pointOfInterest
        filter = request.pointOfInterestFilter
        circle = (request.coordinate, request.radius)
        super.init()
    }

    /// Whether the search is under way.
    open var isSearching: Bool { slot.isRunning }

    /// Ends the search with an error.
    open func cancel() { slot.cancel() }

    /// Begins the search. Once: a second call gets an error, and the first goes on.
    open func start(completionHandler: @escaping CompletionHandler) {
        // Apple's handler, which is called once, on the main thread.
        nonisolated(unsafe) let handler = completionHandler
        let runtime = runtime
        let isFirst = wasStarted.withLock { started in
            defer { started = true }
            return !started
        }
        guard isFirst else {
            return runtime.onMain { handler(nil, MKError(.unknown, "A search is started once. Make another one.")) }
        }
        _ = slot.start { [self] in
            let result = await result()
            slot.free()
            runtime.onMain {
                switch result {
                case .success(let response): handler(response, nil)
                case .failure(let error): handler(nil, error)
                }
            }
        }
    }

    /// Searches.
    open func start() async throws -> Response {
        try await withCheckedThrowingContinuation { continuation in
            start { response, error in
                if let response {
                    continuation.resume(returning: response)
                } else {
                    continuation.resume(throwing: error ?? MKError(.unknown))
                }
            }
        }
    }

    private func result() async -> Result<Response, any Error> {
        guard !queries.isEmpty else {
            let hint = circle == nil ? "words. Set naturalLanguageQuery." : "area or no category."
            return .failure(MKError(.placemarkNotFound, "The search has no \(hint)"))
        }
        do {
            var items: [MKMapItem] = []
            for query in queries { items += try await runtime.lookUp(query).places.map { MKMapItem(found: $0) } }
            items = ordered(items.filter(isWanted))
            guard !items.isEmpty else {
                return .failure(
                    MKError(
                        .placemarkNotFound,
                        circle == nil ? "No place is found by these words." : "No point of interest is known there."))
            }
            return .success(Response(mapItems: items))
        } catch {
            return .failure(MKError(error))
        }
    }

    private func ordered(_ items: [MKMapItem]) -> [MKMapItem] {
        guard let circle else { return items }
        let near = items.compactMap { item in
            item.placemark.location.map { (item, $0.coordinate.distance(to: circle.center)) }
        }
        return near.filter { $0.1 <= circle.radius }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    private func isWanted(_ item: MKMapItem) -> Bool {
        let isPoint =
            item.pointOfInterestCategory != nil
            || item.name != nil && item.name != item.placemark.locality && item.name != item.placemark.thoroughfare
        guard isPoint else { return types.contains(.address) }
        if let filter, let category = item.pointOfInterestCategory, filter.excludes(category) { return false }
        return types.contains(.pointOfInterest) || (types.contains(.address) && item.placemark.thoroughfare != nil)
    }
}

extension MKMapItem {
    /// A place that the daemon has found.
    convenience init(found values: [String: PropertyValue]) {
        var values = values
        let phone = values.removeValue(forKey: "phoneNumber")
        let url = values.removeValue(forKey: "url")
        let kind = values.removeValue(forKey: "kind")
        self.init(placemark: MKPlacemark(values: values))
        if case .string(let text)? = phone { phoneNumber = text }
        if case .string(let text)? = url { self.url = URL(string: text) }
        if case .string(let tag)? = kind { pointOfInterestCategory = MKPointOfInterestCategory(tag: tag) }
        timeZone = placemark.timeZone
    }
}
