import BatonConcurrency
package import BatonCore
import Synchronization

/// Keeps the documents of containers in the index. Rounds are called one after the other.
package final class DocumentIndexer: Sendable {
    /// Documents of all containers; the list's end is not indexed.
    static let maximumDocuments = 100_000
    /// Documents of one transaction, so that their texts take little memory.
    static let batch = 32
    /// At least so long is between two rounds.
    static let shortestPause = Duration.seconds(1)
    /// So long a round waits for import extensions. Policy: the next round asks about further documents, after all that came
    /// meanwhile and needs no extension.
    static let importTime = Duration.seconds(10)

    private typealias Known = [String: (owner: ItemOwner, version: String)]

    private struct State {
        /// The documents listed last, by key. Bound: ``maximumDocuments``.
        var known: Known = [:]
        /// The next round looks at all documents, and not only at those that changed.
        var isAllWanted = true
        /// There were more than that at the last look at all.
        var isOver = false
        var isLoaded = false
        var isOverTold = false
        /// In this round, for import extensions.
        var waited = Duration.zero
        /// Import extensions were not asked about all documents in this round.
        var isUnfinished = false
    }

    private let service: SpotlightService
    private let documents: any SpotlightDocuments
    private let recorder: any EventRecorder
    private let importTime: Duration
    private let language: String?
    private let state = Mutex(State())

    /// - Parameter language: the person's, as `LANG` says it: of texts that do not say how they are written.
    package init(
        _ service: SpotlightService, documents: any SpotlightDocuments, recorder: any EventRecorder,
        language: String? = nil, importTime: Duration = DocumentIndexer.importTime
    ) {
        self.service = service
        self.documents = documents
        self.recorder = recorder
        self.language = language
        self.importTime = importTime
    }

    /// Documents may be another app's now, or read by another extension.
    package func appsChanged() { state.withLock { $0.isAllWanted = true } }

    /// Something changed in a container. Returns when it is in the index, and another round may come.
    package func changed() async {
        let clock = ContinuousClock()
        repeat {
            let took = await clock.measure { await round() }
            let waited = state.withLock { $0.waited }
            try? await Task.sleep(for: Self.pause(after: took, waited: waited, isOnBattery: service.isOnBattery))
        } while !Task.isCancelled && state.withLock { $0.isUnfinished }
    }

    /// A round takes at most a tenth of the time, a fiftieth on battery, and half of it where it waits for import extensions.
    static func pause(after took: Duration, waited: Duration, isOnBattery: Bool) -> Duration {
        max(shortestPause, (took - waited) * (isOnBattery ? 49 : 9) + waited)
    }

    /// Compares what changed in containers, or all of it, with what is in the index. A failure is recorded, and the next round tries
    /// again.
    package func round() async {
        let isAllWanted = state.withLock { state in
            (state.waited, state.isUnfinished) = (.zero, false)
            defer { state.isAllWanted = false }
            return state.isAllWanted
        }
        // Changes are taken once: where the round does not bring them into the index, the next one looks at all.
        var isDone = false
        defer { if !isDone { state.withLock { $0.isAllWanted = true } } }
        do {
            try await load()
            let changes = await changes(all: isAllWanted)
            let listed = changes.documents
            let known = known(of: changes)
            let keys = Set(listed.map(\.key))
            let gone = known.filter { !keys.contains($0.key) }
            if !gone.isEmpty {
                try await service.documentsChanged([], gone: gone.map { ($0.value.owner.app, $0.key) })
                state.withLock { state in for key in gone.keys { state.known[key] = nil } }
            }
            let changed = listed.filter { known[$0.key]?.version != $0.version }
            // An extension may be slow: what is new is found by its name before one is asked.
            let now = changed.filter { !$0.asksImporter || known[$0.key] == nil }
            try await inBatches(now) { try await index($0, known, asking: false) }
            try await inBatches(Self.inTurns(changed.filter(\.asksImporter))) {
                try await index($0, known, asking: true)
            }
            isDone = !state.withLock { $0.isUnfinished }
        } catch is CancellationError {
        } catch {
            recorder.record(
                "search", "documents_not_indexed",
                "Documents could not be indexed. It is tried again with the next change of a document.",
                ["error": "\(error)"])
        }
    }

    /// One document of each app, then the next one of each, so that no app's extension keeps the others from being asked.
    private static func inTurns(_ documents: [ListedDocument]) -> [ListedDocument] {
        var counts: [AppIdentity?: Int] = [:]
        let turns = documents.map { document -> (turn: Int, document: ListedDocument) in
            counts[document.app, default: 0] += 1
            return (counts[document.app, default: 0], document)
        }
        return turns.sorted { ($0.turn, $0.document.key) < ($1.turn, $1.document.key) }.map(\.document)
    }

    private func inBatches(
        _ documents: [ListedDocument], _ body: ([ListedDocument]) async throws -> Void
    ) async throws {
        for start in stride(from: 0, to: documents.count, by: Self.batch) {
            try Task.checkCancellation()
            if state.withLock({ $0.isUnfinished }) { return }
            try await body(Array(documents[start..<min(start + Self.batch, documents.count)]))
        }
    }

    /// - Parameter asking: whether import extensions are asked. A document whose
    ///   extension should be asked, and was not, has no known version.
    private func index(_ documents: [ListedDocument], _ known: Known, asking: Bool) async throws {
        var found: [FoundDocument] = []
        var moved: [(app: AppIdentity?, key: String)] = []
        var versions: [String: String] = [:]
        for document in documents {
            if asking, state.withLock({ $0.waited >= importTime }) {
                state.withLock { $0.isUnfinished = true }
                break
            }
            let version = asking || !document.asksImporter ? document.version : ""
            versions[document.key] = version
            let content =
                document.isReadable && DocumentText.isRead(document.name)
                ? await self.documents.content(of: document) : nil
            let imported = asking ? await self.imported(document) : nil
            found.append(
                FoundDocument(
                    app: document.app, key: document.key, path: document.path, name: document.name,
                    text: content.map { DocumentText.text(of: $0, name: document.name, language: language) } ?? "",
                    modified: document.modified, version: version,
                    imported: imported.map(ImportedAttributes.kept) ?? [:]))
            // Its app was installed or removed: it is in the index as another's.
            if let owner = known[document.key]?.owner, owner.app != document.app {
                moved.append((owner.app, document.key))
            }
        }
        try await service.documentsChanged(found, gone: moved)
        state.withLock { state in
            for document in documents {
                guard let version = versions[document.key] else { continue }
                state.known[document.key] = (ItemOwner(document.app), version)
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

    /// A look at all shows which documents are beyond the bound.
    private func changes(all: Bool) async -> ListedDocuments {
        var changes = await documents.changes(all: all)
        let isBounded = state.withLock {
            !$0.isOver && $0.known.count + changes.documents.count <= Self.maximumDocuments
        }
        if !changes.isAll, !isBounded { changes = await documents.changes(all: true) }
        if changes.isAll { changes.documents = bounded(changes.documents) }
        return changes
    }

    /// The index's entries of these; all of its entries, where these are all documents.
    private func known(of changes: ListedDocuments) -> Known {
        state.withLock { state in
            guard !changes.isAll else { return state.known }
            var known: Known = [:]
            for key in changes.documents.map(\.key) + changes.gone { known[key] = state.known[key] }
            return known
        }
    }

    private func bounded(_ listed: [ListedDocument]) -> [ListedDocument] {
        state.withLock { $0.isOver = listed.count > Self.maximumDocuments }
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

extension ListedDocument {
    fileprivate var asksImporter: Bool { isReadable && !importer.isEmpty }
}
