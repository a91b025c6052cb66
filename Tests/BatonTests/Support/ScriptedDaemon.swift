import Baton
import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf
import Synchronization

/// A daemon in memory that does what the test says, and shows the test every call.
final class ScriptedDaemon: ConnectClient {
    enum Call: Sendable, Equatable {
        case attach(Baton_App_V1_AttachRequest)
        case update(Baton_App_V1_UpdateActivityRequest)
        case resign(Baton_App_V1_ResignActivityRequest)
        case invalidate(Baton_App_V1_InvalidateActivityRequest)
        case complete(Baton_App_V1_CompleteCommandRequest)
        case save(Baton_App_V1_SaveForSearchRequest)
        case delete(Baton_App_V1_DeleteSavedActivitiesRequest)
    }

    private struct State {
        var isRunning = true
        var payloadLimit: UInt64 = 1 << 20
        var sessions = 0
        var commands: Mailbox<Baton_App_V1_AppCommand>?
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
        var refusals: [BatonError] = []
        var attachmentRefusal: BatonError?
        var nextCommandID: UInt64 = 1
        var canOpen: Set<String> = []
        var documentApps: [Baton_App_V1_DocumentHandler] = []
        var takesDocuments = true
        var opened: [String] = []
        /// Each with what it opens: schemes with a colon, types, or nothing.
        var apps: [(app: Baton_App_V1_WorkspaceApp, opens: Set<String>)] = []
        var airDropPhases: [String] = []
        var places = Baton_App_V1_LookUpPlacesResponse()
        var placeRequests: [Baton_App_V1_LookUpPlacesRequest] = []
        var claim: AppClaim?
        var locationAccess = Baton_App_V1_LocationAccess.notDetermined
        var locationQuestions: [Mailbox<Baton_App_V1_RequestLocationAccessResponse>] = []
    }

    private let state = Mutex(State())
    /// Each call, in the order of arrival.
    let calls = Mailbox<Call>()

    /// Once for each app that may not know the location and asked.
    let locationRefusals = Mailbox<Void>()

    // MARK: Actions of the test

    func nextCall() async throws -> Call {
        guard let call = try await calls.next() else { throw BatonError(.internal, reason: "no_call", "No call.") }
        return call
    }

    /// The process dies; calls fail until `start`.
    func crash() {
        let commands = state.withLock { state in
            state.isRunning = false
            defer { state.commands = nil }
            return state.commands
        }
        commands?.end(.failure(BatonError(.unavailable, reason: "connection_lost", "The daemon has died.")))
    }

    func start() { state.withLock { $0.isRunning = true } }

    func setPayloadLimit(_ limit: UInt64) { state.withLock { $0.payloadLimit = limit } }

    /// Unary calls are seen, and answered only after `letGo`.
    func hold() { state.withLock { $0.isHolding = true } }

    func letGo() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// The next unary call fails.
    func refuseNext(_ error: BatonError) { state.withLock { $0.refusals.append(error) } }

    /// - Returns: the command's identifier.
    @discardableResult
    func send(_ kind: Baton_App_V1_AppCommand.OneOf_Kind?, needsAnswer: Bool = true) -> UInt64 {
        let (id, commands) = state.withLock { state in
            defer { state.nextCommandID += 1 }
            return (needsAnswer ? state.nextCommandID : 0, state.commands)
        }
        commands?.send(
            .with {
                $0.commandID = id
                $0.kind = kind
            })
        return id
    }

    func refuseNextAttachment(_ error: BatonError) { state.withLock { $0.attachmentRefusal = error } }

    /// Schemes that something opens, and apps that open documents.
    func offer(schemes: Set<String> = [], documentApps: [(id: String, name: String)] = []) {
        state.withLock { state in
            state.canOpen = schemes
            state.documentApps = documentApps.map { app in
                .with {
                    $0.bundleID = app.id
                    $0.name = app.name
                }
            }
        }
    }

    /// The person lets the app know the location, or not.
    func decideLocation(_ access: Baton_App_V1_LocationAccess) {
        let questions = state.withLock { state in
            state.locationAccess = access
            defer { state.locationQuestions = [] }
            return state.locationQuestions
        }
        for question in questions { question.send(.with { $0.access = access }) }
    }

    private func askForLocation() -> Mailbox<Baton_App_V1_RequestLocationAccessResponse> {
        let answers = Mailbox<Baton_App_V1_RequestLocationAccessResponse>()
        let access = state.withLock { state in
            if state.locationAccess == .notDetermined { state.locationQuestions.append(answers) }
            return state.locationAccess
        }
        if access != .notDetermined { answers.send(.with { $0.access = access }) }
        return answers
    }

    private func watchLocation() throws -> Mailbox<Baton_App_V1_WatchLocationResponse> {
        guard state.withLock({ $0.locationAccess }) == .authorized else {
            locationRefusals.send(())
            throw BatonError(.permissionDenied, reason: "not_authorized", "The app may not know the location.")
        }
        let positions = Mailbox<Baton_App_V1_WatchLocationResponse>()
        positions.send(
            .with {
                $0.position.latitude = 41
                $0.position.longitude = 29
            })
        return positions
    }

    /// Apps are given documents, and do not open them.
    func declineDocuments() { state.withLock { $0.takesDocuments = false } }

    /// An app of the device, for the workspace.
    func add(_ app: Baton_App_V1_WorkspaceApp, opening subjects: Set<String> = []) {
        state.withLock { $0.apps.append((app, subjects)) }
    }

    private static func found(_ request: Baton_App_V1_FindAppsRequest, _ state: State) -> [Baton_App_V1_WorkspaceApp] {
        state.apps.filter { app, subjects in
            switch request.subject {
            case .bundleID(let identifier)?: app.bundleID == identifier
            case .url(let url)?: subjects.contains { $0.hasSuffix(":") && url.hasPrefix($0) }
            case .type(let type)?: subjects.contains(type)
            case .running?: app.processID != 0
            case nil: false
            }
        }.map(\.app)
    }

    /// The phases of the next items that are sent by AirDrop; then the stream ends.
    func airDrop(_ phases: [String]) { state.withLock { $0.airDropPhases = phases } }

    private func share(_ request: Baton_App_V1_ShareByAirDropRequest) -> Mailbox<Baton_App_V1_ShareByAirDropEvent> {
        let events = Mailbox<Baton_App_V1_ShareByAirDropEvent>()
        let phases = state.withLock { state in
            for path in request.paths {
                let text = (try? String(contentsOfFile: path, encoding: .utf8)).map { ": \($0)" } ?? ""
                state.opened.append("airdrop \(path.split(separator: "/").last ?? "")\(text)")
            }
            state.opened += request.urls.map { "airdrop \($0)" }
            return state.airDropPhases
        }
        for phase in phases {
            events.send(
                .with {
                    $0.phase = phase
                    if phase == "asking" { $0.peerName = "Kitchen" }
                })
        }
        events.end()
        return events
    }

    /// The places that are known from now on.
    func answerPlaces(_ answer: Baton_App_V1_LookUpPlacesResponse) { state.withLock { $0.places = answer } }

    /// The questions about places.
    var placeRequests: [Baton_App_V1_LookUpPlacesRequest] { state.withLock { $0.placeRequests } }

    /// URLs that were opened, and documents as `app name: content`.
    var opened: [String] { state.withLock { $0.opened } }

    /// The daemon's immediate answer, without showing the call.
    private func answer(_ request: Any) -> Any? {
        state.withLock { state in
            switch request {
            case let request as Baton_App_V1_CanOpenURLRequest:
                return Baton_App_V1_CanOpenURLResponse.with {
                    $0.canOpen = state.canOpen.contains { request.url.hasPrefix($0 + ":") }
                }
            case let request as Baton_App_V1_OpenURLRequest:
                state.opened.append(request.url)
                let opener = state.apps.first { $0.opens.contains { $0.hasSuffix(":") && request.url.hasPrefix($0) } }
                return Baton_App_V1_OpenURLResponse.with {
                    $0.opened = true
                    $0.bundleID = opener?.app.bundleID ?? ""
                }
            case let request as Baton_App_V1_FindAppsRequest:
                return Baton_App_V1_FindAppsResponse.with { $0.apps = Self.found(request, state) }
            case let request as Baton_App_V1_LaunchAppRequest:
                state.opened.append("launch \(request.bundleID)")
                return Baton_App_V1_LaunchAppResponse.with { $0.processID = 7 }
            case let request as Baton_App_V1_LookUpPlacesRequest:
                state.placeRequests.append(request)
                return state.places
            case is Baton_App_V1_GetLocationAccessRequest:
                return Baton_App_V1_GetLocationAccessResponse.with { $0.access = state.locationAccess }
            case is Baton_App_V1_ListDocumentHandlersRequest:
                return Baton_App_V1_ListDocumentHandlersResponse.with { $0.handlers = state.documentApps }
            case let request as Baton_App_V1_OpenDocumentRequest:
                let content = (try? String(contentsOfFile: request.path, encoding: .utf8)) ?? "unreadable"
                let name = request.path.split(separator: "/").last ?? ""
                let annotation = request.hasAnnotation ? " +annotation" : ""
                state.opened.append("\(request.handlerBundleID) \(name): \(content)\(annotation)")
                return Baton_App_V1_OpenDocumentResponse.with { $0.handled = state.takesDocuments }
            default: return nil
            }
        }
    }

    // MARK: ConnectClient

    /// The process's last description of itself.
    var claim: AppClaim? { state.withLock { $0.claim } }

    func calling(as claim: AppClaim) -> any ConnectClient {
        state.withLock { $0.claim = claim }
        return self
    }

    func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration
    ) async throws -> Response {
        let (isRunning, refusal) = state.withLock { state in
            (state.isRunning, state.refusals.isEmpty ? nil : state.refusals.removeFirst())
        }
        guard isRunning else { throw Self.notRunning }
        if let refusal, request is Baton_App_V1_LaunchAppRequest { throw refusal }
        if let answer = answer(request) as? Response { return answer }
        if let call = Self.call(request) { calls.send(call) }
        await waitWhileHeld()
        if let refusal { throw refusal }
        guard state.withLock({ $0.isRunning }) else { throw Self.notRunning }
        return Response()
    }

    func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> ConnectResponses<Response> {
        if let request = request as? Baton_App_V1_ShareByAirDropRequest {
            let events = share(request)
            return ConnectResponses { { try await events.next() as? Response } }
        }
        if request is Baton_App_V1_RequestLocationAccessRequest {
            let answers = askForLocation()
            return ConnectResponses { { try await answers.next() as? Response } }
        }
        if request is Baton_App_V1_WatchLocationRequest {
            let positions = try watchLocation()
            return ConnectResponses { { try await positions.next() as? Response } }
        }
        let commands = Mailbox<Baton_App_V1_AppCommand>()
        let attached = state.withLock { state -> Baton_App_V1_AppCommand? in
            guard state.isRunning else { return nil }
            state.sessions += 1
            state.commands = commands
            let (session, limit) = (state.sessions, state.payloadLimit)
            return .with {
                $0.attached = .with {
                    $0.sessionID = "session-\(session)"
                    $0.payloadLimit = limit
                }
            }
        }
        guard let attached, let request = request as? Baton_App_V1_AttachRequest else { throw Self.notRunning }
        let refusal = state.withLock { state in
            defer { state.attachmentRefusal = nil }
            return state.attachmentRefusal
        }
        if let refusal {
            calls.send(.attach(request))
            throw refusal
        }
        commands.send(attached)
        calls.send(.attach(request))
        return ConnectResponses { { try await commands.next() as? Response } }
    }

    private func waitWhileHeld() async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.isHolding { state.held.append(continuation) }
                return state.isHolding
            }
            if !isHeld { continuation.resume() }
        }
    }

    private static func call(_ request: Any) -> Call? {
        switch request {
        case let request as Baton_App_V1_UpdateActivityRequest: .update(request)
        case let request as Baton_App_V1_ResignActivityRequest: .resign(request)
        case let request as Baton_App_V1_InvalidateActivityRequest: .invalidate(request)
        case let request as Baton_App_V1_CompleteCommandRequest: .complete(request)
        case let request as Baton_App_V1_SaveForSearchRequest: .save(request)
        case let request as Baton_App_V1_DeleteSavedActivitiesRequest: .delete(request)
        default: nil
        }
    }

    private static let notRunning = BatonError(.unavailable, reason: "daemon_not_running", "No daemon.")
}
