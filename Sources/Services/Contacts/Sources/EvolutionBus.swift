import CSystemd
import Foundation
import Glibc

/// One connection to a session bus, and Evolution Data Server's interfaces there. Lives and dies on one thread, which calls block.
///
/// Everything that comes is untrusted: each message's signature is checked before it is read.
final class EvolutionBus {
    static let prefix = "org.gnome.evolution.dataserver."
    private static let managerPath = "/org/gnome/evolution/dataserver/SourceManager"
    private static let factoryPath = "/org/gnome/evolution/dataserver/AddressBookFactory"
    /// How long a call may take; the service may have to start for it.
    private static let answerLimit: UInt64 = 10_000_000
    private static let messagesPerTurn = 256
    static let maximumBooks = 64
    static let maximumCards = 100_000
    /// What one book may send.
    static let maximumBytes = 256 << 20

    /// An address book that was opened.
    struct Book {
        var service: String
        var path: String
    }

    private let bus: OpaquePointer
    /// Something of what is shown has changed.
    fileprivate(set) var isDirty = true

    /// - Returns: nil when there is no bus at the address.
    init?(address: String) {
        var made: OpaquePointer?
        guard sd_bus_new(&made) >= 0, let made else { return nil }
        bus = made
        guard sd_bus_set_address(bus, address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0, sd_bus_start(bus) >= 0 else {
            sd_bus_unref(bus)
            return nil
        }
        let own = Unmanaged.passUnretained(self).toOpaque()
        let rules = [
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0namespace='org.gnome.evolution.dataserver'",
            "type='signal',path='\(Self.managerPath)',interface='org.freedesktop.DBus.ObjectManager'",
            "type='signal',interface='\(Self.prefix)AddressBookView'",
        ]
        for rule in rules { sd_bus_add_match_async(bus, nil, rule, Self.signalled, { _, _, _ in 0 }, own) }
    }

    /// Nothing may be called afterwards.
    func close() { sd_bus_close_unref(bus) }

    private static let signalled: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata, sd_bus_message_is_signal(message, nil, nil) > 0 else { return 0 }
        // The end of a search changes nothing.
        let view = "org.gnome.evolution.dataserver.AddressBookView"
        if sd_bus_message_is_signal(message, view, "Complete") > 0
            || sd_bus_message_is_signal(message, view, "Progress") > 0
        {
            return 0
        }
        Unmanaged<EvolutionBus>.fromOpaque(userdata).takeUnretainedValue().isDirty = true
        return 0
    }

    func beginReading() { isDirty = false }

    var pollDescriptor: pollfd {
        pollfd(fd: sd_bus_get_fd(bus), events: Int16(clamping: max(0, sd_bus_get_events(bus))), revents: 0)
    }

    /// Takes what has come.
    /// - Returns: false when the connection is over.
    func process() -> Bool {
        var result: Int32 = 1
        var count = 0
        while result > 0, count < Self.messagesPerTurn {
            result = sd_bus_process(bus, nil)
            count += 1
        }
        return result >= 0
    }

    // MARK: Calls

    private func call(
        _ service: String, _ path: String, _ interface: String, _ member: String, _ arguments: [String] = [],
        flags: UInt32? = nil
    ) -> OpaquePointer? {
        var message: OpaquePointer?
        guard sd_bus_message_new_method_call(bus, &message, service, path, interface, member) >= 0, let message else {
            return nil
        }
        defer { sd_bus_message_unref(message) }
        for argument in arguments {
            guard argument.withCString({ sd_bus_message_append_basic(message, Self.type("s"), $0) }) >= 0 else {
                return nil
            }
        }
        if var flags {
            guard sd_bus_message_append_basic(message, Self.type("u"), &flags) >= 0 else { return nil }
        }
        var reply: OpaquePointer?
        guard sd_bus_call(bus, message, Self.answerLimit, nil, &reply) >= 0 else { return nil }
        return reply
    }

    /// The newest name of a service that runs or can be started, as in `…Sources5`.
    func service(_ name: String) -> String? {
        var found: [String] = []
        for member in ["ListActivatableNames", "ListNames"] {
            guard
                let reply = call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member)
            else { continue }
            defer { sd_bus_message_unref(reply) }
            found += Self.texts(reply, limit: 10_000) ?? []
        }
        let beginning = Self.prefix + name
        return found.compactMap { text in
            text.hasPrefix(beginning) ? Int(text.dropFirst(beginning.count)).map { ($0, text) } : nil
        }.max { $0.0 < $1.0 }?.1
    }

    /// The enabled address books: identifiers and names. Nil where the service does not answer.
    func books(_ sources: String) -> [(identifier: String, name: String)]? {
        guard
            let reply = call(sources, Self.managerPath, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        else { return nil }
        defer { sd_bus_message_unref(reply) }
        guard sd_bus_message_has_signature(reply, "a{oa{sa{sv}}}") > 0,
            sd_bus_message_enter_container(reply, Self.type("a"), "{oa{sa{sv}}}") > 0
        else { return nil }
        var books: [(identifier: String, name: String)] = []
        while books.count < Self.maximumBooks, sd_bus_message_enter_container(reply, Self.type("e"), "oa{sa{sv}}") > 0 {
            sd_bus_message_skip(reply, "o")
            var properties: [String: String] = [:]
            guard sd_bus_message_enter_container(reply, Self.type("a"), "{sa{sv}}") >= 0 else { return nil }
            while sd_bus_message_enter_container(reply, Self.type("e"), "sa{sv}") > 0 {
                let interface = Self.text(reply)
                if interface == Self.prefix + "Source" {
                    guard readProperties(reply, &properties) else { return nil }
                } else {
                    sd_bus_message_skip(reply, "a{sv}")
                }
                sd_bus_message_exit_container(reply)
            }
            sd_bus_message_exit_container(reply)
            sd_bus_message_exit_container(reply)
            if let identifier = properties["UID"], let data = properties["Data"], let name = Self.bookName(data) {
                books.append((identifier, name))
            }
        }
        return books
    }

    private func readProperties(_ reply: OpaquePointer, _ properties: inout [String: String]) -> Bool {
        guard sd_bus_message_enter_container(reply, Self.type("a"), "{sv}") >= 0 else { return false }
        while sd_bus_message_enter_container(reply, Self.type("e"), "sv") > 0 {
            guard let name = Self.text(reply) else { return false }
            if name == "UID" || name == "Data", sd_bus_message_enter_container(reply, Self.type("v"), "s") > 0 {
                properties[name] = Self.text(reply)
                sd_bus_message_exit_container(reply)
            } else {
                sd_bus_message_skip(reply, "v")
            }
            sd_bus_message_exit_container(reply)
        }
        return sd_bus_message_exit_container(reply) >= 0
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
                factory, Self.factoryPath, Self.prefix + "AddressBookFactory", "OpenAddressBook", [identifier])
        else { return nil }
        defer { sd_bus_message_unref(reply) }
        guard sd_bus_message_has_signature(reply, "ss") > 0, let path = Self.text(reply),
            let service = Self.text(reply),
            path.hasPrefix("/"), !service.isEmpty
        else { return nil }
        let book = Book(service: service, path: path)
        guard let opened = call(service, path, Self.prefix + "AddressBook", "Open") else { return nil }
        sd_bus_message_unref(opened)
        watch(book)
        return book
    }

    private static let everything = "(contains \"x-evolution-any-field\" \"\")"

    /// From now on the book tells of changes. Without, it is read now and then.
    private func watch(_ book: Book) {
        guard let reply = call(book.service, book.path, Self.prefix + "AddressBook", "GetView", [Self.everything])
        else { return }
        defer { sd_bus_message_unref(reply) }
        guard sd_bus_message_has_signature(reply, "o") > 0 || sd_bus_message_has_signature(reply, "s") > 0 else {
            return
        }
        var text: UnsafePointer<CChar>?
        let type = sd_bus_message_has_signature(reply, "o") > 0 ? Self.type("o") : Self.type("s")
        guard sd_bus_message_read_basic(reply, type, &text) > 0, let path = text.map({ String(cString: $0) }) else {
            return
        }
        // 0: not what is there already, which is read anyway.
        let view = Self.prefix + "AddressBookView"
        if let answer = call(book.service, path, view, "SetFlags", flags: 0) { sd_bus_message_unref(answer) }
        if let answer = call(book.service, path, view, "Start") { sd_bus_message_unref(answer) }
    }

    /// The vCards of a book; nil where it does not answer.
    func cards(_ book: Book) -> [String]? {
        guard
            let reply = call(book.service, book.path, Self.prefix + "AddressBook", "GetContactList", [Self.everything])
        else { return nil }
        defer { sd_bus_message_unref(reply) }
        return Self.texts(reply, limit: Self.maximumCards)
    }

    // MARK: Reading

    private static func type(_ character: Unicode.Scalar) -> CChar { CChar(character.value) }

    private static func text(_ message: OpaquePointer) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, type("s"), &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }

    private static func texts(_ message: OpaquePointer, limit: Int) -> [String]? {
        guard sd_bus_message_has_signature(message, "as") > 0,
            sd_bus_message_enter_container(message, type("a"), "s") >= 0
        else { return nil }
        var texts: [String] = []
        var size = 0
        while texts.count < limit, size < maximumBytes, let text = text(message) {
            size += text.utf8.count
            texts.append(text)
        }
        return texts
    }
}
