import BatonCore
import BatonWire
public import Foundation

/// One way to complete what a person types. MapKit's.
public final class MKLocalSearchCompletion: NSObject, Sendable {
    /// The name of the place.
    public let title: String
    /// Where it is.
    public let subtitle: String
    private let fragment: String

    init(title: String, subtitle: String, fragment: String) {
        self.title = title
        self.subtitle = subtitle
        self.fragment = fragment
        super.init()
    }

    /// The parts of the title that the person typed: `NSRange`s as `NSValue`s.
    public var titleHighlightRanges: [NSValue] { Self.ranges(of: fragment, in: title) }
    /// The parts of the subtitle that the person typed.
    public var subtitleHighlightRanges: [NSValue] { Self.ranges(of: fragment, in: subtitle) }

    /// Each word of the fragment where a word of the text first begins with it.
    private static func ranges(of fragment: String, in text: String) -> [NSValue] {
        fragment.split(separator: " ").prefix(8).compactMap { range(of: String($0), in: text as NSString) }
    }

    private static func range(of word: String, in text: NSString) -> NSValue? {
        var start = 0
        while start < text.length {
            let range = text.range(
                of: word, options: [.caseInsensitive, .diacriticInsensitive],
                range: NSRange(location: start, length: text.length - start))
            guard range.location != NSNotFound else { return nil }
            let isStart =
                range.location == 0
                || !CharacterSet.alphanumerics.contains(
                    Unicode.Scalar(text.character(at: range.location - 1)) ?? " ")
            if isStart { return NSValue(range: range) }
            // A mark that is ignored may be found with no length.
            start = max(start + 1, range.location + range.length)
        }
        return nil
    }
}

/// Hears of completions, on the main thread. MapKit's. Every method is optional.
public protocol MKLocalSearchCompleterDelegate: AnyObject {
    /// There are results for the fragment that was set last.
    func completerDidUpdateResults(_ completer: MKLocalSearchCompleter)
    /// The search failed.
    func completer(_ completer: MKLocalSearchCompleter, didFailWithError error: any Error)
}

extension MKLocalSearchCompleterDelegate {
    /// Does nothing.
    public func completerDidUpdateResults(_ completer: MKLocalSearchCompleter) {}
    /// Does nothing.
    public func completer(_ completer: MKLocalSearchCompleter, didFailWithError error: any Error) {}
}

/// Completes the names of places as a person types. MapKit's.
///
/// It knows towns, and, from three letters on, the places that the person has looked at on this device. No server is asked.
//
// @unchecked: what changes lies behind a lock.
open class MKLocalSearchCompleter: NSObject, @unchecked Sendable {
    /// The kinds of completions that count.
    public struct ResultType: OptionSet, Sendable {
        /// Apple's bits.
        public let rawValue: UInt
        /// A set of Apple's bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Addresses and towns.
        public static let address = ResultType(rawValue: 1)
        /// Places with a name of their own.
        public static let pointOfInterest = ResultType(rawValue: 2)
        /// Words to search for: there are none.
        public static let query = ResultType(rawValue: 4)
    }

    private struct State {
        weak var delegate: (any MKLocalSearchCompleterDelegate)?
        var region = MKCoordinateRegion.world
        var resultTypes: ResultType = [.address, .pointOfInterest, .query]
        var filter: MKPointOfInterestFilter?
        var results: [MKLocalSearchCompletion] = []
        var fragment = ""
        var task: Task<Void, Never>?
        /// The number of the last search: no other has results.
        var number: UInt64 = 0

        mutating func end() {
            task?.cancel()
            task = nil
            number &+= 1
        }

        /// Nil for a place that does not count.
        func completion(_ values: [String: PropertyValue], _ fragment: String) -> MKLocalSearchCompletion? {
            let item = MKMapItem(found: values)
            let placemark = item.placemark
            guard let title = placemark.name ?? placemark.locality else { return nil }
            let isTown = title == placemark.locality
            guard resultTypes.contains(isTown ? .address : .pointOfInterest) else { return nil }
            if let filter, let category = item.pointOfInterestCategory, filter.excludes(category) { return nil }
            let parts = [
                placemark.postalAddress?.street, isTown ? nil : placemark.locality, placemark.administrativeArea,
                placemark.country,
            ].compactMap { $0 }.filter { !$0.isEmpty }
            return MKLocalSearchCompletion(
                title: title, subtitle: parts.joined(separator: ", "), fragment: fragment)
        }
    }

    /// Between the last key and the search.
    private static let pause = Duration.milliseconds(100)

    private let state = UncheckedMutex(State())
    private let runtime = AppRuntime.current

    /// A completer that has nothing to complete.
    public override init() { super.init() }

    /// Hears of results, on the main thread.
    open weak var delegate: (any MKLocalSearchCompleterDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
    /// Where: what is nearer goes first.
    open var region: MKCoordinateRegion {
        get { state.withLock { $0.region } }
        set { state.withLock { $0.region = newValue } }
    }
    /// The kinds of completions that count.
    open var resultTypes: ResultType {
        get { state.withLock { $0.resultTypes } }
        set { state.withLock { $0.resultTypes = newValue } }
    }
    /// Which points of interest count, as far as their category is known; nil for all.
    open var pointOfInterestFilter: MKPointOfInterestFilter? {
        get { state.withLock { $0.filter } }
        set { state.withLock { $0.filter = newValue } }
    }
    /// For the fragment that was searched last.
    open var results: [MKLocalSearchCompletion] { state.withLock { $0.results } }
    /// Whether a search is under way.
    open var isSearching: Bool { state.withLock { $0.task != nil } }

    /// The text that was typed so far. Setting it begins a search after a short pause, in place of the one before.
    open var queryFragment: String {
        get { state.withLock { $0.fragment } }
        set {
            state.withLock { $0.fragment = newValue }
            search(newValue.trimmingCharacters(in: .whitespaces))
        }
    }

    /// Ends the search.
    open func cancel() { state.withLock { $0.end() } }

    private func search(_ fragment: String) {
        let runtime = runtime
        state.withLock { state in
            state.end()
            guard !fragment.isEmpty else {
                state.results = []
                return
            }
            var query = PlaceQuery(subject: .text(fragment), purpose: .complete, near: state.region.focus, limit: 10)
            query.locale = nil
            let number = state.number
            // One at a time: the next search cancels it. It reports its end on the main thread.
            state.task = Task { [weak self, query] in
                let result: Result<[[String: PropertyValue]], any Error>
                do {
                    try await Task.sleep(for: Self.pause)
                    result = .success(try await runtime.lookUp(query).places)
                } catch { result = .failure(error) }
                guard !Task.isCancelled else { return }
                runtime.onMain { self?.ended(number, fragment, result) }
            }
        }
    }

    /// On the main thread.
    private func ended(_ number: UInt64, _ fragment: String, _ result: Result<[[String: PropertyValue]], any Error>) {
        let isLast = state.withLock { state in
            guard state.number == number else { return false }
            state.task = nil
            if case .success(let places) = result {
                state.results = places.compactMap { state.completion($0, fragment) }
            }
            return true
        }
        guard isLast else { return }
        switch result {
        case .success: delegate?.completerDidUpdateResults(self)
        case .failure(let error): delegate?.completer(self, didFailWithError: MKError(error))
        }
    }
}
