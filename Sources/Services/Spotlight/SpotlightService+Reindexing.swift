import BatonConcurrency
package import BatonCore
import Foundation
import Synchronization

/// Having apps index again.
extension SpotlightService {
    /// An app attached: if it is to index again, it is asked now.
    package func appAttached(_ app: AppIdentity) async {
        let owner = ItemOwner(app)
        guard let waiting = try? await journal.reindexing(), waiting.contains(owner) else { return }
        _ = await ask(app)
    }

    /// - Returns: whether the app has acknowledged it.
    private func ask(_ app: AppIdentity) async -> Bool {
        let owner = ItemOwner(app)
        let isMine = state.withLock { $0.asking.insert(owner).inserted }
        guard isMine else { return false }
        let isAcknowledged = await apps.reindex(nil, of: app)
        state.withLock { _ = $0.asking.remove(owner) }
        if isAcknowledged { try? await journal.acknowledgedReindexing(of: owner) }
        return isAcknowledged
    }

    /// The person wants an app's items indexed again.
    /// - Throws: `not_found` (`app_not_found`); `failed_precondition` (`no_index_extension`) for one that neither runs nor can
    ///   be launched for it.
    package func requestReindexing(of bundleID: BundleID) async throws {
        guard let app = apps.app(bundleID) else {
            throw BatonError(
                .notFound, reason: "app_not_found",
                "No app \(bundleID) is installed here. “baton apps” lists those that are.")
        }
        guard apps.isRunning(app) || apps.hasIndexExtension(app) else {
            throw BatonError(
                .failedPrecondition, reason: "no_index_extension",
                "\(apps.name(of: app)) does not run, and has no index extension. Start it, then try again.")
        }
        try await journal.requestReindexing(of: [ItemOwner(app)])
        state.withLock { $0.reindexRound.forget(app) }
        reindexing.send()
    }

    /// Launches apps that are to index again, one at a time, until it is cancelled.
    func reindexApps() async {
        // Bound: one; a task beside would only repeat what this one does.
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                while (try? await Task.sleep(for: .milliseconds(Int(ReindexRound.interval)))) != nil {
                    reindexing.send()
                }
            }
            for await _ in reindexing.stream { await reindexRound() }
            group.cancelAll()
        }
    }

    private func reindexRound() async {
        while !Task.isCancelled, let owners = try? await journal.reindexing() {
            let waiting = owners.compactMap(\.app).sorted { $0.bundleID.rawValue < $1.bundleID.rawValue }
            let now = clock.milliseconds
            let able = waiting.filter { apps.isRunning($0) || apps.hasIndexExtension($0) }
            guard let app = state.withLock({ $0.reindexRound.next(able, now: now) }) else { return }
            if apps.isRunning(app) {
                _ = await ask(app)
            } else {
                await launchToReindex(app)
            }
        }
    }

    private func launchToReindex(_ app: AppIdentity) async {
        recorder.record(
            "search", "index_extension_launched", "An app is launched so that it indexes again.",
            ["bundle_id": app.bundleID.rawValue])
        guard let launched = await apps.launchToReindex(app) else { return }
        // It is asked as it attaches, as any app is.
        let deadline = clock.milliseconds &+ Self.reindexPatience
        var isAcknowledged = false
        while !isAcknowledged, clock.milliseconds < deadline, !Task.isCancelled {
            guard let waiting = try? await journal.reindexing() else { break }
            isAcknowledged = !waiting.contains(ItemOwner(app))
            if !isAcknowledged { try? await Task.sleep(for: .milliseconds(200)) }
        }
        await apps.endReindexing(app, launched)
        recorder.record(
            "search", isAcknowledged ? "index_extension_done" : "index_extension_silent",
            isAcknowledged
                ? "The app has acknowledged that it indexes again."
                : "The app has not acknowledged that it indexes again. It is launched again in an hour.",
            ["bundle_id": app.bundleID.rawValue])
    }

    /// How long a launched app may take, in milliseconds.
    private static let reindexPatience: UInt64 = 60_000
}
