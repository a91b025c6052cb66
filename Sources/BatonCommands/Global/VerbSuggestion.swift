import ArgumentParser
import BatonCore

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
            let verb = SpokenName.closest(to: word, among: children.map { $0._commandName })
            if command.configuration.defaultSubcommand != nil, verb == nil { return nil }
            (self.word, self.path, self.verb) = (word, path, verb)
            return
        }
        return nil
    }
}
