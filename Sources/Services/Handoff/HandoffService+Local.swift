package import BatonCore
package import BatonTransport
package import BatonWire
import SwiftProtobuf
import Synchronization

/// What an app had saved is opened on this device.
extension HandoffService {
    /// What the service keeps of ``LocalContinuations``.
    struct LocalTraffic: Sendable {
        var machine: LocalContinuations
        var waiters: [AcceptanceID: CheckedContinuation<Bool, any Error>] = [:]

        init(configuration: HandoffConfiguration) { machine = LocalContinuations(configuration: configuration) }
    }

    /// Lets an app continue an activity here, launching it if need be.
    ///
    /// - Parameter payload: checked before.
    /// - Returns: whether the app said that it handled the activity.
    /// - Throws: `failed_precondition` for an app that runs but cannot continue activities, what launching it threw,
    ///   `aborted` when it ended, `deadline_exceeded`.
    package func open(_ payload: Baton_Value_V1_ActivityPayload, with app: AppIdentity) async throws -> Bool {
        let type = try ActivityType(validating: payload.description_p.activityType)
        let acceptance = AcceptanceID.random()
        record(
            "opened", "A saved activity is opened.", acceptance,
            ["bundle_id": app.bundleID.rawValue, "activity_type": type.rawValue])
        return try await withCheckedThrowingContinuation { continuation in
            state.withLock { state in
                let session = state.machine.continuingSession(of: app)
                guard session != nil || !state.machine.isAttached(app) else {
                    return continuation.resume(
                        throwing: BatonError(
                            .failedPrecondition, reason: "app_cannot_continue",
                            "The app runs here without an app delegate, so it cannot take the activity. Quit it "
                                + "(“baton quit”), then open it again."))
                }
                state.local.waiters[acceptance] = continuation
                do {
                    let actions = try state.local.machine.open(
                        acceptance, app, type, payload, session: session, now: now)
                    perform(actions, &state)
                    rearm(&state)
                } catch {
                    state.local.waiters.removeValue(forKey: acceptance)?.resume(throwing: error)
                }
            }
        }
    }

    /// - Throws: `not_found`, or `permission_denied` for a session of another process.
    package func app(of sessionID: String, process: PeerProcess) throws -> AppIdentity {
        let session = try own(sessionID, process)
        guard let app = state.withLock({ $0.sessions[session]?.app.identity }) else {
            throw HandoffStateMachine.unknownSession
        }
        return app
    }

    /// - Throws: `invalid_argument` with the field that breaks its rule.
    package static func check(_ description: Baton_Value_V1_ActivityDescription) throws {
        _ = try ActivityDescription(description)
    }

    func perform(_ actions: [LocalContinuations.Action], _ state: inout State) {
        for action in actions {
            switch action {
            case .launch(let acceptance, let app, let type):
                enqueue([.launchLocally(acceptance, app, for: type)], &state)
            case .willContinue(let acceptance, let session, let type):
                let name = deviceName()
                send(to: session, .notice, &state) {
                    $0.willContinue = .with {
                        $0.acceptanceID = acceptance.rawValue
                        $0.activityType = type.rawValue
                        $0.originDevice = name
                    }
                }
            case .deliver(let acceptance, let session, let payload):
                send(to: session, .open(acceptance), &state) {
                    $0.continueActivity = .with {
                        $0.acceptanceID = acceptance.rawValue
                        $0.payload = payload
                    }
                }
            case .didFail(let acceptance, let session, let type, let failure):
                send(to: session, .notice, &state) {
                    $0.didFail = .with {
                        $0.acceptanceID = acceptance.rawValue
                        $0.activityType = type.rawValue
                        $0.error = .init(failure)
                    }
                }
            case .finished(let acceptance, let result):
                state.local.waiters.removeValue(forKey: acceptance)?.resume(with: result.mapError { $0 as any Error })
            }
        }
    }

    /// A process of an app has attached: what waits for it is delivered.
    func localAttached(_ session: SessionID, _ state: inout State) {
        guard let entry = state.machine.sessions[session], entry.canContinue else { return }
        perform(state.local.machine.attached(session, of: entry.app.identity, now: now), &state)
    }

    func launchLocally(_ acceptance: AcceptanceID, _ app: AppIdentity, for type: ActivityType) async {
        do {
            let (process, wasRunning) = try await apps.launch(app, for: type)
            state.withLock {
                perform($0.local.machine.launched(acceptance, process: process, wasRunning: wasRunning), &$0)
            }
        } catch {
            let error =
                error as? BatonError
                ?? BatonError(.aborted, reason: "launch_failed", "The app could not be started.", cause: error)
            state.withLock { perform($0.local.machine.launchFailed(acceptance, error), &$0) }
        }
    }
}
