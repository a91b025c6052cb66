import BatonConcurrency
import BatonCore

/// The reminder that a person names.
extension Reminders {
    /// Characters of a beginning that stands for an identifier.
    private static let shortestBeginning = 4

    /// The identifier of which this is the beginning, in any case.
    /// - Throws: `not_found`, `invalid_argument` for the beginning of several, and for one that is too short.
    package func id(_ selector: String) async throws -> String {
        let ids = await queue.run { [self] in keeper.all.filter { !$0.record.isDeleted }.map(\.record.id) }
        if ids.contains(selector) { return selector }
        let matches = selector.isEmpty ? [] : ids.filter { $0.uppercased().hasPrefix(selector.uppercased()) }
        guard let first = matches.first else { throw Self.unknown(selector) }
        // One letter is a slip as often as a choice, and what it deletes is deleted on all devices.
        guard selector.count >= Self.shortestBeginning else {
            throw BatonError(
                .invalidArgument, reason: "reminder_id_too_short",
                "“\(selector)” is too short. Give the first \(Self.shortestBeginning) characters of the identifier, or more: "
                    + "“baton reminders” lists them.")
        }
        guard matches.count == 1 else {
            throw BatonError(
                .invalidArgument, reason: "ambiguous_reminder",
                "“\(selector.prefix(40))” is the beginning of several reminders. Give more of it.")
        }
        return first
    }
}
