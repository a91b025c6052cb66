import BatonTestSupport
import Foundation
import Testing

@testable import Baton

@Suite("UIDocument", .timeLimit(.minutes(1))) @MainActor struct UIDocumentTests {
    private let fixture: DocumentFixture

    init() throws { fixture = try DocumentFixture() }

    private func document(_ name: String) -> TextDocument {
        let url = fixture.url(name)
        return fixture.make { TextDocument(fileURL: url) }
    }

    private func opened(_ name: String, _ text: String = "one") async throws -> TextDocument {
        try Data(text.utf8).write(to: fixture.url(name))
        let document = document(name)
        #expect(await document.open())
        return document
    }

    @Test("A new document is saved, then opened, edited and saved by itself (D-14 to D-22, D-24)")
    func sample() async throws {
        let document = document("a.txt")
        #expect(document.documentState == .closed)
        #expect(document.fileModificationDate == nil)
        document.text = "first"
        #expect(await document.save(to: fixture.url("a.txt"), for: .forCreating))
        #expect(document.documentState == .normal)
        #expect(fixture.text("a.txt") == "first")
        #expect(await document.open())
        #expect(document.fileModificationDate != nil)
        document.edit("second")
        #expect(document.hasUnsavedChanges)
        fixture.time.advance(by: .seconds(2))
        #expect(fixture.text("a.txt") == "first")
        fixture.time.advance(by: .seconds(2))
        await document.next("saving second")
        await document.wait { !$0.hasUnsavedChanges }
        #expect(fixture.text("a.txt") == "second")
        #expect(await document.close())
        #expect(document.documentState == .closed)
        #expect(fixture.runtime.presenters.isEmpty)
    }

    @Test("Opening what is not there fails, with an error for the document")
    func missing() async {
        let document = document("none.txt")
        #expect(await !document.open())
        #expect(document.documentState == .closed)
        #expect(document.errors == ["\(CocoaError.Code.fileReadNoSuchFile.rawValue)"])
    }

    @Test("A document that was never read is not saved over a file")
    func neverRead() async throws {
        try Data("precious".utf8).write(to: fixture.url("a.txt"))
        let document = document("a.txt")
        #expect(await !document.save(to: fixture.url("a.txt"), for: .forOverwriting))
        #expect(fixture.text("a.txt") == "precious")
    }

    @Test("A save that fails shows in the state, leaves the file, and is tried again")
    func savingError() async throws {
        let document = try await opened("a.txt")
        document.failsToWrite = true
        document.edit("two")
        #expect(await !document.autosave())
        #expect(document.documentState == .savingError)
        #expect(document.hasUnsavedChanges)
        #expect(fixture.text("a.txt") == "one")
        #expect(await !document.close())
        document.failsToWrite = false
        fixture.time.advance(by: .seconds(60))
        await document.wait { !$0.hasUnsavedChanges }
        #expect(document.documentState == .normal)
        #expect(fixture.text("a.txt") == "two")
        #expect(await document.close())
    }

    @Test("Closing saves what is not saved")
    func closing() async throws {
        let document = try await opened("a.txt")
        document.edit("two")
        #expect(await document.close())
        #expect(fixture.text("a.txt") == "two")
    }

    @Test("A change made right after loading, before open has ended, is not forgotten")
    func earlyChange() async throws {
        final class EagerDocument: UIDocument {
            override func load(fromContents contents: Any, ofType typeName: String?) throws {
                MainQueue.async { self.updateChangeCount(.done) }
            }
            override func contents(forType typeName: String) throws -> Any { Data("eager".utf8) }
        }
        let url = fixture.url("a.txt")
        try Data("one".utf8).write(to: url)
        let document = fixture.make { EagerDocument(fileURL: url) }
        #expect(await document.open())
        #expect(document.hasUnsavedChanges)
        #expect(await document.close())
        #expect(fixture.text("a.txt") == "eager")
    }

    @Test("Two programs that edit one file lose nothing: what is not in the file is a conflict version")
    func twoPrograms() async throws {
        let first = try await opened("a.txt")
        var environment = fixture.environment
        let other = fixture.other
        environment.coordination = { other }
        let url = fixture.url("a.txt")
        let second = DocumentEnvironment.$scoped.withValue(environment) { TextDocument(fileURL: url) }
        #expect(await second.open())
        for round in 0..<10 {
            first.edit("first \(round)")
            second.edit("second \(round)")
            async let one = first.autosave()
            async let two = second.autosave()
            let results = await (one, two)
            #expect(results == (true, true))
            var kept = Set(
                (NSFileVersion.otherVersionsOfItem(at: url) ?? []).compactMap {
                    try? String(contentsOf: $0.url, encoding: .utf8)
                })
            kept.insert(fixture.text("a.txt") ?? "")
            #expect(kept.isSuperset(of: ["first \(round)", "second \(round)"]))
        }
        #expect(await first.close())
        #expect(await second.close())
    }

    @Test("Reverting forgets what is not saved, with editing disabled meanwhile")
    func reverting() async throws {
        let document = try await opened("a.txt")
        document.edit("two")
        let url = document.fileURL
        #expect(await document.revert(toContentsOf: url))
        #expect(document.text == "one")
        #expect(!document.hasUnsavedChanges)
        #expect(document.documentState == .normal)
        #expect(await document.close())
    }

    @Test("A new version is loaded when it arrives (D-17)")
    func reload() async throws {
        let document = try await opened("a.txt")
        try await fixture.writeElsewhere("theirs", to: "a.txt")
        await document.next("loaded theirs")
        #expect(await document.close())
    }

    @Test("A replaced file is loaded too")
    func replaced() async throws {
        let document = try await opened("a.txt")
        try await fixture.writeElsewhere("theirs", to: "a.txt", options: .forReplacing)
        await document.next("loaded theirs")
        await document.wait { $0.documentState == .normal }
        #expect(await document.close())
    }

    @Test("Unsaved changes win over a new version, which is kept as a conflict version")
    func conflict() async throws {
        let document = try await opened("a.txt")
        document.edit("mine")
        try await fixture.writeElsewhere("theirs", to: "a.txt")
        #expect(await document.autosave())
        #expect(fixture.text("a.txt") == "mine")
        await document.wait { $0.documentState == .inConflict }
        let versions = try #require(NSFileVersion.unresolvedConflictVersionsOfItem(at: document.fileURL))
        try #require(versions.count == 1)
        #expect(try Data(contentsOf: versions[0].url) == Data("theirs".utf8))
        versions[0].isResolved = true
        try NSFileVersion.removeOtherVersionsOfItem(at: document.fileURL)
        document.presentedItemDidResolveConflict(versions[0])
        await document.wait { $0.documentState == .normal }
        #expect(await document.close())
    }

    @Test("A reader in another process gets what was not saved")
    func savesForReader() async throws {
        let document = try await opened("a.txt")
        document.edit("unsaved")
        let url = fixture.url("a.txt")
        try await fixture.elsewhere { coordinator, error in
            coordinator.coordinate(readingItemAt: url, error: error) {
                #expect((try? String(contentsOf: $0, encoding: .utf8)) == "unsaved")
            }
        }
        #expect(!document.hasUnsavedChanges)
        #expect(await document.close())
    }

    @Test("The document follows its file, and saves where that is")
    func moved() async throws {
        let document = try await opened("a.txt")
        let (old, new) = (fixture.url("a.txt"), fixture.url("b.txt"))
        try await fixture.elsewhere { coordinator, error in
            coordinator.coordinate(writingItemAt: old, options: .forMoving, error: error) { url in
                try? FileManager.default.moveItem(at: url, to: new)
                coordinator.item(at: url, didMoveTo: new)
            }
        }
        await document.wait { $0.fileURL.lastPathComponent == "b.txt" }
        #expect(document.localizedName == "b")
        document.edit("two")
        #expect(await document.close())
        #expect(fixture.text("b.txt") == "two")
        #expect(fixture.text("a.txt") == nil)
    }

    @Test("A deleted file closes the document, is not brought back, and nothing in memory is lost")
    func deleted() async throws {
        let document = try await opened("a.txt")
        document.edit("unsaved")
        let url = fixture.url("a.txt")
        try await fixture.elsewhere { coordinator, error in
            coordinator.coordinate(writingItemAt: url, options: .forDeleting, error: error) {
                try? FileManager.default.removeItem(at: $0)
            }
        }
        await document.wait { $0.documentState.contains(.closed) }
        fixture.time.advance(by: .seconds(1000))
        #expect(fixture.text("a.txt") == nil)
        #expect(document.hasUnsavedChanges)
        #expect(await document.save(to: fixture.url("c.txt"), for: .forCreating))
        #expect(fixture.text("c.txt") == "unsaved")
        #expect(await document.close())
    }

    @Test("Saving keeps the mode, leaves nothing behind, and writes through a link")
    func safely() async throws {
        let link = fixture.url("link.txt")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "a.txt")
        try Data("one".utf8).write(to: fixture.url("a.txt"))
        let document = document("link.txt")
        #expect(await document.open())
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fixture.url("a.txt").path)
        document.edit("two")
        #expect(await document.close())
        #expect(fixture.directory.permissions("a.txt") == 0o600)
        #expect(fixture.text("a.txt") == "two")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "a.txt")
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)
        #expect(names.sorted() == ["a.txt", "link.txt"])
    }

    @Test("The undo manager counts changes by itself")
    func undo() async throws {
        let document = try await opened("a.txt")
        let undo = try #require(document.undoManager)
        undo.beginUndoGrouping()
        undo.registerUndo(withTarget: document) { $0.text = "one" }
        document.text = "two"
        undo.endUndoGrouping()
        // The group of the event is still open.
        undo.undo()
        #expect(document.text == "one")
        #expect(!document.hasUnsavedChanges)
        #expect(await document.close())
    }

    @Test("What the undo manager heard of is saved by an autosave and by a close in the same event, and can be undone")
    func undoAndClose() async throws {
        let document = try await opened("a.txt")
        let undo = try #require(document.undoManager)
        undo.registerUndo(withTarget: document) { $0.text = "one" }
        document.text = "two"
        #expect(await document.autosave())
        #expect(fixture.text("a.txt") == "two" && !document.hasUnsavedChanges && undo.undoCount == 1)
        undo.registerUndo(withTarget: document) { $0.text = "two" }
        document.text = "three"
        #expect(await document.close())
        #expect(fixture.text("a.txt") == "three")
        undo.undo()
        #expect(document.text == "two")
    }

    @Test("Tokens: a change made while saving stays unsaved")
    func tokens() async throws {
        let document = try await opened("a.txt")
        document.edit("two")
        let token = document.changeCountToken(for: .forOverwriting)
        document.edit("three")
        document.updateChangeCount(withToken: token, for: .forOverwriting)
        #expect(document.hasUnsavedChanges)
        document.updateChangeCount(.undone)
        #expect(!document.hasUnsavedChanges)
        #expect(await document.close())
    }

    @Test("A document in iCloud has an activity with its URL, until it is closed (H-54 to H-58, H-60, H-63 to H-65)")
    func activity() async throws {
        for folder in ["cloud", "local"] {
            try FileManager.default.createDirectory(at: fixture.url(folder), withIntermediateDirectories: true)
        }
        let local = try await opened("local/a.rtfd")
        #expect(local.userActivity == nil)
        #expect(await local.close())
        let document = try await opened("cloud/a.rtfd")
        let seen = UncheckedMutex<[String?]>([])
        let observation = document.observe(\.userActivity, options: [.initial, .new]) { _, change in
            seen.withLock { $0.append(change.newValue??.activityType) }
        }
        let activity = try #require(document.userActivity)
        #expect(activity.activityType == "com.myCompany.myEditor.editing")
        #expect(activity.userInfo?[UIDocument.userActivityURLKey] as? URL == document.fileURL)
        activity.userInfo = [:]
        document.updateUserActivityState(activity)
        #expect(activity.userInfo?[UIDocument.userActivityURLKey] as? URL == document.fileURL)
        let (old, new) = (document.fileURL, fixture.url("local/b.rtfd"))
        try await fixture.elsewhere { coordinator, error in
            coordinator.coordinate(writingItemAt: old, options: .forMoving, error: error) { url in
                try? FileManager.default.moveItem(at: url, to: new)
                coordinator.item(at: url, didMoveTo: new)
            }
        }
        await document.wait { $0.userActivity == nil }
        #expect(!activity.snapshot.isValid)
        #expect(seen.withLock { $0 } == ["com.myCompany.myEditor.editing", nil])
        observation.invalidate()
        document.userActivity = NSUserActivity(activityType: "com.example.own")
        let own = try #require(document.userActivity)
        #expect(await document.close())
        #expect(document.userActivity == nil)
        #expect(!own.snapshot.isValid)
    }

    @Test("A package is read and written as a FileWrapper")
    func package() async throws {
        final class PackageDocument: UIDocument {
            var names: [String] = []
            override func load(fromContents contents: Any, ofType typeName: String?) throws {
                guard let wrapper = contents as? FileWrapper else { throw CocoaError(.fileReadCorruptFile) }
                names = (wrapper.fileWrappers ?? [:]).keys.sorted()
            }
            override func contents(forType typeName: String) throws -> Any {
                let wrapper = FileWrapper(directoryWithFileWrappers: [:])
                for name in names { wrapper.addRegularFile(withContents: Data(name.utf8), preferredFilename: name) }
                return wrapper
            }
        }
        let url = fixture.url("a.rtfd")
        let document = fixture.make { PackageDocument(fileURL: url) }
        document.names = ["text"]
        #expect(await document.save(to: url, for: .forCreating))
        document.names = ["image", "text"]
        document.updateChangeCount(.done)
        #expect(await document.autosave())
        #expect(await document.close())
        let again = fixture.make { PackageDocument(fileURL: url) }
        #expect(await again.open())
        #expect(again.names == ["image", "text"])
        #expect(await again.close())
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path) == ["a.rtfd"])
    }

    @Test("A coordinated access on the main thread gets what the document saves there first (D-6, D-7)")
    func mainThreadReader() async throws {
        let document = try await opened("a.txt")
        document.edit("two")
        var (text, error): (String?, NSError?)
        NSFileCoordinator(filePresenter: nil, runtime: fixture.other).coordinate(
            readingItemAt: fixture.url("a.txt"), error: &error
        ) { text = try? String(contentsOf: $0, encoding: .utf8) }
        #expect(error == nil && text == "two")
        #expect(await document.close())
    }
}
