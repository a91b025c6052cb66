import BatonWire

/// Says what the account's other devices learn of another cloud, and how.
enum CloudLeaving {
    /// Those that are not near.
    /// - Parameter verb: the alternative command.
    static func text(_ left: Baton_Control_V1_LeftCloud?, verb: String) -> String {
        guard let left else {
            return "Its other devices learn of it when they are near this one; on one that is not, \(verb) too."
        }
        return left.failureReason.isEmpty
            ? "Its other devices learn of it from \(TerminalText.escape(left.url)), or when they are near this one."
            : "Devices that are near this one learn of it; on one that is not, \(verb) too."
    }

    static func warn(_ left: Baton_Control_V1_LeftCloud?, in session: CommandSession) throws {
        guard let left, !left.failureReason.isEmpty else { return }
        try session.remark(
            "The previous cloud could not be notified; devices that are not nearby will not learn of the move: "
                + TerminalText.escape(left.failure))
    }

    static func json(_ left: Baton_Control_V1_LeftCloud?) -> JSONValue {
        guard let left else { return .null }
        return [
            "url": .string(left.url), "told": .boolean(left.failureReason.isEmpty),
            "failure_reason": .init(nonEmpty: left.failureReason), "failure": .init(nonEmpty: left.failure),
        ]
    }
}
