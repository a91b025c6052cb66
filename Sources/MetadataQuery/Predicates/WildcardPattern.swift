/// A pattern of LIKE: `*` stands for any characters, `?` for one, and `\` makes the next character stand for itself.
struct WildcardPattern: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case character(Character)
        case one
        case many
    }

    private var parts: [Part] = []

    init(_ text: String, _ folding: TextFolding) {
        var isEscaped = false
        for character in text {
            switch (character, isEscaped) {
            case ("\\", false):
                isEscaped = true
                continue
            case ("*", false): parts.append(.many)
            case ("?", false): parts.append(.one)
            default: parts += folding.folded(character).map(Part.character)
            }
            isEscaped = false
        }
        if isEscaped { parts.append(.character("\\")) }
    }

    /// Remembers only the last `*`, so it takes at most pattern times text steps.
    func matches(_ text: [Character]) -> Bool {
        var (part, position) = (0, 0)
        var retry: (part: Int, position: Int)?
        var steps = 0
        while position < text.count {
            steps += 1
            guard steps <= TextPattern.maximumSteps else { return false }
            if part < parts.count, parts[part] == .many {
                retry = (part, position)
                part += 1
            } else if part < parts.count, parts[part] == .one || parts[part] == .character(text[position]) {
                part += 1
                position += 1
            } else if let last = retry {
                retry = (last.part, last.position + 1)
                (part, position) = (last.part + 1, last.position + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .many }
    }
}
