import CSystemd
import Foundation

/// A connection to the system's bus. Lives and dies on one thread.
final class SystemBus {
    /// How long a service may take to answer.
    private static let answerLimit: UInt64 = 2_000_000
    /// Messages that are looked at in one turn.
    private static let messagesPerTurn = 64
    /// Signals that wait for their turn. Policy: more are left out; what has changed is asked for anyway.
    private static let maximumSignals = 256

    private let bus: OpaquePointer
    private var signals: [BusSignal] = []

    /// Blocks.
    /// - Returns: nil when there is no bus at the address.
    init?(address: String) {
        var made: OpaquePointer?
        guard sd_bus_new(&made) >= 0, let made else { return nil }
        guard sd_bus_set_address(made, address) >= 0, sd_bus_set_bus_client(made, 1) >= 0, sd_bus_start(made) >= 0
        else {
            sd_bus_unref(made)
            return nil
        }
        bus = made
    }

    /// Nothing may be called afterwards.
    func close() { sd_bus_close_unref(bus) }

    var pollDescriptor: pollfd {
        pollfd(fd: sd_bus_get_fd(bus), events: Int16(clamping: max(0, sd_bus_get_events(bus))), revents: 0)
    }

    func follow(_ rule: String) -> Bool {
        sd_bus_add_match(bus, nil, rule, Self.signalled, Unmanaged.passUnretained(self).toOpaque()) >= 0
    }

    /// Does what can be done now.
    func process() -> (signals: [BusSignal], isOver: Bool) {
        var result: Int32 = 1
        var count = 0
        while result > 0, count < Self.messagesPerTurn {
            result = sd_bus_process(bus, nil)
            count += 1
        }
        defer { signals = [] }
        return (signals, result < 0)
    }

    private static let signalled: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        Unmanaged<SystemBus>.fromOpaque(userdata).takeUnretainedValue().signalled(message)
        return 0
    }

    private func signalled(_ message: OpaquePointer) {
        func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        guard signals.count < Self.maximumSignals else { return }
        var reader = BusReader(message)
        signals.append(
            BusSignal(
                sender: text(sd_bus_message_get_sender(message)), path: text(sd_bus_message_get_path(message)),
                interface: text(sd_bus_message_get_interface(message)),
                member: text(sd_bus_message_get_member(message)), arguments: reader.arguments()))
    }

    // MARK: Calls

    /// An argument of a call.
    enum Argument {
        case text(String)
        case variant(String)
        case variantNumber(UInt32)
    }

    /// Blocks for two seconds at most.
    /// - Parameter mayStart: whether the bus may start the service for it.
    /// - Returns: nil for an error, and where nobody answers.
    func call(
        _ service: String, _ path: String, _ interface: String, _ member: String, _ arguments: [Argument] = [],
        mayStart: Bool = false
    ) -> [BusValue]? {
        var message: OpaquePointer?
        guard sd_bus_message_new_method_call(bus, &message, service, path, interface, member) >= 0, let message else {
            return nil
        }
        defer { sd_bus_message_unref(message) }
        sd_bus_message_set_auto_start(message, mayStart ? 1 : 0)
        for argument in arguments {
            guard Self.append(argument, to: message) else { return nil }
        }
        var error = sd_bus_error()
        defer { sd_bus_error_free(&error) }
        var reply: OpaquePointer?
        guard sd_bus_call(bus, message, Self.answerLimit, &error, &reply) >= 0, let reply else { return nil }
        defer { sd_bus_message_unref(reply) }
        var reader = BusReader(reply)
        return reader.arguments()
    }

    private static func append(_ argument: Argument, to message: OpaquePointer) -> Bool {
        func basic(_ type: Unicode.Scalar, _ text: String) -> Bool {
            text.withCString { sd_bus_message_append_basic(message, CChar(type.value), $0) >= 0 }
        }
        let variant = CChar(UInt8(ascii: "v"))
        switch argument {
        case .text(let text): return basic("s", text)
        case .variant(let text):
            return sd_bus_message_open_container(message, variant, "s") >= 0 && basic("s", text)
                && sd_bus_message_close_container(message) >= 0
        case .variantNumber(var number):
            return sd_bus_message_open_container(message, variant, "u") >= 0
                && sd_bus_message_append_basic(message, CChar(UInt8(ascii: "u")), &number) >= 0
                && sd_bus_message_close_container(message) >= 0
        }
    }

    func property(_ service: String, _ path: String, _ interface: String, _ name: String) -> BusValue? {
        call(service, path, "org.freedesktop.DBus.Properties", "Get", [.text(interface), .text(name)])?.first
    }

    /// The connection that has a name; nil where nobody has it.
    func owner(of service: String) -> String? {
        call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner", [.text(service)])?
            .first?.text
    }
}
