import BatonClient
import BatonCore
import BatonWire
import Dispatch
import Logging
import SwiftProtobuf
import Testing

@testable import AppLink

/// A daemon in memory that gives an app one command, and says where it is called.
private final class LoopDaemon: ConnectClient {
    private let loop = SerialTaskExecutor(label: "loop")
    let answers = Mailbox<Bool>()

    var executor: (any TaskExecutor)? { loop }
    var isOnLoop: Bool { withUnsafeCurrentTask { $0?.unownedTaskExecutor == loop.asUnownedTaskExecutor() } }

    func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration
    ) async throws -> Response {
        answers.send(isOnLoop)
        return Response()
    }

    func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> ConnectResponses<Response> {
        let commands = Mailbox<Baton_App_V1_AppCommand>()
        commands.send(.with { $0.attached = .init() })
        commands.send(
            .with {
                $0.commandID = 1
                $0.kind = willContinue("A")
            })
        return ConnectResponses { { try await commands.next() as? Response } }
    }
}

private struct Capability: AppCapability {
    let daemon: LoopDaemon
    let performed = Mailbox<Bool>()
    let ran = Mailbox<Bool>()

    func run(_ session: AttachedSession) async throws -> AttachmentOutcome? {
        ran.send(daemon.isOnLoop)
        return nil
    }

    func perform(_ command: AttachedCommand) -> Bool {
        performed.send(daemon.isOnLoop)
        // The app answers from a thread of its own.
        DispatchQueue.global().async { command.reply(.done(.init())) }
        return true
    }
}

@Suite(.timeLimit(.minutes(1))) struct AttachmentExecutorTests {
    @Test("A command is read and its answer sent beside the connection; what a capability sends of itself is not")
    func places() async throws {
        let daemon = LoopDaemon()
        let capability = Capability(daemon: daemon)
        let link = DaemonLink {
            DaemonLink.Environment(
                socketPath: "/nonexistent", problem: nil, bundleIdentifier: "com.example.a",
                makeClient: { _ in daemon })
        }
        let subscription = try #require(
            AppAttachment.start(
                link, displayName: "A", bundleVersion: "1", capabilities: [capability], logger: Logger(label: "test")))
        #expect(try await capability.ran.next() == false)
        #expect(try await capability.performed.next() == true)
        #expect(try await daemon.answers.next() == true)
        await subscription.stop()
    }
}
