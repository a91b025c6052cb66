import BatonTestSupport
import Foundation
import Synchronization
import Testing

@testable import Baton

private final class Page: NSDocument {
    var text = ""
    var mode: Int?
    var errors: [any Error] = []

    override func read(from data: Data, ofType typeName: String) throws { text = String(decoding: data, as: UTF8.self) }

    override func data(ofType typeName: String) throws -> Data {
        if text == "unwritable" { throw CocoaError(.fileWriteInapplicableStringEncoding) }
        return Data(text.utf8)
    }

    override func fileAttributesToWrite(
        to url: URL, ofType typeName: String, for saveOperation: SaveOperationType,
        originalContentsURL absoluteOriginalContentsURL: URL?
    ) throws -> [String: Any] { mode.map { [FileAttributeKey.posixPermissions.rawValue: $0] } ?? [:] }

    override func presentError(_ error: any Error) -> Bool {
        errors.append(error)
        return false
    }

    func edit(_ text: String) {
        self.text = text
        updateChangeCount(.changeDone)
    }
}

/// The actions that menus send to a document of AppKit (H-101).
@Suite(.timeLimit(.minutes(1)), .serialized) @MainActor struct DocumentActionsTests {
    // Its own: the class of a type is known to the whole process, and other suites run meanwhile.
    private nonisolated static let type = "com.example.menu-page"
    private let fixture: DocumentFixture

    init() throws {
        fixture = try DocumentFixture()
        NSDocumentController.shared.register(Page.self, forType: Self.type)
    }

    private func make<Document>(_ body: @MainActor () throws -> Document) rethrows -> Document {
        var environment = fixture.environment
        environment.type = { _ in Self.type }
        environment.filenameExtension = { _ in "txt" }
        return try DocumentEnvironment.$scoped.withValue(environment) { try body() }
    }

    private func page(_ name: String, _ text: String) throws -> Page {
        try Data(text.utf8).write(to: fixture.url(name))
        return try make { try Page(contentsOf: fixture.url(name), ofType: Self.type) }
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: fixture.url(name).path)[.posixPermissions] as? Int
    }

    @Test("a document moves its own file, saves what was changed meanwhile there, and writes over nothing")
    func moving() async throws {
        try FileManager.default.createDirectory(at: fixture.url("folder"), withIntermediateDirectories: true)
        try Data("other".utf8).write(to: fixture.url("other.txt"))
        let page = try page("a.txt", "one")
        page.edit("two")
        let error = await #expect(throws: CocoaError.self) { try await page.move(to: fixture.url("other.txt")) }
        #expect(error?.code == .fileWriteFileExists && page.fileURL == fixture.url("a.txt"))
        async let saved: Void = page.autosave(withImplicitCancellability: false)
        try await page.move(to: fixture.url("folder/b.txt"))
        try await saved
        page.edit("three")
        try await page.save(to: fixture.url("folder/b.txt"), ofType: Self.type, for: .saveOperation)
        #expect(page.fileURL == fixture.url("folder/b.txt") && page.displayName == "b" && page.errors.isEmpty)
        #expect(fixture.text("folder/b.txt") == "three" && fixture.text("a.txt") == nil)
        #expect(fixture.text("other.txt") == "other" && !page.isDocumentEdited)
        // Others reach the document at its new place.
        try await fixture.writeElsewhere("four", to: "folder/b.txt")
        while page.text != "four" { await Task.yield() }
        let draft = try make { try Page(type: Self.type) }
        await #expect(throws: CocoaError.self) { try await draft.move(to: fixture.url("c.txt")) }
        page.close()
    }

    @Test("a move that is asked for right after a save elsewhere moves the file that was saved")
    func movingAfterSaving() async throws {
        let draft = try make { try Page(type: Self.type) }
        for (saved, moved) in [("a.txt", "b.txt"), ("c.txt", "d.txt")] {
            draft.edit(saved)
            draft.save(to: fixture.url(saved), ofType: Self.type, for: .saveAsOperation) { #expect($0 == nil) }
            try await draft.move(to: fixture.url(moved))
            #expect(draft.fileURL == fixture.url(moved) && fixture.text(moved) == saved && !draft.isDocumentEdited)
            #expect(fixture.text(saved) == nil && draft.errors.isEmpty)
        }
        #expect(fixture.text("b.txt") == "a.txt")
        draft.close()
    }

    @Test("a copy of a document has its content and no file, is listed and shown, and is to be saved")
    func duplicating() async throws {
        let controller = NSDocumentController.shared
        let page = try page("a.txt", "one")
        page.edit("two")
        let copy = try #require(try make { try page.duplicate() } as? Page)
        #expect(copy.text == "two" && copy.fileURL == nil && copy.displayName == "a copy" && copy.isDocumentEdited)
        #expect(copy.fileType == Self.type && controller.documents.last === copy && controller.hasEditedDocuments)
        let window = try #require(copy.windowForSheet)
        #expect(window.isMainWindow && controller.document(for: window) === copy)
        #expect(NSApplication.shared.mainWindow === window && NSApplication.shared.orderedDocuments.first === copy)
        page.text = "unwritable"
        let count = controller.documents.count
        page.duplicate(nil)
        #expect(controller.documents.count == count && page.errors.count == 1)
        let other = try make {
            try controller.duplicateDocument(withContentsOf: fixture.url("a.txt"), copying: false, displayName: nil)
        }
        #expect((other as? Page)?.text == "one" && other.displayName == "a" && fixture.text("a.txt") == nil)
        // Saved by the app, it has its file's name.
        try await copy.save(to: fixture.url("b.txt"), ofType: Self.type, for: .saveAsOperation)
        #expect(copy.displayName == "b" && window.title == "b")
        for document in [copy, other, page] { document.close() }
    }

    @Test("saving as, saving a copy and moving ask for a folder, and write over nothing there")
    func asking() async throws {
        let folder = fixture.url("folder")
        let bench = SharingBench()
        try await withApp(sharing: bench.tools) { _ in
            let page = try make { try Page(type: Self.type) }
            page.edit("one")
            page.save(nil)
            while bench.questions.isEmpty { await Task.yield() }
            for number in 0..<4 { bench.answer { [path = number < 3 ? folder.path : nil] _ in path.map { .text($0) } } }
            page.save(nil)
            while page.isDocumentEdited { await Task.yield() }
            #expect(page.fileURL == folder.appendingPathComponent("Untitled.txt") && page.displayName == "Untitled")
            page.saveTo(nil)
            while fixture.text("folder/Untitled-1.txt") == nil { await Task.yield() }
            #expect(page.fileURL == folder.appendingPathComponent("Untitled.txt"))
            let didMove = await withCheckedContinuation { moved in page.move { moved.resume(returning: $0) } }
            #expect(didMove && page.fileURL == folder.appendingPathComponent("Untitled-2.txt"))
            // The person wants none of it.
            let isMoved = await withCheckedContinuation { moved in page.move { moved.resume(returning: $0) } }
            #expect(!isMoved && bench.questions.count == 5 && bench.questions.last?.suggestion == folder.path)
            #expect(fixture.text("folder/Untitled-2.txt") == "one" && page.errors.isEmpty)
            page.close()
        }
    }

    @Test("documents that are saved in one folder at the same time get names of their own")
    func sameFolder() async throws {
        let bench = SharingBench()
        try await withApp(sharing: bench.tools) { _ in
            let pages = try ["one", "two", "three"].map { text in
                let page = try make { try Page(type: Self.type) }
                page.edit(text)
                return page
            }
            for page in pages {
                bench.answer { [path = fixture.directory.path] _ in .text(path) }
                page.save(nil)
            }
            while pages.contains(where: \.isDocumentEdited) { await Task.yield() }
            let names = ["Untitled.txt", "Untitled-1.txt", "Untitled-2.txt"]
            #expect(Set(names.map { fixture.text($0) }) == ["one", "two", "three"])
            for page in pages { page.close() }
        }
    }

    @Test("reverting asks before changes are lost, and not where there are none")
    func reverting() async throws {
        let bench = SharingBench()
        try await withApp(sharing: bench.tools) { _ in
            let page = try page("a.txt", "one")
            let elsewhere = fixture.url("b.txt")
            try Data("three".utf8).write(to: elsewhere)
            page.revertToSaved(nil)
            page.edit("two")
            page.revertToSaved(nil)
            while bench.questions.isEmpty { await Task.yield() }
            bench.choose("Lose Changes")
            page.revertToSaved(nil)
            while page.isDocumentEdited { await Task.yield() }
            #expect(page.text == "one" && bench.questions.count == 2 && page.errors.isEmpty)
            // The document gets another file while the question is open.
            page.edit("two")
            bench.answer { _ in
                page.fileURL = elsewhere
                return .option(0)
            }
            page.revertToSaved(nil)
            while page.isDocumentEdited { await Task.yield() }
            #expect(page.text == "three" && page.fileURL == elsewhere && page.errors.isEmpty)
            page.close()
        }
    }

    @Test("all documents with changes are saved, with the attributes that they want")
    func savingAll() async throws {
        let controller = NSDocumentController()
        let pages = [try page("a.txt", "one"), try page("b.txt", "two")]
        for page in pages { controller.addDocument(page) }
        pages[0].mode = 0o640
        pages[0].edit("three")
        controller.saveAllDocuments(nil)
        while controller.hasEditedDocuments { await Task.yield() }
        #expect(fixture.text("a.txt") == "three" && fixture.text("b.txt") == "two")
        #expect(try mode("a.txt") == 0o640)
        for page in pages { page.close() }
    }

    @Test("of all documents those without a file are asked for one after the other")
    func savingAllDrafts() async throws {
        /// A terminal.
        final class OneQuestion: QuestionPresenter {
            let folder: String
            let isBusy = Mutex(false)

            init(folder: String) { self.folder = folder }

            func ask(_ question: PersonQuestion) async throws -> PersonAnswer? {
                let isFree = isBusy.withLock { isBusy in
                    defer { isBusy = true }
                    return !isBusy
                }
                guard isFree else { throw SharingError.cannotAsk("the terminal shows another question.") }
                for _ in 0..<100 { await Task.yield() }
                isBusy.withLock { $0 = false }
                return .text(folder)
            }
        }
        let presenter = OneQuestion(folder: fixture.directory.path)
        var tools = SharingBench().tools
        tools.presenter = { _ in presenter }
        try await withApp(sharing: tools) { _ in
            let controller = NSDocumentController()
            let pages = [try make { try Page(type: Self.type) }, try make { try Page(type: Self.type) }]
            for page in pages {
                page.edit("text")
                controller.addDocument(page)
            }
            controller.saveAllDocuments(nil)
            while controller.hasEditedDocuments, pages.allSatisfy(\.errors.isEmpty) { await Task.yield() }
            #expect(pages.map(\.fileURL) == ["Untitled.txt", "Untitled-1.txt"].map { fixture.url($0) })
            for page in pages { page.close() }
        }
    }

    @Test("the app uses the file between the document's own accesses")
    func access() async throws {
        let page = try page("a.txt", "one")
        let isFree = Mutex(false)
        page.performAsynchronousFileAccess { end in
            // A save that is asked for now waits.
            page.edit("two")
            page.save(nil)
            Task {
                for _ in 0..<100 { await Task.yield() }
                #expect(fixture.text("a.txt") == "one")
                isFree.withLock { $0 = true }
                end()
            }
        }
        while page.isDocumentEdited || !isFree.withLock({ $0 }) { await Task.yield() }
        #expect(fixture.text("a.txt") == "two")
        page.close()
    }

    @Test("an error goes from a window to its document, and windows are counted as they are shown")
    func windows() throws {
        let page = try page("a.txt", "one")
        page.makeWindowControllers()
        page.showWindows()
        let window = try #require(page.windowForSheet)
        window.presentError(CocoaError(.fileNoSuchFile))
        #expect(page.errors.count == 1)
        let other = NSWindow()
        other.setTitleWithRepresentedFilename("/tmp/b.txt")
        other.orderFront(nil)
        let application = NSApplication.shared
        #expect(other.title == "b.txt" && other.isVisible && !other.isKeyWindow && window.isKeyWindow)
        #expect(application.orderedWindows.prefix(2).elementsEqual([window, other], by: ===))
        window.orderOut(nil)
        #expect(application.mainWindow == nil && application.orderedWindows.first === other)
        #expect(application.windows.contains { $0 === window })
        page.close()
    }
}
