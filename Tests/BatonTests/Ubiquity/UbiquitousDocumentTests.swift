import AppLink
import BatonCore
import BatonTestSupport
import FileCoordination
import Foundation
import Synchronization
import Testing

@testable import Baton

/// Documents in a container: what the sync does to them, and what they wait for.
@Suite("Documents in containers", .timeLimit(.minutes(1))) @MainActor struct UbiquitousDocumentTests {
    private let fixture: DocumentFixture

    init() throws { fixture = try DocumentFixture() }

    private func opened(_ path: String, in app: ContainerApp) async throws -> TextDocument {
        _ = try await app.offMain { FileManager.default.url(forUbiquityContainerIdentifier: nil) }
        let url = app.daemon.url(path)
        let document = app.make(fixture) { TextDocument(fileURL: url) }
        #expect(await document.open())
        return document
    }

    @Test("A version that comes from iCloud is loaded, whether or not the sync coordinates (D-7, D-17)")
    func arrives() async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/a.txt", "one")
            let document = try await opened("Documents/a.txt", in: app)
            #expect(document.text == "one")
            try app.daemon.arrive("Documents/a.txt", "two")
            await document.next("loaded two")
            #expect(await document.close())
        }
    }

    /// Counts how often a file is looked at without being read.
    private final class CountedLooks: FileCoordinationTransport {
        private let transport: any FileCoordinationTransport
        private let looks = Mutex(0)

        init(_ transport: any FileCoordinationTransport) { self.transport = transport }

        var count: Int { looks.withLock { $0 } }
        var client: CoordinationClient { transport.client }
        func connect(_ receive: @escaping @Sendable (FileCoordinationNews) -> Void) { transport.connect(receive) }
        func send(_ input: FileCoordinationStateMachine.Input) throws(CoordinationRefusal) {
            if case .request(let request) = input, request.intents.contains(where: Self.isLook) {
                looks.withLock { $0 += 1 }
            }
            try transport.send(input)
        }

        private static func isLook(_ intent: AccessIntent) -> Bool {
            guard case .reading(let options) = intent.access else { return false }
            return options.contains(.immediatelyAvailableMetadataOnly)
        }
    }

    /// Returns when all that was told until now has been looked at.
    private func settle(_ document: TextDocument, _ app: ContainerApp) async throws {
        let url = document.fileURL
        _ = try await app.offMain { app.runtime.ubiquity.isListed(url) }
        await mainQueue()
        // An update of the sync during a look has the file looked at once more after it.
        for _ in 0..<2 {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                document.performAsynchronousFileAccess { continuation.resume() }
            }
            await mainQueue()
        }
    }

    private func make(_ environment: DocumentEnvironment, _ url: URL) -> TextDocument {
        DocumentEnvironment.$scoped.withValue(environment) { TextDocument(fileURL: url) }
    }

    private func mainQueue() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            MainQueue.async { continuation.resume() }
        }
    }

    @Test("A save tells its document once: after the sync's news of it the file is not looked at again (D-17, D-20)")
    func ownSave() async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/a.txt", "one")
            _ = try await app.offMain { FileManager.default.url(forUbiquityContainerIdentifier: nil) }
            let url = app.daemon.url("Documents/a.txt")
            let looks = CountedLooks(fixture.arbiter.makeTransport())
            let runtime = FileCoordinationRuntime(looks)
            var environment = app.environment(fixture)
            environment.coordination = { runtime }
            let document = make(environment, url)
            #expect(await document.open())
            // The sync's first update may come after the document is open, and has the file looked at too.
            try #require(try await app.offMain { app.runtime.ubiquity.item(at: url, patience: .seconds(60)) != nil })
            try await settle(document, app)
            let before = looks.count
            document.edit("mine and longer")
            #expect(await document.save(to: url, for: .forOverwriting))
            try app.daemon.look(at: "Documents/a.txt")
            app.daemon.upload("Documents/a.txt", percent: 40)
            await document.wait { $0.documentState.contains(.progressAvailable) }
            try await settle(document, app)
            #expect(looks.count == before)
            try app.daemon.arrive("Documents/a.txt", "two")
            await document.next("loaded two")
            #expect(looks.count > before, "what comes from elsewhere is looked at")
            #expect(await document.close())
        }
    }

    @Test("A document that another device moves is followed, and one that it deletes is closed (D-33)")
    func movedAndDeleted() async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/a.txt", "one")
            let document = try await opened("Documents/a.txt", in: app)
            try app.daemon.arrive("Documents/a.txt", "two")
            await document.next("loaded two")
            try app.daemon.move("Documents/a.txt", to: "Documents/b.txt")
            await document.wait { $0.fileURL.lastPathComponent == "b.txt" }
            try app.daemon.arrive("Documents/b.txt", "three")
            await document.next("loaded three")
            try app.daemon.delete("Documents/b.txt")
            await document.wait { $0.documentState.contains(.closed) }
            #expect(document.text == "three")
        }
    }

    @Test("An upload shows in the state and the progress, and ends with its news (D-19)")
    func progress() async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/a.txt", "one")
            let document = try await opened("Documents/a.txt", in: app)
            #expect(!document.documentState.contains(.progressAvailable))
            app.daemon.upload("Documents/a.txt", percent: 40)
            await document.wait { $0.documentState.contains(.progressAvailable) }
            await document.wait { $0.progress.completedUnitCount == 40 }
            let progress = document.progress
            app.daemon.upload("Documents/a.txt", percent: 60)
            await document.wait { _ in progress.completedUnitCount == 60 }
            app.daemon.upload("Documents/a.txt", percent: nil)
            await document.wait { !$0.documentState.contains(.progressAvailable) }
            await document.wait { _ in progress.isFinished }
            #expect(await document.close())
        }
    }

    @Test("Opening a document that is not here downloads it first (D-19)")
    func download() async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/a.txt", "far", isDownloaded: false)
            let document = try await opened("Documents/a.txt", in: app)
            #expect(document.text == "far")
            #expect(await document.close())
        }
    }

    @Test("What does not come in time is an error of iCloud's range, with its reason (4353, 4354)")
    func deadline() async throws {
        try await ContainerApp.run { app in
            app.daemon.holdDownloads()
            try app.daemon.arrive("Documents/a.txt", "far", isDownloaded: false)
            try app.daemon.arrive("Documents/b.txt", "far", isDownloaded: false, problem: "over_quota")
            let client = app.runtime.ubiquity
            for (name, code) in [("a.txt", 4353), ("b.txt", 4354), ("never.txt", 4353)] {
                let url = app.daemon.url("Documents/" + name)
                let error = await #expect(throws: CocoaError.self) {
                    try await app.offMain {
                        try client.makeAvailable(url, waitsForItem: true, patience: .milliseconds(200))
                    }
                }
                #expect(error?.code.rawValue == code, "\(name)")
            }
            // A caller of this device hears at once that there is none.
            let url = app.daemon.url("Documents/never.txt")
            let document = app.make(fixture) { TextDocument(fileURL: url) }
            #expect(await !document.open())
        }
    }

    @Test("A conflict of two devices shows, its content can be read, and it can be resolved and removed (D-6)")
    func versions() async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/a.txt", "mine")
            let url = app.daemon.url("Documents/a.txt")
            _ = try await app.offMain { FileManager.default.url(forUbiquityContainerIdentifier: nil) }
            app.daemon.addVersion("v1", of: "Documents/a.txt", "theirs")
            app.daemon.addVersion("v2", of: "Documents/a.txt", "others'")
            app.daemon.addVersion("old", of: "Documents/a.txt", "before", isConflict: false)
            let store = UbiquityVersionStore(
                local: DirectoryVersionStore(root: fixture.url("versions")), client: app.runtime.ubiquity)
            let all = try await app.offMain { try store.versions(of: url) }
            #expect(all.count == 3)
            #expect(all.filter { $0.isConflict && !$0.isResolved }.map(\.identifier).sorted() == ["v1", "v2"])
            #expect(all.allSatisfy { $0.isLocal && $0.computerName == "Other" })
            let fetched = try await app.offMain { try store.fetch("v1", of: url) }
            let content = try #require(fetched.content)
            #expect(try String(contentsOf: content, encoding: .utf8) == "theirs")
            try await app.offMain {
                try store.setResolved("v1", of: url)
                try store.remove("v1", of: url)
                try store.remove("v2", of: url)
                try store.remove("old", of: url)
            }
            #expect(!FileManager.default.fileExists(atPath: content.path))
            #expect(app.daemon.changes == ["resolve v1", "resolve v2"])
            let undecided = try await app.offMain { try store.versions(of: url).filter(\.isConflict) }
            #expect(undecided.isEmpty)
            await #expect(throws: CocoaError.self) { try await app.offMain { try store.fetch("none", of: url) } }
            // A version that this process keeps itself is among them.
            let kept = try await app.offMain { try store.add(url, as: url, isConflict: true) }
            let four = try await app.offMain { try store.versions(of: url) }
            #expect(four.count == 4)
            try await app.offMain { try store.removeAll(of: url) }
            let left = try await app.offMain { try store.versions(of: url).map(\.identifier) }
            #expect(!left.contains(kept.identifier))
        }
    }

    @Test("A document has its activity once it is in the container (H-56, H-64, D-23)")
    func activity() async throws {
        try await ContainerApp.run { app in
            _ = try await app.offMain { FileManager.default.url(forUbiquityContainerIdentifier: nil) }
            let (local, inside) = (fixture.url("a.rtfd"), app.daemon.url("Documents/a.rtfd"))
            try Data("one".utf8).write(to: local)
            let document = app.make(fixture) { TextDocument(fileURL: local) }
            #expect(await document.open())
            #expect(document.userActivity == nil)
            try await fixture.elsewhere { coordinator, error in
                coordinator.coordinate(writingItemAt: local, options: .forMoving, error: error) { url in
                    try? FileManager.default.moveItem(at: url, to: inside)
                    coordinator.item(at: url, didMoveTo: inside)
                }
            }
            await document.wait { $0.userActivity != nil }
            #expect(document.userActivity?.activityType == "com.myCompany.myEditor.editing")
            #expect((document.userActivity?.userInfo?[UIDocument.userActivityURLKey] as? URL)?.path == inside.path)
            // It hears of the sync from now on.
            try app.daemon.arrive("Documents/a.rtfd", "two")
            await document.next("loaded two")
            #expect(await document.close())
        }
    }
}
