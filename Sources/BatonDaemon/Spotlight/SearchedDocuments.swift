import BatonCore
import Documents
import Spotlight

/// The containers of this device, for search.
struct SearchedDocuments: SpotlightDocuments {
    let adapter: DocumentsAdapter
    let importers: ImportingApps
    let readers: DocumentReaders

    func changes(all: Bool, each: (ListedChanges) async throws -> Void) async throws -> Bool {
        var owners: [ContainerName: AppIdentity?] = [:]
        readers.look()
        return try await adapter.service.takeChangesOfDocuments(all: all) { changes in
            let listed = changes.documents.map { document in
                let app = owners[document.container] ?? owner(of: document.container)
                owners[document.container] = .some(app)
                return ListedDocument(
                    app: app, key: document.key, path: document.path, name: document.name, modified: document.modified,
                    isReadable: document.isReadable,
                    importer: importers.importer(of: document.name, in: app)?.version
                        ?? readers.version(for: document.name) ?? "")
            }
            try await each(ListedChanges(documents: listed, gone: changes.gone))
        }
    }

    func content(of document: ListedDocument) async -> [UInt8]? {
        await adapter.service.content(at: document.path, limit: DocumentText.maximumBytes)
    }

    func imported(_ document: ListedDocument) async throws -> [String: PropertyValue]? {
        guard importers.importer(of: document.name, in: document.app) == nil else {
            return try await importers.attributes(of: document) { limit in
                await adapter.service.content(at: document.path, limit: limit)
            }
        }
        guard let file = await adapter.service.file(at: document.path) else { return nil }
        return try await readers.attributes(of: file, named: document.name)
    }

    /// The first installed app that has the container, else the program in development that it is named after.
    private func owner(of container: ContainerName) -> AppIdentity? {
        if container == .drive { return nil }
        if let app = adapter.apps(using: container).first { return app.identity }
        guard container.team.isDevelopment, container.identifier.hasPrefix("iCloud.") else { return nil }
        return BundleID(rawValue: String(container.identifier.dropFirst("iCloud.".count))).map {
            AppIdentity(bundleID: $0, team: .development)
        }
    }
}
