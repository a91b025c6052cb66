import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton people [WORD]`
struct PeopleListCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List people, those of the address book first.")

    @Argument(help: "A part of a name, or an address; all people without one.")
    var word: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            PeopleMethods.listPeople,
            .with {
                $0.word = word ?? ""
                $0.limit = UInt32(Self.maximum)
            })
        let text =
            answer.people.isEmpty
            ? word == nil
                ? "There are no people: the address book is empty, and no app has named any."
                : "No person matches. “baton people” lists all."
            : Self.text(answer.people, session) + Self.ending(answer.people.count)
        try session.emit(json: ["people": .array(answer.people.map(PersonReport.json))], text: text)
    }

    /// As many as the daemon names at once.
    static let maximum = 1000

    /// Says that there may be more.
    static func ending(_ count: Int) -> String {
        count < maximum ? "" : "\nThese are the first \(maximum). “baton people WORD” lists those with that word."
    }

    private static func text(_ people: [Baton_Control_V1_PersonCard], _ session: CommandSession) -> String {
        let counts = Dictionary(people.map { ($0.name.lowercased(), 1) }, uniquingKeysWith: +)
        return people.map { person in
            PersonReport.text(person, session, isShared: counts[person.name.lowercased(), default: 0] > 1)
        }.joined(separator: "\n")
    }
}
