/// A text of several lines that a person types. UIKit's, without a picture, as ``UITextField``.
@MainActor
@preconcurrency
open class UITextView: UIResponder, UITextInputTraits {
    /// The text; never nil when read, as Apple's.
    open var text: String? {
        get { content }
        set { content = newValue ?? "" }
    }
    private var content = ""

    /// Asked and told of editing.
    open weak var delegate: (any UITextViewDelegate)?
    /// What the text is for.
    open var textContentType: UITextContentType?
    /// Whether the text is secret.
    open var isSecureTextEntry = false
    /// Whether the person may change it.
    open var isEditable = true

    /// An empty text.
    public required init() { super.init() }

    /// The person typed, or took a suggestion: the text goes to the end.
    open func insertText(_ text: String) {
        guard isEditable else { return }
        content += text
        delegate?.textViewDidChange(self)
    }
}

/// Is told of editing in a text. UIKit's. Every method is optional.
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
