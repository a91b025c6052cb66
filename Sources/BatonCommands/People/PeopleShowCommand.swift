import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton people show PERSON`
struct PeopleShowCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a person's card: addresses, apps, and what was done with them.")

    @Argument(help: "A name, an address or an identifier.")
    var person: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(PeopleMethods.showPerson, .with { $0.person = person })
        var lines = [PersonReport.text(answer.person, session, isWhole: true)]
        for interaction in answer.interactions.prefix(10) {
            let direction = interaction.incoming ? "from them" : "to them"
            lines.append(
                session.paint(
                    .faint,
                    "  \(PersonReport.intent(interaction.intent)) \(direction) in "
                        + TerminalText.escape(interaction.appName)))
        }
        let interactions = answer.interactions.map { interaction -> JSONValue in
            [
                "bundle_id": .string(interaction.app.bundleID), "app_name": .string(interaction.appName),
                "intent": .string(interaction.intent), "time": .init(interaction.time),
                "incoming": .boolean(interaction.incoming),
            ]
        }
        try session.emit(
            json: PersonReport.json(answer.person).merging(["interactions": .array(interactions)]),
            text: lines.joined(separator: "\n"))
    }
}
