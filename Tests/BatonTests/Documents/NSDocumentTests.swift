import BatonTestSupport
import Foundation
import Testing

@testable import Baton

/// A note that says what happens to it.
private final class Note: NSDocument {
    var text = ""
    var restored: NSUserActivity?
    private let events = AsyncStream<String>.makeStream()

    override class var autosavesInPlace: Bool { true }

    override func read(from data: Data, ofType typeName: String) throws {
        text = String(decoding: data, as: UTF8.self)
        events.continuation.yield("read \(text)")
    }

    override func data(ofType typeName: String) throws -> Data { Data(text.utf8) }

    override func restoreUserActivityState(_ userActivity: NSUserActivity) { restored = userActivity }

    func next(_ wanted: String) async {
        for await event in events.stream where event == wanted { return }
    }
}

@Suite("NSDocument", .timeLimit(.minutes(1)), .serialized) @MainActor struct NSDocumentTests {
    private let fixture: DocumentFixture
    private let controller = NSDocumentController.shared

    init() throws {
        fixture = try DocumentFixture()
        for type in ["public.plain-text", "com.myCompany.rtfd"] { controller.register(Note.self, forType: type) }
        try FileManager.default.createDirectory(at: fixture.url("cloud"), withIntermediateDirectories: true)
    }

    private func open(_ name: String, display: Bool = false) async throws -> (Note, Bool) {
        let (document, wasOpen) = try await DocumentEnvironment.$scoped.withValue(fixture.environment) {
            try await controller.openDocument(withContentsOf: fixture.url(name), display: display)
        }
        return (try #require(document as? Note), wasOpen)
    }

    private func close(_ document: Note) async {
        document.close()
        while controller.documents.contains(where: { $0 === document }) { await Task.yield() }
    }

    @Test("A file is opened once, edited, saved in place by itself, and closed (H-101)")
    func life() async throws {
        try Data("one".utf8).write(to: fixture.url("a.txt"))
        let (document, wasOpen) = try await open("a.txt")
        #expect(!wasOpen)
        #expect(document.text == "one")
        #expect(document.displayName == "a")
        #expect(document.fileType == "public.plain-text")
        let (again, isAgain) = try await open("a.txt")
        #expect(again === document)
        #expect(isAgain)
        document.text = "two"
        document.updateChangeCount(.changeDone)
        #expect(document.isDocumentEdited)
        fixture.time.advance(by: .seconds(4))
        while document.isDocumentEdited { await Task.yield() }
        #expect(fixture.text("a.txt") == "two")
        try await fixture.writeElsewhere("three", to: "a.txt")
        await document.next("read three")
        await close(document)
        #expect(fixture.runtime.presenters.isEmpty)
    }

    @Test("Two requests for one file give one document")
    func twice() async throws {
        try Data("one".utf8).write(to: fixture.url("a.txt"))
        async let first = open("a.txt")
        async let second = open("a.txt")
        let (one, two) = try await (first.0, second.0)
        #expect(one === two)
        await close(one)
    }

    @Test("Saving as moves the document, saving to makes a copy, and reverting forgets")
    func saving() async throws {
        let document = try fixture.make { try Note(type: "public.plain-text") }
        #expect(document.displayName == "Untitled")
        document.text = "text"
        document.updateChangeCount(.changeDone)
        try await document.save(to: fixture.url("a.txt"), ofType: "public.plain-text", for: .saveAsOperation)
        #expect(document.fileURL == fixture.url("a.txt"))
        #expect(!document.isDocumentEdited)
        document.text = "copy"
        try await document.save(to: fixture.url("b.txt"), ofType: "public.plain-text", for: .saveToOperation)
        #expect(document.fileURL == fixture.url("a.txt"))
        #expect(fixture.text("b.txt") == "copy")
        document.updateChangeCount(.changeDone)
        try document.revert(toContentsOf: fixture.url("a.txt"), ofType: "public.plain-text")
        #expect(document.text == "text")
        #expect(!document.isDocumentEdited)
        await close(document)
    }

    @Test("A file that cannot be opened is an error, and no document")
    func missing() async throws {
        await #expect(throws: CocoaError.self) { try await self.open("none.txt") }
        #expect(controller.document(for: fixture.url("none.txt")) == nil)
    }

    @Test("The activity becomes current with the window, and ends with the document (H-56, H-58, H-61, H-65)")
    func activity() async throws {
        try Data("one".utf8).write(to: fixture.url("cloud/a.rtfd"))
        let (document, _) = try await open("cloud/a.rtfd", display: true)
        let activity = try #require(document.userActivity)
        #expect(activity.activityType == "com.myCompany.myEditor.editing")
        #expect(activity.userInfo?[NSUserActivityDocumentURLKey] as? URL == document.fileURL)
        let window = try #require(document.windowControllers.first?.window)
        #expect(window.isMainWindow)
        #expect(window.title == "a")
        #expect(AppRuntime.current.currentActivity === activity)
        let other = NSWindow()
        other.userActivity = NSUserActivity(activityType: "com.example.other")
        other.makeMain()
        #expect(AppRuntime.current.currentActivity === other.userActivity)
        window.makeMain()
        #expect(AppRuntime.current.currentActivity === activity)
        #expect(controller.currentDocument === document)
        await close(document)
        #expect(document.userActivity == nil)
        #expect(!activity.snapshot.isValid)
        #expect(NSWindow.main == nil)
    }

    @Test("A document's activity that the app does not continue is continued by opening it (H-62, H-73)")
    func continuing() async throws {
        try Data("one".utf8).write(to: fixture.url("cloud/a.rtfd"))
        let activity = NSUserActivity(activityType: "com.myCompany.myEditor.editing")
        #expect(!controller.continueDocument(activity))
        activity.userInfo = [NSUserActivityDocumentURLKey: fixture.url("cloud/a.rtfd")]
        let document: NSDocument? = await withCheckedContinuation { continuation in
            let isOpening = fixture.make {
                controller.continueDocument(activity) { document, _ in continuation.resume(returning: document) }
            }
            #expect(isOpening)
        }
        let note = try #require(document as? Note)
        #expect(note.restored === activity)
        await close(note)
    }

    @Test("The Info.plist's document types are read as in the source (H-55, H-57, H-59, H-60)")
    func types() {
        let types = DocumentTypes(infoDictionary: [
            "CFBundleDocumentTypes": [
                [
                    "CFBundleTypeName": "NSRTFDPboardType", "LSItemContentTypes": ["com.myCompany.rtfd"],
                    "NSUbiquitousDocumentUserActivityType": "com.myCompany.myEditor.editing",
                ]
            ]
        ])
        #expect(types.entry(for: "com.mycompany.RTFD")?.activityType == "com.myCompany.myEditor.editing")
        #expect(types.entry(for: "NSRTFDPboardType") != nil)
        #expect(types.activityTypes == ["com.myCompany.myEditor.editing"])
        #expect(types.entry(for: "other") == nil)
    }

    @Test("A coordinated access on the main thread and a save that writes there do not wait for each other (D-6)")
    func mainThreadReader() async throws {
        try Data("one".utf8).write(to: fixture.url("a.txt"))
        let (document, _) = try await open("a.txt")
        document.text = "two"
        document.updateChangeCount(.changeDone)
        let saved = AsyncStream<Bool>.makeStream()
        document.autosave(withImplicitCancellability: false) { saved.continuation.yield($0 == nil) }
        var (text, error): (String?, NSError?)
        NSFileCoordinator(filePresenter: nil, runtime: fixture.other).coordinate(
            readingItemAt: fixture.url("a.txt"), error: &error
        ) { text = try? String(contentsOf: $0, encoding: .utf8) }
        #expect(error == nil && text == "two")
        var ends = saved.stream.makeAsyncIterator()
        #expect(await ends.next() == true)
        await close(document)
    }
}
