import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton today`
struct TodayCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "today",
        abstract:
            "Show what you will likely want now: apps, what to play and do, places, reminders, and what can be continued.",
        discussion: """
            Apps are ordered by what you used before, at this hour, and after what just happened. “baton explain prediction APP” \
            says why. --open (or --play) and --not-now answer a notice, for machines without a desktop.
            """)

    @Option(name: .long, help: "At most this many of each kind.")
    var limit: Int?

    @Option(
        name: [.long, .customLong("play")],
        help: ArgumentHelp("Open or play what a notice offers.", valueName: "prediction"))
    var open: String?

    @Option(name: .long, help: ArgumentHelp("Decline what a notice offers.", valueName: "prediction"))
    var notNow: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard limit.map({ (1...50).contains($0) }) ?? true else { throw ValidationError("--limit is 1 to 50.") }
        guard open == nil || notNow == nil else { throw ValidationError("Name one of --open and --not-now.") }
    }

    func run(in session: CommandSession) async throws {
        if let key = open ?? notNow {
            let answer = try await session.call(
                PredictionsMethods.answerPrediction,
                .with {
                    $0.predictionID = key
                    $0.accepted = open != nil
                }, timeout: .seconds(60))
            return try session.emit(
                json: ["opened": .boolean(answer.opened)],
                text: answer.opened ? "It is open." : "It is not offered again for now.")
        }
        let number = UInt32(limit ?? 5)
        let predicted = try await session.call(PredictionsMethods.listPredictions, .with { $0.limit = number })
        let places = try await session.call(SuggestionsMethods.listSuggestions, .with { $0.limit = number }).suggestions
        var offers: [Baton_Control_V1_OfferItem] = []
        for try await list in try await session.stream(ControlMethods.watchOffers, .init()) {
            offers = Array(list.offers.prefix(Int(number)))
            break
        }
        let reminders = ReminderReport.today(
            try await session.call(RemindersMethods.listReminders, .init()).reminders, now: Date()
        ).prefix(Int(number))
        let context = try await session.call(ContextMethods.getContext, .init())
        try session.emit(
            json: ([
                "place": .init(nonEmpty: context.place), "predictions_enabled": .boolean(predicted.enabled),
                "apps": .array(predicted.apps.map(Self.json)), "media": .array(predicted.media.map(Self.json)),
                "shortcuts": .array(predicted.shortcuts.map(Self.json)),
                "places": .array(
                    places.map { ["name": .string($0.name), "text": .string($0.text)] as JSONValue }),
                "reminders": .array(reminders.map(ReminderReport.json)),
            ] as JSONValue).merging(OfferReport.json(offers)),
            text: text(predicted, places, Array(reminders), offers, session))
    }

    private static func json(_ item: Baton_Control_V1_PredictedItem) -> JSONValue {
        [
            "bundle_id": .string(item.bundleID), "app_name": .string(item.appName),
            "item_id": .init(nonEmpty: item.itemID),
            "name": .string(item.name), "probability": .real(item.probability),
            "reasons": .array(item.reasons.map { .string($0) }),
        ]
    }

    private func text(
        _ predicted: Baton_Control_V1_ListPredictionsResponse, _ places: [Baton_Control_V1_PlaceSuggestion],
        _ reminders: [Baton_Control_V1_Reminder], _ offers: [Baton_Control_V1_OfferItem], _ session: CommandSession
    ) -> String {
        var sections: [String] = []
        func add(_ title: String, _ lines: [String]) {
            guard !lines.isEmpty else { return }
            sections.append(([session.paint(.bold, title)] + lines).joined(separator: "\n"))
        }
        func lines(_ items: [Baton_Control_V1_PredictedItem]) -> [String] {
            items.map { item in
                let reason = item.reasons.first.map { session.paint(.faint, "  " + TerminalText.escape($0)) } ?? ""
                return "  \(TerminalText.escape(item.name))\(reason)"
            }
        }
        add("Apps", lines(predicted.apps))
        add("To play", lines(predicted.media))
        add("To do", lines(predicted.shortcuts))
        add("Places", places.map { "  " + TerminalText.escape($0.name.isEmpty ? $0.text : $0.name) })
        add("Reminders", reminders.map { ReminderReport.text($0, session) })
        if !offers.isEmpty { sections.append(OfferReport.text(offers, session)) }
        guard sections.isEmpty else { return sections.joined(separator: "\n") }
        return predicted.enabled
            ? "Nothing is likely yet. Baton learns from the apps that you use."
            : "Predictions are off. “baton settings set suggestions.predictions on” turns them on."
    }
}
