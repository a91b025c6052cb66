/// Something that the person may put into a text field. Baton's own: there is no keyboard of the system that would show it, so the app
/// does, and calls `insertText(_:)` with the text when the person takes it.
public struct UITextSuggestion: Hashable, Sendable {
    /// The text for the field.
    public let text: String
    /// Its kind of, as the name of a place; may be empty.
    public let title: String
    /// Where the person saw it, which the app shows beside it: the name of an app, or “a web page”.
    public let source: String
}
