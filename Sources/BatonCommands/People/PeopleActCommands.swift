import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton people message PERSON [TEXT]`
struct PeopleMessageCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "message", abstract: "Begin a message to a person, in the app that you picked last or name.")

    @Argument(help: "A name, an address or an identifier.")
    var person: String

    @Argument(help: "The text of the message. You send it in the app.")
    var text: String?

    @OptionGroup var way: WayOption
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        try await PersonReport.act(.message, person, text: text, with: way.app, session)
    }
}

/// `baton people call PERSON`
struct PeopleCallCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "call", abstract: "Call a person, in the app that you picked last or name.")

    @Argument(help: "A name, an address or an identifier.")
    var person: String

    @OptionGroup var way: WayOption
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        try await PersonReport.act(.call, person, text: nil, with: way.app, session)
    }
}

/// `baton people video PERSON`
struct PeopleVideoCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "video", abstract: "Call a person by video, in the app that you picked last or name.")

    @Argument(help: "A name, an address or an identifier.")
    var person: String

    @OptionGroup var way: WayOption
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        try await PersonReport.act(.video, person, text: nil, with: way.app, session)
    }
}

/// How a person is reached.
struct WayOption: ParsableArguments {
    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "An app by its name or bundle identifier, or email, sms or phone; remembered for the person.",
            valueName: "app"))
    var app: String?
}

/// `baton people default PERSON`
struct PeopleDefaultCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "default", abstract: "Show or forget which app you picked for a person.")

    @Argument(help: "A name, an address or an identifier.")
    var person: String

    @Flag(help: "Forget what you picked.")
    var reset = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        if reset {
            let count = try await session.call(PeopleMethods.resetPersonDefault, .with { $0.person = person }).reset
            return try session.emit(
                json: ["reset": .init(count)],
                text: count == 0 ? "Nothing was picked for this person." : "Your choice is forgotten.")
        }
        let card = try await session.call(PeopleMethods.showPerson, .with { $0.person = person }).person
        let chosen = card.ways.filter(\.default)
        let lines = chosen.map { "\(PersonReport.name($0.action)): \(TerminalText.escape($0.name))" }
        try session.emit(
            json: ["defaults": .array(chosen.map(PersonReport.json))],
            text: lines.isEmpty
                ? "Nothing was picked for this person. “--with” picks an app, and it is remembered."
                : lines.joined(separator: "\n"))
    }
}
