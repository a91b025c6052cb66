import BatonWire

/// Asks for an explanation and prints each stage with its verdict, finding and advice.
enum ExplanationReport {
    /// - Throws: exit status 1, with nothing more to say, when something is not well.
    static func run(_ request: Baton_Control_V1_ExplainRequest, _ session: CommandSession) async throws {
        try emit(
            try await session.call(ControlMethods.explain, request, timeout: .seconds(30)).explanations, session)
    }

    /// - Throws: as ``run(_:_:)``.
    static func emit(_ explanations: [Baton_Control_V1_Explanation], _ session: CommandSession) throws {
        let isHealthy = !explanations.isEmpty && explanations.allSatisfy(\.healthy)
        try session.emit(
            json: ["healthy": .boolean(isHealthy), "explanations": .array(explanations.map(json))],
            text: explanations.isEmpty
                ? "There is nothing to explain: nothing of that name is known here."
                : explanations.map { text($0, session) }.joined(separator: "\n\n"))
        if !isHealthy { throw CommandFailure(.failure, nil) }
    }

    private static func json(_ explanation: Baton_Control_V1_Explanation) -> JSONValue {
        [
            "subject": .string(explanation.subject), "healthy": .boolean(explanation.healthy),
            "stages": .array(
                explanation.stages.map { stage in
                    [
                        "name": .string(stage.name), "verdict": .string(name(stage.verdict)),
                        "finding": .string(stage.finding), "advice": .init(nonEmpty: stage.advice),
                    ]
                }),
        ]
    }

    private static func text(_ explanation: Baton_Control_V1_Explanation, _ session: CommandSession) -> String {
        var lines = [session.paint(.bold, TerminalText.escape(explanation.subject))]
        for stage in explanation.stages {
            let mark = TerminalText.pad(name(stage.verdict), to: 7)
            let finding = stage.finding.isEmpty ? "" : ": \(stage.finding)"
            let width = session.context.terminal.width
            lines += TerminalText.wrap(
                TerminalText.escape(stage.name + finding), to: width, indentation: 11,
                first: "  \(session.paint(colour(stage.verdict), mark))  ")
            guard !stage.advice.isEmpty else { continue }
            lines += TerminalText.wrap(
                TerminalText.escape(stage.advice), to: width, indentation: 13, first: "           → ")
        }
        return lines.joined(separator: "\n")
    }

    private static func name(_ verdict: Baton_Link_V1_Stage.Verdict) -> String {
        switch verdict {
        case .ok: "ok"
        case .failed: "failed"
        case .unknown, .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    private static func colour(_ verdict: Baton_Link_V1_Stage.Verdict) -> Paint.Colour {
        switch verdict {
        case .ok: .green
        case .failed: .red
        default: .yellow
        }
    }
}
