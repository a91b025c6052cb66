/// One check of `baton doctor`: what was found, and what to do.
package struct DoctorCheck: Sendable, Equatable {
    package enum Verdict: String, Sendable {
        case ok
        /// A part is not there that Baton does without.
        case missing
        /// It could not be looked at from here.
        case unknown
        /// Something does not work until it is mended.
        case failed
    }

    package var name: String
    package var verdict: Verdict
    /// Without a full stop.
    package var finding: String
    /// Sentences; empty where nothing is to be done.
    package var advice: String

    package init(_ name: String, _ verdict: Verdict, _ finding: String, _ advice: String = "") {
        self.name = name
        self.verdict = verdict
        self.finding = finding
        self.advice = advice
    }

    var json: JSONValue {
        [
            "name": .string(name.replacing(" ", with: "_")), "verdict": .string(verdict.rawValue),
            "finding": .string(finding), "advice": .init(nonEmpty: advice),
        ]
    }

    /// Bytes of the longest name.
    private static let nameWidth = 14

    func lines(_ session: CommandSession) -> [String] {
        let mark = session.paint(colour, TerminalText.pad(verdict.rawValue, to: 7))
        let text = advice.isEmpty ? finding : "\(finding). \(advice)"
        return TerminalText.wrap(
            TerminalText.escape(text), to: session.context.terminal.width, indentation: Self.nameWidth + 11,
            first: "\(mark)  \(TerminalText.pad(name, to: Self.nameWidth))  ")
    }

    private var colour: Paint.Colour {
        switch verdict {
        case .ok: .green
        case .missing, .unknown: .yellow
        case .failed: .red
        }
    }
}
