import BatonCore
import Foundation
import LaunchServices
import Opening
import Spotlight
import Suggestions
import VCard
import WebMarkup

/// Answers the desktop's search: places for words such as “directions”, then what is in the index. For the person's programs only.
struct DesktopSearch: DesktopSearchHandler {
    let spotlight: SpotlightService
    let suggestions: Suggestions
    let opening: OpeningService
    let launchServices: LaunchServices
    let icons: AppIcons

    /// Places of one answer.
    private static let maximumPlaces = 5

    func perform(_ call: DesktopSearchCall) async throws -> DesktopSearchAnswer {
        // The pages that the person looked at are no app's business.
        guard case .person = BusCaller(call.caller, launchServices) else {
            throw BatonError(
                .permissionDenied, reason: "unknown_caller", "Only programs of the person's desktop may search.")
        }
        switch call.request {
        case .find(let words): return .identifiers(try await find(words))
        case .describe(let identifiers):
            return .results(await results(Array(identifiers.prefix(DesktopSearchNames.maximumResults))))
        case .match(let text):
            return .results(await results(try await find(text.split(whereSeparator: \.isWhitespace).map(String.init))))
        case .activate(let identifier): try await activate(identifier)
        case .show(let words): try await SearchWindow.open(words)
        }
        return .done
    }

    // MARK: Finding

    private func find(_ words: [String]) async throws -> [String] {
        guard words.contains(where: { !$0.isEmpty }) else { return [] }
        let limit = DesktopSearchNames.maximumResults
        let found = try await spotlight.identifiers(words.joined(separator: " "), limit: limit)
        return Array((places(words).map(\.description) + found).prefix(limit))
    }

    private func places(_ words: [String]) -> [PlaceIdentifier] {
        guard let (request, name) = PlaceRequest.read(words) else { return [] }
        let fitting = suggestions.suggestions(field: nil, limit: 200).map(\.place).filter { place in
            request.text(of: place) != nil && PlaceRequest.fits(place.place.name ?? "", name)
        }
        return fitting.prefix(Self.maximumPlaces).map { PlaceIdentifier(request: request, place: "\($0.id)") }
    }

    // MARK: Describing

    /// Those that are there, in their order.
    private func results(_ identifiers: [String]) async -> [DesktopSearchResult] {
        var results: [DesktopSearchResult] = []
        for identifier in identifiers {
            let result =
                if let place = PlaceIdentifier(identifier) { result(place) } else { await result(ofItem: identifier) }
            guard var result else { continue }
            if result.relevance < 1 { result.relevance = 0.9 - 0.02 * Double(results.count) }
            results.append(result)
        }
        return results
    }

    private func result(_ identifier: PlaceIdentifier) -> DesktopSearchResult? {
        guard let place = suggestions.place(id: identifier.place), let text = identifier.request.text(of: place),
            let name = place.place.name
        else { return nil }
        let source = "Seen in \(place.source?.sourceName ?? "an app")"
        return switch identifier.request {
        case .address:
            DesktopSearchResult(
                id: identifier.description, name: text, description: "\(name) – \(source)",
                icon: .named("mark-location"), clipboardText: text, relevance: 1)
        case .directions:
            DesktopSearchResult(
                id: identifier.description, name: "Get directions to \(name)", description: "\(text) – \(source)",
                icon: .named("mark-location"), relevance: 1)
        case .call:
            DesktopSearchResult(
                id: identifier.description, name: "Call \(name)", description: "\(text) – \(source)",
                icon: .named("call-start"), clipboardText: text, relevance: 1)
        }
    }

    private func result(ofItem identifier: String) async -> DesktopSearchResult? {
        guard let item = try? await spotlight.item(identifier) else { return nil }
        let origin = spotlight.name(of: item)
        let more = item.text("contentDescription").map { $0.shortened(toBytes: 200) } ?? ""
        let title = item.title.isEmpty ? origin : item.title
        return DesktopSearchResult(
            id: identifier, name: title,
            description: more.isEmpty ? origin : "\(origin) – \(more)", icon: await icon(of: item))
    }

    private func icon(of item: IndexedItem) async -> DesktopSearchResult.Icon {
        if let app = item.owner.app, let path = await icons.path(of: app) { return .file(path) }
        return switch item.source {
        case .page: .named("web-browser")
        case .document: .named("text-x-generic")
        case .activity, .item: .named("application-x-executable")
        }
    }

    // MARK: Opening

    private func activate(_ identifier: String) async throws {
        guard let chosen = PlaceIdentifier(identifier) else {
            _ = try await spotlight.open(identifier)
            return
        }
        guard let place = suggestions.place(id: chosen.place) else {
            throw BatonError(
                .notFound, reason: "unknown_place", "The place is not known any more. Look at it again in its app.")
        }
        switch chosen.request {
        // The desktop has it in its clipboard.
        case .address: break
        case .directions: _ = try await suggestions.directions(to: place.place)
        case .call:
            // A page says what the number is: it may be a code, or have an extension.
            guard let digits = place.place.telephone.flatMap(TelephoneNumber.dialled) else { return }
            _ = try await opening.open("tel:\(digits)", from: .person)
        }
    }
}

/// Names a place, and what is wanted of it, in the desktop's search.
private struct PlaceIdentifier: CustomStringConvertible {
    let request: PlaceRequest
    let place: String

    init(request: PlaceRequest, place: String) {
        self.request = request
        self.place = place
    }

    /// Nil for an identifier of something else.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "place", let request = PlaceRequest(rawValue: String(parts[1])) else {
            return nil
        }
        self.init(request: request, place: String(parts[2]))
    }

    var description: String { "place:\(request.rawValue):\(place)" }
}
