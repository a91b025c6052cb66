import AppLink
import BatonCore
import BatonWire
import SwiftProtobuf

/// Calls the app delegate in Apple's order when an activity of another device is continued here (H-66, H-67), at most
/// once per acceptance.
@MainActor
final class ContinuationCoordinator {
    private unowned let runtime: AppRuntime
    private var ledger = AcceptanceLedger()

    init(runtime: AppRuntime) { self.runtime = runtime }

    func willContinue(_ message: Baton_App_V1_WillContinueActivity) -> Baton_App_V1_WillContinueResult {
        let answer = ledger.willContinue(message.acceptanceID) ?? askWillContinue(message)
        return .with {
            $0.showsProgress = answer.showsProgress
            $0.implemented = answer.isImplemented
        }
    }

    private func askWillContinue(_ message: Baton_App_V1_WillContinueActivity) -> AcceptanceLedger.WillContinue {
        let isTaken = runtime.host?.tookAtLaunch(message.acceptanceID) ?? false
        let result = isTaken ? true : runtime.host?.willContinue(type: message.activityType)
        let answer = AcceptanceLedger.WillContinue(
            activityType: message.activityType, showsProgress: result ?? false, isImplemented: result != nil)
        ledger.note(answer, for: message.acceptanceID)
        return answer
    }

    func continueActivity(
        _ message: Baton_App_V1_ContinueActivity, sessionID: String = ""
    ) -> AttachedCommand.Result {
        switch ledger.outcome(message.acceptanceID) {
        case .continued(let isHandled): return .continued(.with { $0.handled = isHandled })
        case .failed: return .error(.handoffFailed("The app was already notified that this continuation failed."))
        case nil: break
        }
        if runtime.host?.tookAtLaunch(message.acceptanceID) == true {
            ledger.note(.continued(isHandled: true), for: message.acceptanceID)
            return .continued(.with { $0.handled = true })
        }
        let activity: NSUserActivity
        do {
            var state = try UserActivityState(received: message.payload, id: .random())
            if message.hasInteraction { state.interaction = INInteraction(message.interaction) }
            activity = NSUserActivity(
                state: state, runtime: runtime,
                receipt: ContinuationReceipt(sessionID: sessionID, acceptanceID: message.acceptanceID))
        } catch {
            // The app knows that something comes, and must hear that it does not.
            let failure = Baton_Value_V1_ActivityError.handoffFailed(error.message)
            _ = didFail(
                .with {
                    $0.acceptanceID = message.acceptanceID
                    $0.activityType =
                        ledger.activityType(message.acceptanceID) ?? message.payload.description_p.activityType
                    $0.error = failure
                })
            return .error(failure)
        }
        // Before the call: if the app runs the main queue inside of it, a repeated command must not reach it again.
        ledger.note(.continued(isHandled: false), for: message.acceptanceID)
        // A document that the app does not continue itself its framework opens (H-62, H-73).
        let isHandled =
            runtime.host.map { $0.continueActivity(activity) == true || $0.continueDocument(activity) } ?? false
        ledger.note(.continued(isHandled: isHandled), for: message.acceptanceID)
        return .continued(.with { $0.handled = isHandled })
    }

    /// - Returns: whether the app hears of failures, so that the system need not inform the person.
    func didFail(_ message: Baton_App_V1_DidFailToContinue) -> Baton_App_V1_DidFailResult {
        switch ledger.outcome(message.acceptanceID) {
        case .failed(let isImplemented): return .with { $0.implemented = isImplemented }
        // The app has the activity, and knows what became of it.
        case .continued(let isHandled): return .with { $0.implemented = isHandled }
        case nil: break
        }
        // Before the call, as above.
        ledger.note(.failed(isImplemented: true), for: message.acceptanceID)
        let isImplemented =
            runtime.host?.didFail(type: message.activityType, error: message.error.cocoaError) ?? false
        ledger.note(.failed(isImplemented: isImplemented), for: message.acceptanceID)
        return .with { $0.implemented = isImplemented }
    }
}
