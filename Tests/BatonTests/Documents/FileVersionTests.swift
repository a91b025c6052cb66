import FileCoordination
import Foundation
import Synchronization
import Testing

@testable import Baton

@Suite("NSFileVersion", .timeLimit(.minutes(1))) struct FileVersionTests {
    private let fixture: DocumentFixture

    init() throws { fixture = try DocumentFixture() }

    private func write(_ text: String, _ name: String) throws -> URL {
        try Data(text.utf8).write(to: fixture.url(name))
        return fixture.url(name)
    }

    @Test("Conflict versions are found, resolved, put in the place of the file, and removed")
    func conflict() throws {
        let url = try write("mine", "a.txt")
        #expect(NSFileVersion.otherVersionsOfItem(at: fixture.url("none")) == nil)
        #expect(NSFileVersion.currentVersionOfItem(at: fixture.url("none")) == nil)
        #expect(NSFileVersion.unresolvedConflictVersionsOfItem(at: url) == [])
        let other = try write("theirs", "incoming")
        _ = try FileVersionStores.shared.add(other, as: url, isConflict: true)
        let version = try #require(NSFileVersion.unresolvedConflictVersionsOfItem(at: url)?.first)
        #expect(version.isConflict)
        #expect(!version.isResolved)
        #expect(version.hasLocalContents)
        #expect(version.localizedName == "a.txt")
        #expect(version.localizedNameOfSavingComputer?.isEmpty == false)
        #expect(version.modificationDate != nil)
        #expect(try version.replaceItem(at: url) == url)
        #expect(fixture.text("a.txt") == "theirs")
        version.isResolved = true
        #expect(NSFileVersion.unresolvedConflictVersionsOfItem(at: url) == [])
        let again = try #require(
            NSFileVersion.version(itemAt: url, forPersistentIdentifier: version.persistentIdentifier))
        #expect(again.isResolved)
        try again.remove()
        #expect(NSFileVersion.otherVersionsOfItem(at: url)?.isEmpty == true)
        #expect(throws: CocoaError.self) { try again.remove() }
        #expect(throws: CocoaError.self) { try again.replaceItem(at: url) }
    }

    @Test("Replacing by moving uses the version up; the rest can be removed at once")
    func moving() throws {
        let url = try write("one", "a.txt")
        let versions = try (0..<3).map { number in
            try NSFileVersion.addOfItem(at: url, withContentsOf: try write("version \(number)", "v"))
        }
        #expect(versions.allSatisfy { !$0.isConflict && $0.isResolved && !$0.isDiscardable })
        versions[0].isDiscardable = true
        #expect(versions[0].isDiscardable)
        try versions[1].replaceItem(at: url, options: .byMoving)
        #expect(fixture.text("a.txt") == "version 1")
        #expect(NSFileVersion.otherVersionsOfItem(at: url)?.count == 2)
        try NSFileVersion.removeOtherVersionsOfItem(at: url)
        #expect(NSFileVersion.otherVersionsOfItem(at: url)?.isEmpty == true)
        #expect(NSFileVersion.currentVersionOfItem(at: url)?.url == url)
    }

    @Test("A package is a version as a whole; versions follow a moved file; another store finds them")
    func package() throws {
        let url = fixture.url("p.rtfd")
        let file = FileWrapper(regularFileWithContents: Data("1".utf8))
        let wrapper = FileWrapper(directoryWithFileWrappers: ["a": file])
        try wrapper.write(to: url, originalContentsURL: nil)
        let root = fixture.url("versions")
        let store = DirectoryVersionStore(root: root)
        let record = try store.add(url, as: url, isConflict: true)
        let moved = fixture.url("q.rtfd")
        try FileManager.default.moveItem(at: url, to: moved)
        try store.move(from: url, to: moved)
        let later = DirectoryVersionStore(root: root)
        #expect(try later.versions(of: url).isEmpty)
        let found = try #require(try later.versions(of: moved).first)
        #expect(found.identifier == record.identifier)
        #expect(found.isConflict && !found.isResolved)
        let kept = try FileWrapper(url: try #require(found.content))
        #expect(kept.fileWrappers?["a"]?.regularFileContents == Data("1".utf8))
        #expect(throws: CocoaError.self) { try later.fetch("../..", of: moved) }
    }

    @Test("Presenters hear of versions, their own coordinator's too")
    func presenter() async throws {
        let url = try write("mine", "a.txt")
        let record = try FileVersionStores.shared.add(url, as: url, isConflict: true)
        let presenter = VersionPresenter(url)
        fixture.runtime.add(presenter)
        for event in PresenterMessage.VersionEvent.allCases {
            PresenterDispatch.send(.version(event, record.identifier), to: presenter, answer: nil)
        }
        #expect(
            presenter.heard.withLock { $0 } == [
                "gained \(record.identifier) true", "lost \(record.identifier) true",
                "resolved \(record.identifier) true",
            ])
        fixture.runtime.remove(presenter)
    }
}

private final class VersionPresenter: NSFilePresenter, Sendable {
    let presentedItemURL: URL?
    let presentedItemOperationQueue = OperationQueue()
    let heard = Mutex<[String]>([])

    init(_ url: URL) { presentedItemURL = url }

    private func note(_ event: String, _ version: NSFileVersion) {
        heard.withLock { $0.append("\(event) \(version.persistentIdentifier) \(version.isConflict)") }
    }

    func presentedItemDidGain(_ version: NSFileVersion) { note("gained", version) }
    func presentedItemDidLose(_ version: NSFileVersion) { note("lost", version) }
    func presentedItemDidResolveConflict(_ version: NSFileVersion) { note("resolved", version) }
}
