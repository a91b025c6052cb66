/// The kind of text of a field, so that the system can help with it. UIKit's.
///
/// Baton takes the type of the content and whether the text is secret; the rest is for keyboards on a screen, which Baton has none
/// of.
@MainActor
@preconcurrency
public protocol UITextInputTraits: AnyObject {
    /// The purpose of the field; nil if not specified (P-36).
    var textContentType: UITextContentType? { get set }
    /// Whether the text is secret. Nothing is suggested for such a field.
    var isSecureTextEntry: Bool { get set }
}
