import BatonCore
import BatonWire

/// The sentences of `baton receive`.
enum ReceivingText {
    /// Links, and items, that a question names.
    private static let shown = 5
    /// Characters of a link or a name: a longer one helps a person no more.
    private static let shownLength = 200

    /// As at the beginning of a sentence.
    static func sender(_ asked: Baton_Control_V1_AskSummary) -> String {
        PeerRelation(ownDevice: asked.ownDevice, contact: asked.contact).beginning(asked.sender)
    }

    /// Links come first, and are counted apart: they lead somewhere, and files do not.
    static func question(_ asked: Baton_Control_V1_AskSummary) -> String {
        let links = asked.urls.count
        let files = max(0, Int(asked.items) - links)
        let size = asked.bytes > 0 ? " (\(ByteSize.text(asked.bytes)))" : ""
        let counts = [count(links, "link"), count(files, "file or folder", "files and folders").map { $0 + size }]
        var lines = [
            "\(sender(asked)) wants to send \(counts.compactMap(\.self).joined(separator: " and ")):"
        ]
        lines += list(asked.urls, of: links, "more links")
        lines += list(asked.names, of: files, "more files and folders")
        let leftOut = AirDropReport.leftOut(asked.leftOut)
        if !leftOut.isEmpty { lines.append(" \(leftOut)") }
        return lines.joined(separator: "\n")
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String? {
        number == 0 ? nil : number == 1 ? "1 \(one)" : "\(number) \(many ?? one + "s")"
    }

    private static func list(_ texts: [String], of count: Int, _ rest: String) -> [String] {
        var lines = texts.prefix(shown).map { text in
            let text = TerminalText.escape(text)
            return "  " + (text.count > shownLength ? text.prefix(shownLength) + "…" : text)
        }
        if count > lines.count { lines.append("  and \(count - lines.count) \(rest)") }
        return lines
    }

    static func outcome(
        _ outcome: Baton_Control_V1_TransferOutcome, _ sender: String, leftOut: UInt32 = 0
    ) -> String {
        switch outcome.result {
        case "delivered":
            let places = outcome.paths.prefix(10).map { TerminalText.escape($0) }.joined(separator: "\n  ")
            let app = outcome.bundleID.isEmpty ? "" : " Opened in \(outcome.bundleID)."
            let rest = AirDropReport.leftOut(leftOut)
            return "\(sender) sent \(AirDropReport.items(outcome.items)).\(rest)\(app)\n  \(places)"
        case "cancelled": return "\(sender) cancelled."
        case "declined": return "\(sender) was declined."
        default:
            return "\(sender) sent nothing: \(outcome.message.isEmpty ? outcome.result : outcome.message)"
        }
    }
}
