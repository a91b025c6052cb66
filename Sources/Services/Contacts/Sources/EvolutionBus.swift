import Foundation
import SessionBus

/// One connection to a session bus, and Evolution Data Server's interfaces there. Lives and dies on one thread, which calls block.
///
/// Everything that comes is untrusted: each message's signature is checked before it is read.
final class EvolutionBus {
    static let prefix = "org.gnome.evolution.dataserver."
    private static let managerPath = "/org/gnome/evolution/dataserver/SourceManager"
    private static let factoryPath = "/org/gnome/evolution/dataserver/AddressBookFactory"
    /// How long a call may take; the service may have to start for it.
    private static let answerLimit = Duration.seconds(10)
    static let maximumBooks = 64
    /// Names of one service that are tried.
    private static let maximumNames = 256
    static let maximumCards = 100_000
    /// The most that one book may send.
    static let maximumBytes = 256 << 20

    /// An address book that was opened.
    struct Book {
        var service: String
        var path: String
    }

    let connection: BusConnection
    private let trust: BusTrust
    /// Something of what is shown has changed.
    private(set) var isDirty = true

    /// - Parameter trust: judges each service before it is asked.
    /// - Returns: nil when there is no bus at the address.
    init?(address: String, trust: @escaping BusTrust) {
        guard let connection = BusConnection(address: address) else { return nil }
        self.connection = connection
        self.trust = trust
        connection.received = { [unowned self] message in
            // The end of a search changes nothing.
            let view = Self.prefix + "AddressBookView"
            if message.isSignal(), Self.isWatched(message), !message.isSignal(view, "Complete"),
                !message.isSignal(view, "Progress")
            {
                isDirty = true
            }
            return false
        }
        let rules = [
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0namespace='org.gnome.evolution.dataserver'",
            "type='signal',path='\(Self.managerPath)',interface='org.freedesktop.DBus.ObjectManager'",
            "type='signal',interface='\(Self.prefix)AddressBookView'",
        ]
        for rule in rules { connection.matchLater(rule) }
    }

    /// Not the bus's own words to this connection, such as that it has a name.
    private static func isWatched(_ message: BusMessage) -> Bool {
        message.sender != BusConnection.bus.service || message.member == "NameOwnerChanged"
    }

    /// Nothing may be called afterwards.
    func close() { connection.close() }

    func beginReading() { isDirty = false }

    /// Takes what has come.
    /// - Returns: false when the connection is over.
    func process() -> Bool { !connection.process().isOver }

    // MARK: Calls

    private func call(
        _ service: String, _ path: String, _ interface: String, _ member: String,
        _ write: (inout BusWriter) -> Void = { _ in }
    ) -> BusMessage? {
        let object = BusObject(service: service, path: path, interface: interface)
        return try? connection.call(object, member, timeout: Self.answerLimit, write)
    }

    /// The service that has the newest name of a kind, as in `…Sources5`, and is trusted; it is started if need be.
    /// - Returns: its unique name on the bus.
    func service(_ name: String) -> String? {
        var found: Set<String> = []
        for member in ["ListActivatableNames", "ListNames"] {
            guard let reply = try? connection.call(BusConnection.bus, member) else { continue }
            found.formUnion(reply.texts(limit: 10_000) ?? [])
        }
        let beginning = Self.prefix + name
        let numbered = found.compactMap { text -> (Int, String)? in
            text.hasPrefix(beginning) ? Int(text.dropFirst(beginning.count)).map { ($0, text) } : nil
        }
        // Any program can have a newer name.
        for (_, name) in numbered.sorted(by: { $0.0 > $1.0 }).prefix(Self.maximumNames) {
            if let owner = connection.trustedOwner(of: name, mayStart: true, trust) { return owner }
        }
        return nil
    }

    /// The enabled address books: identifiers and names. Nil where the service does not answer.
    func books(_ sources: String) -> [(identifier: String, name: String)]? {
        guard
            let reply = call(sources, Self.managerPath, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        else { return nil }
        guard reply.has("a{oa{sa{sv}}}") else { return nil }
        return reply.container("a", "{oa{sa{sv}}}") {
            var books: [(identifier: String, name: String)] = []
            while let properties = source(reply) {
                if books.count < Self.maximumBooks, let identifier = properties["UID"], let data = properties["Data"],
                    let name = Self.bookName(data)
                {
                    books.append((identifier, name))
                }
            }
            return books
        }
    }

    /// The properties of the next object that is a source; empty for another one, nil at the end.
    private func source(_ reply: BusMessage) -> [String: String]? {
        reply.container("e", "oa{sa{sv}}") {
            guard reply.skip("o") else { return nil }
            return reply.container("a", "{sa{sv}}") {
                var found: [String: String] = [:]
                while let properties = interface(reply) { found.merge(properties) { $1 } }
                return found
            }
        }
    }

    private func interface(_ reply: BusMessage) -> [String: String]? {
        reply.container("e", "sa{sv}") {
            guard let name = reply.text() else { return nil }
            guard name == Self.prefix + "Source" else { return reply.skip("a{sv}") ? [:] : nil }
            var properties: [String: String] = [:]
            let isRead = reply.entries { key in
                guard key == "UID" || key == "Data" else { return }
                properties[key] = reply.variant("s") { reply.text() }
            }
            return isRead ? properties : nil
        }
    }

    /// The name of an enabled address book of a key file; nil for another source.
    static func bookName(_ data: String) -> String? {
        var group = ""
        var (name, isEnabled, isBook) = ("", true, false)
        for line in data.split(whereSeparator: \.isNewline).prefix(10_000) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("[") {
                group = line
                if group == "[Address Book]" { isBook = true }
            } else if group == "[Data Source]" {
                if line.hasPrefix("DisplayName=") { name = String(line.dropFirst(12)) }
                if line == "Enabled=false" { isEnabled = false }
            }
        }
        return isBook && isEnabled ? name : nil
    }

    /// - Returns: nil for a book that cannot be opened now.
    func open(_ identifier: String, factory: String) -> Book? {
        guard
            let reply = call(
                factory, Self.factoryPath, Self.prefix + "AddressBookFactory", "OpenAddressBook",
                { $0.string(identifier) })
        else { return nil }
        guard reply.has("ss"), let path = reply.text(), let name = reply.text(), path.hasPrefix("/"),
            let service = connection.trustedOwner(of: name, mayStart: false, trust)
        else { return nil }
        let book = Book(service: service, path: path)
        guard call(service, path, Self.prefix + "AddressBook", "Open") != nil else { return nil }
        watch(book)
        return book
    }

    private static let everything = "(contains \"x-evolution-any-field\" \"\")"

    /// From now on the book announces changes. Without, it is read now and then.
    private func watch(_ book: Book) {
        guard
            let reply = call(
                book.service, book.path, Self.prefix + "AddressBook", "GetView", { $0.string(Self.everything) }),
            let path = reply.has("o") ? reply.text("o") : reply.text()
        else { return }
        // 0: not what is there already, which is read anyway.
        let view = Self.prefix + "AddressBookView"
        _ = call(book.service, path, view, "SetFlags") { $0.unsigned(0) }
        _ = call(book.service, path, view, "Start")
    }

    /// The vCards of a book; nil where it does not answer.
    func cards(_ book: Book) -> [String]? {
        let reply = call(book.service, book.path, Self.prefix + "AddressBook", "GetContactList") {
            $0.string(Self.everything)
        }
        return reply?.texts(limit: Self.maximumCards, maximumBytes: Self.maximumBytes)
    }
}
