import BatonConcurrency
package import BatonCore
import Glibc
import Synchronization

/// Keeps the documents of containers in the index. Rounds are called one after the other.
package final class DocumentIndexer: Sendable {
    /// Documents of all containers; those that come later are not indexed.
    static let maximumDocuments = 100_000
    /// Documents of one transaction whose texts are read, so that these take little memory.
    static let batch = 32
    /// How many of those that are found by their names only are as one of them.
    static let namesForText = 8
    /// At least so long is between two rounds.
    static let shortestPause = Duration.seconds(1)
    /// So much a round does at once. Beyond that it rests between batches: what is being indexed is often being synced, too.
    static let atOnce = Duration.milliseconds(500)
    /// So long a round waits for import extensions. Policy: the next round asks about further documents, after all that came
    /// meanwhile and needs no extension.
    static let importTime = Duration.seconds(10)
    /// Documents that leave the index in one transaction.
    private static let goneAtOnce = 500

    /// The last listing of a document. Versions are kept as hashes, and so are keys, which are seeded anew in each process.
    private struct Known: Sendable {
        var version: UInt64
        /// A number of an owner.
        var owner: UInt32
        /// The round that listed it last.
        var look: UInt32
    }

    private struct State {
        /// The documents listed last, by the hash of the key. Bound: ``maximumDocuments``.
        var known: [UInt64: Known] = [:]
        /// By their numbers. Bound: the apps of which documents were listed.
        var owners: [ItemOwner] = []
        /// Counts the looks at all documents.
        var look: UInt32 = 0
        /// The next round looks at all documents, and not only at those that changed.
        var isAllWanted = true
        /// There were more than that in the last round. Then each round looks at all, since one may have left.
        var isOver = false
        var isLoaded = false
        var isOverTold = false
        /// In this round, for import extensions.
        var waited = Duration.zero
        /// In this round: the work of its batches, and the rest between them.
        var worked = Duration.zero
        var rested = Duration.zero
        /// Import extensions were not asked about all documents in this round.
        var isUnfinished = false

        mutating func number(of owner: ItemOwner) -> UInt32 {
            if let index = owners.firstIndex(of: owner) { return UInt32(index) }
            owners.append(owner)
            return UInt32(owners.count - 1)
        }

        func owner(ofKey key: UInt64) -> ItemOwner? { known[key].map { owners[Int($0.owner)] } }

        /// - Returns: those that are new or changed, and whether each is new. New ones beyond the bound are left out.
        mutating func note(_ listed: some Sequence<ListedDocument>) -> [(document: ListedDocument, isNew: Bool)] {
            var changed: [(document: ListedDocument, isNew: Bool)] = []
            var room = DocumentIndexer.maximumDocuments - known.count
            for document in listed {
                let key = DocumentIndexer.hash(document.key)
                known[key]?.look = look
                let version = known[key]?.version
                if version == nil {
                    room -= 1
                    guard room >= 0 else {
                        isOver = true
                        continue
                    }
                }
                if version != DocumentIndexer.hash(document.version) { changed.append((document, version == nil)) }
            }
            return changed
        }
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

    private static func hash(_ text: String) -> UInt64 { UInt64(bitPattern: Int64(text.hashValue)) }

    /// Something changed in a container. Returns when it is in the index, and another round may come.
    package func changed() async {
        let clock = ContinuousClock()
        await untilQuiet()
        repeat {
            let begin = Self.processorTime()
            let took = await clock.measure { await round() }
            let (waited, rested) = state.withLock { ($0.waited, $0.rested) }
            // On a busy machine a round takes long, and little of a processor.
            let work = min(took - waited - rested, Self.processorTime() - begin)
            let pause = Self.pause(after: work + waited, waited: waited, isOnBattery: service.isOnBattery)
            try? await Task.sleep(for: max(Self.shortestPause, pause - rested))
        } while !Task.isCancelled && state.withLock { $0.isUnfinished }
    }

    /// Documents to be indexed are often being synced, too, and a person waits for that.
    private func untilQuiet() async {
        let begin = ContinuousClock.now
        var moment = QuietMoment(at: .zero, worked: Self.processorTime())
        var wait: Duration? = QuietMoment.look
        while let next = wait, !Task.isCancelled {
            try? await Task.sleep(for: next)
            wait = moment.wait(at: begin.duration(to: .now), worked: Self.processorTime())
        }
    }

    /// A round takes at most a tenth of the time, a fiftieth on battery, and half of it where it waits for import extensions.
    static func pause(after took: Duration, waited: Duration, isOnBattery: Bool) -> Duration {
        max(shortestPause, (took - waited) * (share(isOnBattery) - 1) + waited)
    }

    /// The daemon's, which is no less than that of a round.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func share(_ isOnBattery: Bool) -> Int { isOnBattery ? 50 : 10 }

    /// Compares what changed in containers, or all of it, with what is in the index. A failure is recorded, and the next round tries
    /// again.
    package func round() async {
        let isAllWanted = state.withLock { state in
            (state.waited, state.worked, state.rested, state.isUnfinished) = (.zero, .zero, .zero, false)
            state.look &+= 1
            defer { (state.isAllWanted, state.isOver) = (false, false) }
            return state.isAllWanted || state.isOver
        }
        // Changes are taken once: where the round does not bring them into the index, the next one looks at all.
        var isDone = false
        defer { if !isDone { state.withLock { $0.isAllWanted = true } } }
        do {
            try await load()
            // An extension may be slow: what is new is found by its name before one is asked.
            var asking: [ListedDocument] = []
            var failure: (any Error)?
            let isAll = try await documents.changes(all: isAllWanted) { changes in
                try await remove(known(changes.gone))
                let changed = state.withLock { $0.note(changes.documents) }
                // The rest is noted all the same, so that what is gone leaves the index.
                guard failure == nil else { return }
                asking += changed.map(\.document).filter(\.asksImporter)
                let now = changed.filter { !$0.document.asksImporter || $0.isNew }.map(\.document)
                do {
                    try await inBatches(now) { try await index($0, asking: false) }
                } catch let error as CancellationError {
                    throw error
                } catch {
                    failure = error
                }
            }
            let unlisted = isAll ? self.unlisted : []
            try await remove(unlisted)
            if let failure { throw failure }
            try await inBatches(Self.inTurns(asking)) { try await index($0, asking: true) }
            tellOver(madeRoom: !unlisted.isEmpty)
            isDone = !state.withLock { $0.isUnfinished }
        } catch is CancellationError {
        } catch {
            recorder.record(
                "search", "documents_not_indexed",
                "Documents could not be indexed. It is tried again with the next change of a document.",
                ["error": "\(error)"])
        }
    }

    /// The hashes of those keys that are known.
    private func known(_ keys: [String]) -> Set<UInt64> {
        state.withLock { state in Set(keys.map(Self.hash).filter { state.known[$0] != nil }) }
    }

    /// The hashes of known documents that this round did not list.
    private var unlisted: Set<UInt64> {
        state.withLock { state in Set(state.known.filter { $0.value.look != state.look }.map(\.key)) }
    }

    private func remove(_ gone: Set<UInt64>) async throws {
        guard !gone.isEmpty else { return }
        let found = try await service.knownDocuments { key, owner, _ -> (app: AppIdentity?, key: String)? in
            guard gone.contains(Self.hash(key)) else { return nil }
            return (app: owner.app, key: key)
        }
        for start in stride(from: 0, to: found.count, by: Self.goneAtOnce) {
            let some = Array(found[start..<min(start + Self.goneAtOnce, found.count)])
            try await service.documentsChanged([], gone: some)
        }
        state.withLock { state in for key in gone { state.known[key] = nil } }
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
        var start = 0
        while start < documents.count {
            try Task.checkCancellation()
            if state.withLock({ $0.isUnfinished }) { return }
            var (end, cost) = (start, 0)
            while end < documents.count, cost < Self.batch * Self.namesForText {
                cost += documents[end].hasText || documents[end].asksImporter ? Self.namesForText : 1
                end += 1
            }
            let (begin, time, waited) = (ContinuousClock.now, Self.processorTime(), state.withLock { $0.waited })
            try await body(Array(documents[start..<end]))
            let took = begin.duration(to: .now) - (state.withLock { $0.waited } - waited)
            try await rest(after: min(took, Self.processorTime() - time))
            start = end
        }
    }

    private func rest(after work: Duration) async throws {
        let share = Self.share(service.isOnBattery)
        let rest = state.withLock { state -> Duration? in
            state.worked += work
            guard state.worked > Self.atOnce else { return nil }
            state.rested += work * (share - 1)
            return work * (share - 1)
        }
        if let rest { try await Task.sleep(for: rest) }
    }

    /// - Parameter asking: whether import extensions are asked. A document whose
    ///   extension should be asked, and was not, has no known version.
    private func index(_ documents: [ListedDocument], asking: Bool) async throws {
        var found: [FoundDocument] = []
        var moved: [(app: AppIdentity?, key: String)] = []
        var indexed: [UInt64: Known] = [:]
        for document in documents {
            if asking, state.withLock({ $0.waited >= importTime }) {
                state.withLock { $0.isUnfinished = true }
                break
            }
            let key = Self.hash(document.key)
            var version = asking || !document.asksImporter ? document.version : ""
            let owner = ItemOwner(document.app)
            indexed[key] = state.withLock { state in
                Known(version: Self.hash(version), owner: state.number(of: owner), look: state.look)
            }
            let content = document.hasText ? await self.documents.content(of: document) : nil
            var imported: [String: PropertyValue]?
            if asking {
                // The version that is kept, and not the known one: asked in each round, many would let no round end.
                do { imported = try await self.imported(document) } catch { version = "" }
            }
            found.append(
                FoundDocument(
                    app: document.app, key: document.key, path: document.path, name: document.name,
                    text: content.map { DocumentText.text(of: $0, name: document.name, language: language) } ?? "",
                    modified: document.modified, version: version,
                    imported: imported.map(ImportedAttributes.kept) ?? [:], isAway: !document.isReadable))
            // Its app was installed or removed: it is in the index as another's.
            if let old = state.withLock({ $0.owner(ofKey: key) }), old != owner {
                moved.append((old.app, document.key))
            }
        }
        try await service.documentsChanged(found, gone: moved)
        let known = indexed
        state.withLock { $0.known.merge(known) { $1 } }
    }

    private func imported(_ document: ListedDocument) async throws -> [String: PropertyValue]? {
        // A machine that sleeps meanwhile does not make the next round late.
        let start = SuspendingClock.now
        defer { state.withLock { $0.waited += SuspendingClock.now - start } }
        return try await documents.imported(document)
    }

    private func load() async throws {
        guard !state.withLock({ $0.isLoaded }) else { return }
        let known = try await service.knownDocuments { key, owner, version in
            (key: Self.hash(key), owner: owner, version: Self.hash(version))
        }
        state.withLock { state in
            for (key, owner, version) in known {
                state.known[key] = Known(version: version, owner: state.number(of: owner), look: 0)
            }
            state.isLoaded = true
        }
    }

    /// - Parameter madeRoom: documents left the index in this round, so that the next one has room for others.
    private func tellOver(madeRoom: Bool) {
        let (isOver, isTold) = state.withLock { state in
            guard state.isOver else { return (false, state.isOverTold) }
            if madeRoom { state.isUnfinished = true }
            defer { state.isOverTold = true }
            return (true, state.isOverTold)
        }
        guard isOver, !isTold else { return }
        recorder.record(
            "search", "too_many_documents",
            "There are more than \(Self.maximumDocuments) documents. The rest is not found by search.",
            ["count": "\(Self.maximumDocuments)"])
    }
}

extension ListedDocument {
    fileprivate var asksImporter: Bool { isReadable && !importer.isEmpty }
    fileprivate var hasText: Bool { isReadable && DocumentText.isRead(name) }
}
