package import BatonCore
package import BatonTransport
package import BatonWire
import Foundation
import NIOCore
import SwiftProtobuf
import Synchronization

/// One attached process, as the service knows it.
struct AppSession: Sendable {
    /// What a command was about, until the app has answered it.
    enum Pending: Sendable {
        case save(AcceptanceID)
        case willContinue(AcceptanceID)
        case deliver(AcceptanceID)
        /// Of ``LocalContinuations``.
        case open(AcceptanceID)
        case takeStream(StreamID)
        case didFail(AcceptanceID)
        case notice
    }

    /// An app that lets this many commands lie is taken for hung, and its attachment ended.
    static let maximumCommands = 1024
    /// Of one process, under as many names; it needs one. Policy: more are refused, so that no process takes the others' places.
    static let maximumPerProcess = 16

    var process: PeerProcess
    var app: ContinuationApp
    var commands: AsyncStream<Baton_App_V1_AppCommand>.Continuation
    var pending: [UInt64: Pending] = [:]
    var lastCommand: UInt64 = 0
}

/// What apps ask and answer.
extension HandoffService {
    /// - Returns: the session, and the commands for the app, the first being `attached`.
    /// - Throws: `failed_precondition` for a library of another protocol version, `invalid_argument` for identifiers
    ///   or activities that break their rules, `resource_exhausted`.
    package func attach(
        _ request: Baton_App_V1_AttachRequest, process: PeerProcess
    ) throws -> (SessionID, AsyncStream<Baton_App_V1_AppCommand>) {
        guard (ConnectProtocol.oldestVersion...ConnectProtocol.version).contains(request.protocolVersion) else {
            throw BatonError(
                .failedPrecondition, reason: "protocol_version",
                "The app's Baton library speaks protocol \(request.protocolVersion); this daemon speaks "
                    + "\(ConnectProtocol.oldestVersion) to \(ConnectProtocol.version). Update the older of the two.")
        }
        let app = try apps.installedApp(of: process) ?? Self.developmentApp(request)
        let session = SessionID.random()
        let activities = try request.activities.map {
            let description = try ActivityDescription($0.activity)
            notePage($0.activity, description)
            return (description, $0.makeCurrent)
        }
        let (stream, commands) = AsyncStream.makeStream(
            of: Baton_App_V1_AppCommand.self, bufferingPolicy: .bufferingOldest(AppSession.maximumCommands))
        commands.yield(
            .with {
                $0.attached = .with {
                    $0.sessionID = session.rawValue
                    $0.app = .init(app.identity)
                    $0.protocolVersion = ConnectProtocol.version
                    $0.payloadLimit = UInt64(configuration.payloadLimit)
                    $0.deviceName = deviceName()
                }
            })
        let former = try state.withLock { state in
            let own = state.sessions.filter { $0.value.process.isSame(as: process) }
            // A process that attaches again, e.g. after its connection broke, may do so before the end of the old
            // connection was noticed.
            let former = own.filter { $0.value.app.identity == app.identity }
            guard own.count - former.count < AppSession.maximumPerProcess else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_attachments",
                    "Process \(process.processID) is attached \(own.count) times already. An app attaches once.")
            }
            state.sessions[session] = AppSession(process: process, app: app, commands: commands)
            for (old, session) in former {
                state.sessions[old] = nil
                giveUp(session, &state)
                enqueue(state.machine.detach(old, now: now, wall: wall), &state)
                perform(state.local.machine.detached(old), &state)
                close(state.streams.machine.sessionEnded(old), &state)
            }
            do {
                var actions = try state.machine.attach(
                    session, app: app, canContinue: request.canContinue, now: now, wall: wall)
                for (description, isCurrent) in activities {
                    actions += try state.machine.update(session, description, makeCurrent: isCurrent, wall: wall)
                }
                enqueue(actions, &state)
                localAttached(session, &state)
                rearm(&state)
                return former.values.map(\.commands)
            } catch {
                // What was done for the attachment is undone; one that it replaced is over all the same.
                enqueue(state.machine.detach(session, now: now, wall: wall), &state)
                state.sessions[session] = nil
                for old in former.values { old.commands.finish() }
                throw error
            }
        }
        for commands in former { commands.finish() }
        apps.noteRunning(app.identity, process: process)
        recorder.record(
            "handoff", "app_attached", "\(app.name) attached.",
            ["bundle_id": app.identity.bundleID.rawValue, "process_id": "\(process.processID)"])
        return (session, stream)
    }

    package func detach(_ session: SessionID) {
        let gone = state.withLock { state -> AppSession? in
            guard let gone = state.sessions.removeValue(forKey: session) else { return nil }
            giveUp(gone, &state)
            enqueue(state.machine.detach(session, now: now, wall: wall), &state)
            close(state.streams.machine.sessionEnded(session), &state)
            perform(state.local.machine.detached(session), &state)
            rearm(&state)
            return gone
        }
        guard let gone else { return }
        gone.commands.finish()
        apps.noteEnded(gone.app.identity, process: gone.process)
        recorder.record(
            "handoff", "app_detached", "\(gone.app.name) is no longer attached.",
            ["bundle_id": gone.app.identity.bundleID.rawValue, "process_id": "\(gone.process.processID)"])
    }

    /// An unsigned program: an app of the development team, named by itself.
    private static func developmentApp(_ request: Baton_App_V1_AttachRequest) throws -> ContinuationApp {
        guard request.activityTypes.count <= 256 else {
            throw BatonError(
                .invalidArgument, reason: "too_many_types", "An app can declare at most 256 activity types.")
        }
        return ContinuationApp(
            identity: AppIdentity(bundleID: try BundleID(validating: request.bundleID), team: .development),
            name: request.displayName.isEmpty ? request.bundleID : String(request.displayName.prefix(100)),
            activityTypes: Set(try request.activityTypes.map { try ActivityType(validating: $0) }),
            version: AppVersion(request.bundleVersion), versionText: String(request.bundleVersion.prefix(100)))
    }

    package func updateActivity(_ request: Baton_App_V1_UpdateActivityRequest, process: PeerProcess) throws {
        let session = try own(request.sessionID, process)
        let description = try ActivityDescription(request.activity)
        notePage(request.activity, description)
        var becameCurrent = false
        try input { machine throws(BatonError) in
            let wasCurrent = machine.isCurrent(description.id, in: session)
            let actions = try machine.update(session, description, makeCurrent: request.makeCurrent, wall: wall)
            becameCurrent = !wasCurrent && machine.isCurrent(description.id, in: session)
            return actions
        }
        if becameCurrent {
            recorder.record(
                "handoff", "became_current", "An activity became current.",
                ["activity_id": description.id.rawValue, "activity_type": description.type.rawValue])
        }
    }

    /// The rest of an activity is of use without a page that cannot be opened elsewhere; whoever wonders finds why.
    private func notePage(_ message: Baton_Value_V1_ActivityDescription, _ description: ActivityDescription) {
        guard message.hasWebpageURL, description.webpageURL == nil else { return }
        do throws(BatonError) {
            _ = try WebPage(message.webpageURL)
        } catch {
            recorder.record(
                "handoff", "page_ignored", "The activity is offered without its webpageURL. \(error.message)",
                ["activity_id": description.id.rawValue, "activity_type": description.type.rawValue])
        }
    }

    package func resignActivity(_ request: Baton_App_V1_ResignActivityRequest, process: PeerProcess) throws {
        let session = try own(request.sessionID, process)
        let activity = try ActivityID(validating: request.activityID)
        try input { machine throws(BatonError) in try machine.resign(session, activity, wall: wall) }
    }

    package func invalidateActivity(_ request: Baton_App_V1_InvalidateActivityRequest, process: PeerProcess) throws {
        let session = try own(request.sessionID, process)
        let activity = try ActivityID(validating: request.activityID)
        try input { machine throws(BatonError) in try machine.invalidate(session, activity, wall: wall) }
    }

    /// A session answers to its own process only: another one that learned its identifier gets nowhere.
    func own(_ text: String, _ process: PeerProcess) throws(BatonError) -> SessionID {
        let session = try SessionID(validating: text)
        let owner = state.withLock { $0.sessions[session]?.process }
        guard let owner else { throw HandoffStateMachine.unknownSession }
        guard owner.isSame(as: process) else {
            throw BatonError(
                .permissionDenied, reason: "other_process", "The session belongs to another process.")
        }
        return session
    }

    // MARK: Commands and their answers

    func tell(_ action: HandoffAction, _ state: inout State) {
        switch action {
        case .askToSave(let acceptance, let session, let activity):
            send(to: session, .save(acceptance), &state) {
                $0.saveActivity = .with {
                    $0.activityID = activity.rawValue
                    $0.acceptanceID = acceptance.rawValue
                }
            }
            record("save_requested", "The app was asked for its activity.", acceptance)
        case .willContinue(let acceptance, let session, let type, let origin):
            let name = peers.name(of: origin)
            send(to: session, .willContinue(acceptance), &state) {
                $0.willContinue = .with {
                    $0.acceptanceID = acceptance.rawValue
                    $0.activityType = type.rawValue
                    $0.originDevice = name
                }
            }
        case .deliver(let acceptance, let session, let payload):
            send(to: session, .deliver(acceptance), &state) {
                $0.continueActivity = .with {
                    $0.acceptanceID = acceptance.rawValue
                    $0.payload = payload
                }
            }
            record("delivered", "The activity was delivered to the app.", acceptance)
        case .didFail(let acceptance, let session, let type, let failure):
            news(.failureTold(acceptance), &state)
            send(to: session, .didFail(acceptance), &state) {
                $0.didFail = .with {
                    $0.acceptanceID = acceptance.rawValue
                    $0.activityType = type.rawValue
                    $0.error = .init(failure)
                }
            }
        case .wasContinued(let session, let activity, let device):
            let name = peers.name(of: device)
            send(to: session, .notice, &state) {
                $0.wasContinued = .with {
                    $0.activityID = activity.rawValue
                    $0.device = name
                }
            }
            recorder.record(
                "handoff", "was_continued", "The activity was continued on \(name).",
                ["activity_id": activity.rawValue, "device_id": device.rawValue])
        default:
            break
        }
    }

    func askForStream(_ stream: StreamID, _ activity: ActivityID, _ session: SessionID, _ state: inout State) {
        send(to: session, .takeStream(stream), &state) {
            $0.receiveStream = .with {
                $0.activityID = activity.rawValue
                $0.streamID = stream.rawValue
            }
        }
    }

    func send(
        to id: SessionID, _ pending: AppSession.Pending, _ state: inout State,
        _ populate: (inout Baton_App_V1_AppCommand) -> Void
    ) {
        guard var session = state.sessions[id] else { return }
        session.lastCommand += 1
        var command = Baton_App_V1_AppCommand()
        command.commandID = session.lastCommand
        populate(&command)
        session.pending[session.lastCommand] = pending
        state.sessions[id] = session
        if case .enqueued = session.commands.yield(command) { return }
        // The app takes nothing: its attachment ends, and with it everything that waits for the app. Not here, since the
        // lock is held and more may be to tell.
        eventLoop.execute { [weak self] in self?.detach(id) }
    }

    /// - Throws: `not_found` for a command that was answered already, or never given.
    package func completeCommand(_ request: Baton_App_V1_CompleteCommandRequest, process: PeerProcess) throws {
        let session = try own(request.sessionID, process)
        try state.withLock { state in
            guard let pending = state.sessions[session]?.pending.removeValue(forKey: request.commandID) else {
                throw BatonError(
                    .notFound, reason: "unknown_command", "The command was answered already, or never given.")
            }
            switch pending {
            case .save(let acceptance):
                let (result, size) = try Self.saveResult(request)
                enqueue(state.machine.saved(acceptance, result, size: size, now: now), &state)
            case .deliver(let acceptance):
                let isHandled = if case .continued(let answer) = request.result { answer.handled } else { false }
                enqueue(
                    state.machine.continueAnswered(acceptance, by: session, handled: isHandled, now: now), &state)
            case .open(let acceptance):
                let isHandled = if case .continued(let answer) = request.result { answer.handled } else { false }
                perform(state.local.machine.answered(acceptance, by: session, isHandled: isHandled), &state)
            case .takeStream(let stream):
                // The answer that it takes the pair says nothing new: it comes for it.
                if case .error(let error) = request.result {
                    close(state.streams.machine.declined(stream, message: error.message), &state)
                }
            case .willContinue(let acceptance):
                let isShown = if case .willContinue(let answer) = request.result { answer.showsProgress } else { false }
                news(.willContinueAnswered(acceptance, showsProgress: isShown), &state)
            case .didFail(let acceptance):
                let isShown = if case .didFail(let answer) = request.result { answer.implemented } else { false }
                news(.failureAnswered(acceptance, isShown: isShown), &state)
            case .notice:
                break
            }
            rearm(&state)
        }
    }

    private static func saveResult(
        _ request: Baton_App_V1_CompleteCommandRequest
    ) throws -> (Result<Baton_Value_V1_ActivityPayload, ActivityFailure>, Int) {
        switch request.result {
        case .payload(let payload):
            return (.success(payload), (try payload.serializedBytes() as [UInt8]).count)
        case .error(let error):
            return (.failure(ActivityFailure(error)), 0)
        default:
            return (.failure(.init(.handoffFailed, "The app on the other device did not send the activity.")), 0)
        }
    }

    func record(_ event: String, _ message: String, _ acceptance: AcceptanceID, _ fields: [String: String] = [:]) {
        var fields = fields
        fields["acceptance_id"] = acceptance.rawValue
        recorder.record("handoff", event, message, fields)
    }

    func recordAnswer(
        _ acceptance: AcceptanceID, _ result: Result<Baton_Value_V1_ActivityPayload, ActivityFailure>
    ) {
        switch result {
        case .success: record("payload_sent", "The activity was sent to the other device.", acceptance)
        case .failure(let failure):
            record("payload_refused", failure.message, acceptance, ["code": "\(failure.code.rawValue)"])
        }
    }
}
