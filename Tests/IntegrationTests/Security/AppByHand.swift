import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import SwiftProtobuf
import Synchronization

/// An app of the development team: this process, speaking the local plane's protocol itself.
final class AppByHand: Sendable {
    let device: TestDevice
    let session: String
    let identity: Baton_Value_V1_AppIdentity
    /// Calls in its name.
    let client: any ConnectClient
    private let commands: Commands
    private let reading: Task<Void, Never>

    /// An app's description of itself.
    struct Claims: Sendable {
        var bundleID: String
        var name = "By Hand"
        var types: [String]
        /// The version of its library's protocol.
        var version = ConnectProtocol.version
    }

    private typealias Commands = AsyncStream<Baton_App_V1_AppCommand>

    private init(
        device: TestDevice, client: any ConnectClient, attached: Baton_App_V1_Attached, commands: Commands,
        reading: Task<Void, Never>
    ) {
        self.device = device
        self.client = client
        session = attached.sessionID
        identity = attached.app
        self.commands = commands
        self.reading = reading
    }

    static func attach(to device: TestDevice, _ claims: Claims) async throws -> AppByHand {
        let client = device.app(claims.bundleID, version: claims.version)
        let answers = try await client.serverStream(
            AttachmentMethods.attach,
            .with {
                $0.displayName = claims.name
                $0.activityTypes = claims.types
                $0.canContinue = true
            })
        let (commands, continuation) = AsyncStream.makeStream(of: Baton_App_V1_AppCommand.self)
        // Ended by `detach`, or when the daemon ends.
        let refusal = Mutex<(any Error)?>(nil)
        let reading = Task {
            defer { continuation.finish() }
            do {
                for try await command in answers { continuation.yield(command) }
            } catch {
                refusal.withLock { $0 = error }
            }
        }
        var iterator = commands.makeAsyncIterator()
        guard case .attached(let attached)? = await iterator.next()?.kind else {
            reading.cancel()
            if let error = refusal.withLock({ $0 }) { throw error }
            throw IntegrationFailure("The daemon of \(device.name) did not attach the app.")
        }
        return AppByHand(device: device, client: client, attached: attached, commands: commands, reading: reading)
    }

    func detach() async {
        reading.cancel()
        await reading.value
    }

    /// Makes an activity current.
    func makeCurrent(_ id: ActivityID = .random(), type: String, title: String) async throws {
        _ = try await client.unary(
            ActivityMethods.updateActivity,
            .with {
                $0.sessionID = session
                $0.makeCurrent = true
                $0.activity = .with {
                    $0.activityID = id.rawValue
                    $0.activityType = type
                    $0.title = title
                    $0.eligibleForHandoff = true
                }
            }, timeout: .seconds(30))
    }

    /// Answers the daemon's commands as an app does, until one that satisfies the condition was answered.
    /// - Parameter text: what this app's activity holds, when it is asked to save it.
    func serve(
        saving text: String = "", until isLast: (Baton_App_V1_AppCommand) -> Bool
    ) async throws -> Baton_App_V1_AppCommand {
        for await command in commands {
            try await answer(command, text)
            if isLast(command) { return command }
        }
        throw IntegrationFailure("The daemon of \(device.name) ended the app's stream.")
    }

    private func answer(_ command: Baton_App_V1_AppCommand, _ text: String) async throws {
        var request = Baton_App_V1_CompleteCommandRequest.with {
            $0.sessionID = session
            $0.commandID = command.commandID
        }
        switch command.kind {
        case .saveActivity(let save):
            let activities = try await device.call(ControlMethods.listActivities).activities
            let description = activities.first { $0.activity.activityID == save.activityID }?.activity
            request.payload = .with {
                $0.description_p = description ?? .init()
                $0.userInfo = Self.dictionary("page", text)
            }
        case .willContinue: request.willContinue = .with { $0.implemented = true }
        case .continueActivity: request.continued = .with { $0.handled = true }
        case .didFail: request.didFail = .with { $0.implemented = true }
        case .wasContinued, .receiveStream, .protectedData, .reindex, .indexThrottled: request.done = .init()
        case .openURL: request.opened = .with { $0.handled = true }
        case .mediaCommand: request.media = .init()
        case .mediaArtwork: request.artwork = .init()
        case .playableContent: request.content = .init()
        case .attached, nil: return
        }
        _ = try await client.unary(AttachmentMethods.completeCommand, request, timeout: .seconds(30))
    }

    private static func dictionary(_ key: String, _ value: String) -> Baton_Value_V1_PropertyValue {
        .with {
            $0.dictionary.entries = [
                .with {
                    $0.key = .with { $0.string = key }
                    $0.value = .with { $0.string = value }
                }
            ]
        }
    }
}
