/// Holds an app's first view controller. There is nothing to see: it says when that controller appears.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uiwindow>
@MainActor
@preconcurrency
open class UIWindow: UIResponder {
    /// The scene that it belongs to.
    open weak var windowScene: UIWindowScene? {
        didSet {
            oldValue?.remove(self)
            windowScene?.add(self)
            // A scene has one key window.
            if isKeyWindow, oldValue !== windowScene { makeKey() }
        }
    }

    /// The first controller. It appears when the window is visible.
    open var rootViewController: UIViewController? {
        didSet {
            if oldValue !== rootViewController { oldValue?.window = nil }
            rootViewController?.window = self
            guard oldValue !== rootViewController, !isHidden else { return }
            oldValue?.disappear()
            rootViewController?.appear()
        }
    }

    /// Hidden at first.
    open var isHidden = true {
        didSet {
            guard oldValue != isHidden else { return }
            if isHidden { rootViewController?.disappear() } else { rootViewController?.appear() }
        }
    }

    /// Whether it is the one of its scene, or of the app's windows without one, that was made key last.
    public private(set) var isKeyWindow = false

    /// A window of no scene.
    public required init() {
        super.init()
        UIApplication.shared.note(self)
    }

    /// A window of a scene.
    public init(windowScene: UIWindowScene) {
        super.init()
        self.windowScene = windowScene
        windowScene.add(self)
        UIApplication.shared.note(self)
    }

    /// The scene that it belongs to.
    open override var next: UIResponder? { windowScene }

    private lazy var ownUndoManager = UndoManager()

    /// The window's own, made at first use: what the responders in it undo unless they say otherwise.
    open override var undoManager: UndoManager? { ownUndoManager }

    /// Shows the window, and with it its first controller.
    open func makeKeyAndVisible() {
        makeKey()
        isHidden = false
    }

    /// Makes the window the key one of its scene, in place of the one before.
    open func makeKey() {
        let application = UIApplication.shared
        for window in windowScene?.windows ?? application.windowsWithoutScene { window.isKeyWindow = false }
        isKeyWindow = true
        application.keyWindow = self
    }
}
