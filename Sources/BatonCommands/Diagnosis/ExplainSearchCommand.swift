import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton explain search`
struct ExplainSearchCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "How is a search read, and why does a result stand where it does?",
        discussion: "Exits with 1 if the item of --item is not found.")

    @Argument(help: "Words, as after “baton search”.")
    var query: [String]

    @Option(help: ArgumentHelp("An item whose rank and score are explained.", valueName: "app/id"))
    var item: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            SearchMethods.explainSearch,
            .with {
                $0.query = query.joined(separator: " ")
                $0.item = item ?? ""
            }, timeout: .seconds(30))
        try session.emit(json: json(answer), text: text(answer, session))
        if item != nil, answer.itemRank == 0 { throw CommandFailure(.failure, nil) }
    }

    private func json(_ answer: Baton_Control_V1_ExplainSearchResponse) -> JSONValue {
        [
            "words": .array(
                answer.words.map { word in
                    [
                        "word": .string(word.word), "stem": .string(word.stem), "stop_word": .boolean(word.stopWord),
                        "documents": .init(word.documents), "replacements": .init(strings: word.replacements),
                    ]
                }),
            "expansion": .init(strings: answer.expansion), "candidates": .init(answer.candidates),
            "truncated": .boolean(answer.truncated),
            "sources": .array(
                answer.sources.map { source in
                    [
                        "source": .string(SearchReport.name(source.source)), "candidates": .init(source.candidates),
                        "results": .init(source.results),
                    ]
                }),
            "left_out": .array(
                answer.leftOut.map { left in
                    [
                        "reason": .string(left.reason), "count": .init(left.count), "message": .string(left.message),
                    ]
                }),
            "results": .array(answer.results.map(SearchReport.json)),
            "item_rank": .init(answer.itemRank),
            "item_score": .array(
                answer.itemScore.map { ["name": .string($0.name), "value": .real($0.value)] }),
            "item_finding": .init(nonEmpty: answer.item.stages.first?.finding ?? ""),
        ]
    }

    private static func number(_ value: Double) -> String {
        let thousandths = (value * 1000).rounded()
        return "\(thousandths / 1000)"
    }

    private func text(_ answer: Baton_Control_V1_ExplainSearchResponse, _ session: CommandSession) -> String {
        var lines: [String] = []
        for word in answer.words {
            var line = "“\(word.word)”: "
            if word.stopWord {
                line += "says nothing, and is left out"
            } else {
                line += "searched as \(word.stem), in \(word.documents) item\(word.documents == 1 ? "" : "s")"
            }
            if !word.replacements.isEmpty {
                line += "; nothing has it, so it stands for \(word.replacements.joined(separator: ", "))"
            }
            lines.append(line + ".")
        }
        if answer.words.isEmpty { lines.append("There is no word in the query.") }
        if !answer.expansion.isEmpty {
            lines.append("Related results are about: \(answer.expansion.joined(separator: ", ")).")
        }
        for source in answer.sources where source.candidates > 0 {
            let candidates = source.candidates == 1 ? "1 candidate" : "\(source.candidates) candidates"
            let results = source.results == 1 ? "1 result" : "\(source.results) results"
            lines.append("\(SearchReport.name(source.source)): \(candidates), \(results).")
        }
        for left in answer.leftOut { lines.append("\(left.reason) (\(left.count)): \(left.message)") }
        if answer.itemRank > 0 {
            lines.append("\(item ?? "") is result \(answer.itemRank):")
            lines += answer.itemScore.map { "  \($0.name): \(Self.number($0.value))" }
        } else if let stage = answer.item.stages.first {
            lines.append("\(item ?? "") is not found: \(stage.finding)")
        }
        return lines.flatMap {
            TerminalText.wrap(TerminalText.escape($0), to: session.context.terminal.width, indentation: 2)
        }.joined(separator: "\n")
    }
}
