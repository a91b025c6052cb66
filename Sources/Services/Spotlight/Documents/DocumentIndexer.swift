import BatonConcurrency
package import BatonCore
import Synchronization

/// Keeps the documents of containers in the index. Rounds are called one after the other.
package final class DocumentIndexer: Sendable {
    /// Documents of all containers; the list's end is not indexed.
    static let maximumDocuments = 100_000
    /// Documents of one transaction, so that their texts take little memory.
    static let batch = 32
    /// A round takes at most this part of the time, and half of it where it waits for import extensions; at least ``pause`` is between
    /// two.
    static let share = 10
    static let pause = Duration.seconds(1)

    private struct State {
        /// What was listed last, by key. Bound: ``maximumDocuments``.
        var known: [String: (owner: ItemOwner, version: String)] = [:]
        var isLoaded = false
        var isOverTold = false
        /// In this round, for import extensions.
        var waited = Duration.zero
    }

    private let service: SpotlightService
    private let documents: any SpotlightDocuments
    private let recorder: any EventRecorder
    private let state = Mutex(State())

    package init(_ service: SpotlightService, documents: any SpotlightDocuments, recorder: any EventRecorder) {
        self.service = service
        self.documents = documents
        self.recorder = recorder
    }

    /// Something changed in a container. Returns when it is in the index, and another round may come.
    package func changed() async {
        let clock = ContinuousClock()
        state.withLock { $0.waited = .zero }
        let took = await clock.measure { await round() }
        let waited = state.withLock { $0.waited }
        try? await Task.sleep(for: max(Self.pause, (took - waited) * (Self.share - 1) + waited))
    }

    /// Compares what is in containers with what is in the index. A failure is recorded, and the next round tries again.
    func round() async {
        do {
            try await load()
            let listed = bounded(await documents.documents())
            let known = state.withLock { $0.known }
            let keys = Set(listed.map(\.key))
            let gone = known.filter { !keys.contains($0.key) }
            if !gone.isEmpty {
                try await service.documentsChanged([], gone: gone.map { ($0.value.owner.app, $0.key) })
                state.withLock { state in for key in gone.keys { state.known[key] = nil } }
            }
            let changed = listed.filter { known[$0.key]?.version != $0.version }
            for start in stride(from: 0, to: changed.count, by: Self.batch) {
                try Task.checkCancellation()
                try await index(Array(changed[start..<min(start + Self.batch, changed.count)]), known)
            }
        } catch is CancellationError {
        } catch {
            recorder.record(
                "search", "documents_not_indexed",
                "Documents could not be indexed. It is tried again with the next change of a document.",
                ["error": "\(error)"])
        }
    }

    private func index(
        _ documents: [ListedDocument], _ known: [String: (owner: ItemOwner, version: String)]
    ) async throws {
        var found: [FoundDocument] = []
        var moved: [(app: AppIdentity?, key: String)] = []
        for document in documents {
            let content =
                document.isReadable && DocumentText.isRead(document.name)
                ? await self.documents.content(of: document) : nil
            let imported =
                document.isReadable && !document.importer.isEmpty ? await self.imported(document) : nil
            found.append(
                FoundDocument(
                    app: document.app, key: document.key, path: document.path, name: document.name,
                    text: content.map { DocumentText.text(of: $0, name: document.name) } ?? "",
                    modified: document.modified, version: document.version,
                    imported: imported.map(ImportedAttributes.kept) ?? [:]))
            // Its app was installed or removed: it is in the index as another's.
            if let owner = known[document.key]?.owner, owner.app != document.app {
                moved.append((owner.app, document.key))
            }
        }
        try await service.documentsChanged(found, gone: moved)
        state.withLock { state in
            for document in documents {
                state.known[document.key] = (ItemOwner(document.app), document.version)
            }
        }
    }

    private func imported(_ document: ListedDocument) async -> [String: PropertyValue]? {
        let start = ContinuousClock.now
        let attributes = await documents.imported(document)
        state.withLock { $0.waited += ContinuousClock.now - start }
        return attributes
    }

    private func load() async throws {
        guard !state.withLock({ $0.isLoaded }) else { return }
        let known = try await service.knownDocuments()
        state.withLock { state in
            state.known = known
            state.isLoaded = true
        }
    }

    private func bounded(_ listed: [ListedDocument]) -> [ListedDocument] {
        guard listed.count > Self.maximumDocuments else { return listed }
        let isTold = state.withLock { state in
            defer { state.isOverTold = true }
            return state.isOverTold
        }
        if !isTold {
            recorder.record(
                "search", "too_many_documents",
                "There are more than \(Self.maximumDocuments) documents. The rest is not found by search.",
                ["count": "\(listed.count)"])
        }
        return Array(listed.prefix(Self.maximumDocuments))
    }
}
