/// A command line's verbs, as far as suggestions need them.
package struct VerbTree: Sendable {
    package var name: String
    /// Those that stand behind it.
    package var verbs: [VerbTree]
    /// One of them is meant where none is named.
    package var hasDefault: Bool

    package init(name: String, verbs: [VerbTree] = [], hasDefault: Bool = false) {
        self.name = name
        self.verbs = verbs
        self.hasDefault = hasDefault
    }
}

/// A suggestion for a mistyped verb.
package struct VerbSuggestion: Equatable, Sendable {
    /// As it was typed.
    let word: String
    /// `baton account`: the words before it.
    let path: String
    /// Nil when nothing is like it.
    let verb: String?

    package var message: String {
        guard let verb else { return "There is no command “\(word)”. “\(path) --help” lists those that there are." }
        return "There is no command “\(word)”. Did you mean “\(path) \(verb)”?"
    }

    /// Nil when every verb is one, so that something else is wrong with the command line.
    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - root: the program, with its verbs.
    ///   - optionsFirst: whether options may stand before the verb.
    package init?(_ arguments: [String], root: VerbTree, optionsFirst: Bool = true) {
        var (command, path) = (root, root.name)
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" || word == "help" { return nil }
            if word.hasPrefix("-") {
                if !optionsFirst, path == root.name { return nil }
                if word == "--home" { rest = rest.dropFirst() }
                continue
            }
            if command.verbs.isEmpty { return nil }
            if let verb = command.verbs.first(where: { $0.name == word }) {
                (command, path) = (verb, "\(path) \(word)")
                continue
            }
            // An argument of the verb that is meant without its name.
            let verb = SpokenName.closest(to: word, among: command.verbs.map(\.name))
            if command.hasDefault, verb == nil { return nil }
            (self.word, self.path, self.verb) = (word, path, verb)
            return
        }
        return nil
    }
}
