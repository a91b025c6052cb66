import AppLink
import BatonClient
import BatonCore
import BatonWire
import Logging
import SwiftProtobuf

/// Reports to the daemon what to save of the app's activities, and what to delete.
struct SavedActivitiesCapability: AppCapability {
    let runtime: AppRuntime

    /// In a loop of its own: a delegate that takes its time over an activity keeps nothing else waiting.
    func run(_ session: AttachedSession) async throws -> AttachmentOutcome? {
        runtime.saveCurrentAgain()
        var pace = runtime.environment.savingPace
        for await _ in runtime.savedChanges() {
            while let item = runtime.nextSaved() {
                do {
                    try await send(item, session)
                } catch {
                    runtime.restore(item)
                    throw error
                }
                guard case .save(let id) = item else { continue }
                let wait = pace.saved(now: .now)
                if wait > .zero { runtime.holdSaving(of: id, for: wait) }
                try await runtime.environment.settle()
            }
        }
        try Task.checkCancellation()
        return .ended
    }

    private func send(_ item: SavedOutbox.Item, _ session: AttachedSession) async throws {
        do {
            switch item {
            case .save(let id):
                guard let request = try await saveRequest(id, sessionID: session.id) else { return }
                _ = try await session.call(SavedActivityMethods.saveForSearch, request)
            case .delete(let deletion):
                let request = Baton_App_V1_DeleteSavedActivitiesRequest.with {
                    $0.sessionID = session.id
                    $0.persistentIdentifiers = deletion.identifiers.sorted()
                    $0.all = deletion.isOfAll
                }
                _ = try await session.call(SavedActivityMethods.deleteSavedActivities, request)
            }
        } catch let error as BatonError where !AttachedSession.isConnectionLost(error) {
            // It would be refused again.
            runtime.logger.warning("The daemon does not save or delete an activity: \(error.message)")
        }
        if case .delete(let deletion) = item {
            runtime.onCallbackQueue { for completion in deletion.completions { completion.call() } }
        }
    }

    /// Nil when the activity is gone, or is not to be saved any more.
    private func saveRequest(
        _ id: ActivityID, sessionID: String
    ) async throws -> Baton_App_V1_SaveForSearchRequest? {
        defer { runtime.withSaved { $0.collected(id) } }
        // A delegate that never returns must not keep the attachment from ending: a stream can be left.
        let (states, collected) = AsyncStream.makeStream(of: UserActivityState.self)
        runtime.onCallbackQueue { [runtime] in
            guard let activity = runtime.activity(id), activity.snapshot.isSavable else { return collected.finish() }
            ActivitySaver(runtime: runtime, payloadLimit: 0).bringUpToDate(activity) { state in
                runtime.withSaved { $0.collected(id) }
                collected.yield(state)
                collected.finish()
            }
        }
        for await state in states where state.isSavable {
            return .with {
                $0.sessionID = sessionID
                $0.payload = state.savedPayload
                $0.search = state.isEligibleForSearch
                $0.prediction = state.isEligibleForPrediction
                $0.publicIndexing =
                    state.isEligibleForPublicIndexing
                    && (state.requiredUserInfoKeys != nil || state.webpageURL != nil)
            }
        }
        try Task.checkCancellation()
        return nil
    }
}
