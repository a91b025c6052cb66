import AppSessions
import BatonConcurrency
import BatonCore
import BatonTransport

/// Calls from apps, and commands to them.
extension HandoffService {
    // MARK: Sessions

    /// A process attached, with the activities that it has.
    /// - Throws: `already_exists` and `resource_exhausted` for activities that cannot be.
    func attached(
        _ session: SessionID, _ app: ContinuationApp, canContinue: Bool, activities: [HandoffInput.Announced]
    ) throws(BatonError) {
        try driver.input(.attached(session, app, canContinue: canContinue, activities: activities))
    }

    func detached(_ session: SessionID) {
        note(.detached(session))
        streams.input(.sessionEnded(session))
    }

    func appEnded(_ app: AppIdentity, process: Int32, message: String) {
        note(.appEnded(app, process: process, message: message))
    }

    /// Each attached app as it can continue activities here, and its process.
    package var attachedApps: [(app: ContinuationApp, process: Int32)] {
        driver.read(\.attachedApps).compactMap { session, app in
            sessions.session(session).map { (app, $0.process.processID) }
        }
    }

    // MARK: Activities

    func update(_ activity: ActivityDescription, of session: SessionID, makeCurrent: Bool) throws(BatonError) {
        try driver.input(.updated(session, activity, makeCurrent: makeCurrent))
    }

    func resign(_ activity: ActivityID, of session: SessionID) throws(BatonError) {
        try driver.input(.resigned(session, activity))
    }

    func invalidate(_ activity: ActivityID, of session: SessionID) throws(BatonError) {
        try driver.input(.invalidated(session, activity))
    }

    // MARK: Commands and their answers

    func askToSave(_ acceptance: AcceptanceID, _ session: SessionID, _ activity: ActivityID) {
        commands.save(activity, acceptance, session) { [weak self] result, size in
            self?.note(.saved(acceptance, result, size: size))
        }
    }

    func willContinue(_ acceptance: AcceptanceID, _ session: SessionID, _ type: ActivityType, from origin: DeviceID) {
        commands.willContinue(acceptance, type, from: devices.name(of: origin), session) { [weak self] isShown in
            self?.newsBroadcast.send(.willContinueAnswered(acceptance, showsProgress: isShown))
        }
    }

    func deliver(_ acceptance: AcceptanceID, _ session: SessionID, _ payload: ActivityPayload) {
        commands.deliver(payload, acceptance, session) { [weak self] isHandled in
            self?.note(.continueAnswered(acceptance, by: session, handled: isHandled))
        }
    }

    func didFail(
        _ acceptance: AcceptanceID, _ session: SessionID, _ type: ActivityType, _ failure: ActivityFailure
    ) {
        commands.didFail(acceptance, type, failure, session) { [weak self] isShown in
            self?.newsBroadcast.send(.failureAnswered(acceptance, isShown: isShown))
        }
    }

    func wasContinued(_ session: SessionID, _ activity: ActivityID, by device: DeviceID) {
        let name = devices.name(of: device)
        commands.wasContinued(activity, by: name, session)
        recorder.record(
            "handoff", "was_continued", "The activity was continued on \(name).",
            ["activity_id": activity.rawValue, "device_id": device.rawValue])
    }
}
