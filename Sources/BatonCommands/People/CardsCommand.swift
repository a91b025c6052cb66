import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import VCard

/// `baton cards`
struct CardsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cards", abstract: "List the people of your address books, and decide which apps may read them.",
        discussion: """
            They come from a folder of vCards, “contacts” in $XDG_DATA_HOME unless the setting contacts.folder names another, \
            and from Evolution Data Server. Cards of one name with an e-mail address or a telephone number in common are one.
            """,
        subcommands: [CardsListCommand.self, CardsShowCommand.self, PeopleAccessCommand.self],
        defaultSubcommand: CardsListCommand.self)

    /// All cards that a text means, and why a source has none.
    static func cards(
        _ word: String, _ session: CommandSession
    ) async throws -> (cards: [Baton_Control_V1_AddressBookCard], problems: [String]) {
        var cards: [Baton_Control_V1_AddressBookCard] = []
        var problems: [String] = []
        for try await page in try await session.stream(AddressBookMethods.listCards, .with { $0.word = word }) {
            cards += page.cards
            problems += page.problems
        }
        return (cards, problems)
    }
}

/// `baton cards list`
struct CardsListCommand: Verb {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List cards by name.")

    @Argument(
        help: "Beginnings of words of a name, an e-mail address or a telephone number. Without it, all are listed.")
    var word: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let (found, problems) = try await CardsCommand.cards(word ?? "", session)
        // By what is shown, as “baton people” does.
        func rank(_ card: Baton_Control_V1_AddressBookCard) -> (String, String) {
            (FoldedName.text(card.displayName), card.identifier)
        }
        let cards = found.map { (rank($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        var table = session.table([.init("NAME", isFlexible: true), .init("E-MAIL"), .init("TELEPHONE")])
        for card in cards { table.add(card.displayName, card.emails.first ?? "", card.telephones.first ?? "") }
        let list = cards.isEmpty ? (word == nil ? "There are no cards." : "No card is like that.") : table.render()
        let lines = [list] + (word == nil ? problems.map { TerminalText.escape($0) } : [])
        try session.emit(
            json: [
                "cards": .array(cards.map(Self.json)), "problems": .array(problems.map { .string($0) }),
            ], text: lines.joined(separator: "\n"))
    }

    private static func json(_ card: Baton_Control_V1_AddressBookCard) -> JSONValue {
        [
            "id": .string(card.identifier), "name": .string(card.displayName),
            "organization": .init(nonEmpty: card.organization), "emails": .array(card.emails.map { .string($0) }),
            "telephones": .array(card.telephones.map { .string($0) }),
            "sources": .array(card.sources.map { .string($0) }),
        ]
    }
}

/// `baton cards show`
struct CardsShowCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print a card as a vCard, without its picture.")

    @Argument(help: "A name, an e-mail address, a telephone number or an identifier.")
    var person: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let cards = try await CardsCommand.cards(person, session).cards
        guard let card = cards.first else {
            throw BatonError(.notFound, reason: "no_such_card", "No card is like that. “baton cards” lists them.")
        }
        guard cards.count == 1 else {
            let names = cards.prefix(5).map { card in
                // People of one name are distinguished by an address.
                let isShared = cards.count { $0.displayName.lowercased() == card.displayName.lowercased() } > 1
                let address = isShared ? card.emails.first ?? card.telephones.first : nil
                return card.displayName + (address.map { " (\($0))" } ?? "")
            }
            throw BatonError(
                .invalidArgument, reason: "several_cards",
                "Several cards are like that: \(names.joined(separator: ", ")). Name one of them, or an address.")
        }
        let text = String(decoding: card.vcard, as: UTF8.self)
        try session.emit(
            json: ["id": .string(card.identifier), "vcard": .string(text)],
            text: text.split(whereSeparator: \.isNewline).map { TerminalText.escape(String($0)) }.joined(
                separator: "\n"))
    }
}
