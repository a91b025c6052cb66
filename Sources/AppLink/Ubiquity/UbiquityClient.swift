import BatonCore
package import BatonWire
package import Foundation
package import Logging
import SwiftProtobuf
import Synchronization

/// The process's way to its containers: opens them, knows where they are and what is in them, and calls the daemon.
///
/// Callers may wait on any thread: nothing that they wait for runs on the cooperative pool or on the main thread.
package final class UbiquityClient: Sendable {
    private struct State {
        /// By their whole identifiers: those that this process has opened.
        var containers: [String: UbiquityContainer] = [:]
        /// The app's first container, once it was opened.
        var first: String?
        /// By the identifier that was asked for, empty for the first container.
        var watches: [String: ContainerWatch] = [:]
        var queries: [UInt64: @Sendable (ContainerWatch) -> Void] = [:]
        var lastQuery: UInt64 = 0
        /// The reason that was logged last, so that one is logged once.
        var lastReason: String?
        var isStopped = false
    }

    /// The limit of one call.
    package static let timeout = Duration.seconds(30)

    package let link: DaemonLink
    let logger: Logger
    private let onIdentityChange: @Sendable () -> Void
    private let state = Mutex(State())
    private let madeIdentity = Mutex<UbiquityIdentity?>(nil)

    /// - Parameter onIdentityChange: notifies the app that the account has changed. Returns at once.
    package init(link: DaemonLink, logger: Logger, onIdentityChange: @escaping @Sendable () -> Void) {
        self.link = link
        self.logger = logger
        self.onIdentityChange = onIdentityChange
    }

    package var identity: UbiquityIdentity {
        let identity = madeIdentity.withLock { made in
            let identity = made ?? UbiquityIdentity(client: self)
            made = identity
            return identity
        }
        identity.start()
        return identity
    }

    package func stop() async {
        let watches = state.withLock { state in
            state.isStopped = true
            return Array(state.watches.values)
        }
        for watch in watches { await watch.stop() }
        await madeIdentity.withLock { $0 }?.stop()
    }

    // MARK: Containers

    /// Waits for the daemon.
    /// - Parameter identifier: nil for the app's first container.
    package func open(_ identifier: String?) throws -> UbiquityContainer {
        do {
            let container = try link.wait(Self.timeout + .seconds(5)) { [self] in
                try await openNow(identifier ?? "")
            }
            state.withLock { $0.lastReason = nil }
            return container
        } catch {
            report(error)
            throw error
        }
    }

    package func openNow(_ identifier: String) async throws -> UbiquityContainer {
        let request = Baton_App_V1_OpenContainerRequest.with {
            $0.identifier = identifier
        }
        let answer = try await link.call(ContainerMethods.openContainer, request, timeout: Self.timeout)
        _ = identity
        guard !answer.path.isEmpty else {
            throw BatonError(
                .failedPrecondition, reason: answer.reason.isEmpty ? "unavailable" : answer.reason,
                answer.message.isEmpty ? "iCloud is not available to this app." : answer.message)
        }
        guard
            let container = UbiquityContainer(
                identifier: answer.identifier, path: answer.path, displayName: answer.displayName)
        else {
            throw BatonError(.internal, reason: "bad_answer", "The daemon named a container without a place.")
        }
        note(container, isFirst: identifier.isEmpty)
        return container
    }

    private func note(_ container: UbiquityContainer, isFirst: Bool) {
        let followers = state.withLock { state -> [@Sendable (ContainerWatch) -> Void] in
            if isFirst { state.first = container.identifier }
            let isNew = state.containers.updateValue(container, forKey: container.identifier) == nil
            return isNew && state.first != container.identifier ? Array(state.queries.values) : []
        }
        guard !followers.isEmpty, !isFirst else { return }
        let watch = watch(container)
        for follower in followers { follower(watch) }
    }

    /// Reported once, and again after a different value.
    private func report(_ error: any Error) {
        let (reason, message) =
            (error as? BatonError).map { ($0.reason, $0.message) } ?? ("unknown", String(describing: error))
        let isNew = state.withLock { state in
            defer { state.lastReason = reason }
            return state.lastReason != reason
        }
        if isNew { logger.warning("iCloud is not available: \(message)", metadata: ["reason": "\(reason)"]) }
    }

    package var containers: [UbiquityContainer] { state.withLock { Array($0.containers.values) } }

    /// The container that an item is in, among those that this process has opened, and its path there.
    package func place(of url: URL) -> (container: UbiquityContainer, path: String)? {
        for container in containers {
            if let path = container.relativePath(of: url) { return (container, path) }
        }
        return nil
    }

    /// As ``place(of:)``; opens the app's first container if none was opened. May wait for the daemon.
    package func findPlace(of url: URL) -> (container: UbiquityContainer, path: String)? {
        if containers.isEmpty { _ = try? open(nil) }
        return place(of: url)
    }

    // MARK: Watching

    package func watch(_ container: UbiquityContainer) -> ContainerWatch {
        watch(state.withLock { $0.first == container.identifier } ? "" : container.identifier)
    }

    private func watch(_ identifier: String) -> ContainerWatch {
        let watch = state.withLock { state in
            let watch = state.watches[identifier] ?? ContainerWatch(identifier: identifier, client: self)
            state.watches[identifier] = watch
            return state.isStopped ? nil : watch
        }
        watch?.start()
        return watch ?? ContainerWatch(identifier: identifier, client: self)
    }

    /// Calls with each container's watch: the first container's, those of all that were opened, and of each that will be.
    package func observeContainers(_ follower: @escaping @Sendable (ContainerWatch) -> Void) -> UInt64 {
        let (id, others) = state.withLock { state in
            state.lastQuery += 1
            state.queries[state.lastQuery] = follower
            return (state.lastQuery, state.containers.keys.filter { $0 != state.first }.sorted())
        }
        for identifier in [""] + others { follower(watch(identifier)) }
        return id
    }

    package func removeContainersObserver(_ id: UInt64) { state.withLock { $0.queries[id] = nil } }

    /// The account is another: what was refused may be granted now.
    package func identityChanged() {
        for watch in state.withLock({ Array($0.watches.values) }) { watch.hurry() }
        onIdentityChange()
    }

    // MARK: Calls

    package func watchRequest(_ identifier: String, identityOnly: Bool = false) -> Baton_App_V1_WatchContainerRequest {
        .with {
            $0.identifier = identifier
            $0.identityOnly = identityOnly
        }
    }

    /// An item's path as the daemon has it.
    package func daemonPath(of url: URL) -> String {
        place(of: url).map { $0.container.path + "/" + $0.path } ?? url.standardizedFileURL.path
    }

    /// Waits for the daemon.
    @discardableResult
    package func change(
        _ url: URL, _ change: Baton_App_V1_ChangeDocumentRequest.Change
    ) throws -> Baton_App_V1_DocumentItem {
        let request = Baton_App_V1_ChangeDocumentRequest.with {
            $0.path = daemonPath(of: url)
            $0.change = change
        }
        return try link.wait(Self.timeout + .seconds(5)) { [self] in
            try await link.call(ContainerMethods.changeDocument, request, timeout: Self.timeout).item
        }
    }
}
