import BatonTestSupport
import Foundation
import Testing

@testable import Baton

/// A UIDocument that notes which of its methods are called.
private final class Sketch: UIDocument {
    let journal = Journal()
    var text = ""
    /// Its `save` answers without saving.
    var keepsChanges = false

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        text = String(decoding: contents as? Data ?? Data(), as: UTF8.self)
    }

    override func contents(forType typeName: String) throws -> Any {
        journal.note("contents")
        return Data(text.utf8)
    }

    override func autosave(completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        journal.note("autosave")
        super.autosave(completionHandler: completionHandler)
    }

    override func save(
        to url: URL, for saveOperation: SaveOperation, completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        journal.note("save \(url.lastPathComponent) \(saveOperation)")
        if keepsChanges {
            completionHandler?(true)
            return
        }
        super.save(to: url, for: saveOperation) { isSaved in
            self.journal.note("saved \(isSaved) \(self.hasUnsavedChanges)")
            completionHandler?(isSaved)
        }
    }

    func edit(_ text: String) {
        self.text = text
        updateChangeCount(.done)
    }
}

/// An NSDocument with overrides in both forms.
private class Paper: NSDocument {
    let journal = Journal()
    var text = ""
    var types: [String] = []
    var failsToSave = false
    var errors = 0

    override class var autosavesInPlace: Bool { true }

    override func read(from data: Data, ofType typeName: String) throws {
        types.append("read \(typeName)")
        text = String(decoding: data, as: UTF8.self)
    }

    override func data(ofType typeName: String) throws -> Data {
        types.append("data \(typeName)")
        return Data(text.utf8)
    }

    override func write(
        to url: URL, ofType typeName: String, for saveOperation: SaveOperationType,
        originalContentsURL absoluteOriginalContentsURL: URL?
    ) throws {
        journal.note("write \(saveOperation)")
        try super.write(
            to: url, ofType: typeName, for: saveOperation, originalContentsURL: absoluteOriginalContentsURL)
    }

    override func autosave(
        withImplicitCancellability isCancellable: Bool,
        completionHandler: @escaping @MainActor @Sendable ((any Error)?) -> Void
    ) {
        journal.note("autosave \(isCancellable)")
        super.autosave(withImplicitCancellability: isCancellable, completionHandler: completionHandler)
    }

    /// In the form that is not the one with a handler.
    override func save(to url: URL, ofType typeName: String, for saveOperation: SaveOperationType) async throws {
        journal.note("save \(saveOperation)")
        if failsToSave { throw CocoaError(.fileWriteUnknown) }
        try await super.save(to: url, ofType: typeName, for: saveOperation)
    }

    override func presentError(_ error: any Error) -> Bool {
        errors += 1
        return true
    }

    func edit(_ text: String) {
        self.text = text
        updateChangeCount(.changeDone)
    }
}

/// One that the app saves by itself alone.
private final class Ledger: Paper {
    override class var autosavesInPlace: Bool { false }
}

@Suite("Saves that no one asked for by name", .timeLimit(.minutes(1)), .serialized) @MainActor struct OwnSaveTests {
    private let fixture: DocumentFixture

    init() throws { fixture = try DocumentFixture() }

    private func sketch(_ environment: DocumentEnvironment? = nil) async throws -> Sketch {
        let url = fixture.url("a.txt")
        try Data("one".utf8).write(to: url)
        let environment = environment ?? fixture.environment
        let document = DocumentEnvironment.$scoped.withValue(environment) { Sketch(fileURL: url) }
        #expect(await document.open())
        return document
    }

    private func paper<Document: Paper>(
        _ kind: Document.Type, _ environment: DocumentEnvironment? = nil, type: String = "public.plain-text"
    ) async throws -> Document {
        let url = fixture.url("a.txt")
        try Data("one".utf8).write(to: url)
        let document = DocumentEnvironment.$scoped.withValue(environment ?? fixture.environment) { Document() }
        try await document.open(contentsOf: url, ofType: type)
        return document
    }

    private func readElsewhere() async throws -> String? {
        let (url, text) = (fixture.url("a.txt"), UncheckedMutex<String?>(nil))
        try await fixture.elsewhere { coordinator, error in
            coordinator.coordinate(readingItemAt: url, error: error) { found in
                text.withLock { $0 = try? String(contentsOf: found, encoding: .utf8) }
            }
        }
        return text.withLock { $0 }
    }

    private func until(_ isReached: () -> Bool) async { while !isReached() { await Task.yield() } }

    private static let saved = ["autosave", "save a.txt forOverwriting", "contents", "saved true false"]

    @Test("A document of UIKit saves by its overridden methods: by time, before others read, when closed (D-22)")
    func uiKit() async throws {
        let document = try await sketch()
        document.edit("two")
        fixture.time.advance(by: .seconds(4))
        await until { !document.hasUnsavedChanges && document.journal.all.count == 4 }
        #expect(document.journal.all == Self.saved)
        #expect(fixture.text("a.txt") == "two")
        document.edit("three")
        #expect(try await readElsewhere() == "three")
        #expect(document.journal.all == Self.saved + Self.saved)
        document.edit("four")
        #expect(await document.autosave())
        #expect(document.journal.all == Self.saved + Self.saved + Self.saved)
        // Nothing to save.
        #expect(await document.autosave())
        #expect(document.journal.all.count == 13)
        document.edit("five")
        #expect(await document.close())
        #expect(document.journal.all.dropFirst(13) == Self.saved[...])
        #expect(fixture.text("a.txt") == "five")
        #expect(document.documentState == .closed)
    }

    @Test("A document of AppKit saves by its overridden methods, in either form, in place (H-101)")
    func appKit() async throws {
        let document = try await paper(Paper.self)
        document.edit("two")
        fixture.time.advance(by: .seconds(4))
        await until { !document.isDocumentEdited }
        let saved = ["autosave true", "save autosaveInPlaceOperation", "write autosaveInPlaceOperation"]
        #expect(document.journal.all == saved)
        #expect(fixture.text("a.txt") == "two")
        document.edit("three")
        #expect(try await readElsewhere() == "three")
        #expect(document.journal.all == saved + saved)
        document.edit("four")
        document.close()
        await until { !document.snapshot.isOpen }
        #expect(document.journal.all == saved + saved + saved)
        #expect(fixture.text("a.txt") == "four")
    }

    @Test("What the undo manager of an AppKit document heard of is saved when it is closed in the same event")
    func undoAndClose() async throws {
        let document = try await paper(Paper.self)
        document.undoManager?.registerUndo(withTarget: document) { $0.text = "one" }
        document.text = "two"
        document.close()
        await until { !document.snapshot.isOpen }
        #expect(fixture.text("a.txt") == "two")
    }

    @Test("An override that throws is an error of the document, which stays open, and is asked again")
    func throwing() async throws {
        let document = try await paper(Paper.self)
        document.failsToSave = true
        document.edit("two")
        fixture.time.advance(by: .seconds(4))
        await until { document.errors == 1 }
        #expect(document.isDocumentEdited && fixture.text("a.txt") == "one")
        document.close()
        await until { document.errors == 2 }
        #expect(document.snapshot.isOpen)
        document.failsToSave = false
        fixture.time.advance(by: .seconds(400))
        await until { !document.isDocumentEdited }
        #expect(fixture.text("a.txt") == "two")
        document.close()
        await until { !document.snapshot.isOpen }
    }

    @Test("An override that answers without saving is asked again later, and the document can be closed")
    func keeping() async throws {
        let document = try await sketch()
        document.keepsChanges = true
        document.edit("two")
        fixture.time.advance(by: .seconds(4))
        await until { document.journal.all.count == 2 && !document.core.machine.isBusy }
        fixture.time.advance(by: .seconds(10))
        #expect(document.journal.all.count == 2 && document.hasUnsavedChanges)
        fixture.time.advance(by: .seconds(6))
        await until { document.journal.all.count == 4 && !document.core.machine.isBusy }
        #expect(await document.close())
        #expect(fixture.text("a.txt") == "one" && document.hasUnsavedChanges)
        #expect(document.documentState == .closed)
    }

    @Test("A document without autosavesInPlace is saved neither by time, nor for others, nor at the end (H-101)")
    func byHand() async throws {
        let environment = fixture.environment
        let document = try await paper(Ledger.self, environment)
        document.edit("two")
        fixture.time.advance(by: .seconds(400))
        environment.notifications.post(name: NSApplication.willResignActiveNotification, object: nil)
        environment.notifications.post(name: DocumentCore.ending, object: nil)
        #expect(try await readElsewhere() == "one")
        #expect(document.isDocumentEdited && document.journal.all.isEmpty)
        try await document.save(to: fixture.url("a.txt"), ofType: "public.plain-text", for: .saveOperation)
        #expect(document.journal.all == ["save saveOperation", "write saveOperation"])
        #expect(fixture.text("a.txt") == "two")
        document.close()
        await until { !document.snapshot.isOpen }
    }

    @Test(
        "The app is kept from ending until its documents are saved, and not without need",
        arguments: [
            UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
            NSApplication.willResignActiveNotification, DocumentCore.ending,
        ])
    func leaving(name: NSNotification.Name) async throws {
        var environment = fixture.environment
        let tasks = UncheckedMutex((begun: 0, ended: 0))
        environment.keepRunning = {
            tasks.withLock { $0.begun += 1 }
            return { tasks.withLock { $0.ended += 1 } }
        }
        let document = try await sketch(environment)
        environment.notifications.post(name: name, object: nil)
        #expect(tasks.withLock { $0.begun } == 0)
        document.edit("two")
        environment.notifications.post(name: name, object: nil)
        // Begun before the notification has been posted to all: the app asks right afterwards whether anything is under way.
        if MainQueue.isCurrent { #expect(tasks.withLock { $0.begun } > 0) }
        await until { !document.hasUnsavedChanges }
        #expect(fixture.text("a.txt") == "two")
        await until { tasks.withLock { $0.begun > 0 && $0.ended == $0.begun } }
        #expect(await document.close())
    }

    @Test("The type that an app names is the one that is read and saved, whatever the file's name says (H-101)")
    func types() async throws {
        let document = try await paper(Paper.self, type: "com.example.note")
        #expect(document.types == ["read com.example.note"] && document.fileType == "com.example.note")
        document.edit("two")
        fixture.time.advance(by: .seconds(4))
        await until { !document.isDocumentEdited }
        try await fixture.writeElsewhere("three", to: "a.txt")
        await until { document.text == "three" }
        #expect(
            document.types == ["read com.example.note", "data com.example.note", "read com.example.note"]
                && document.fileType == "com.example.note")
        try await document.save(to: fixture.url("b.txt"), ofType: "com.example.other", for: .saveAsOperation)
        #expect(document.types.last == "data com.example.other" && document.fileType == "com.example.other")
        #expect(document.journal.all.suffix(2) == ["save saveAsOperation", "write saveAsOperation"])
        document.close()
        await until { !document.snapshot.isOpen }
    }
}
