import AppSessions
import BatonCore
import BatonWire
import FileCoordination
import Foundation
import SwiftProtobuf

/// Messages as inputs, and actions as messages.
enum CoordinationWire {
    // MARK: Inputs

    static func input(
        _ message: Baton_App_V1_CoordinationInput, of session: CoordinationService.Session
    ) -> Result<CoordinationService.Input, CoordinationRefusal> {
        Result { () throws(CoordinationRefusal) in try decode(message, session) }
    }

    private static func decode(
        _ message: Baton_App_V1_CoordinationInput, _ session: CoordinationService.Session
    ) throws(CoordinationRefusal) -> CoordinationService.Input {
        let client = session.client
        func request(_ number: UInt64) -> CoordinationRequestID { .init(client: client, number: number) }
        func presenter(_ number: UInt64) -> FilePresenterID { .init(client: client, number: number) }
        switch message.kind {
        case .ask(let ask): return .request(try self.request(ask, session))
        case .cancel(let number): return .cancel(request(number))
        case .end(let end):
            let changes = try end.changes.map { item throws(CoordinationRefusal) in try change(item, session) }
            return .end(request(end.requestID), changes)
        case .moved(let move):
            return .moved(
                request(move.requestID), from: try path(move.path), to: try item(move.newPath, move.newUnit, session))
        case .present(let message):
            let item = message.path.isEmpty ? nil : try item(message.path, message.unit, session)
            return .present(presenter(message.presenterID), item)
        case .removePresenter(let number): return .removePresenter(presenter(number))
        case .answer(let reply): return .answer(.init(reply.messageID), answer(reply), from: client)
        case nil: throw .notPermitted
        }
    }

    private static func request(
        _ ask: Baton_App_V1_CoordinationAsk, _ session: CoordinationService.Session
    ) throws(CoordinationRefusal) -> CoordinationRequest {
        let id = CoordinationRequestID(client: session.client, number: ask.requestID)
        // A claim within itself is one that the process has already.
        let isHeld = ask.within != 0 && ask.within == ask.requestID
        return CoordinationRequest(
            id: id,
            // An app names its own purposes only.
            purpose: "\(session.purposes)/\(ask.purpose.shortened(toBytes: 1024))",
            presenter: ask.presenterID == 0 ? nil : .init(client: session.client, number: ask.presenterID),
            parent: ask.within == 0 || isHeld ? nil : .init(client: session.client, number: ask.within),
            intents: try ask.intents.map { intent throws(CoordinationRefusal) in
                AccessIntent(access(intent), try path(intent.path), unit: try unit(intent.unit, session))
            },
            isHeld: isHeld)
    }

    private static func access(_ intent: Baton_App_V1_CoordinationIntent) -> AccessIntent.Access {
        guard intent.writing else { return .reading(.init(rawValue: UInt(intent.options))) }
        return .writing(AccessIntent.WritingPurpose(rawValue: UInt(intent.options)) ?? .any)
    }

    private static func change(
        _ message: Baton_App_V1_CoordinatedChange, _ session: CoordinationService.Session
    ) throws(CoordinationRefusal) -> ItemChange {
        let kind: ItemChange.Kind =
            switch message.kind {
            case .appeared: .appeared
            case .disappeared: .disappeared
            case .changed, .unspecified, .UNRECOGNIZED: .changed
            }
        return ItemChange(kind, try path(message.path), unit: try unit(message.unit, session))
    }

    private static func answer(_ reply: Baton_App_V1_PresenterReply) -> PresenterAnswer {
        guard reply.hasError else { return .done(reacquires: reply.reacquires) }
        return .failed(
            PresenterFailure(
                domain: reply.error.domain.shortened(toBytes: 256), code: Int(clamping: reply.error.code),
                message: reply.error.message.shortened(toBytes: 1024)))
    }

    private static func item(
        _ path: Data, _ unit: Data, _ session: CoordinationService.Session
    ) throws(CoordinationRefusal) -> PresentedItem {
        PresentedItem(try self.path(path), unit: try self.unit(unit, session))
    }

    /// The package that a process says its file is in. One that it may not name counts for nothing: a claim for all that is
    /// in `/` would keep everybody from everything.
    private static func unit(
        _ data: Data, _ session: CoordinationService.Session
    ) throws(CoordinationRefusal) -> CoordinatedPath? {
        guard !data.isEmpty else { return nil }
        let unit = try path(data)
        return session.mayName([unit]) ? unit : nil
    }

    private static func path(_ data: Data) throws(CoordinationRefusal) -> CoordinatedPath {
        guard let text = String(validating: data, as: UTF8.self), let path = CoordinatedPath(text) else {
            throw .invalidPath
        }
        return path
    }

    // MARK: Actions

    static func command(_ action: CoordinationService.Action) -> Baton_App_V1_CoordinatorCommand? {
        switch action {
        case .grant(let id, let paths):
            return .with {
                $0.grant = .with {
                    $0.requestID = id.number
                    $0.paths = paths.map(data)
                }
            }
        case .fail(let id, let failure): return .with { $0.failed = failed(id, failure) }
        case .send(let presenter, let message, let id):
            return .with { $0.presenter = command(presenter, message, id) }
        case .report: return nil
        }
    }

    private static func failed(
        _ id: CoordinationRequestID, _ failure: CoordinationFailure
    ) -> Baton_App_V1_CoordinationFailed {
        .with {
            $0.requestID = id.number
            switch failure {
            case .cancelled: $0.reason = "cancelled"
            case .deadlock(let circle):
                $0.reason = "deadlock"
                $0.circle = UInt32(clamping: circle.count)
            case .presenter(_, let failure):
                $0.reason = "presenter"
                $0.presenter = .with {
                    $0.domain = failure.domain
                    $0.code = Int64(failure.code)
                    $0.message = failure.message
                }
            }
        }
    }

    private static func command(
        _ presenter: FilePresenterID, _ message: PresenterMessage, _ id: PresenterMessageID?
    ) -> Baton_App_V1_PresenterCommand {
        .with {
            $0.presenterID = presenter.number
            $0.messageID = id?.number ?? 0
            switch message {
            case .relinquishToReader: $0.kind = .relinquishToReader
            case .relinquishToWriter: $0.kind = .relinquishToWriter
            case .saveChanges: $0.kind = .saveChanges
            case .accommodateDeletion: $0.kind = .accommodateDeletion
            case .accommodateSubitemDeletion(let path):
                ($0.kind, $0.path) = (.accommodateSubitemDeletion, data(path))
            case .reacquire(let answered): ($0.kind, $0.answeredMessageID) = (.reacquire, answered.number)
            case .didMove(let path): ($0.kind, $0.newPath) = (.didMove, data(path))
            case .didChange: $0.kind = .didChange
            case .didChangeUbiquityAttributes(let names):
                ($0.kind, $0.attributes) = (.didChangeUbiquityAttributes, names.sorted())
            case .subitemDidAppear(let path): ($0.kind, $0.path) = (.subitemDidAppear, data(path))
            case .subitemDidMove(let path, let new):
                ($0.kind, $0.path, $0.newPath) = (.subitemDidMove, data(path), data(new))
            case .subitemDidChange(let path): ($0.kind, $0.path) = (.subitemDidChange, data(path))
            case .version(let event, let version): ($0.kind, $0.versionID) = (kind(event), version)
            case .subitemVersion(let path, let event, let version):
                ($0.kind, $0.path, $0.versionID) = (kind(event), data(path), version)
            }
        }
    }

    private static func kind(_ event: PresenterMessage.VersionEvent) -> Baton_App_V1_PresenterCommand.Kind {
        switch event {
        case .gained: .versionGained
        case .lost: .versionLost
        case .resolved: .versionResolved
        }
    }

    private static func data(_ path: CoordinatedPath) -> Data { Data(path.description.utf8) }
}
