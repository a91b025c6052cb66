public import Foundation

/// A text of one line that a person types. UIKit's, without a picture: the app shows it, and reports what was typed.
///
/// ``textContentType`` says what it is for. The delegate is called as
/// Apple's is, when the app calls `becomeFirstResponder()`, `insertText(_:)` and `resignFirstResponder()`.
@MainActor
@preconcurrency
open class UITextField: UIResponder, UITextInputTraits {
    /// Posted when editing begins, with the field as the object.
    nonisolated public static let textDidBeginEditingNotification = Notification.Name(
        "UITextFieldTextDidBeginEditingNotification")
    /// Posted when the person changed the text, with the field as the object.
    nonisolated public static let textDidChangeNotification = Notification.Name(
        "UITextFieldTextDidChangeNotification")
    /// Posted when editing ends, with the field as the object.
    nonisolated public static let textDidEndEditingNotification = Notification.Name(
        "UITextFieldTextDidEndEditingNotification")

    /// The text; never nil when read, as Apple's.
    open var text: String? {
        get { content }
        set {
            content = newValue ?? ""
            updateSuggestions()
        }
    }
    private var content = ""

    /// The text that is shown while the field is empty.
    open var placeholder: String?
    /// Asked and informed about editing.
    open weak var delegate: (any UITextFieldDelegate)?
    /// The purpose of the field (P-36, P-39).
    open var textContentType: UITextContentType? {
        didSet { updateSuggestions() }
    }
    /// Whether the text is secret. Nothing is suggested then.
    open var isSecureTextEntry = false {
        didSet { updateSuggestions() }
    }
    /// Whether the person is in the field.
    open private(set) var isEditing = false

    private let offered = FieldSuggestions()

    /// An empty field.
    public required init() { super.init() }

    /// The suggestions for the field, the likeliest first; at most three. Baton's own.
    ///
    /// Each loop over it begins with what there is, and hears of changes; it ends with the field. There are suggestions while the person
    /// is in the field, for its ``textContentType``, or, where it has none, after words such as “Let's meet at ” for an address (P-26).
    /// The app shows them with their source, and calls ``insertText(_:)`` when the person takes one. Nothing is suggested for a secret
    /// text, nor where the person has switched it off (`suggestions.fields`).
    public var suggestions: AsyncStream<[UITextSuggestion]> { offered.stream(suggestedType) }

    private var suggestedType: UITextContentType? {
        guard isEditing, !isSecureTextEntry else { return nil }
        return textContentType ?? (PlacePhrases.end(content) ? .fullStreetAddress : nil)
    }

    private func updateSuggestions() { offered.update(suggestedType) }

    /// True.
    open override var canBecomeFirstResponder: Bool { true }

    /// The person goes into the field, and leaves the one of its window before.
    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        guard !isEditing else { return true }
        guard delegate?.textFieldShouldBeginEditing(self) ?? true, super.becomeFirstResponder() else { return false }
        isEditing = true
        updateSuggestions()
        delegate?.textFieldDidBeginEditing(self)
        NotificationCenter.default.post(name: Self.textDidBeginEditingNotification, object: self)
        return true
    }

    /// The person leaves the field.
    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard isEditing else { return super.resignFirstResponder() }
        guard delegate?.textFieldShouldEndEditing(self) ?? true, super.resignFirstResponder() else { return false }
        isEditing = false
        updateSuggestions()
        delegate?.textFieldDidEndEditing(self)
        NotificationCenter.default.post(name: Self.textDidEndEditingNotification, object: self)
        return true
    }

    /// The person typed, or took a suggestion: the text goes to the end. The delegate may refuse it.
    open func insertText(_ text: String) {
        let end = NSRange(location: (content as NSString).length, length: 0)
        guard delegate?.textField(self, shouldChangeCharactersIn: end, replacementString: text) ?? true else { return }
        content += text
        changed()
    }

    /// The person took back the last character.
    open func deleteBackward() {
        guard let last = content.last else { return }
        let length = String(last).utf16.count
        let range = NSRange(location: (content as NSString).length - length, length: length)
        guard delegate?.textField(self, shouldChangeCharactersIn: range, replacementString: "") ?? true else { return }
        content.removeLast()
        changed()
    }

    private func changed() {
        updateSuggestions()
        delegate?.textFieldDidChangeSelection(self)
        NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
    }
}

/// Is asked and informed about editing in a field. UIKit's. Every method is optional.
@MainActor
@preconcurrency
public protocol UITextFieldDelegate: AnyObject {
    /// Whether the person may go into the field.
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
    /// The person is in the field.
    func textFieldDidBeginEditing(_ textField: UITextField)
    /// Whether the person may leave the field.
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
    /// The person has left the field.
    func textFieldDidEndEditing(_ textField: UITextField)
    /// Whether the text may change so.
    func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool
    /// The text or the cursor has changed.
    func textFieldDidChangeSelection(_ textField: UITextField)
}

extension UITextFieldDelegate {
    /// True.
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
    /// Does nothing.
    public func textFieldDidBeginEditing(_ textField: UITextField) {}
    /// True.
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
    /// Does nothing.
    public func textFieldDidEndEditing(_ textField: UITextField) {}
    /// True.
    public func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool { true }
    /// Does nothing.
    public func textFieldDidChangeSelection(_ textField: UITextField) {}
}
