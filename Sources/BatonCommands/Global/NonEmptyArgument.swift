import ArgumentParser

/// Text on the command line that must say something: one that is empty often comes from a variable that is not set, and
/// must not mean the same as none.
enum NonEmptyArgument {
    /// - Throws: when `text` was given and is empty or blank.
    static func check(_ text: String?, _ sentence: String) throws(ValidationError) {
        guard let text, text.allSatisfy(\.isWhitespace) else { return }
        throw ValidationError(sentence)
    }
}
