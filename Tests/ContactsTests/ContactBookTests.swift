import BatonCore
import BatonTestSupport
import Foundation
import Testing
import VCard

@testable import Contacts

/// Changes of contacts in the files of a folder (P-48).
@Suite(.timeLimit(.minutes(1))) struct ContactBookTests {
    private static func text(_ name: String, _ uid: String, _ more: String = "") -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\n\(uid)N:\(name);;;;\r\nFN:\(name)\r\n\(more)END:VCARD\r\n"
    }

    private static func with(_ text: String, _ body: (ContactBook, String) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/all.vcf"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let root = directory.path
        let folder = VCardFolder(
            paths: {
                AsyncStream { $0.yield(root) }
            }, recorder: NullEventRecorder())
        let book = ContactBook(sources: [folder], recorder: NullEventRecorder())
        let changes = book.changes()
        let task = Task { try? await book.run() }
        for await _ in changes { break }
        try await body(book, path)
        task.cancel()
        await task.value
    }

    private static func names(_ path: String) throws -> [String] {
        VCardFile(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).documents.map(\.card.familyName)
    }

    @Test("One deletion right after the other takes the contacts that were named", arguments: [true, false])
    func deletions(hasIdentifiers: Bool) async throws {
        let file = ["A", "B", "C"].map { Self.text($0, hasIdentifiers ? "UID:\($0)\r\n" : "") }.joined()
        try await Self.with(file) { book, path in
            let identifiers = book.cards().map(\.identifier)
            try await book.change([.delete(identifier: identifiers[0])])
            #expect(book.cards().map(\.familyName) == ["B", "C"])
            try await book.change([.delete(identifier: identifiers[1])])
            #expect(try Self.names(path) == ["C"])
            await #expect(throws: BatonError.self) { try await book.change([.delete(identifier: identifiers[0])]) }
            #expect(try Self.names(path) == ["C"])
        }
    }

    @Test("A source that gives the same cards again has no index made, and one that has none any more does")
    func again() {
        let book = ContactBook(sources: [NoSource(), NoSource()], recorder: NullEventRecorder())
        func cards() -> [SourceCard] {
            (0..<3).map { SourceCard(key: "\($0)", card: ContactCard(identifier: "\($0)")) }
        }
        #expect(!book.take([], from: 0))
        #expect(book.take(cards(), from: 0))
        #expect(!book.take(cards(), from: 0))
        #expect(book.take(cards(), from: 1))
        #expect(book.take(Array(cards().dropLast()), from: 0))
        #expect(book.take([], from: 0))
    }

    private struct NoSource: ContactSource {
        var name: String { "" }
        var problem: String? { nil }
        var isWritable: Bool { false }
        func run(_ deliver: @escaping @Sendable ([SourceCard]) -> Void) async {}
        func write(_ changes: [SourceChange]) async throws {}
        func card(key: String) async -> ContactCard? { nil }
    }

    @Test("One change right after the other keeps what the first has set", arguments: ["UID:A\r\n", ""])
    func updates(uid: String) async throws {
        try await Self.with(Self.text("A", uid)) { book, path in
            var card = try #require(book.cards().first)
            let identifier = card.identifier
            card.jobTitle = "Cook"
            try await book.change([.update(identifier: identifier, card, [.jobTitle])])
            card.jobTitle = ""
            card.nickname = "Al"
            var third = card
            third.telephones = [.init(value: "1")]
            // Two of one request, too.
            try await book.change([
                .update(identifier: identifier, card, [.nickname]),
                .update(identifier: identifier, third, [.phoneNumbers]),
            ])
            let found = try #require(book.card(identifier: identifier))
            #expect(found.jobTitle == "Cook" && found.nickname == "Al" && found.telephones.map(\.value) == ["1"])
        }
    }

    @Test("A contact with a new name stays one, however its cards write the name")
    func rename() async throws {
        let file =
            Self.text("Lee", "UID:A\r\n", "TEL:1234567\r\n").replacing("N:Lee;;", with: "N:Lee;Ann;")
            + "BEGIN:VCARD\r\nUID:B\r\nFN:Lee, Ann\r\nTEL:301234567\r\nEND:VCARD\r\n"
        try await Self.with(file) { book, path in
            var card = try #require(book.cards().first)
            card.givenName = "Anna"
            try await book.change([.update(identifier: "A", card, [.givenName])])
            #expect(book.cards().map(\.givenName) == ["Anna"])
            #expect(book.card(identifier: "B")?.identifier == "A")
            try await book.change([.delete(identifier: "B")])
            #expect(book.cards().isEmpty)
        }
    }

    @Test("Nobody else's card goes or gets a name because of a number that two people share")
    func household() async throws {
        let (number, uid) = ("TEL:+49 30 1234567\r\n", { (name: String) in "UID:\(name)\r\n" })
        let file =
            Self.text("", uid("N"), number) + Self.text("Ann", uid("A"), number) + Self.text("Bob", uid("B"), number)
        try await Self.with(file) { book, path in
            var ann = try #require(book.card(identifier: "A"))
            ann.givenName = "Anna"
            try await book.change([.update(identifier: "A", ann, [.givenName])])
            let documents = VCardFile(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).documents
            #expect(documents.map(\.card.givenName) == ["", "Anna", ""])
            try await book.change([.delete(identifier: "A")])
            #expect(try Self.names(path) == ["", "Bob"])
        }
    }
}
