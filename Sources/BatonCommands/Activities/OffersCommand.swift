import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton offers`
struct OffersCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "offers", abstract: "List what can be continued here.",
        discussion: "With --watch the list is kept up to date; anywhere but on a terminal it is printed as JSON lines.")

    @Flag(name: .shortAndLong, help: "Stay, and show every change.")
    var watch = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let lists = try await session.stream(ControlMethods.watchOffers, .with { $0.watch = watch })
        var screen = RedrawnText(columns: session.context.terminal.width)
        var wasAnswered = false
        // The daemon also reports changes that do not show here.
        var last: String?
        for try await list in lists {
            wasAnswered = true
            let isDrawn = watch && session.context.terminal.isOutputInteractive && !session.isJSON
            let isText = isDrawn || !(watch || session.isJSON)
            var text = isText ? OfferReport.text(list.offers, session) : OfferReport.json(list.offers).description
            if list.offers.isEmpty, isText, !watch, let why = await MissingAccount.message(session) { text = why }
            if text != last {
                last = text
                if isDrawn {
                    try session.context.standardOutput.write(screen.replacing(with: text))
                } else {
                    try session.emitLine(text)
                }
            }
            if !watch { return }
        }
        guard wasAnswered, !watch else {
            throw BatonError(
                .unavailable, reason: "stream_ended",
                "The daemon ended the list of offers. It may be restarting; try again.")
        }
    }
}
