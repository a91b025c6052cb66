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

    /// Each word of the fragment where a word of the text begins with it.
    private static func ranges(of fragment: String, in text: String) -> [NSValue] {
        let text = text as NSString
        var ranges: [NSValue] = []
        for word in fragment.split(separator: " ").prefix(8) {
            let range = text.range(
                of: String(word), options: [.caseInsensitive, .diacriticInsensitive])
            guard range.location != NSNotFound else { continue }
            let isStart =
                range.location == 0
                || !CharacterSet.alphanumerics.contains(
                    Unicode.Scalar(text.character(at: range.location - 1)) ?? " ")
            if isStart { ranges.append(NSValue(range: range)) }
        }
        return ranges
    }
}

/// Hears of completions. MapKit's. Every method is optional.
@MainActor
@preconcurrency
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
@MainActor
@preconcurrency
open class MKLocalSearchCompleter: NSObject {
    /// The kinds of completions that count.
    public struct ResultType: OptionSet, Sendable {
        /// Apple's bits.
        public let rawValue: UInt
        /// A set of Apple's bits.
        nonisolated public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Addresses and towns.
        nonisolated public static let address = ResultType(rawValue: 1)
        /// Places with a name of their own.
        nonisolated public static let pointOfInterest = ResultType(rawValue: 2)
        /// Words to search for: there are none.
        nonisolated public static let query = ResultType(rawValue: 4)
    }

    /// Between the last key and the search.
    private static let pause = Duration.milliseconds(100)

    /// Hears of results.
    open weak var delegate: (any MKLocalSearchCompleterDelegate)?
    /// Where: what is nearer goes first.
    open var region = MKCoordinateRegion.world
    /// The kinds of completions that count.
    open var resultTypes: ResultType = [.address, .pointOfInterest, .query]
    /// For the fragment that was searched last.
    open private(set) var results: [MKLocalSearchCompletion] = []
    /// Whether a search is under way.
    open var isSearching: Bool { task != nil }

    private var task: Task<Void, Never>?
    private let runtime = AppRuntime.current

    /// A completer that has nothing to complete.
    public override init() { super.init() }

    /// The text that was typed so far. Setting it begins a search after a short pause, in place of the one before.
    open var queryFragment = "" {
        didSet { search() }
    }

    /// Ends the search.
    open func cancel() {
        task?.cancel()
        task = nil
    }

    private func search() {
        cancel()
        let fragment = queryFragment.trimmingCharacters(in: .whitespaces)
        guard !fragment.isEmpty else {
            results = []
            return
        }
        var query = PlaceQuery(subject: .text(fragment), purpose: .complete, near: region.focus, limit: 10)
        query.locale = nil
        let runtime = runtime
        // One at a time: the next one cancels it.
        task = Task { [weak self, query] in
            do {
                try await Task.sleep(for: Self.pause)
                let answer = try await runtime.lookUp(query)
                try Task.checkCancellation()
                self?.found(answer.places, fragment)
            } catch is CancellationError {
                return
            } catch {
                guard !Task.isCancelled else { return }
                self?.failed(error)
            }
        }
    }

    private func found(_ places: [[String: PropertyValue]], _ fragment: String) {
        task = nil
        results = places.compactMap { values in
            let placemark = MKPlacemark(values: values)
            guard let title = placemark.name ?? placemark.locality else { return nil }
            let isTown = title == placemark.locality
            guard resultTypes.contains(isTown ? .address : .pointOfInterest) else { return nil }
            let parts = [
                placemark.postalAddress?.street, isTown ? nil : placemark.locality, placemark.administrativeArea,
                placemark.country,
            ].compactMap { $0 }.filter { !$0.isEmpty }
            return MKLocalSearchCompletion(
                title: title, subtitle: parts.joined(separator: ", "), fragment: fragment)
        }
        delegate?.completerDidUpdateResults(self)
    }

    private func failed(_ error: any Error) {
        task = nil
        delegate?.completer(self, didFailWithError: MKError(error))
    }
}
