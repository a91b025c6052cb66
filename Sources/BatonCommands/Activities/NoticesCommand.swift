import ArgumentParser
import BatonClient
import BatonCore
import BatonWire

/// `baton notices`
struct NoticesCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "notices", abstract: "Print notifications as they arrive.",
        discussion: """
            For machines without a desktop: offers of other devices, and how continuations go where the app does not say so \
            itself. Stays until it is interrupted. “baton settings get notifications” shows which notifications there are.
            """)

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let notices = try await session.stream(ControlMethods.watchNotices, .init())
        // Titles of the open notices; there are few at a time.
        var titles: [UInt64: String] = [:]
        for try await notice in notices {
            if session.isJSON {
                try session.emitLine(Self.json(notice).description)
            } else if notice.kind == .withdrawn {
                guard let title = titles.removeValue(forKey: notice.noticeID) else { continue }
                try session.emitLine(session.paint(.faint, "gone: \(TerminalText.escape(title))"))
            } else {
                titles[notice.noticeID] = notice.title
                try session.emitLine(text(notice, session))
            }
        }
        throw BatonError(
            .unavailable, reason: "stream_ended", "The daemon ended the notices. It may be restarting; try again.")
    }

    static func name(_ kind: Baton_Control_V1_Notice.Kind) -> String {
        switch kind {
        case .offer: "offer"
        case .continuing: "continuing"
        case .failed: "failed"
        case .withdrawn: "withdrawn"
        case .question: "question"
        case .receiving: "receiving"
        case .received: "received"
        case .suggestion: "suggestion"
        case .reminder: "reminder"
        case .prediction: "prediction"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    static func json(_ notice: Baton_Control_V1_Notice) -> JSONValue {
        [
            "notice_id": .init(notice.noticeID), "kind": .string(name(notice.kind)),
            "title": .init(nonEmpty: notice.title), "body": .init(nonEmpty: notice.body),
            "offer_id": .init(nonEmpty: notice.offerID), "acceptance_id": .init(nonEmpty: notice.acceptanceID),
            "transfer_id": .init(nonEmpty: notice.transferID), "place_id": .init(nonEmpty: notice.placeID),
            "reminder_id": .init(nonEmpty: notice.reminderID),
            "prediction_id": .init(nonEmpty: notice.predictionID),
            "plays": notice.predictionID.isEmpty ? .null : .boolean(notice.predictionPlays),
        ]
    }

    private func text(_ notice: Baton_Control_V1_Notice, _ session: CommandSession) -> String {
        let title = TerminalText.escape(notice.title)
        var lines = [notice.kind == .failed ? session.paint(.red, title) : session.paint(.bold, title)]
        lines += notice.body.split(separator: "\n").map { "  " + TerminalText.escape(String($0)) }
        if !notice.offerID.isEmpty { lines.append("  baton continue \(ShownIdentifier.text(notice.offerID))") }
        if !notice.placeID.isEmpty { lines.append("  baton directions \(TerminalText.escape(notice.placeID))") }
        if !notice.reminderID.isEmpty {
            lines.append("  baton reminders done|snooze \(ShownIdentifier.text(notice.reminderID))")
        }
        if !notice.predictionID.isEmpty {
            let option = notice.predictionPlays ? "--play" : "--open"
            lines.append("  baton today \(option) \(TerminalText.escape(notice.predictionID))")
        }
        if notice.kind == .question { lines.append("  To answer: baton receive") }
        return lines.joined(separator: "\n")
    }
}
