/// A text of several lines that a person types. UIKit's, without a picture, as ``UITextField``.
@MainActor
@preconcurrency
open class UITextView: UIResponder, UITextInputTraits {
    /// The text; never nil when read, as Apple's.
    open var text: String? {
        get { content }
        set {
            content = newValue ?? ""
            updateSuggestions()
        }
    }
    private var content = ""

    /// Asked and informed about editing.
    open weak var delegate: (any UITextViewDelegate)?
    /// The purpose of the text.
    open var textContentType: UITextContentType? {
        didSet { updateSuggestions() }
    }
    /// Whether the text is secret. Nothing is suggested then.
    open var isSecureTextEntry = false {
        didSet { updateSuggestions() }
    }
    /// Whether the person may change it.
    open var isEditable = true

    /// Whether the person may change it.
    open override var canBecomeFirstResponder: Bool { isEditable }

    private let offered = FieldSuggestions()

    /// An empty text.
    public required init() { super.init() }

    /// The suggestions for the text now, as ``UITextField/suggestions``. Baton's own.
    public var suggestions: AsyncStream<[UITextSuggestion]> { offered.stream(suggestedType) }

    private var suggestedType: UITextContentType? {
        guard isEditable, !isSecureTextEntry else { return nil }
        return textContentType ?? (PlacePhrases.end(content) ? .fullStreetAddress : nil)
    }

    private func updateSuggestions() { offered.update(suggestedType) }

    /// The person typed, or took a suggestion: the text goes to the end.
    open func insertText(_ text: String) {
        guard isEditable else { return }
        content += text
        updateSuggestions()
        delegate?.textViewDidChange(self)
    }
}

/// Is informed about editing in a text. UIKit's. Every method is optional.
@MainActor
@preconcurrency
public protocol UITextViewDelegate: AnyObject {
    /// The person has changed the text.
    func textViewDidChange(_ textView: UITextView)
}

extension UITextViewDelegate {
    /// Does nothing.
    public func textViewDidChange(_ textView: UITextView) {}
}
