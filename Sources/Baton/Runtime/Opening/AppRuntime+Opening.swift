import BatonClient
import BatonCore
import BatonWire
import Dispatch
import Foundation
import Logging
import SwiftProtobuf
import Synchronization

/// What the app opens elsewhere.
extension AppRuntime {
    /// The daemon launches the other app and waits for its answer: longer than it does.
    private static let openTimeout = Duration.seconds(90)
    private static let questionTimeout = Duration.seconds(2)

    func open(_ url: URL, universalLinksOnly: Bool) async -> Bool {
        let profile = profile
        guard let socketPath = profile.socketPath else { return false }
        do {
            return try await environment.makeClient(socketPath).unary(
                AppMethods.openURL,
                .with {
                    $0.protocolVersion = ConnectProtocol.version
                    $0.bundleID = profile.bundleIdentifier
                    $0.url = url.absoluteString
                    $0.universalLinksOnly = universalLinksOnly
                }, timeout: Self.openTimeout
            ).opened
        } catch {
            logger.warning("The URL was not opened: \((error as? BatonError)?.message ?? "\(error)")")
            return false
        }
    }

    /// Waits on this thread, as Apple's `canOpenURL` does.
    func canOpen(_ url: URL) -> Bool {
        let profile = profile
        guard let socketPath = profile.socketPath else { return false }
        let client = environment.makeClient(socketPath)
        let result = AwaitedAnswer(false)
        // The caller waits for it below; ends with the call's deadline.
        Task {
            let response = try? await client.unary(
                AppMethods.canOpenURL,
                .with {
                    $0.protocolVersion = ConnectProtocol.version
                    $0.bundleID = profile.bundleIdentifier
                    $0.url = url.absoluteString
                }, timeout: Self.questionTimeout)
            result.end(response?.canOpen ?? false)
        }
        return result.wait(.seconds(3))
    }
}

/// One answer that a thread waits for.
final class AwaitedAnswer<Value: Sendable>: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let answer: Mutex<Value>

    /// - Parameter initial: the answer when there is none in time.
    init(_ initial: Value) { answer = Mutex(initial) }

    func end(_ value: Value) {
        answer.withLock { $0 = value }
        semaphore.signal()
    }

    func wait(_ seconds: DispatchTimeInterval) -> Value {
        _ = semaphore.wait(timeout: .now() + seconds)
        return answer.withLock { $0 }
    }
}
