import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton suggestions`
struct SuggestionsCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "suggestions",
        abstract: "List the places that you looked at in the last two hours, the likeliest first.",
        discussion: """
            --field prints what a field of that type is offered: fullStreetAddress, addressCityAndState, telephoneNumber and \
            so on, by Apple's names or those of web pages.
            “baton explain suggestion PLACE” says where a place was seen, “baton directions PLACE” leads there.
            """)

    @Option(name: .long, help: ArgumentHelp("For a field of this type.", valueName: "type"))
    var field: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            SuggestionsMethods.listSuggestions, .with { $0.field = field ?? "" })
        try session.emit(
            json: ["suggestions": .array(answer.suggestions.map(Self.json))], text: text(answer.suggestions, session))
    }

    private func text(_ suggestions: [Baton_Control_V1_PlaceSuggestion], _ session: CommandSession) -> String {
        guard !suggestions.isEmpty else {
            return field == nil
                ? "You looked at no place in the last two hours. Places come from apps that show them, and from pages where the "
                    + "browser's extension remembers them." : "There is nothing for a field of that type."
        }
        return suggestions.map { suggestion in
            let sources = suggestion.sources.map(\.name).joined(separator: ", ")
            let isNamed = field == nil && !suggestion.name.isEmpty
            var lines = [session.paint(.bold, TerminalText.escape(isNamed ? suggestion.name : suggestion.text))]
            let details = isNamed ? [suggestion.address, suggestion.telephone] : [suggestion.name]
            lines += details.filter { !$0.isEmpty && $0 != suggestion.text || isNamed && !$0.isEmpty }
                .map { "  " + TerminalText.escape($0) }
            lines.append(session.paint(.faint, "  seen in " + TerminalText.escape(sources)))
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static func json(_ suggestion: Baton_Control_V1_PlaceSuggestion) -> JSONValue {
        [
            "place_id": .string(suggestion.placeID), "text": .string(suggestion.text), "name": .string(suggestion.name),
            "street": .init(nonEmpty: suggestion.street), "locality": .init(nonEmpty: suggestion.locality),
            "region": .init(nonEmpty: suggestion.region), "postal_code": .init(nonEmpty: suggestion.postalCode),
            "country": .init(nonEmpty: suggestion.country), "address": .init(nonEmpty: suggestion.address),
            "latitude": suggestion.hasLatitude ? .real(suggestion.latitude) : .null,
            "longitude": suggestion.hasLongitude ? .real(suggestion.longitude) : .null,
            "telephone": .init(nonEmpty: suggestion.telephone), "url": .init(nonEmpty: suggestion.url),
            "sources": .array(
                suggestion.sources.map { source in
                    [
                        "name": .string(source.name), "bundle_id": .init(nonEmpty: source.bundleID),
                        "site": .init(nonEmpty: source.site), "last_seen": .init(source.lastSeen),
                        "views": .init(source.views),
                    ]
                }), "score": .real(suggestion.score),
        ]
    }
}
