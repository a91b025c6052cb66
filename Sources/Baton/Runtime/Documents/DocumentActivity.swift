import Foundation

/// The activity of a document: made by itself for a document in iCloud whose type asks for it (H-56), or set by the app.
/// Any thread may use it (H-64).
final class DocumentActivity: Sendable {
    typealias Observer = @Sendable (_ old: NSUserActivity?, _ new: NSUserActivity?) -> Void

    private struct State {
        var activity: NSUserActivity?
        var isAutomatic = false
        var observers: [UInt64: Observer] = [:]
        var lastObserver: UInt64 = 0
    }

    static let urlKey = "NSUserActivityDocumentURL"

    private let state = UncheckedMutex(State())

    var activity: NSUserActivity? { state.withLock { $0.activity } }

    func set(_ activity: NSUserActivity?, isAutomatic: Bool = false, for responder: any ActivityResponder) {
        let (previous, observers) = state.withLock { state in
            defer {
                state.activity = activity
                state.isAutomatic = isAutomatic && activity != nil
            }
            return (state.activity, state.observers.sorted { $0.key < $1.key }.map(\.value))
        }
        guard previous !== activity else { return }
        if let activity {
            if MainQueue.isCurrent {
                MainActor.assumeIsolated { activity.associate(responder) }
            } else {
                MainQueue.async { activity.associate(responder) }
            }
        }
        previous?.dissociate(ObjectIdentifier(responder))
        for observer in observers { observer(previous, activity) }
    }

    /// Follows the document into iCloud, out of it, and to another name (H-56, H-58, H-64).
    func follow(
        _ snapshot: DocumentSnapshot, _ environment: DocumentEnvironment, title: String,
        for responder: any ActivityResponder
    ) {
        guard snapshot.isOpen, let url = snapshot.fileURL else { return close(for: responder) }
        let type = environment.isUbiquitous(url) ? snapshot.fileType.flatMap(environment.activityType) : nil
        let (current, isAutomatic) = state.withLock { ($0.activity, $0.isAutomatic) }
        if let current, !isAutomatic || current.activityType == type {
            guard current.userInfo?[Self.urlKey] as? URL != url else { return }
            // Another's activity is filled when it asks for it.
            guard isAutomatic else { return }
            current.addUserInfoEntries(from: [Self.urlKey: url])
            current.title = title
            return
        }
        guard let type else {
            if isAutomatic { set(nil, for: responder) }
            return
        }
        let activity = NSUserActivity(activityType: type)
        activity.title = title
        activity.addUserInfoEntries(from: [Self.urlKey: url])
        set(activity, isAutomatic: true, for: responder)
    }

    /// The activity of a document ends with it (H-65).
    func close(for responder: any ActivityResponder) {
        guard let activity else { return }
        activity.invalidate()
        set(nil, for: responder)
    }

    func observe(_ observer: @escaping Observer) -> UInt64 {
        state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = observer
            return state.lastObserver
        }
    }

    func removeObserver(_ id: UInt64) { state.withLock { $0.observers[id] = nil } }
}
