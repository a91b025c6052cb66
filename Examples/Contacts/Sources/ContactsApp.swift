import Baton
import Foundation

/// The entry point: performs what is typed, one line after the other, while the engine syncs.
@main
struct ContactsApp {
    private let store: ContactStore
    private let syncer: Syncer
    private let screen: Screen

    static func main() async {
        let screen = Screen()
        do {
            let app = try ContactsApp(screen: screen)
            app.syncer.start()
            screen.show("ready", [:], "Type a command; README.md lists them.")
            for await line in lines() where await app.perform(line) == false { break }
            screen.show("end", [:], "")
        } catch {
            screen.show("error", ["message": "\(error)"], "The contacts cannot be opened: \(error)")
            exit(1)
        }
    }

    private init(screen: Screen) throws {
        let arguments = CommandLine.arguments
        let option = arguments.firstIndex(of: "--folder").map { $0 + 1 }
        let path = option.flatMap { arguments.indices.contains($0) ? arguments[$0] : nil }
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        let folder =
            path.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? support.appendingPathComponent("CloudContacts")
        self.screen = screen
        store = try ContactStore(folder: folder)
        syncer = Syncer(store: store, screen: screen)
    }

    /// Read on a thread of its own, since reading waits; it ends with the process. A person types slower than the app works.
    private static func lines() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return stream
    }

    /// - Returns: false at the end.
    private func perform(_ line: String) async -> Bool {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        do {
            switch (words.first, words.count) {
            case ("add", 2...): try add(line.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "")
            case ("edit", 4): try edit(words[1], words[2], words[3])
            case ("clear", 3): try edit(words[1], words[2], nil)
            case ("photo", 3...): try setPhoto(words[1], line.split(separator: " ", maxSplits: 2).last.map(String.init))
            case ("photo", 2): try setPhoto(words[1], nil)
            case ("delete", 2): try delete(words[1])
            case ("list", 1): list()
            case ("sync", 1):
                try await syncer.sync()
                screen.show("synced", [:], "Everything is sent and fetched.")
            case ("quit", 1): return false
            case (nil, _): break
            default: screen.show("error", ["message": "Not a command: \(line)"], "Not a command: \(line)")
            }
        } catch {
            let message = (error as? CKError)?.localizedDescription ?? "\(error)"
            screen.show("error", ["message": message], message)
        }
        return true
    }

    private func add(_ name: String) throws {
        let id = String(UUID().uuidString.replacingOccurrences(of: "-", with: "").prefix(8)).lowercased()
        try store.change(id) { contact in
            contact.fields[.name] = name
            contact.edited = [.name]
        }
        syncer.changed(id)
        screen.show("added", ["id": id, "name": name], "Added \(name): \(id)")
    }

    private func edit(_ id: String, _ name: String, _ text: String?) throws {
        guard let field = Contact.Field(rawValue: name) else {
            let all = Contact.Field.allCases.map(\.rawValue).joined(separator: ", ")
            return screen.show("error", ["message": "No field \(name)"], "There is no field “\(name)”: \(all)")
        }
        try change(id) { contact in
            contact.fields[field] = text
            contact.edited.insert(field)
        }
    }

    private func setPhoto(_ id: String, _ path: String?) throws {
        guard store.contact(id) != nil else { return missing(id) }
        try store.setPhoto(id, from: path.map { URL(fileURLWithPath: $0) })
        try change(id) { contact in
            contact.hasPhoto = path != nil
            contact.photoChange = UUID()
        }
    }

    private func change(_ id: String, _ body: @Sendable (inout Contact) -> Void) throws {
        guard store.contact(id) != nil else { return missing(id) }
        try store.change(id, body)
        syncer.changed(id)
        if let contact = store.contact(id) { screen.show("edited", contact.shown, contact.line) }
    }

    private func delete(_ id: String) throws {
        guard store.contact(id) != nil else { return missing(id) }
        try store.remove(id)
        syncer.deleted(id)
        screen.show("deleted", ["id": id], "Deleted.")
    }

    private func list() {
        let contacts = store.contacts
        for contact in contacts {
            var shown = contact.shown
            shown["file"] = store.photo(contact.id).path
            screen.show("contact", shown, contact.line)
        }
        screen.show("list", ["count": "\(contacts.count)"], contacts.isEmpty ? "No contacts yet: add NAME" : "")
    }

    private func missing(_ id: String) {
        screen.show("error", ["message": "No contact \(id)"], "There is no contact “\(id)”. See: list")
    }
}
