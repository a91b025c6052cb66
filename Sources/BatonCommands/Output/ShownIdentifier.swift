/// Identifiers as people see them: their beginnings, of one length everywhere, which every command takes in place of the
/// whole. JSON has them whole.
enum ShownIdentifier {
    static let length = 8

    /// An identifier of another program's may hold anything, such as the UID of a calendar's file.
    static func text(_ identifier: String) -> String { TerminalText.escape(String(identifier.prefix(length))) }

    /// Longer only where the beginnings of several are the same.
    static func length(_ identifiers: [String]) -> Int {
        let longest = identifiers.map(\.count).max() ?? 0
        let count = Set(identifiers).count
        return (length..<max(length + 1, longest)).first { length in
            Set(identifiers.map { $0.prefix(length) }).count == count
        } ?? longest
    }
}
