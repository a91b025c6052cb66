import BatonCore
import BatonWire
import Foundation

/// Results of a search as the command line shows them.
enum SearchReport {
    static func json(_ answer: Baton_Control_V1_SearchResponse) -> JSONValue {
        [
            "results": .array(answer.results.map(json)),
            "corrections": .array(
                answer.corrections.map {
                    ["word": .string($0.word), "replacements": .init(strings: $0.replacements)]
                }),
            "silent_devices": .init(strings: answer.silentDevices),
            "nothing": answer.hasNothing
                ? [
                    "reason": .string(answer.nothing.reason), "message": .string(answer.nothing.message),
                    "words": .init(strings: answer.nothing.words),
                ] : .null,
        ]
    }

    static func json(_ result: Baton_Control_V1_SearchResult) -> JSONValue {
        [
            "result_id": .string(result.resultID), "source": .string(name(result.source)),
            "title": .string(result.title), "origin": .string(result.origin),
            "bundle_id": .init(nonEmpty: result.app.bundleID), "time_ms": .init(result.time),
            "snippet": .init(nonEmpty: result.snippet), "device": .string(result.device),
            "related": .boolean(result.related), "url": .init(nonEmpty: result.url),
            "elsewhere": .boolean(result.elsewhere),
            "path": .init(nonEmpty: result.path), "actions": .init(strings: result.actions),
            "action_titles": .init(strings: result.actionTitles),
        ]
    }

    static func name(_ source: Baton_Control_V1_SearchResult.Source) -> String {
        switch source {
        case .activity: "activity"
        case .item: "item"
        case .document: "document"
        case .page: "page"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    static func text(_ answer: Baton_Control_V1_SearchResponse, _ session: CommandSession) -> String {
        var lines: [String] = []
        for correction in answer.corrections {
            let words = correction.replacements.joined(separator: ", ")
            lines.append(TerminalText.escape("Nothing has “\(correction.word)”; searched for \(words)."))
        }
        for device in answer.silentDevices {
            lines.append(TerminalText.escape("\(device) did not answer in time. Search again to ask it again."))
        }
        guard !answer.results.isEmpty else {
            return (lines + [TerminalText.escape(nothing(answer))]).joined(separator: "\n")
        }
        var isRelated = false
        for (index, result) in answer.results.enumerated() {
            if result.related, !isRelated {
                isRelated = true
                lines.append(session.paint(.bold, "Related"))
            }
            lines += self.lines(result, number: index + 1, session)
        }
        return lines.joined(separator: "\n")
    }

    /// That there are no results, and why.
    static func nothing(_ answer: Baton_Control_V1_SearchResponse) -> String {
        answer.nothing.message.isEmpty ? "Nothing is found." : "Nothing is found. \(answer.nothing.message)"
    }

    private static func lines(
        _ result: Baton_Control_V1_SearchResult, number: Int, _ session: CommandSession
    ) -> [String] {
        let width = session.context.terminal.width
        let mark = TerminalText.pad("\(number)", to: 3)
        let title = result.title.isEmpty ? "(no title)" : result.title
        let when = TimeFormat.age(
            milliseconds: result.time,
            now: Date(timeIntervalSince1970: Double(session.context.clock.milliseconds) / 1000))
        var lines = [mark + " " + session.paint(.bold, TerminalText.escape(title))]
        let device = result.elsewhere ? "on \(result.device)" : result.device
        let origin = [result.origin, when, device].filter { !$0.isEmpty }.joined(separator: " · ")
        lines += TerminalText.wrap(TerminalText.escape(origin), to: width, indentation: 4, first: "    ")
        if !result.snippet.isEmpty, result.snippet != result.title {
            lines += TerminalText.wrap(TerminalText.escape(result.snippet), to: width, indentation: 4, first: "    ")
        }
        if !result.actionTitles.isEmpty {
            let text = "Actions: " + result.actionTitles.joined(separator: ", ")
            lines += TerminalText.wrap(TerminalText.escape(text), to: width, indentation: 4, first: "    ")
        }
        return lines
    }
}
