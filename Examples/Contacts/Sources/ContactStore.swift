import Baton
import Foundation
import Synchronization

/// The contacts, their photos and the state of the engine, in a folder.
///
/// Everything is in one file that is written whole: so the state of the engine never has changes that the contacts lack.
final class ContactStore: Sendable {
    private struct Content: Codable, Sendable {
        var contacts: [String: Contact] = [:]
        var engine: CKSyncEngine.State.Serialization?
    }

    private let folder: URL
    private let content: Mutex<Content>

    init(folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("photos"), withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("contacts.json")
        guard FileManager.default.fileExists(atPath: file.path) else {
            content = Mutex(Content())
            return
        }
        content = Mutex(try JSONDecoder().decode(Content.self, from: try Data(contentsOf: file)))
    }

    var engineState: CKSyncEngine.State.Serialization? { content.withLock { $0.engine } }

    /// By name.
    var contacts: [Contact] {
        content.withLock { Array($0.contacts.values) }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    func contact(_ id: String) -> Contact? { content.withLock { $0.contacts[id] } }

    func photo(_ id: String) -> URL { folder.appendingPathComponent("photos").appendingPathComponent(id) }

    /// Makes a contact if need be, and writes the file.
    func change(_ id: String, _ body: @Sendable (inout Contact) -> Void) throws {
        try write { content in
            var contact = content.contacts[id] ?? Contact(id: id)
            body(&contact)
            content.contacts[id] = contact
        }
    }

    func remove(_ id: String) throws {
        try write { $0.contacts[id] = nil }
        try? FileManager.default.removeItem(at: photo(id))
    }

    func keep(_ state: CKSyncEngine.State.Serialization) throws { try write { $0.engine = state } }

    /// Copies a file to where the contact's photo is; nil removes that.
    func setPhoto(_ id: String, from source: URL?) throws {
        let files = FileManager.default
        let target = photo(id)
        guard let source else {
            try? files.removeItem(at: target)
            return
        }
        let copy = target.appendingPathExtension("new")
        try? files.removeItem(at: copy)
        try files.copyItem(at: source, to: copy)
        try? files.removeItem(at: target)
        try files.moveItem(at: copy, to: target)
    }

    private func write(_ body: @Sendable (inout Content) -> Void) throws {
        try content.withLock { content in
            body(&content)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            try encoder.encode(content).write(to: folder.appendingPathComponent("contacts.json"), options: .atomic)
        }
    }
}
