import BatonWire
import FileCoordination
import Foundation
import SwiftProtobuf

/// The daemon's messages as actions, and inputs as messages.
struct CoordinationMessages {
    let client: CoordinationClient

    // MARK: Inputs

    /// Nil for what only the daemon says.
    func message(_ input: FileCoordinationStateMachine.Input) -> Baton_App_V1_CoordinationInput? {
        switch input {
        case .request(let request): .with { $0.ask = ask(request) }
        case .cancel(let id): .with { $0.cancel = id.number }
        case .end(let id, let changes):
            .with {
                $0.end = .with {
                    $0.requestID = id.number
                    $0.changes = changes.map(change)
                }
            }
        case .moved(let id, let source, let destination):
            .with {
                $0.moved = .with {
                    $0.requestID = id.number
                    $0.path = data(source)
                    $0.newPath = data(destination.path)
                    $0.newUnit = data(destination.unit)
                }
            }
        case .present(let id, let item):
            .with {
                $0.present = .with {
                    $0.presenterID = id.number
                    if let item { ($0.path, $0.unit) = (data(item.path), data(item.unit)) }
                    $0.answers = Self.questions
                }
            }
        case .removePresenter(let id): .with { $0.removePresenter = id.number }
        case .answer(let message, let answer, _): .with { $0.answer = reply(message, answer) }
        case .changed, .exchanged, .versionsChanged, .ubiquityAttributesChanged, .clientEnded, .holdBack: nil
        }
    }

    /// Every presenter answers all, by default at once.
    private static let questions: UInt64 = {
        let kinds: [Baton_App_V1_PresenterCommand.Kind] = [
            .relinquishToReader, .relinquishToWriter, .saveChanges, .accommodateDeletion, .accommodateSubitemDeletion,
        ]
        return kinds.reduce(0) { $0 | 1 << UInt64(clamping: $1.rawValue) }
    }()

    private func ask(_ request: CoordinationRequest) -> Baton_App_V1_CoordinationAsk {
        .with {
            $0.requestID = request.id.number
            $0.purpose = request.purpose
            $0.presenterID = request.presenter?.number ?? 0
            // A claim that is held already is within itself.
            $0.within = request.isHeld ? request.id.number : request.parent?.number ?? 0
            $0.intents = request.intents.map { intent in
                .with {
                    $0.path = data(intent.path)
                    $0.unit = data(intent.unit)
                    switch intent.access {
                    case .reading(let options): $0.options = UInt32(clamping: options.rawValue)
                    case .writing(let purpose): ($0.writing, $0.options) = (true, UInt32(clamping: purpose.rawValue))
                    }
                }
            }
        }
    }

    private func change(_ change: ItemChange) -> Baton_App_V1_CoordinatedChange {
        .with {
            $0.kind =
                switch change.kind {
                case .appeared: .appeared
                case .changed: .changed
                case .disappeared: .disappeared
                }
            $0.path = data(change.path)
            $0.unit = data(change.unit)
        }
    }

    private func reply(_ message: PresenterMessageID, _ answer: PresenterAnswer) -> Baton_App_V1_PresenterReply {
        .with {
            $0.messageID = message.number
            switch answer {
            case .done(let reacquires): $0.reacquires = reacquires
            case .failed(let failure):
                $0.error = .with {
                    $0.domain = failure.domain
                    $0.code = Int64(failure.code)
                    $0.message = failure.message
                }
            }
        }
    }

    private func data(_ path: CoordinatedPath) -> Data { Data(path.description.utf8) }

    // MARK: Actions

    /// Nil for what this version does not know, or what makes no sense.
    func action(_ command: Baton_App_V1_CoordinatorCommand) -> FileCoordinationStateMachine.Action? {
        switch command.kind {
        case .grant(let grant):
            let paths = grant.paths.compactMap(path)
            return paths.count == grant.paths.count ? .grant(request(grant.requestID), paths) : nil
        case .failed(let failed): return .fail(request(failed.requestID), failure(failed))
        case .presenter(let command):
            guard let message = message(command) else { return nil }
            let presenter = FilePresenterID(client: client, number: command.presenterID)
            return .send(presenter, message, command.messageID == 0 ? nil : .init(command.messageID))
        case nil: return nil
        }
    }

    private func request(_ number: UInt64) -> CoordinationRequestID { .init(client: client, number: number) }

    private func failure(_ failed: Baton_App_V1_CoordinationFailed) -> CoordinationFailure {
        switch failed.reason {
        case "deadlock":
            // Only their number is sent.
            .deadlock(Array(repeating: request(failed.requestID), count: Int(min(max(failed.circle, 1), 65_536))))
        case "presenter":
            .presenter(
                FilePresenterID(client: client, number: 0),
                PresenterFailure(
                    domain: failed.presenter.domain, code: Int(clamping: failed.presenter.code),
                    message: failed.presenter.message))
        default: .cancelled
        }
    }

    private func message(_ command: Baton_App_V1_PresenterCommand) -> PresenterMessage? {
        switch command.kind {
        case .relinquishToReader: .relinquishToReader
        case .relinquishToWriter: .relinquishToWriter
        case .saveChanges: .saveChanges
        case .accommodateDeletion: .accommodateDeletion
        case .accommodateSubitemDeletion: path(command.path).map { .accommodateSubitemDeletion($0) }
        case .reacquire: .reacquire(.init(command.answeredMessageID))
        case .didMove: path(command.newPath).map { .didMove($0) }
        case .didChange: .didChange
        case .didChangeUbiquityAttributes: .didChangeUbiquityAttributes(Set(command.attributes))
        case .subitemDidAppear: path(command.path).map { .subitemDidAppear($0) }
        case .subitemDidMove:
            path(command.path).flatMap { old in path(command.newPath).map { .subitemDidMove(old, to: $0) } }
        case .subitemDidChange: path(command.path).map { .subitemDidChange($0) }
        case .versionGained: version(.gained, command)
        case .versionLost: version(.lost, command)
        case .versionResolved: version(.resolved, command)
        case .unspecified, .UNRECOGNIZED: nil
        }
    }

    private func version(
        _ event: PresenterMessage.VersionEvent, _ command: Baton_App_V1_PresenterCommand
    ) -> PresenterMessage? {
        guard !command.path.isEmpty else { return .version(event, command.versionID) }
        return path(command.path).map { .subitemVersion($0, event, command.versionID) }
    }

    private func path(_ data: Data) -> CoordinatedPath? {
        String(validating: data, as: UTF8.self).flatMap { CoordinatedPath($0) }
    }
}
