public import Foundation

/// Gives a share sheet an item, perhaps another one for each activity. On the main actor.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uiactivityitemsource>
@MainActor
@preconcurrency
public protocol UIActivityItemSource: NSObjectProtocol {
    /// Stands for the item until an activity is chosen: only its class matters.
    func activityViewControllerPlaceholderItem(_ activityViewController: UIActivityViewController) -> Any

    /// The item for the chosen activity; nil gives it none.
    func activityViewController(
        _ activityViewController: UIActivityViewController, itemForActivityType activityType: UIActivity.ActivityType?
    ) -> Any?

    /// The subject of a mail. Optional; empty by default.
    func activityViewController(
        _ activityViewController: UIActivityViewController,
        subjectForActivityType activityType: UIActivity.ActivityType?
    ) -> String

    /// The uniform type of an item that is `Data`. Optional. Asked first without a type of activity, then with the chosen
    /// one; empty, the default, counts as `public.data`.
    func activityViewController(
        _ activityViewController: UIActivityViewController,
        dataTypeIdentifierForActivityType activityType: UIActivity.ActivityType?
    ) -> String
}

extension UIActivityItemSource {
    /// Empty.
    public func activityViewController(
        _ activityViewController: UIActivityViewController,
        subjectForActivityType activityType: UIActivity.ActivityType?
    ) -> String { "" }

    /// Empty.
    public func activityViewController(
        _ activityViewController: UIActivityViewController,
        dataTypeIdentifierForActivityType activityType: UIActivity.ActivityType?
    ) -> String { "" }
}

/// Makes an item for a share sheet off the main thread, once an activity is chosen. Subclasses override ``item``.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uiactivityitemprovider>
nonisolated open class UIActivityItemProvider: Operation, UIActivityItemSource, @unchecked Sendable {
    private let lock = NSLock()
    private var made: Any?
    private var chosen: UIActivity.ActivityType?

    /// Stands for the item until it is made.
    public let placeholderItem: Any?

    /// - Parameter placeholderItem: of the item's class.
    public init(placeholderItem: Any) {
        self.placeholderItem = placeholderItem
        super.init()
    }

    /// The chosen activity; nil before.
    public var activityType: UIActivity.ActivityType? { lock.withLock { chosen } }

    /// The item. Called off the main thread, once. The placeholder unless overridden.
    open var item: Any { placeholderItem ?? NSNull() }

    /// Makes the item and keeps it.
    open override func main() {
        guard !isCancelled else { return }
        let item = item
        lock.withLock { made = item }
    }

    func choose(_ activityType: UIActivity.ActivityType?) { lock.withLock { chosen = activityType } }

    /// The placeholder.
    @MainActor
    @preconcurrency
    open func activityViewControllerPlaceholderItem(_ activityViewController: UIActivityViewController) -> Any {
        placeholderItem ?? NSNull()
    }

    /// The result of ``main()``; nil if it was cancelled.
    @MainActor
    @preconcurrency
    open func activityViewController(
        _ activityViewController: UIActivityViewController, itemForActivityType activityType: UIActivity.ActivityType?
    ) -> Any? { lock.withLock { made } }
}
