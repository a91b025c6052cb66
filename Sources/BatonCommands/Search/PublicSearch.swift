import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton search --public`
struct PublicSearch {
    let query: String
    let limit: UInt32

    func run(in session: CommandSession) async throws {
        // The cloud has a deadline of its own.
        let answer = try await session.call(
            PublicSearchMethods.searchPublic,
            .with {
                $0.query = query
                $0.limit = min(limit, 50)
            }, timeout: .seconds(60))
        let lines = answer.results.enumerated().map { number, result in
            let keywords = result.keywords.map(TerminalText.escape).joined(separator: ", ")
            return "\(number + 1)  " + session.paint(.bold, TerminalText.escape(result.title))
                + (keywords.isEmpty ? "" : session.paint(.faint, "  " + keywords)) + "\n   "
                + TerminalText.escape(result.url)
        }
        try session.emit(
            json: [
                "results": .array(
                    answer.results.map { result in
                        [
                            "title": .string(result.title), "url": .string(result.url),
                            "keywords": .array(result.keywords.map { .string($0) }),
                        ]
                    })
            ],
            text: lines.isEmpty
                ? "Nothing is found in the public index. Pages are there once three accounts gave them."
                : lines.joined(separator: "\n"))
    }
}
