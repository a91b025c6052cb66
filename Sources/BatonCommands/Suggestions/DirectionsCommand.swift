import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton directions`
struct DirectionsCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "directions",
        abstract: "Get directions to a place: from your routing app, else from the desktop's maps.",
        discussion: """
            The routing app is the one that “baton default” names for com.apple.maps.directionsrequest, else the one that you \
            used last. Without one the desktop opens a “geo:” address. “home” and “work” are where this device stays, as “baton \
            places” says; a person's name is the address on the card.
            """)

    @Argument(
        help: "A place of “baton suggestions” or “baton places”, “home”, “work”, a person, a coordinate, or an address."
    )
    var place: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            SuggestionsMethods.getDirections, .with { $0.place = place }, timeout: .seconds(90))
        guard answer.handled else {
            throw CommandFailure(
                .notContinued,
                BatonError(
                    .aborted, reason: "not_handled",
                    "\(answer.appName) was asked for directions, but did not take them."))
        }
        let name = TerminalText.escape(answer.placeName)
        try session.emit(
            json: [
                "bundle_id": .init(nonEmpty: answer.bundleID), "app_name": .init(nonEmpty: answer.appName),
                "place": .string(answer.placeName),
            ],
            text: answer.bundleID.isEmpty
                ? "The desktop's maps have \(name)." : "\(TerminalText.escape(answer.appName)) leads to \(name).")
    }
}
