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
            let text = TerminalText.wrap(
                TerminalText.escape(nothing(answer)), to: session.context.terminal.width, indentation: 0)
            return (lines + text).joined(separator: "\n")
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
        let why =
            answer.nothing.message.isEmpty
            ? "“baton index” lists what is searched; new documents take a while to be read." : answer.nothing.message
        return "Nothing is found. \(why)"
    }

    private static func lines(
        _ result: Baton_Control_V1_SearchResult, number: Int, _ session: CommandSession
    ) -> [String] {
        let width = session.context.terminal.width
        let mark = TerminalText.pad("\(number)", to: 3)
        let title = result.title.isEmpty ? "(no title)" : visible(result.title)
        let when = TimeFormat.age(
            milliseconds: result.time,
            now: Date(timeIntervalSince1970: Double(session.context.clock.milliseconds) / 1000))
        var lines = [mark + " " + session.paint(.bold, TerminalText.escape(title))]
        let device = result.elsewhere ? "on \(result.device)" : result.device
        let origin = [place(of: result, session), when, device].filter { !$0.isEmpty }.joined(separator: " · ")
        lines += TerminalText.wrap(TerminalText.escape(origin), to: width, indentation: 4, first: "    ")
        if !result.snippet.isEmpty, result.snippet != result.title {
            let snippet = TerminalText.escape(visible(result.snippet))
            lines += TerminalText.wrap(snippet, to: width, indentation: 4, first: "    ")
        }
        if !result.actionTitles.isEmpty {
            let text = "Actions: " + result.actionTitles.joined(separator: ", ")
            lines += TerminalText.wrap(TerminalText.escape(text), to: width, indentation: 4, first: "    ")
        }
        return lines
    }

    /// Where a document lies, too, since many are called alike.
    private static func place(of result: Baton_Control_V1_SearchResult, _ session: CommandSession) -> String {
        guard !result.path.isEmpty else { return result.origin }
        let folders = result.path.split(separator: "/").dropLast()
        // A container's own path says nothing to a person.
        if let container = folders.lastIndex(where: { $0.hasPrefix("iCloud.") }), container + 1 < folders.endIndex,
            folders[container + 1] == "Documents"
        {
            return ([Substring(result.origin)] + folders[(container + 2)...]).joined(separator: "/")
        }
        let folder = "/" + folders.joined(separator: "/")
        let home = session.context.environment["HOME"] ?? ""
        let isAtHome = home.utf8.count > 1 && folder.hasPrefix(home + "/")
        return "\(result.origin) · \(isAtHome ? "~\(folder.dropFirst(home.count))" : folder)"
    }

    /// Without what a page has to say where a word may be parted, and a person does not see.
    private static func visible(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !invisible.contains($0) }))
    }

    private static let invisible: Set<Unicode.Scalar> = ["\u{AD}", "\u{200B}", "\u{2060}", "\u{FEFF}"]
}
