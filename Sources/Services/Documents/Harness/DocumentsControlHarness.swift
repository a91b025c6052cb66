import BatonConcurrency
import BatonCore
package import BatonTransport
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf
import Sync

/// Answers the command line about containers and what is in them.
package struct DocumentsControlHarness: Sendable {
    private let service: DocumentsService
    private let apps: any DocumentsApps

    package init(_ service: DocumentsService, apps: any DocumentsApps) {
        self.service = service
        self.apps = apps
    }

    package func register(on router: inout ConnectRouter) {
        router.unary(DocumentsMethods.listContainers) { _, _ in
            var containers: [Baton_Control_V1_DocumentContainer] = []
            for container in service.running { containers.append(try await summary(container)) }
            containers += service.resting.sorted().map(resting)
            containers += await service.elsewhere().map { name in
                .with {
                    $0.identifier = name.identifier
                    $0.team = name.teamName
                    $0.elsewhere = true
                }
            }
            return .with { $0.containers = containers }
        }
        router.unary(DocumentsMethods.addContainer) { [service] request, _ in
            let container = try await service.add(request.identifier, team: request.team)
            let summary = try await summary(container)
            return .with { $0.container = summary }
        }
        router.serverStream(DocumentsMethods.listDocuments) { request, _, writer in
            try await list(request) { try await writer.write($0) }
        }
        router.unary(DocumentsMethods.changeDocument) { [service] request, _ in
            let given = DocumentPath(request.path, request.pathBytes)
            let (container, path) = try DocumentsAnswers.container(of: given, service)
            return try await DocumentsAnswers.change(request.change, path, of: container, item: request.itemID)
        }
        router.unary(DocumentsMethods.listVersions) { [service] request, _ in
            let given = DocumentPath(request.path, request.pathBytes)
            let (container, path) = try DocumentsAnswers.container(of: given, service)
            return try await DocumentsAnswers.versions(
                path, of: container, .init(deleted: request.deleted, item: request.itemID))
        }
        router.serverStream(DocumentsMethods.readVersion) { [service] request, _, writer in
            let given = DocumentPath(request.path, request.pathBytes)
            let (container, path) = try DocumentsAnswers.container(of: given, service)
            let subject = DocumentsAnswers.Subject(deleted: request.deleted, item: request.itemID)
            try await DocumentsAnswers.read(request.versionID, path, of: container, subject) { part in
                try await writer.write(.with { $0.data = part })
            }
        }
        router.unary(DocumentsMethods.changeVersions) { [service] request, _ in
            let given = DocumentPath(request.path, request.pathBytes)
            let (container, path) = try DocumentsAnswers.container(of: given, service)
            return try await DocumentsAnswers.changeVersions(request, path, of: container)
        }
        router.unary(DocumentsMethods.decideDeletions) { request, _ in
            let container = try container(named: request.container)
            let delete = request.delete
            let count = try await container.perform { $0.decideDeletions(delete: delete) }
            return .with { $0.files = UInt64(count) }
        }
        router.unary(DocumentsMethods.switchDocuments) { request, _ in
            let names = try await apps.switchDocuments(of: request.bundleID, on: request.on)
            var containers: [Baton_Control_V1_DocumentContainer] = []
            for container in service.running where names.contains(container.name) {
                containers.append(try await summary(container))
            }
            containers += service.resting.intersection(names).sorted().map(resting)
            return .with { $0.containers = containers }
        }
        router.unary(DocumentsMethods.purgeDocuments) { request, _ in try await purge(request) }
        router.unary(DocumentsMethods.explainFile) { [service] request, _ in
            try await DocumentExplanation.explain(DocumentPath(request.path, request.pathBytes), service)
        }
    }

    private func purge(
        _ request: Baton_Control_V1_PurgeDocumentsRequest
    ) async throws -> Baton_Control_V1_PurgeDocumentsResponse {
        guard service.account != nil else { throw DocumentsService.noAccount }
        // Folders that only receive here are another device's to purge.
        let containers =
            request.container.isEmpty
            ? service.running.filter { !service.readOnlyFolders.contains($0.name) }
            : [try container(named: request.container)]
        var all = Baton_Control_V1_PurgeDocumentsResponse()
        for container in containers {
            let one: ContainerEngine.Purge
            if request.countOnly {
                one = try await container.perform { $0.reader.purgeable }
            } else {
                one = try await container.purge()
            }
            all.deleted += UInt64(one.deleted)
            all.versions += UInt64(one.versions)
            all.bytes &+= one.bytes
            all.freedBytes &+= one.freed
            all.left += UInt64(one.left)
        }
        // Other containers may have waited for room.
        if !request.countOnly { for container in service.running { container.ports.hasten() } }
        return all
    }

    private func container(named identifier: String) throws(BatonError) -> ContainerEngine {
        guard let container = service.running.first(where: { $0.name.identifier == identifier }) else {
            guard service.account != nil else { throw DocumentsService.noAccount }
            throw BatonError(
                .notFound, reason: "no_container",
                "There is no container “\(identifier.shortened(toBytes: 200))” here. “baton documents” lists the containers."
            )
        }
        return container
    }

    /// The description of a container that is known without its items.
    private func resting(_ name: ContainerName) -> Baton_Control_V1_DocumentContainer {
        let (users, scope) = (apps.apps(using: name), apps.scope(of: name))
        return .with {
            $0.identifier = name.identifier
            $0.path = service.path(of: name)
            $0.apps = users.map(\.identity.bundleID.rawValue)
            $0.offApps = users.filter { service.isOff($0.identity) }.map(\.identity.bundleID.rawValue)
            $0.name = users.first?.name ?? name.identifier
            $0.folder = scope.folder
            $0.folderLevels = scope.levels
        }
    }

    private func summary(_ container: ContainerEngine) async throws -> Baton_Control_V1_DocumentContainer {
        let base = resting(container.name)
        return try await container.perform { container in
            var summary = base
            summary.fill(container)
            return summary
        }
    }

    private func list(
        _ request: Baton_Control_V1_ListDocumentsRequest,
        write: (Baton_Control_V1_ListDocumentsResponse) async throws -> Void
    ) async throws {
        let containers =
            request.container.isEmpty ? service.running : [try container(named: request.container)]
        if request.watch, containers.count != 1 {
            throw BatonError(.invalidArgument, reason: "one_container", "Name the container that is to be watched.")
        }
        let (all, deleted, conflictsOnly) = (request.all, request.deleted, request.conflictsOnly)
        for container in containers {
            // All of a folder of the person is the person's.
            let isWhole = all || container.name.folderName != nil
            let isListed: @Sendable (ContainerItem) -> Bool = { item in
                (isWhole || item.path == "Documents" || item.path.hasPrefix("Documents/"))
                    && (!conflictsOnly || item.conflicts > 0)
            }
            let present: @Sendable () async throws -> [ContainerItem] = {
                try await container.perform { $0.reader.items(deleted: deleted).filter(isListed) }
            }
            var diff = ContainerDiff(container: container.path)
            func tell(_ news: [Baton_App_V1_ContainerNews]) async throws {
                for news in news {
                    try await write(
                        .with {
                            $0.container = container.name.identifier
                            $0.news = news
                        })
                }
            }
            guard request.watch else {
                try await tell(diff.begin(try await present(), token: service.identityToken))
                continue
            }
            let (watch, items) = try await container.perform { $0.watchItems() }
            defer { container.later { $0.endWatching(watch) } }
            var listed = items.filter(isListed)
            if deleted { listed = try await present() }
            try await tell(diff.begin(listed, token: service.identityToken))
            var known: [EntryID: ContainerItem] = [:]
            if deleted { for item in listed { known[item.id] = item } }
            for await _ in watch.wakeups {
                var changes = watch.take()
                if deleted {
                    // A follower hears of items that are there.
                    var now: [EntryID: ContainerItem] = [:]
                    for item in try await present() { now[item.id] = item }
                    changes = ItemChanges(from: known, to: now)
                    known = now
                }
                try await tell(diff.news(changes, token: service.identityToken, where: isListed))
            }
        }
    }
}

extension Baton_Control_V1_DocumentContainer {
    mutating func fill(_ container: isolated ContainerEngine) {
        let reader = container.reader
        let counts = reader.counts
        (items, bytes, toUpload) = (counts.items, counts.bytes, counts.toUpload)
        (toDownload, notDownloaded, conflicts) = (counts.toDownload, counts.notDownloaded, counts.conflicts)
        heldDeletions = UInt64(container.planner.state.held.count)
        problem = container.notes.problem?.reason ?? ""
        problemMessage = container.notes.problem?.message ?? ""
        findings = reader.findings.map { finding in
            finding.advice.isEmpty ? finding.finding : "\(finding.finding). \(finding.advice)"
        }
        team = container.name.teamName
        read = container.notes.isReadToEnd
        enabled = true
    }
}
