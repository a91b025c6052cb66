package import BatonConcurrency
package import BatonCore
package import BatonTransport
package import BatonWire
import ServiceLifecycle
import SwiftProtobuf
import Synchronization

/// The attached processes of this device's apps: their identity, their commands, and their answers.
///
/// Each session has one queue of commands. They reach the app in the order in which they were sent, and each is answered
/// once, or has ended with its session. Nothing is kept on the disk: after a crash of the daemon apps attach again.
package final class AppSessions: Service {
    private struct Attachment {
        var session: AppSession
        var commands: AsyncStream<QueuedCommand>.Continuation
        var pending: [UInt64: ReplyHandler] = [:]
        var lastCommand: UInt64 = 0

        /// - Returns: false where there is no room; the reply is not kept then.
        mutating func queue(_ command: AppCommand, _ reply: @escaping ReplyHandler, maximum: Int) -> Bool {
            guard pending.count < maximum else { return false }
            lastCommand += 1
            let queued = QueuedCommand(number: lastCommand, command: command)
            guard case .enqueued = commands.yield(queued) else { return false }
            pending[lastCommand] = reply
            return true
        }
    }

    private struct State {
        var attachments: [SessionID: Attachment] = [:]
        var participants: [any AppSessionParticipant] = []
        var greetings: [Greeting] = []
    }

    /// Adds a capability's part of the greeting for a process that attaches. Must not block.
    package typealias Greeting = @Sendable (inout Baton_App_V1_Attached) -> Void

    /// Called once, outside of every lock.
    package typealias ReplyHandler = @Sendable (AppReply) -> Void

    /// A command with its number, waiting to be sent to the app.
    package struct QueuedCommand: Sendable {
        package var number: UInt64
        package var command: AppCommand
    }

    private let state = Mutex(State())
    /// Held while participants hear that a session began or ended, so that all hear it in one order.
    private let order = Mutex(())
    private let apps: any AppSessionApps
    package let configuration: AppSessionsConfiguration
    package let deviceName: @Sendable () -> String
    private let recorder: any EventRecorder
    let deliveries: StateMachineDriver<DeliveryStateMachine>
    /// Bounded by the machine.
    let pendingDeliveries = Mutex<[DeliveryID: PendingDelivery]>([:])

    package init(
        apps: any AppSessionApps, configuration: AppSessionsConfiguration = .init(),
        deviceName: @escaping @Sendable () -> String, recorder: any EventRecorder, clock: MomentClock? = nil
    ) {
        self.apps = apps
        self.configuration = configuration
        self.deviceName = deviceName
        self.recorder = recorder
        deliveries = StateMachineDriver(
            DeliveryStateMachine(configuration: configuration), clock: clock ?? MomentClock(wall: .system))
        deliveries.connect { [weak self] action in self?.perform(action) }
    }

    /// Registers a participant that hears of every session. Call it before the planes open.
    package func register(_ participant: any AppSessionParticipant) {
        state.withLock { $0.participants.append(participant) }
    }

    /// Registers a capability's part of the greeting for each process that attaches. Call it before the planes open.
    package func greet(_ greeting: @escaping Greeting) {
        state.withLock { $0.greetings.append(greeting) }
    }

    /// The greeting of a process that has attached.
    func greeting(of session: AppSession) -> Baton_App_V1_Attached {
        var attached = Baton_App_V1_Attached.with {
            $0.sessionID = session.id.rawValue
            $0.app = .init(session.app.identity)
            $0.protocolVersion = ConnectProtocol.version
            $0.deviceName = deviceName()
        }
        for greeting in state.withLock({ $0.greetings }) { greeting(&attached) }
        return attached
    }

    package func run() async throws {
        try await deliveries.run()
        endDeliveries()
        let attachments = state.withLock { Array($0.attachments.values) }
        for attachment in attachments { attachment.commands.finish() }
    }

    // MARK: Identity

    /// Says which app a process is, which calls or attaches.
    /// - Parameters:
    ///   - claim: what the process says of itself; its identifier is trusted only for a process that no installed app is
    ///     behind.
    /// - Throws: `failed_precondition` for a library of another protocol version, `permission_denied` for a process that
    ///   changed its program or that an app has started to speak as another, `invalid_argument` for an invalid name.
    package func admit(_ process: PeerProcess, claiming claim: AppClaim) throws(BatonError) -> AdmittedCaller {
        try process.checkUnchanged()
        let served = ConnectProtocol.oldestVersion...ConnectProtocol.version
        guard served.contains(claim.protocolVersion) else {
            throw BatonError(
                .failedPrecondition, reason: "protocol_version",
                "The app's Baton library speaks protocol \(claim.protocolVersion); this daemon speaks \(served.lowerBound) to "
                    + "\(served.upperBound). Update the older of the two.")
        }
        if let app = try apps.installedApp(of: process, claiming: claim.bundleID) {
            return AdmittedCaller(process: process, identity: app.identity, name: app.name, isInstalled: true)
        }
        let bundleID = try BundleID(validating: claim.bundleID)
        return AdmittedCaller(
            process: process, identity: AppIdentity(bundleID: bundleID, team: .development), name: bundleID.rawValue,
            isInstalled: false)
    }

    /// A session answers to its own process, and to the app that it was made for.
    /// - Throws: `not_found` for a session that is not attached, `permission_denied` for another process's or app's.
    package func session(_ text: String, of caller: AdmittedCaller) throws(BatonError) -> AppSession {
        let session = try session(text, of: caller.process)
        try caller.check(speaksFor: session.app.identity)
        return session
    }

    /// A session answers to its own process only: another one that learned its identifier gets nowhere.
    /// - Throws: `not_found` for a session that is not attached, `permission_denied` for another process's.
    package func session(_ text: String, of process: PeerProcess) throws(BatonError) -> AppSession {
        let id = try SessionID(validating: text)
        guard let session = session(id) else { throw Self.unknownSession }
        guard session.process.isSame(as: process) else {
            throw BatonError(.permissionDenied, reason: "other_process", "The session belongs to another process.")
        }
        return session
    }

    package func session(_ id: SessionID) -> AppSession? { state.withLock { $0.attachments[id]?.session } }

    package var sessions: [AppSession] { state.withLock { $0.attachments.values.map(\.session) } }

    package static var unknownSession: BatonError {
        BatonError(.notFound, reason: "unknown_session", "The app is not attached. Attach again.")
    }

    // MARK: Attaching

    /// - Returns: the session, and the commands for the app.
    /// - Throws: `resource_exhausted`, and what a participant refuses.
    package func attach(
        _ attachment: AppAttachment, by caller: AdmittedCaller
    ) throws -> (AppSession, AsyncStream<QueuedCommand>) {
        let (app, process) = (caller.named(attachment.displayName).app, caller.process)
        let session = AppSession(id: .random(), process: process, app: app, takesDeliveries: attachment.takesDeliveries)
        let (stream, commands) = AsyncStream.makeStream(
            of: QueuedCommand.self, bufferingPolicy: .bufferingOldest(configuration.maximumCommands))
        try order.withLock { _ in
            let former = try insert(Attachment(session: session, commands: commands))
            for former in former { end(former) }
            do {
                try tell(session, attachment)
            } catch {
                if let failed = state.withLock({ $0.attachments.removeValue(forKey: session.id) }) { end(failed) }
                throw error
            }
        }
        apps.noteRunning(app.identity, process: process)
        record("app_attached", "\(app.name) attached.", session)
        return (session, stream)
    }

    /// - Returns: the sessions that this one replaces: a process that attaches again, e.g. after its connection broke, may
    ///   do so before the end of the old connection was noticed.
    private func insert(_ attachment: Attachment) throws(BatonError) -> [Attachment] {
        let session = attachment.session
        return try state.withLock { state throws(BatonError) in
            let own = state.attachments.values.filter { $0.session.process.isSame(as: session.process) }
            let former = own.filter { $0.session.app.identity == session.app.identity }
            guard own.count - former.count < configuration.maximumPerProcess else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_attachments",
                    "Process \(session.process.processID) is attached \(own.count) times already. An app attaches once."
                )
            }
            let ofApp = state.attachments.values.count { $0.session.app.identity == session.app.identity }
            guard ofApp - former.count < configuration.maximumPerApp else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_attachments",
                    "\(ofApp) processes of \(session.app.identity.bundleID) are attached already. Let some end.")
            }
            guard state.attachments.count - former.count < configuration.maximumSessions else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_apps",
                    "More than \(configuration.maximumSessions) apps are attached. Quit some.")
            }
            for former in former { state.attachments[former.session.id] = nil }
            state.attachments[session.id] = attachment
            return former
        }
    }

    private func tell(_ session: AppSession, _ attachment: AppAttachment) throws {
        for participant in state.withLock({ $0.participants }) { try participant.attached(session, attachment) }
        decide(.attached(session.id, session.app.identity, takesDeliveries: session.takesDeliveries))
    }

    /// The process ended, or its connection broke.
    package func detach(_ id: SessionID) {
        let gone = order.withLock { _ in
            let gone = state.withLock { $0.attachments.removeValue(forKey: id) }
            if let gone { end(gone) }
            return gone?.session
        }
        guard let gone else { return }
        apps.noteEnded(gone.app.identity, process: gone.process)
        record("app_detached", "\(gone.app.name) is no longer attached.", gone)
    }

    /// A session that has left the table ends for everybody else too.
    private func end(_ attachment: Attachment) {
        for (_, reply) in attachment.pending.sorted(by: { $0.key < $1.key }) { reply(.ended) }
        for participant in state.withLock({ $0.participants }) { participant.detached(attachment.session) }
        decide(.detached(attachment.session.id))
        attachment.commands.finish()
    }

    /// A process of an app ended, however it had been started.
    package func processEnded(_ app: AppIdentity, process: Int32, message: String) {
        for participant in state.withLock({ $0.participants }) {
            participant.processEnded(app, process: process, message: message)
        }
        decide(.processEnded(app, process: process, message: message))
    }

    private func record(_ event: String, _ message: String, _ session: AppSession) {
        recorder.record(
            "apps", event, message,
            [
                "bundle_id": session.app.identity.bundleID.rawValue, "process_id": "\(session.process.processID)",
            ])
    }

    // MARK: Commands

    /// Queues a command for an app. Does not block.
    /// - Parameter reply: is given the app's answer, or that it ended before it answered.
    package func send(_ command: AppCommand, to id: SessionID, reply: @escaping ReplyHandler = { _ in }) {
        // In place, since a copy would copy all that waits; under the lock, which keeps the order.
        let isQueued = state.withLock {
            $0.attachments[id]?.queue(command, reply, maximum: configuration.maximumCommands)
        }
        guard isQueued != true else { return }
        // The app takes nothing: its attachment ends, and with it everything that waits for the app. Not here: the caller
        // may be handling the start of a session just now.
        if isQueued == false { deliveries.start { [weak self] in self?.detach(id) } }
        reply(.ended)
    }

    /// - Throws: `not_found` for a command that was answered already, or never given.
    package func complete(_ number: UInt64, of session: SessionID, _ answer: AppAnswer) throws(BatonError) {
        guard let reply = state.withLock({ $0.attachments[session]?.pending.removeValue(forKey: number) }) else {
            throw BatonError(.notFound, reason: "unknown_command", "The command was answered already, or never given.")
        }
        reply(.answered(answer))
    }

    // MARK: Launching

    /// Starts an app, or does nothing when it runs.
    package func launch(
        _ app: AppIdentity, environment: [String: String]
    ) async throws -> (processID: Int32, wasRunning: Bool) {
        try await apps.launch(app, environment: environment)
    }
}
