public import Foundation
import Logging

/// Manages one screen of an app.
///
/// There is nothing to see: a controller has its life cycle, its place among the controllers that it presents, and its
/// activity. Nothing is animated, so what is presented has appeared when ``present(_:animated:completion:)`` returns. On the
/// main actor.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uiviewcontroller>
@MainActor
@preconcurrency
open class UIViewController: UIResponder {
    /// The name that a person reads.
    open var title: String?

    /// How it is to be presented. With ``UIModalPresentationStyle/fullScreen`` the presenting controller disappears meanwhile.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic

    /// The controller that this one presents.
    open private(set) var presentedViewController: UIViewController?

    /// The controller that presents this one.
    open private(set) weak var presentingViewController: UIViewController?

    /// Whether ``viewDidLoad()`` was called.
    public private(set) var isViewLoaded = false

    /// While it appears because it is being presented.
    open private(set) var isBeingPresented = false

    /// While it disappears because it is being dismissed.
    open private(set) var isBeingDismissed = false

    private(set) var isVisible = false
    /// The window whose first controller it is.
    weak var window: UIWindow?
    private var madePopover: UIPopoverPresentationController?

    /// The controllers that this one contains, in the order in which they came.
    open private(set) var children: [UIViewController] = []

    /// The controller that contains this one.
    open private(set) weak var parent: UIViewController?

    /// The controller that contains this one or presents it, or the window whose first controller it is.
    open override var next: UIResponder? { parent ?? presentingViewController ?? window }

    /// As ``UIResponder/userActivity``. A document's activity becomes current by this (H-61): at once while the app is active,
    /// otherwise each time that the app comes to the foreground. A controller that has disappeared does not count.
    open override var userActivity: NSUserActivity? {
        get { super.userActivity }
        set {
            super.userActivity = newValue
            if newValue != nil { UIApplication.shared.foregroundActivities.assigned(to: self) }
        }
    }

    /// The popover of a controller whose style is ``UIModalPresentationStyle/popover``; nil for any other.
    open var popoverPresentationController: UIPopoverPresentationController? {
        guard modalPresentationStyle == .popover || isAlwaysPopover else { return nil }
        if let madePopover { return madePopover }
        let popover = UIPopoverPresentationController(presentedViewController: self)
        madePopover = popover
        return popover
    }

    /// A share sheet is shown in a popover where there is room.
    var isAlwaysPopover: Bool { false }

    /// A controller that nothing presents or contains.
    public required init() { super.init() }

    /// As ``init()``, for subclasses that call it. There are no nibs: the name is nil.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
        if let nibNameOrNil {
            BatonExceptions.raiseInvalidArgument(
                "There are no nibs on Linux: make the controller without “\(nibNameOrNil)”, and set it up in viewDidLoad()."
            )
        }
    }

    // MARK: Life cycle

    /// Calls ``viewDidLoad()`` unless that was done.
    open func loadViewIfNeeded() {
        guard !isViewLoaded else { return }
        isViewLoaded = true
        viewDidLoad()
    }

    /// Called once, before it first appears. Overrides call `super`.
    open func viewDidLoad() {}

    /// It is about to appear. Overrides call `super`.
    open func viewWillAppear(_ animated: Bool) {}

    /// It has appeared. Overrides call `super`.
    open func viewDidAppear(_ animated: Bool) {}

    /// It is about to disappear. Overrides call `super`.
    open func viewWillDisappear(_ animated: Bool) {}

    /// It has disappeared. Overrides call `super`.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Called by its window, and for controllers that are presented.
    package func appear() {
        guard !isVisible else { return }
        loadViewIfNeeded()
        isVisible = true
        viewWillAppear(false)
        viewDidAppear(false)
        if userActivity != nil { UIApplication.shared.foregroundActivities.assigned(to: self) }
        for child in children { child.appear() }
    }

    func disappear() {
        guard isVisible else { return }
        for child in children { child.disappear() }
        isVisible = false
        viewWillDisappear(false)
        viewDidDisappear(false)
    }

    // MARK: Containing

    /// Takes another controller in, out of the one that contained it. There are no views: it appears and disappears with this one.
    open func addChild(_ childController: UIViewController) {
        guard childController.parent !== self, childController !== self else { return }
        childController.removeFromParent()
        childController.willMove(toParent: self)
        childController.parent = self
        children.append(childController)
        if isVisible { childController.appear() }
    }

    /// Leaves the controller that contains this one.
    open func removeFromParent() {
        guard let parent else { return }
        disappear()
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
    }

    /// It is about to be taken in, or to be left alone where there is no controller. Overrides call `super`.
    open func willMove(toParent parent: UIViewController?) {}

    /// It was taken in, which the app says itself, or left its controller. Overrides call `super`.
    open func didMove(toParent parent: UIViewController?) {}

    // MARK: Presenting

    /// Shows another controller above this one.
    ///
    /// A controller that presents one already presents no other: that is logged, and `completion` is not called.
    /// - Parameters:
    ///   - flag: ignored, since nothing is animated.
    ///   - completion: called when the controller has appeared.
    ///
    /// Apple: <https://developer.apple.com/documentation/uikit/uiviewcontroller/present(_:animated:completion:)>
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {
        guard presentedViewController == nil, viewControllerToPresent.presentingViewController == nil else {
            Logger(label: "baton.app").warning(
                "A view controller presents another one already. Dismiss that first.")
            return
        }
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = self
        viewControllerToPresent.isBeingPresented = true
        viewControllerToPresent.appear()
        viewControllerToPresent.isBeingPresented = false
        if viewControllerToPresent.modalPresentationStyle == .fullScreen { disappear() }
        completion?()
        viewControllerToPresent.wasPresented()
    }

    /// Takes away what this controller presents, with everything that that presents; or itself, if it presents nothing.
    /// - Parameter completion: called when it has disappeared.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard let presented = presentedViewController else {
            if let presenting = presentingViewController {
                return presenting.dismiss(animated: flag, completion: completion)
            }
            completion?()
            return
        }
        if presented.presentedViewController != nil { presented.dismiss(animated: flag) }
        presented.isBeingDismissed = true
        if presented.modalPresentationStyle == .fullScreen { appear() }
        presented.disappear()
        presented.isBeingDismissed = false
        presented.presentingViewController = nil
        presentedViewController = nil
        presented.wasDismissed()
        completion?()
    }

    /// For the system's own controllers, which ask the person then.
    func wasPresented() {}

    /// For the system's own controllers, which stop asking then.
    func wasDismissed() {}
}

/// How a controller is presented.
public enum UIModalPresentationStyle: Int, Sendable {
    /// The system chooses: above the presenting controller.
    case automatic = -2
    /// Nowhere else.
    case none = -1
    /// In place of the presenting controller, which disappears meanwhile.
    case fullScreen = 0
    /// Above the presenting controller.
    case pageSheet = 1
    /// Above the presenting controller, smaller.
    case formSheet = 2
    /// In the place of the controller that defines a context.
    case currentContext = 3
    /// As the app decides.
    case custom = 4
    /// Above everything, which stays in view.
    case overFullScreen = 5
    /// Above the controller that defines a context.
    case overCurrentContext = 6
    /// In a popover.
    case popover = 7
}

/// Where a popover points. The presenter uses this if it can; a terminal cannot.
@MainActor
@preconcurrency
open class UIPopoverPresentationController: NSObject {
    /// The content of the popover.
    public private(set) weak var presentedViewController: UIViewController?
    /// The anchor of the popover.
    open weak var sourceItem: AnyObject?
    /// The object in whose coordinates ``sourceRect`` is. Held weakly.
    open weak var sourceView: UIResponder?
    /// In the coordinates of ``sourceView``, in points.
    open var sourceRect = CGRect.zero

    init(presentedViewController: UIViewController) {
        self.presentedViewController = presentedViewController
        super.init()
    }
}
