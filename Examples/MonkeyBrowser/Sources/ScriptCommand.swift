import Foundation

/// One line of a script.
enum ScriptCommand: Equatable {
    case tab(Tab)
    case go(String)
    case state
    case quit

    /// Nil for a line that is none.
    init?(_ line: some StringProtocol) {
        let parts = line.split(separator: " ", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        switch (parts.first, parts.count) {
        case ("tab", 2):
            guard let tab = Int(parts[1]).flatMap(Tab.init(rawValue:)) else { return nil }
            self = .tab(tab)
        case ("go", 2): self = .go(parts[1])
        case ("state", 1): self = .state
        case ("quit", 1): self = .quit
        default: return nil
        }
    }
}
