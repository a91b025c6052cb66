import AppLink
import BatonCore
import BatonWire
import SwiftProtobuf
import Synchronization

/// The app's donations and deletions, one after the other in the order in which they were called: what is deleted after a
/// donation stays deleted.
final class DonationQueue: Sendable {
    private struct State {
        var last: Task<Void, Never>?
        var waiting = 0
    }

    /// Bound; a call beyond it fails at once.
    private static let maximumWaiting = 1024
    private let state = Mutex(State())

    /// - Parameter code: of the error for what does not succeed.
    func perform(
        _ runtime: AppRuntime, failing code: INIntentError.Code, _ completion: (@Sendable ((any Error)?) -> Void)?,
        _ body: @escaping @Sendable (AppRuntime) async throws -> Void
    ) {
        let isFull = state.withLock { state in
            guard state.waiting < Self.maximumWaiting else { return true }
            state.waiting += 1
            let previous = state.last
            // Ends with the deadlines of its call and of those before it; the chain holds its last member alone.
            state.last = Task { [self] in
                await previous?.value
                let error = await Self.error(code) { try await body(runtime) }
                finished()
                runtime.onCallbackQueue { completion?(error) }
            }
            return false
        }
        guard isFull else { return }
        runtime.onCallbackQueue {
            completion?(INIntentError(code, "\(Self.maximumWaiting) donations wait already. Donate less often."))
        }
    }

    private func finished() { state.withLock { $0.waiting -= 1 } }

    private static func error(
        _ code: INIntentError.Code, _ body: @Sendable () async throws -> Void
    ) async -> INIntentError? {
        do {
            try await body()
            return nil
        } catch {
            return INIntentError(code, (error as? BatonError)?.message ?? "The daemon did not answer: \(error)")
        }
    }
}

extension AppRuntime {
    private static let donationTimeout = Duration.seconds(10)

    func donate(_ interaction: Baton_Value_V1_Interaction, isInFront: Bool) async throws {
        _ = try await link.call(
            IntentMethods.donateInteraction,
            .with {
                $0.interaction = interaction
                $0.inFront = isInFront
            }, timeout: Self.donationTimeout)
    }

    func deleteInteractions(_ which: Baton_App_V1_DeleteInteractionsRequest.OneOf_Which) async throws {
        _ = try await link.call(
            IntentMethods.deleteInteractions,
            .with {
                $0.which = which
            }, timeout: Self.donationTimeout)
    }

    func offer(
        _ list: Baton_App_V1_OfferShortcutsRequest.List, _ shortcuts: [Baton_App_V1_OfferedShortcut],
        modes: [Int32: Int32] = [:]
    ) async throws {
        _ = try await link.call(
            IntentMethods.offerShortcuts,
            .with {
                $0.list = list
                $0.shortcuts = shortcuts
                $0.predictionModes = modes
            }, timeout: Self.donationTimeout)
    }
}
