public import Foundation

/// How much the system shows of an app's content. MediaPlayer's.
public final class MPPlayableContentManagerContext: NSObject, Sendable {
    /// The most items of one list that are shown.
    public let enforcedContentItemsCount = 100
    /// How deep lists go.
    public let enforcedContentTreeDepth = 16
    /// Whether there are such limits.
    public let contentLimitsEnforced = true
    /// Whether the system can play now: it is attached to its daemon.
    public let endpointAvailable: Bool

    init(endpointAvailable: Bool) {
        self.endpointAvailable = endpointAvailable
        super.init()
    }
}

/// The content that an app offers to the system. MediaPlayer's; deprecated at Apple since iOS 14. May be used from any thread.
///
/// A delegate is enough to be asked when headphones, a car or a Bluetooth device is connected; with a data source the content can be
/// looked through.
///
/// Apple: <https://developer.apple.com/documentation/mediaplayer/mpplayablecontentmanager>
public final class MPPlayableContentManager: NSObject, Sendable {
    private struct Values {
        weak var dataSource: (any MPPlayableContentDataSource)?
        weak var delegate: (any MPPlayableContentDelegate)?
        var identifiers: [String] = []
        var updates = 0
        var isAttached = false
        var isUsed = false
    }

    private let values = UncheckedMutex(Values())
    private let changed: @Sendable () -> Void

    init(changed: @escaping @Sendable () -> Void) {
        self.changed = changed
        super.init()
    }

    /// The app's manager, which is shared by all of it.
    public class func shared() -> MPPlayableContentManager { AppRuntime.current.media.contentManager }

    /// Says what there is. Not kept alive.
    public weak var dataSource: (any MPPlayableContentDataSource)? {
        get { values.withLock { $0.dataSource } }
        set { change { $0.dataSource = newValue } }
    }

    /// Plays it. Not kept alive.
    public weak var delegate: (any MPPlayableContentDelegate)? {
        get { values.withLock { $0.delegate } }
        set { change { $0.delegate = newValue } }
    }

    /// How much the system shows.
    public var context: MPPlayableContentManagerContext {
        MPPlayableContentManagerContext(endpointAvailable: values.withLock { $0.isAttached })
    }

    /// Identifiers of the content items that play; at most 16 are used.
    public var nowPlayingIdentifiers: [String] {
        get { values.withLock { $0.identifiers } }
        set { change { $0.identifiers = newValue } }
    }

    /// The content is another one: nothing of what was asked before counts.
    public func reloadData() { change { _ in } }

    /// Several changes follow, which are announced together with the last.
    public func beginUpdates() { values.withLock { $0.updates += 1 } }

    /// Ends what ``beginUpdates()`` began.
    public func endUpdates() { change { $0.updates = max(0, $0.updates - 1) } }

    private func change(_ body: (inout Values) -> Void) {
        let isTold = values.withLock { values in
            body(&values)
            values.isUsed = true
            return values.updates == 0
        }
        if isTold { changed() }
    }

    // MARK: For the daemon

    var isUsed: Bool { values.withLock { $0.isUsed } }

    func setAttached(_ isAttached: Bool) -> Bool {
        values.withLock { values in
            defer { values.isAttached = isAttached }
            return values.isAttached != isAttached
        }
    }
}
