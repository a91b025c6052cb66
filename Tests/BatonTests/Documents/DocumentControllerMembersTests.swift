import Foundation
import Synchronization
import Testing

@testable import Baton

private final class Memo: NSDocument {
    var text = ""
    var errors: [any Error] = []
    var written: [String] = []

    override func read(from data: Data, ofType typeName: String) throws {
        text = String(decoding: data, as: UTF8.self)
        if text == "broken" { throw CocoaError(.fileReadCorruptFile) }
    }

    override func data(ofType typeName: String) throws -> Data { Data(text.utf8) }

    override func write(to url: URL, ofType typeName: String) throws {
        written.append(typeName)
        try super.write(to: url, ofType: typeName)
    }

    override func presentError(_ error: any Error) -> Bool {
        errors.append(error)
        return super.presentError(error)
    }
}

/// Members of NSDocument and NSDocumentController beyond the main path.
@Suite(.timeLimit(.minutes(1)), .serialized) @MainActor struct DocumentControllerMembersTests {
    private let fixture: DocumentFixture

    init() throws { fixture = try DocumentFixture() }

    @Test("a document is read by its initializer and reverted at once, and an error is thrown (H-101)")
    func reading() async throws {
        let url = fixture.url("a.txt")
        try Data("one".utf8).write(to: url)
        let memo = try fixture.make { try Memo(contentsOf: url, ofType: "public.plain-text") }
        #expect(memo.text == "one" && memo.fileURL == url && memo.fileType == "public.plain-text")
        #expect(memo.fileModificationDate != nil)
        memo.text = "two"
        memo.updateChangeCount(.changeDone)
        try memo.revert(toContentsOf: url, ofType: "public.plain-text")
        #expect(memo.text == "one" && !memo.isDocumentEdited)
        // It hears of its file like any other.
        try await fixture.writeElsewhere("three", to: "a.txt")
        while memo.text != "three" { await Task.yield() }
        try Data("broken".utf8).write(to: fixture.url("b.txt"))
        #expect(throws: CocoaError.self) {
            try fixture.make { try Memo(contentsOf: fixture.url("b.txt"), ofType: "public.plain-text") }
        }
        #expect(throws: (any Error).self) {
            try fixture.make { try Memo(contentsOf: fixture.url("none.txt"), ofType: "public.plain-text") }
        }
        memo.close()
    }

    @Test("an error of opening goes to the caller alone, who presents it (H-101)")
    func openingFails() async throws {
        try Data("broken".utf8).write(to: fixture.url("a.txt"))
        let memo = fixture.make { Memo() }
        await #expect(throws: CocoaError.self) {
            try await memo.open(contentsOf: fixture.url("a.txt"), ofType: "public.plain-text")
        }
        #expect(memo.errors.isEmpty)
        memo.close()
    }

    @Test("every save goes through write(to:ofType:) (H-101)")
    func writing() async throws {
        let memo = try fixture.make { try Memo(type: "public.plain-text") }
        memo.text = "one"
        try await memo.save(to: fixture.url("a.txt"), ofType: "public.plain-text", for: .saveAsOperation)
        try await memo.save(to: fixture.url("b.txt"), ofType: "public.plain-text", for: .saveToOperation)
        #expect(memo.written == ["public.plain-text", "public.plain-text"])
        #expect(fixture.text("a.txt") == "one" && fixture.text("b.txt") == "one")
        memo.close()
    }

    @Test("a subclass of the controller makes the documents, and has the files that were opened last (H-101)")
    func controller() async throws {
        final class Controller: NSDocumentController {
            var made: [String] = []
            override func makeDocument(withContentsOf url: URL, ofType typeName: String) throws -> NSDocument {
                made.append(url.lastPathComponent)
                return try super.makeDocument(withContentsOf: url, ofType: typeName)
            }
        }
        // The first that was made stays the shared one.
        let shared = NSDocumentController.shared
        let controller = Controller()
        #expect(NSDocumentController.shared === shared)
        controller.register(Memo.self, forType: "public.plain-text")
        controller.clearRecentDocuments(nil)
        for name in ["a.txt", "b.txt"] {
            try Data(name.utf8).write(to: fixture.url(name))
            let (document, wasOpen) = try await DocumentEnvironment.$scoped.withValue(fixture.environment) {
                try await controller.openDocument(withContentsOf: fixture.url(name), display: false)
            }
            #expect(!wasOpen && (document as? Memo)?.text == name)
        }
        #expect(controller.made == ["a.txt", "b.txt"] && controller.documents.count == 2)
        #expect(controller.recentDocumentURLs.map(\.lastPathComponent) == ["b.txt", "a.txt"])
        try controller.openUntitledDocumentAndDisplay(false)
        #expect(controller.documents.count == 3 && controller.documents.last?.fileURL == nil)
        #expect(throws: (any Error).self) { try controller.makeUntitledDocument(ofType: "com.example.unknown") }
        for document in controller.documents { document.close() }
    }

    @Test("a file of the Inbox becomes one of the app's own, which can be changed; others stay (A-12, A-13)")
    func inbox() throws {
        let files = FileManager.default
        let (container, elsewhere) = (fixture.url("container"), fixture.url("elsewhere"))
        let documents = container.appendingPathComponent("Documents")
        for folder in [documents, elsewhere] {
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        // As it is: a link out of the container.
        let inbox = documents.appendingPathComponent("Inbox")
        try files.createSymbolicLink(at: inbox, withDestinationURL: elsewhere)
        for name in ["Documents/a.txt", "Documents/Inbox/a.txt"] {
            let url = container.appendingPathComponent(name)
            try Data(name.utf8).write(to: url)
            try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
        }
        let given = inbox.appendingPathComponent("a.txt")
        #expect(try InboxDocument.own(given, container: nil) == given)
        let own = try InboxDocument.own(given, container: container.path)
        #expect(own.path == documents.appendingPathComponent("a-1.txt").path)
        #expect(try String(contentsOf: own, encoding: .utf8) == "Documents/Inbox/a.txt")
        #expect(files.isWritableFile(atPath: own.path) && !files.fileExists(atPath: given.path))
        #expect(try InboxDocument.own(own, container: container.path) == own)
    }

    @Test("openDocument(_:) asks for a file, which the daemon copies for a confined app (A-16, H-101)")
    func asking() async throws {
        let container = fixture.url("container")
        let inbox = container.appendingPathComponent("Documents/Inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        let given = inbox.appendingPathComponent("a.txt")
        for (isConfined, expected) in [(false, given), (true, container.appendingPathComponent("Documents/a.txt"))] {
            try Data("text".utf8).write(to: given)
            let variables = isConfined ? ["BATON_CONTAINER": container.path] : [:]
            let bench = SharingBench(variables: variables, isConfined: isConfined)
            bench.answer { _ in .text(given.path) }
            try await withApp(sharing: bench.tools) { _ in
                let controller = NSDocumentController()
                controller.register(Memo.self, forType: "public.plain-text")
                DocumentEnvironment.$scoped.withValue(fixture.environment) { controller.openDocument(nil) }
                while controller.documents.isEmpty { await Task.yield() }
                let memo = try #require(controller.documents.first as? Memo)
                #expect(memo.text == "text" && memo.fileURL?.path == expected.path)
                #expect(bench.questions.map(\.inboxTypes) == [isConfined ? ["public.plain-text"] : nil])
                memo.close()
            }
        }
    }

    @Test("recent documents are kept, each once, the newest first, and damage is none")
    func recent() throws {
        let file = fixture.url("recent.json")
        var recent = RecentDocuments(file: file)
        for name in ["a", "b", "a"] { recent.note(fixture.url(name)) }
        #expect(RecentDocuments(file: file).urls.map(\.lastPathComponent) == ["a", "b"])
        for number in 0..<60 { recent.note(fixture.url("\(number)")) }
        #expect(RecentDocuments(file: file).urls.count == RecentDocuments.capacity)
        try Data("[1".utf8).write(to: file)
        #expect(RecentDocuments(file: file).urls.isEmpty)
    }

    @Test("a download shows in the state and in the progress of a document (D-19)")
    func progress() async throws {
        let url = fixture.url("a.txt")
        let document = fixture.make { TextDocument(fileURL: url) }
        #expect(document.progress.fractionCompleted == 1 && !document.documentState.contains(.progressAvailable))
        document.core.snapshot.withLock { $0.transfer = DocumentTransfer(isUpload: false, percent: 25) }
        document.coreDidChange()
        let progress = document.progress
        #expect(progress.fractionCompleted == 0.25 && document.documentState.contains(.progressAvailable))
        document.core.snapshot.withLock { $0.transfer = nil }
        document.coreDidChange()
        #expect(progress.isFinished && !document.documentState.contains(.progressAvailable))
    }

    @Test("errors in the background are not for the person, and those that are shown are withdrawn")
    func interaction() async throws {
        final class Asking: UIDocument {
            var permitted: [Bool] = []
            var withdrawn = 0
            override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
                permitted.append(userInteractionPermitted)
            }
            override func userInteractionNoLongerPermitted(forError error: any Error) { withdrawn += 1 }
        }
        let url = fixture.url("none.txt")
        var environment = fixture.environment
        environment.isInBackground = { false }
        let document = DocumentEnvironment.$scoped.withValue(environment) { Asking(fileURL: url) }
        #expect(await !document.open())
        document.appWasLeft()
        document.appWasLeft()
        #expect(document.permitted == [true] && document.withdrawn == 1)
        environment.isInBackground = { true }
        let behind = DocumentEnvironment.$scoped.withValue(environment) { Asking(fileURL: url) }
        #expect(await !behind.open())
        behind.appWasLeft()
        #expect(behind.permitted == [false] && behind.withdrawn == 0)
    }
}
