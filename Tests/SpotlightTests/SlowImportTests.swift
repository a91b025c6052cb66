import BatonCore
import Spotlight
import Synchronization
import Testing

@Suite("Slow import extensions", .timeLimit(.minutes(1)))
struct SlowImportTests {
    /// Each document of an extension takes longer than a round waits for all of them.
    private final class Containers: SpotlightDocuments {
        let listed = Mutex<[ListedDocument]>([])
        let asked = Mutex<[String]>([])
        let isAway = Mutex(false)

        func put(_ key: String, app: AppIdentity?, importer: String) {
            let document = ListedDocument(
                app: app, key: key, path: "/containers/\(key)", name: key, modified: 1, isReadable: true,
                importer: importer)
            listed.withLock { $0.append(document) }
        }

        func changes(all: Bool, each: (ListedChanges) async throws -> Void) async throws -> Bool {
            try await each(ListedChanges(documents: listed.withLock { $0 }))
            return true
        }

        func content(of document: ListedDocument) async -> [UInt8]? { Array("Plain".utf8) }

        func imported(_ document: ListedDocument) async throws -> [String: PropertyValue]? {
            asked.withLock { $0.append(document.key) }
            if isAway.withLock({ $0 }) { throw BatonError(.unavailable, reason: "x", "Away.") }
            return ["textContent": .string("Dumplings")]
        }
    }

    // P-6
    @Test("A slow import extension holds up neither other documents, nor its own documents' names, nor other apps")
    func rounds() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let containers = Containers()
        for name in ["Kiwi", "Mango", "Papaya"] {
            containers.put("\(name).review", app: SearchDevice.notes, importer: "1")
        }
        containers.put("Letter.mail", app: SearchDevice.mail, importer: "2")
        containers.put("Zebra.txt", app: nil, importer: "")
        let indexer = DocumentIndexer(
            service, documents: containers, recorder: NullEventRecorder(), importTime: .nanoseconds(1))
        await indexer.round()
        #expect(containers.asked.withLock { $0.count } == 1)
        #expect(try await service.titles("zebra") == ["Zebra.txt"])
        for name in ["Kiwi.review", "Mango.review", "Papaya.review", "Letter.mail"] {
            #expect(try await service.titles(String(name.prefix { $0 != "." })) == [name])
        }
        #expect(try await service.titles("dumplings").count == 1)
        // A document that comes meanwhile does not wait either.
        containers.put("Giraffe.txt", app: SearchDevice.notes, importer: "")
        await indexer.round()
        #expect(try await service.titles("giraffe") == ["Giraffe.txt"])
        await indexer.round()
        await indexer.round()
        #expect(try await service.titles("dumplings").count == 4)
        // Each app in its turn, and no document twice.
        let asked = containers.asked.withLock { $0 }
        #expect(Set(asked).count == 4 && asked.prefix(2).contains("Letter.mail"))
        await indexer.round()
        #expect(containers.asked.withLock { $0.count } == 4)
        service.close()
    }

    @Test("A document whose reader could not be asked is asked about once, and again after the next start")
    func absent() async throws {
        let device = try SearchDevice()
        var service = try device.service()
        let containers = Containers()
        containers.put("Kiwi.pdf", app: nil, importer: "1")
        containers.put("Mango.pdf", app: nil, importer: "1")
        containers.isAway.withLock { $0 = true }
        var indexer = DocumentIndexer(service, documents: containers, recorder: NullEventRecorder())
        for _ in 1...3 { await indexer.round() }
        #expect(containers.asked.withLock { $0.sorted() } == ["Kiwi.pdf", "Mango.pdf"])
        #expect(try await service.titles("kiwi") == ["Kiwi.pdf"])
        service.close()
        containers.isAway.withLock { $0 = false }
        service = try device.service()
        indexer = DocumentIndexer(service, documents: containers, recorder: NullEventRecorder())
        for _ in 1...2 { await indexer.round() }
        #expect(containers.asked.withLock { $0.count } == 4)
        #expect(try await service.titles("dumplings").count == 2)
        service.close()
    }
}
