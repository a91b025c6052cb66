import AppLink
import BatonConcurrency
import BatonCore
import Dispatch

/// The runtime's state of activities that are saved for search and suggestions (H-14, H-37).
extension AppRuntime {
    /// Saves the activity soon, if it is current and may be kept.
    func saveIfCurrent(_ activity: NSUserActivity) {
        guard activity.snapshot.isSavable else { return }
        wakeSaving { state in
            if state.outbox.isCurrent(activity.id) { state.saved.save(activity.id) }
        }
    }

    /// - Parameter identifiers: nil for everything of this app.
    func deleteSaved(_ identifiers: [String]?, completion handler: @escaping @Sendable () -> Void) {
        let completion = Completion(handler)
        guard identifiers?.isEmpty != true, profile.socketPath != nil else {
            return onCallbackQueue { completion.call() }
        }
        // Held until after the lock: to let go of the last reference takes the same lock.
        let current = currentActivity
        let isOfCurrent = identifiers.map { identifiers in
            current?.snapshot.persistentIdentifier.map(identifiers.contains) ?? false
        }
        wakeSaving { state in
            state.saved.delete(
                Set(identifiers ?? []), isOfAll: identifiers == nil,
                current: isOfCurrent ?? true ? current?.id : nil, completion: completion)
            start(&state)
        }
        withExtendedLifetime(current) {}
        callbacks.asyncAfter(deadline: .now() + .milliseconds(Int(environment.deletionPatience / .milliseconds(1)))) {
            self.run { completion.call() }
        }
    }

    /// The activity is not saved again before that time, unless there is more to report or it becomes current anew.
    func holdSaving(of id: ActivityID, for time: Duration) {
        withSaved { $0.hold(id) }
        callbacks.asyncAfter(deadline: .now() + .milliseconds(Int(time / .milliseconds(1)))) { [weak self] in
            self?.wakeSaving { $0.saved.release() }
        }
    }

    func nextSaved() -> SavedOutbox.Item? { withSaved { $0.next() } }

    func restore(_ item: SavedOutbox.Item) { withSaved { $0.restore(item) } }

    /// Yields when there may be something to report, and at once. Holds at most one element.
    func savedChanges() -> AsyncStream<Void> {
        let wake = Signal()
        replaceSavingWake(wake)?.finish()
        wake.send()
        return wake.stream
    }

    /// The obligations of an attachment: the daemon keeps nothing of a program in development that is not attached, and may have
    /// been away when the current activity became current. Activities that the app has deleted stay deleted.
    func saveCurrentAgain() {
        guard let activity = currentActivity, activity.snapshot.isSavable else { return }
        withSaved { $0.saveAgain(activity.id) }
    }
}
