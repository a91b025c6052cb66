/// The share sheet: what can be done with some items.
///
/// Present it as any controller; on a wide screen it is in a popover. It offers the app's activities and the system's
/// that can work with the items, whose types are inferred, and leaves out ``excludedActivityTypes``. An app with a
/// terminal shows it there; for any other app the daemon asks. On the main actor.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uiactivityviewcontroller>
@MainActor
@preconcurrency
open class UIActivityViewController: UIViewController {
    /// Called once when the sheet is over: the chosen activity (nil for none), whether it was completed, items that it
    /// returned (always nil), and why it failed.
    public typealias CompletionWithItemsHandler = (UIActivity.ActivityType?, Bool, [Any]?, (any Error)?) -> Void

    /// The older form.
    public typealias CompletionHandler = (UIActivity.ActivityType?, Bool) -> Void

    /// Types that are not offered.
    open var excludedActivityTypes: [UIActivity.ActivityType]?

    /// Called when the sheet is over, after it was dismissed; then set to nil.
    open var completionWithItemsHandler: CompletionWithItemsHandler?

    /// Called where ``completionWithItemsHandler`` is not set; then set to nil.
    @available(*, deprecated, message: "Use completionWithItemsHandler.")
    open var completionHandler: CompletionHandler? {
        get { olderHandler }
        set { olderHandler = newValue }
    }

    /// Accepted, without effect: nothing here is larger than the rest.
    open var allowsProminentActivity = true

    private var olderHandler: CompletionHandler?
    private let items: [Any]
    private let applicationActivities: [UIActivity]
    private let runtime = AppRuntime.current
    private var asking: Task<Void, Never>?
    private var isOver = false

    /// A sheet for some items.
    /// - Parameters:
    ///   - activityItems: at least one: texts, URLs, pictures, data, item providers, sources, or what the app's own
    ///     activities understand.
    ///   - applicationActivities: the app's own; may be nil.
    public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
        items = activityItems
        self.applicationActivities = applicationActivities ?? []
        super.init()
    }

    /// A sheet without items, which offers nothing. Use ``init(activityItems:applicationActivities:)``.
    public required init() {
        items = []
        applicationActivities = []
        super.init()
    }

    override var isAlwaysPopover: Bool { true }

    override func wasPresented() {
        isOver = false
        let sheet = ShareSheet(
            controller: self, items: items, applicationActivities: applicationActivities,
            excluded: Set(excludedActivityTypes ?? []), context: SharingContext(runtime: runtime))
        // Ends with the person's answer, and is cancelled when the sheet is dismissed. Holds the sheet until then, whatever
        // becomes of the controller that presents it.
        asking = Task { [runtime] in
            let outcome = await AppRuntime.$calling.withValue(runtime) { await sheet.run() }
            end(outcome)
        }
    }

    /// Dismissed by the app: nothing was chosen.
    override func wasDismissed() {
        asking?.cancel()
        asking = nil
        end(ShareSheet.Outcome())
    }

    private func end(_ outcome: ShareSheet.Outcome) {
        guard !isOver else { return }
        isOver = true
        asking = nil
        if presentedViewController != nil { dismiss(animated: false) }
        presentingViewController?.dismiss(animated: false)
        let (handler, older) = (completionWithItemsHandler, olderHandler)
        completionWithItemsHandler = nil
        olderHandler = nil
        if let handler {
            handler(outcome.type, outcome.isCompleted, nil, outcome.error)
        } else {
            older?(outcome.type, outcome.isCompleted)
        }
    }
}
