import AppLink
import BatonClient
import BatonCore
import BatonWire
import Dispatch
import Glibc
import SwiftProtobuf
import Synchronization
import Testing

@testable import Baton

/// An app process in memory, with a runtime and a daemon of its own.
final class TestApp: Sendable {
    let daemon = ScriptedDaemon()
    let runtime: AppRuntime
    /// How long the app waited before each attempt to attach again.
    let sleeps: Mailbox<Duration>
    /// Lets the app try again, once for each element.
    let wakeUps: Mailbox<Void>
    /// With what the process ended.
    let exits: Mailbox<Int32>
    /// The pairs of streams that the app asked for, with their other ends.
    let pipes = Mailbox<(request: StreamRequest, far: StreamEndpoint)>()
    /// The refusal that the next such request gets.
    let pipeRefusals: PipeRefusals

    init(
        configuration: BatonConfiguration = BatonConfiguration(bundleIdentifier: "com.example.App"),
        deletionPatience: Duration = .seconds(60), savingPace: SavingPace = SavingPace(),
        sharing: SharingTools = .process
    ) {
        let daemon = daemon
        let sleeps = Mailbox<Duration>()
        let exits = Mailbox<Int32>()
        let wakeUps = Mailbox<Void>()
        self.wakeUps = wakeUps
        self.sleeps = sleeps
        self.exits = exits
        let profile = AppProfile(
            configuration: configuration, bundle: AppBundle(), executable: "/opt/tool",
            environment: ["BATON_SOCKET": "/run/baton.sock"])
        let (pipes, refusals) = (pipes, PipeRefusals())
        pipeRefusals = refusals
        runtime = AppRuntime(
            environment: .init(
                profile: { profile }, makeClient: { _ in daemon },
                sleep: { duration in
                    sleeps.send(duration)
                    _ = try await wakeUps.next()
                },
                jitter: { 1 }, exit: { exits.send($0) }, settle: {}, savingPace: savingPace,
                deletionPatience: deletionPatience, sharing: sharing,
                openPipe: { _, _, request in
                    if let refusal = refusals.take() { throw refusal }
                    let (near, far) = try await Self.joinedPipes()
                    pipes.send((request, try await StreamEndpoint.start(far)))
                    return near
                }))
    }

    /// The two ends of a socket.
    private static func joinedPipes() async throws -> (BytePipe, BytePipe) {
        var sockets: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0 else { throw UnexpectedCall() }
        return (try await BytePipe.adopt(socket: sockets[0]), try await BytePipe.adopt(socket: sockets[1]))
    }

    /// Attaches and takes the call.
    @MainActor
    func attach(delegate: any UIApplicationDelegate) async throws {
        runtime.application.delegate = delegate
        guard case .attach = try await daemon.nextCall() else { throw UnexpectedCall() }
    }

    func nextUpdate() async throws -> Baton_App_V1_UpdateActivityRequest {
        guard case .update(let request) = try await daemon.nextCall() else { throw UnexpectedCall() }
        return request
    }

    func nextAttach() async throws -> Baton_App_V1_AttachRequest {
        guard case .attach(let request) = try await daemon.nextCall() else { throw UnexpectedCall() }
        return request
    }

    func nextSave() async throws -> Baton_App_V1_SaveForSearchRequest {
        guard case .save(let request) = try await daemon.nextCall() else { throw UnexpectedCall() }
        return request
    }

    func nextDeletion() async throws -> Baton_App_V1_DeleteSavedActivitiesRequest {
        guard case .delete(let request) = try await daemon.nextCall() else { throw UnexpectedCall() }
        return request
    }

    func nextAnswer() async throws -> Baton_App_V1_CompleteCommandRequest {
        guard case .complete(let request) = try await daemon.nextCall() else { throw UnexpectedCall() }
        return request
    }

    /// Sends a command and waits for its answer, passing over nothing.
    func ask(_ kind: Baton_App_V1_AppCommand.OneOf_Kind) async throws -> AttachedCommand.Result? {
        let id = daemon.send(kind)
        let answer = try await nextAnswer()
        #expect(answer.commandID == id)
        return answer.result
    }

    func save(_ activity: NSUserActivity) async throws -> AttachedCommand.Result? {
        try await ask(
            .saveActivity(
                .with {
                    $0.activityID = activity.id.rawValue
                    $0.acceptanceID = "A"
                }))
    }

    func savedPayload(_ activity: NSUserActivity) async throws -> Baton_Value_V1_ActivityPayload? {
        guard case .payload(let payload)? = try await save(activity) else { return nil }
        return payload
    }

    /// A new current activity, which the daemon knows.
    func current(_ type: String = "com.example.edit") async throws -> NSUserActivity {
        let activity = NSUserActivity(activityType: type)
        activity.becomeCurrent()
        // Sent when attaching, or with a call of its own afterwards.
        switch try await daemon.nextCall() {
        case .attach(let request) where request.activities.contains(where: \.makeCurrent): break
        case .update: break
        default: throw UnexpectedCall()
        }
        return activity
    }
}

/// Refusals for requests for streams, each used once.
final class PipeRefusals: Sendable {
    private let errors = Mutex<[BatonError]>([])
    func add(_ error: BatonError) { errors.withLock { $0.append(error) } }
    func take() -> BatonError? { errors.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

struct UnexpectedCall: Error {}

/// Runs `body` in an app process of its own.
@MainActor
func withApp(
    _ configuration: BatonConfiguration = BatonConfiguration(bundleIdentifier: "com.example.App"),
    deletionPatience: Duration = .seconds(60), savingPace: SavingPace = SavingPace(),
    sharing: SharingTools = .process, _ body: @MainActor (TestApp) async throws -> Void
) async throws {
    let app = TestApp(
        configuration: configuration, deletionPatience: deletionPatience, savingPace: savingPace,
        sharing: sharing)
    do {
        try await AppRuntime.$calling.withValue(app.runtime) { try await body(app) }
    } catch {
        app.daemon.letGo()
        await app.runtime.stop()
        throw error
    }
    app.daemon.letGo()
    await app.runtime.stop()
}

private let mainQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

/// Not `Thread.isMainThread`: a test process runs the main queue on other threads too.
var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

/// Events in order, noted from any thread.
final class Journal: Sendable {
    private let entries = Mutex<[String]>([])
    func note(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
}

func willContinue(_ acceptance: String, type: String = "com.example.edit") -> Baton_App_V1_AppCommand.OneOf_Kind {
    .willContinue(
        .with {
            $0.acceptanceID = acceptance
            $0.activityType = type
        })
}

func continueActivity(
    _ acceptance: String, type: String = "com.example.edit", userInfo: PropertyValue = .dictionary([:])
) -> Baton_App_V1_AppCommand.OneOf_Kind {
    .continueActivity(
        .with {
            $0.acceptanceID = acceptance
            $0.payload = .with {
                $0.description_p = .with {
                    $0.activityType = type
                    $0.title = "Title"
                    $0.eligibleForHandoff = true
                }
                $0.userInfo = .init(userInfo)
            }
        })
}

func didFail(_ acceptance: String, code: Int32 = 4608, message: String = "Gone.") -> Baton_App_V1_AppCommand.OneOf_Kind
{
    .didFail(
        .with {
            $0.acceptanceID = acceptance
            $0.activityType = "com.example.edit"
            $0.error = .with {
                $0.code = code
                $0.message = message
            }
        })
}
