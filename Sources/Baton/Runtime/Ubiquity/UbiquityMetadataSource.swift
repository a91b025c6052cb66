import AppLink
import BatonCore
import Foundation
import MetadataQuery
import Synchronization

/// The items of the app's containers, for queries (D-26).
struct UbiquityMetadataSource: MetadataSource {
    /// Nil for the caller's runtime.
    var client: UbiquityClient?

    func observe(
        _ scopes: [MetadataScope], report: @escaping @Sendable (MetadataReport) -> Void
    ) -> any MetadataObservation {
        let observation = UbiquityObservation(
            client: client ?? AppRuntime.current.ubiquity, filter: MetadataScopeFilter(scopes), report: report)
        observation.start()
        return observation
    }
}

/// Which items of a container are in some scopes.
struct MetadataScopeFilter: Sendable {
    private let scopes: [MetadataScope]

    /// - Parameter scopes: empty for everything.
    init(_ scopes: [MetadataScope]) { self.scopes = scopes }

    func contains(_ item: UbiquitousItem, in container: UbiquityContainer) -> Bool {
        scopes.isEmpty || scopes.contains { contains(item, container, $0) }
    }

    private func contains(_ item: UbiquitousItem, _ container: UbiquityContainer, _ scope: MetadataScope) -> Bool {
        switch scope {
        case .ubiquitousDocuments: item.path.hasPrefix("Documents/")
        case .ubiquitousData: item.path != "Documents" && !item.path.hasPrefix("Documents/")
        // No app is let into another's container.
        case .accessibleUbiquitousExternalDocuments: false
        case .directory(let path):
            (container.path + "/" + item.path).hasPrefix(path.hasSuffix("/") ? path : path + "/")
        }
    }
}

/// One query's view of the containers.
private final class UbiquityObservation: MetadataObservation {
    private struct State {
        var watches: [(watch: ContainerWatch, id: UInt64)] = []
        /// Those that have not reported everything yet.
        var gathering: Set<ObjectIdentifier> = []
        var isGathered = false
        var isCancelled = false
        var registration: UInt64?
    }

    private let client: UbiquityClient
    private let filter: MetadataScopeFilter
    private let report: @Sendable (MetadataReport) -> Void
    private let state = Mutex(State())

    init(client: UbiquityClient, filter: MetadataScopeFilter, report: @escaping @Sendable (MetadataReport) -> Void) {
        self.client = client
        self.filter = filter
        self.report = report
    }

    func start() {
        let id = client.observeContainers { [weak self] in self?.add($0) }
        let isCancelled = state.withLock { state in
            state.registration = id
            return state.isCancelled
        }
        if isCancelled { client.removeContainersObserver(id) }
    }

    private func add(_ watch: ContainerWatch) {
        let name = ObjectIdentifier(watch)
        let isNew = state.withLock { state in
            guard !state.isCancelled, !state.watches.contains(where: { $0.watch === watch }) else { return false }
            if !state.isGathered { state.gathering.insert(name) }
            return true
        }
        guard isNew else { return }
        let id = watch.observe { [weak self] delta, container in self?.take(delta, container, name) }
        state.withLock { $0.watches.append((watch, id)) }
    }

    private func take(_ delta: ContainerItems.Delta, _ container: UbiquityContainer?, _ name: ObjectIdentifier) {
        if let container {
            let found = delta.changed.filter { filter.contains($0, in: container) }
            let gone = delta.removed + delta.changed.filter { !filter.contains($0, in: container) }
            if !gone.isEmpty { report(.removed(gone.map { $0.recordIdentifier(in: container) })) }
            if !found.isEmpty { report(.updated(found.map { $0.record(in: container) })) }
        }
        guard delta.isGathered else { return }
        let isGathered = state.withLock { state in
            state.gathering.remove(name)
            guard state.gathering.isEmpty, !state.isGathered else { return false }
            state.isGathered = true
            return true
        }
        if isGathered { report(.gathered) }
    }

    func cancel() {
        let (watches, registration) = state.withLock { state in
            state.isCancelled = true
            return (state.watches, state.registration)
        }
        for (watch, id) in watches { watch.removeObserver(id) }
        if let registration { client.removeContainersObserver(registration) }
    }
}
