import AppLink
package import BatonCore
public import Foundation
import Synchronization

/// Something that a person is doing, which another of that person's devices can continue (H-16).
///
/// Make one object per thing that can be continued (H-17), keep a strong reference to it (H-36), fill it, and call
/// ``becomeCurrent()`` when the person turns to it. Only the current activity of an app is offered (H-18); a new one is
/// offered only after it became current for the first time. An activity is identified by its type and title together
/// (H-20). Changes of title, page, expiry and eligibility of the current activity are announced again by themselves;
/// calls that follow each other quickly are announced once, with the last state.
///
/// Safe to use from any thread; no call waits for the daemon. Without a daemon nothing is offered and nothing is lost:
/// the current activity is announced as soon as the daemon runs, and again each time it was restarted. Nothing of an
/// activity survives the end of the process but what is saved of it for search and suggestions.
///
/// Where Apple raises an exception, ``BatonExceptions/handler`` is called.
///
/// An activity that may be found or suggested (``isEligibleForSearch``, ``isEligibleForPrediction``) is also saved on this
/// device: when it becomes current, and while it is current each time ``needsSave`` is set, it is made eligible or its
/// ``expirationDate`` changes.
///
/// Everything of Apple's class is here but what belongs to frameworks that Baton does not have: what App Clips, ClassKit,
/// widgets, barcodes and NFC add.
//
// @unchecked: every stored property is a constant, and what changes lies in the two mutexes. A subclass that stores
// more must keep that up.
open class NSUserActivity: NSObject, @unchecked Sendable {
    private let state: Mutex<UserActivityState>
    private let associations = Mutex(UserActivityAssociations())
    package let id: ActivityID
    let runtime: AppRuntime
    /// How another device gave it to this app; nil for an activity of the app's own.
    let receipt: ContinuationReceipt?

    /// An activity of a type, which it keeps for life (H-19).
    ///
    /// - Parameter activityType: reverse-DNS by convention, as in `com.company.app.activity` (H-8). An app on the
    ///   receiving device continues the activity if it lists this type in `NSUserActivityTypes`. Text that cannot be a
    ///   type (empty, with spaces, over 255 bytes) is a mistake; the activity then has no effect.
    public init(activityType: String) {
        id = .random()
        state = Mutex(UserActivityState(id: id, activityType: activityType))
        runtime = .current
        receipt = nil
        super.init()
        if !ActivityType.isValid(activityType) {
            BatonExceptions.raiseInvalidArgument(
                "NSUserActivity was made with the type “\(activityType.prefix(80))”. A type is \(ActivityType.rule).")
            state.withLock { $0.isValid = false }
        }
    }

    /// An activity of the first type in the `Info.plist`'s `NSUserActivityTypes`.
    ///
    /// Without such a list this is a mistake, and the activity then has no effect.
    @available(*, deprecated, message: "Use init(activityType:), which says what it makes.")
    public convenience override init() {
        let type = AppRuntime.current.profile.activityTypes.first
        self.init(activityType: type ?? "")
    }

    init(state: UserActivityState, runtime: AppRuntime, receipt: ContinuationReceipt? = nil) {
        id = state.id
        self.receipt = receipt
        self.state = Mutex(state)
        self.runtime = runtime
        super.init()
    }

    deinit {
        // An object without an owner can be neither saved nor notified (H-36).
        runtime.invalidate(id)
    }

    /// The type given at `init`.
    open var activityType: String { snapshot.activityType }

    /// The text that a person reads where the activity is offered or found (H-21). Announced again when changed. Elsewhere the
    /// first 1,024 bytes of it are known.
    open var title: String? {
        get { snapshot.title }
        set { describe { $0.title = newValue } }
    }

    /// The state that another device needs to resume (H-22); nil at first. May be assigned whole (H-27).
    ///
    /// Keys and values must be `Array`, `Data`, `Date`, `Dictionary`, `NSNull`, numbers and `Bool`, `Set`, `String`,
    /// `URL` or `UUID`, or Foundation's classes for these (H-23; `UUID` is in Apple's header, not on its web page).
    /// Apple raises for anything else when the activity is sent. Baton converts at assignment: a value that cannot be
    /// carried goes to ``BatonExceptions/handler`` with the path to it, and nothing is stored. The values read back are of
    /// Swift's types; every integer is an `Int`, or a `UInt64` if it is too large, and every `Float` a `Double`.
    ///
    /// Not sent until another device continues the activity, so a change is not announced; Apple advises less than
    /// 3 KB (H-25). Set ``needsSave`` to fill it only then. Too much of it, 1 MiB unless the daemon is set otherwise,
    /// is error 4611 on the device that continues.
    open var userInfo: [AnyHashable: Any]? {
        get { snapshot.userInfo.flatMap { PropertyValue.dictionary($0).userInfo } }
        set {
            guard let newValue else { return update { $0.userInfo = nil } }
            guard let entries = Self.entries(newValue) else { return }
            update { $0.userInfo = entries }
        }
    }

    /// Merges entries into ``userInfo``; where both have a key, the argument's value wins (H-26).
    ///
    /// - Parameter otherDictionary: under the same rules as `userInfo`. With one value that cannot be carried, none is
    ///   added.
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        guard let entries = Self.entries(otherDictionary) else { return }
        update { $0.userInfo = ($0.userInfo ?? [:]).merging(entries) { $1 } }
    }

    /// The keys of `userInfo` without which the activity cannot be restored from search; nil at first. In an activity that
    /// is saved for search or suggestions, these entries alone are kept.
    ///
    /// Apple contradicts itself on nil: its header says that all keys are required, its page on `webpageURL` that the
    /// restored `userInfo` is then empty. Baton keeps to the header: nil means all keys. Handoff always carries the
    /// whole `userInfo`.
    open var requiredUserInfoKeys: Set<String>? {
        get { snapshot.requiredUserInfoKeys }
        set { update { $0.requiredUserInfoKeys = newValue } }
    }

    /// Whether the delegate or the responders must be asked before the activity is sent (H-28, H-47); false at first.
    ///
    /// Set it to true after each change of the state that the activity stands for (H-30); no other property sets it.
    /// Baton sets it to false just before it calls `userActivityWillSave` (H-29). Setting it sends nothing to other
    /// devices; the current activity is saved again on this one if it may be found or suggested, but not for ever if that
    /// sets it each time.
    open var needsSave: Bool {
        get { snapshot.needsSave }
        set {
            update { $0.needsSave = newValue }
            // Also when it was true: then it may have been set while the activity was being saved.
            if newValue { saveIfCurrent() }
        }
    }

    /// The same content on the web (H-33). Where no app of the same team can continue the activity, the app that the
    /// page's site names is given an activity of type ``NSUserActivityTypeBrowsingWeb`` with this page and nothing else
    /// (H-85, H-86); else a browser opens it (H-84).
    ///
    /// It goes to the person's other devices with the activity, so that it should hold no secret. One with a name or
    /// password in it, or of more than 8192 bytes, is not opened there.
    ///
    /// Used as it is, with query and fragment. Announced again when changed. Any scheme but `http` and `https` is a
    /// mistake (H-96), and the page stays what it was.
    open var webpageURL: URL? {
        get { snapshot.webpageURL }
        set {
            if let newValue, !UserActivityState.isWebPage(newValue) {
                return BatonExceptions.raiseInvalidArgument(
                    "NSUserActivity.webpageURL was set to a URL with the scheme “\(newValue.scheme ?? "")”. Only http "
                        + "and https are possible. Put any other URL into userInfo.")
            }
            describe { $0.webpageURL = newValue }
        }
    }

    /// The page that linked to ``webpageURL``.
    open var referrerURL: URL? {
        get { snapshot.referrerURL }
        set { update { $0.referrerURL = newValue } }
    }

    /// When the activity stops being of use; from then on it is not offered, and what was saved of it is deleted. Nil, at
    /// first, for no such time; what is saved of it is then deleted after 30 days (Apple names no time). Announced again
    /// when changed, and saved again if it is current. Carried to the millisecond.
    open var expirationDate: Date? {
        get { snapshot.expirationDate }
        set {
            let isNew = snapshot.expirationDate != newValue
            describe { $0.expirationDate = newValue }
            if isNew { saveIfCurrent() }
        }
    }

    /// Words by which the activity can be found.
    ///
    /// Apple's page calls the default nil though the type is not optional; here it is the empty set.
    open var keywords: Set<String> {
        get { snapshot.keywords }
        set { update { $0.keywords = newValue } }
    }

    /// Whether the continuing device may ask for streams (H-34, H-77); false at first. May be changed at any time.
    /// Announced again when changed.
    ///
    /// The value when the activity was handed over counts; set to false afterwards, it keeps further streams
    /// from being opened. See ``continuationStreams()``.
    open var supportsContinuationStreams: Bool {
        get { snapshot.supportsContinuationStreams }
        set { describe { $0.supportsContinuationStreams = newValue } }
    }

    /// The receiver of the activity's events (H-35). Held weakly.
    open var delegate: (any NSUserActivityDelegate)? {
        get { associations.withLock { $0.delegate.value } }
        set {
            let reference = WeakDelegate(value: newValue)
            associations.withLock { $0.delegate = reference }
        }
    }

    /// Names the content, to choose the window that shows it. Setting it does not set ``needsSave``. Announced again
    /// when changed.
    open var targetContentIdentifier: String? {
        get { snapshot.targetContentIdentifier }
        set { describe { $0.targetContentIdentifier = newValue } }
    }

    /// Whether other devices may continue the activity (H-37); true at first. Announced again when changed.
    ///
    /// A current activity that is not eligible is not offered, and keeps the one before it from being offered.
    open var isEligibleForHandoff: Bool {
        get { snapshot.isEligibleForHandoff }
        set { describe { $0.isEligibleForHandoff = newValue } }
    }

    /// Whether the activity may be found by search on this device (H-37); false at first.
    ///
    /// True saves it here when it becomes current; see ``contentAttributeSet`` for what is searched. Set to false
    /// afterwards it is not saved again, and what was saved stays until it is deleted by its ``persistentIdentifier`` or
    /// expires.
    open var isEligibleForSearch: Bool {
        get { snapshot.isEligibleForSearch }
        set { setEligible(newValue, \.isEligibleForSearch) }
    }

    /// Whether anybody may find the activity (H-37); false at first. It has an effect only with ``requiredUserInfoKeys`` or
    /// ``webpageURL``, and with ``isEligibleForSearch``.
    ///
    /// There is no public index for it. The choice is kept with what is saved on this device.
    open var isEligibleForPublicIndexing: Bool {
        get { snapshot.isEligibleForPublicIndexing }
        set { setEligible(newValue, \.isEligibleForPublicIndexing) }
    }

    /// Whether the activity may be suggested before the person asks (H-37); false at first. True saves it here, as
    /// ``isEligibleForSearch`` does, but it is not found by searching.
    open var isEligibleForPrediction: Bool {
        get { snapshot.isEligibleForPrediction }
        set { setEligible(newValue, \.isEligibleForPrediction) }
    }

    /// The metadata of the activity for search (H-39); nil at first. Copied when set.
    ///
    /// Saved on this device with an activity that may be found or suggested: its `title`, `keywords` and
    /// `contentDescription` are searched, beside the activity's own ``title`` and ``keywords``. Does not travel: the app
    /// that continues the activity on another device finds nil. The value read back is the activity's own set, so that its
    /// properties can be changed in place; set ``needsSave`` then.
    open var contentAttributeSet: CSSearchableItemAttributeSet? {
        get { snapshot.contentAttributeSet }
        set {
            let copy = newValue.map { CSSearchableItemAttributeSet(values: $0.store.values) }
            update { $0.contentAttributeSet = copy }
        }
    }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The place that the activity is about (H-38); nil at first.
    ///
    /// Setting it fills ``contentAttributeSet`` in, with the place's name, address, coordinate and phone number (P-17);
    /// what the place does not say stays as it was. The item travels to the device that continues the activity, unless it
    /// is ``MKMapItem/forCurrentLocation()``, and stays one object here. Setting it to nil leaves the attributes as they
    /// are.
    open var mapItem: MKMapItem! {
        get { snapshot.mapItem }
        set {
            let item: MKMapItem? = newValue
            update { state in
                state.mapItem = item
                guard let item else { return }
                let attributes = state.contentAttributeSet ?? CSSearchableItemAttributeSet(values: [:])
                attributes.store.merge(item.attributes)
                state.contentAttributeSet = attributes
            }
        }
    }

    /// The phrase that a person might say to have the activity suggested, to be shown when they record one for it; nil at
    /// first. Stays on this device.
    open var suggestedInvocationPhrase: String? {
        get { snapshot.suggestedInvocationPhrase }
        set { update { $0.suggestedInvocationPhrase = newValue } }
    }

    /// Names what is saved of the activity, so that it can be deleted by this name; nil at first.
    ///
    /// The one that was saved last is kept among activities of one app with the same name. Without a name, that is so of
    /// activities whose ``contentAttributeSet`` has the same `relatedUniqueIdentifier`, else of those with the same type
    /// and title, which identify an activity (H-20); one without either replaces only itself.
    open var persistentIdentifier: NSUserActivityPersistentIdentifier? {
        get { snapshot.persistentIdentifier }
        set { update { $0.persistentIdentifier = newValue } }
    }

    /// Makes this the current activity of the app and announces it to the person's other devices (H-31).
    ///
    /// The one that was current becomes inactive; it stays valid and can become current again. Called on the current
    /// activity, it announces it anew, which is a way to say that it was changed (H-32). No effect after
    /// ``invalidate()``. Returns at once; the announcement follows, and is made again after a restart of the daemon.
    open func becomeCurrent() {
        runtime.becomeCurrent(self)
    }

    /// Takes the activity back: the app then has no current one. No effect if another is current. The object stays
    /// valid and can become current again.
    open func resignCurrent() {
        runtime.resignCurrent(id)
    }

    /// Ends the activity for good: it is not offered and can never become current again. Its properties can still be
    /// read.
    open func invalidate() {
        state.withLock { $0.isValid = false }
        runtime.invalidate(id)
    }
}

// MARK: - For the rest of the library

extension NSUserActivity {
    /// All data at one moment.
    var snapshot: UserActivityState { state.withLock { $0 } }

    /// Changes what is not announced.
    func update(_ change: (inout UserActivityState) -> Void) {
        state.withLock { change(&$0) }
        runtime.contextChanged()
    }

    /// Has the activity saved on this device, if it is the current one and may be.
    private func saveIfCurrent() { runtime.saveIfCurrent(self) }

    /// Saves when the activity becomes eligible, not each time that the app says so.
    private func setEligible(_ isEligible: Bool, _ flag: WritableKeyPath<UserActivityState, Bool>) {
        let isNew = state.withLock { state in
            defer { state[keyPath: flag] = isEligible }
            return isEligible && !state[keyPath: flag]
        }
        if isNew { saveIfCurrent() }
    }

    /// Changes what is announced.
    func describe(_ change: (inout UserActivityState) -> Void) {
        state.withLock { change(&$0) }
        runtime.descriptionChanged(of: self)
    }

    /// - Returns: whether it was set; it is not any more (H-29).
    func takeNeedsSave() -> Bool {
        state.withLock { state in
            defer { state.needsSave = false }
            return state.needsSave
        }
    }

    /// The responders that share the activity, in the order in which they came; nil when it is not managed (H-45).
    var managingResponders: [any ActivityResponder]? {
        associations.withLock { $0.isManaged ? $0.responders.compactMap(\.value) : nil }
    }

    var isManaged: Bool { associations.withLock { $0.isManaged } }

    @MainActor
    func associate(_ responder: any ActivityResponder) {
        let reference = WeakResponder(value: responder, id: ObjectIdentifier(responder))
        associations.withLock { associations in
            associations.isManaged = true
            associations.responders.append(reference)
        }
    }

    /// Whether one of its responders is a document (H-61).
    @MainActor
    var belongsToDocument: Bool { associations.withLock { $0.responders.contains { $0.value is PresentedDocument } } }

    /// An activity that lost its last responder is of no use to anybody: invalidated (H-52).
    func dissociate(_ responder: ObjectIdentifier) {
        let isAbandoned = associations.withLock { associations in
            associations.responders.removeAll { $0.id == responder }
            return associations.isManaged && associations.responders.isEmpty
        }
        if isAbandoned { invalidate() }
    }

    private static func entries(_ userInfo: [AnyHashable: Any]) -> [PropertyValue: PropertyValue]? {
        do {
            if case .dictionary(let entries) = try PropertyValue(userInfo: userInfo) { return entries }
        } catch {
            BatonExceptions.raiseInvalidArgument("NSUserActivity.userInfo cannot be set. \(error.message)")
        }
        return nil
    }
}
