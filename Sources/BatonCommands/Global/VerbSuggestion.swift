import ArgumentParser

/// A suggestion for a mistyped verb.
struct VerbSuggestion: Equatable {
    /// As it was typed.
    let word: String
    /// `baton account`: the words before it.
    let path: String
    /// Nil when nothing is like it.
    let verb: String?

    var message: String {
        guard let verb else { return "There is no command “\(word)”. “\(path) --help” lists those that there are." }
        return "There is no command “\(word)”. Did you mean “\(path) \(verb)”?"
    }

    /// Nil when every verb is one, so that something else is wrong with the command line.
    init?(_ arguments: [String], root: any ParsableCommand.Type = BatonCommand.self) {
        var (command, path) = (root, root._commandName)
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" || word == "help" { return nil }
            if word.hasPrefix("-") {
                if word == "--home" { rest = rest.dropFirst() }
                continue
            }
            let children = command.configuration.subcommands
            if children.isEmpty { return nil }
            if let child = children.first(where: { $0._commandName == word }) {
                (command, path) = (child, "\(path) \(word)")
                continue
            }
            // An argument of the verb that is meant without its name.
            let verb = Self.closest(to: word, among: children.map { $0._commandName })
            if command.configuration.defaultSubcommand != nil, verb == nil { return nil }
            (self.word, self.path, self.verb) = (word, path, verb)
            return
        }
        return nil
    }

    /// The name that is most like a word, upper and lower case of the word aside; nil when nothing is like it.
    static func closest(to word: String, among names: [String]) -> String? {
        let word = word.lowercased()
        if word.count >= 3, let begun = names.first(where: { $0.hasPrefix(word) }) { return begun }
        let distances = names.map { (name: $0, distance: distance(Array(word), Array($0))) }
        // A third of it may be wrong.
        return distances.filter { $0.distance <= max(1, $0.name.count / 3) }.min { $0.distance < $1.distance }?.name
    }

    /// How many letters are missing, too many, others, or exchanged with their neighbours.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        // A command line may hold anything.
        guard left.count <= 64 else { return .max }
        var rows = [Array(0...right.count)]
        for (i, letter) in left.enumerated() {
            var row = [i + 1]
            for (j, other) in right.enumerated() {
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows.last?.last ?? 0
    }
}
