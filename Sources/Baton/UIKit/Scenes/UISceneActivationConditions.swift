public import Foundation

/// Which content a scene shows: by these, the scene is chosen that hears of an activity or a request with a target content
/// identifier.
///
/// The predicates are evaluated with the identifier, a `String`; `self` is it, as in `NSPredicate(format: "self == 'inbox'")`.
/// Among the scenes that can show it, one that prefers to goes first, then the one that was active last. Where none can, the app gets
/// a new scene if it may have several, else the scene that was active last hears of it. On the main actor.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uisceneactivationconditions>
@MainActor
@preconcurrency
open class UISceneActivationConditions: NSObject {
    /// Whether the scene can show the content; everything unless set.
    open var canActivateForTargetContentIdentifierPredicate = NSPredicate(value: true)
    /// Whether the scene is the one to show it; nothing unless set.
    open var prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)

    /// Every content, none preferred.
    public override init() { super.init() }

    func canActivate(_ identifier: String) -> Bool {
        canActivateForTargetContentIdentifierPredicate.evaluate(with: identifier)
    }

    func prefersToActivate(_ identifier: String) -> Bool {
        prefersToActivateForTargetContentIdentifierPredicate.evaluate(with: identifier)
    }
}
