import BatonCore
import Spotlight
import Synchronization
import Testing

/// Issue 27, section 5: the index follows what changed in containers.
@Suite("Documents that are followed", .timeLimit(.minutes(1)))
struct FollowedDocumentsTests {
    /// Names what changed since it was asked last.
    private final class Containers: SpotlightDocuments {
        private struct State {
            var documents: [String: (listed: ListedDocument, content: String)] = [:]
            var changed: Set<String> = []
            var asked: [Bool] = []
            var reads: [String] = []
            var cancelsRound = false
        }

        private let state = Mutex(State())

        /// Whether all were asked for, each time.
        var asked: [Bool] { state.withLock { $0.asked } }
        var reads: [String] { state.withLock { $0.reads } }

        /// - Parameter content: nil for one that is elsewhere.
        func put(_ key: String, _ content: String?, modified: UInt64, app: AppIdentity? = nil, name: String? = nil) {
            let name = name ?? key
            let document = ListedDocument(
                app: app, key: key, path: "/containers/\(name)", name: name, modified: modified,
                isReadable: content != nil, importer: name.hasSuffix(".pdf") ? "1" : "")
            state.withLock { state in
                state.documents[key] = (document, content ?? "")
                state.changed.insert(key)
            }
        }

        func remove(_ key: String) {
            state.withLock { state in
                state.documents[key] = nil
                state.changed.insert(key)
            }
        }

        /// The next round is over as soon as it was told.
        func cancelNext() { state.withLock { $0.cancelsRound = true } }

        func changes(all: Bool, each: (ListedChanges) async throws -> Void) async throws -> Bool {
            let (documents, gone, cancels) = state.withLock { state in
                state.asked.append(all)
                defer { (state.changed, state.cancelsRound) = ([], false) }
                let keys = all ? Set(state.documents.keys) : state.changed
                let gone = all ? [] : keys.filter { state.documents[$0] == nil }
                let documents = keys.sorted().compactMap { state.documents[$0]?.listed }
                return (documents, Array(gone), state.cancelsRound)
            }
            if cancels { withUnsafeCurrentTask { $0?.cancel() } }
            // Some at a time.
            for document in documents { try await each(ListedChanges(documents: [document])) }
            try await each(ListedChanges(documents: [], gone: gone))
            return all
        }

        func content(of document: ListedDocument) async -> [UInt8]? {
            state.withLock { state in
                state.reads.append(document.key)
                return state.documents[document.key].map { Array($0.content.utf8) }
            }
        }

        func imported(_ document: ListedDocument) async -> [String: PropertyValue]? {
            state.withLock { state in
                state.documents[document.key].map {
                    ["textContent": .string($0.content), "authorNames": .array([.string("Ada Quayside")])]
                }
            }
        }
    }

    // P-59
    @Test("A round takes what changed and what is gone, and leaves the rest as it is")
    func changes() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let containers = Containers()
        let indexer = DocumentIndexer(service, documents: containers, recorder: NullEventRecorder())
        containers.put("Menu.md", "dumplings", modified: 1)
        containers.put("Letter.md", "dear zoe", modified: 1)
        containers.put("Plan.md", "dumplings", modified: 1)
        await indexer.round()
        #expect(containers.reads == ["Letter.md", "Menu.md", "Plan.md"])
        containers.put("Menu.md", "noodles", modified: 2)
        containers.remove("Letter.md")
        await indexer.round()
        #expect(containers.asked == [true, false])
        #expect(containers.reads == ["Letter.md", "Menu.md", "Plan.md", "Menu.md"])
        #expect(try await service.titles("noodles") == ["Menu.md"])
        #expect(try await service.titles("dumplings") == ["Plan.md"])
        #expect(try await service.titles("zoe").isEmpty)
        await indexer.round()
        #expect(try await Set(service.titles("noodles") + service.titles("dumplings")) == ["Menu.md", "Plan.md"])
        service.close()
    }

    // P-59
    @Test("A round looks at all documents after apps came or went, and after one that did not end")
    func all() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let containers = Containers()
        let indexer = DocumentIndexer(service, documents: containers, recorder: NullEventRecorder())
        containers.put("Menu.md", "dumplings", modified: 1)
        await indexer.round()
        indexer.appsChanged()
        await indexer.round()
        await indexer.round()
        #expect(containers.asked == [true, true, false])
        containers.put("Plan.md", "noodles", modified: 1)
        containers.cancelNext()
        await Task { await indexer.round() }.value
        #expect(try await service.titles("noodles").isEmpty)
        await indexer.round()
        #expect(containers.asked == [true, true, false, false, true])
        #expect(try await service.titles("noodles") == ["Plan.md"])
        service.close()
    }

    // P-59
    @Test("A document that leaves the device is found by its text, wherever it goes, until another content is known")
    func away() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let containers = Containers()
        let indexer = DocumentIndexer(service, documents: containers, recorder: NullEventRecorder())
        containers.put("Menu.md", "dumplings", modified: 1)
        containers.put("Tides.pdf", "kittiwake", modified: 1)
        await indexer.round()
        let places: [(String, AppIdentity?)] = [
            ("Menu.md", nil), ("Lunch.md", nil), ("Lunch.md", SearchDevice.notes), ("Lunch.md", nil),
        ]
        for (name, app) in places {
            containers.put("Menu.md", nil, modified: 1, app: app, name: name)
            containers.put("Tides.pdf", nil, modified: 1, app: app)
            await indexer.round()
            #expect(try await service.titles("dumplings") == [name])
            #expect(try await service.titles("kittiwake") == ["Tides.pdf"])
            #expect(try await service.titles("quayside") == ["Tides.pdf"])
        }
        #expect(try await service.titles("menu").isEmpty)
        #expect(try await service.titles("lunch") == ["Lunch.md"])
        containers.put("Menu.md", nil, modified: 2)
        containers.put("Tides.pdf", "guillemot", modified: 1)
        await indexer.round()
        #expect(try await service.titles("dumplings").isEmpty)
        #expect(try await service.titles("menu") == ["Menu.md"])
        #expect(try await service.titles("kittiwake").isEmpty)
        #expect(try await service.titles("guillemot") == ["Tides.pdf"])
        service.close()
    }
}
