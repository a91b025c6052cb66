import CSystemd
import Glibc

/// One connection to a session bus. Lives and dies on one thread; nothing blocks.
final class BusConnection {
    /// Messages that are looked at in one turn.
    private static let messagesPerTurn = 64

    let bus: OpaquePointer
    private(set) var isReady = false
    /// Set before the first message is looked at.
    /// - Returns: whether the message needs no other answer.
    var received: ((OpaquePointer) -> Bool)?
    private var waiting: [UInt64: (OpaquePointer) -> Void] = [:]

    /// - Returns: nil when there is no bus at the address.
    init?(address: String) {
        var made: OpaquePointer?
        guard sd_bus_new(&made) >= 0, let made else { return nil }
        bus = made
        guard sd_bus_set_address(bus, address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0, sd_bus_start(bus) >= 0 else {
            sd_bus_unref(bus)
            return nil
        }
        sd_bus_add_filter(bus, nil, Self.filter, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Nothing may be called afterwards.
    func close() {
        waiting = [:]
        received = nil
        sd_bus_close_unref(bus)
    }

    var pollDescriptor: pollfd {
        pollfd(fd: sd_bus_get_fd(bus), events: Int16(clamping: max(0, sd_bus_get_events(bus))), revents: 0)
    }

    /// Until the bus wants to be looked after though nothing came; nil for never.
    var timeout: Duration? {
        var moment: UInt64 = 0
        guard sd_bus_get_timeout(bus, &moment) >= 0, moment != .max else { return nil }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
        return moment > now ? .microseconds(Int64(clamping: moment - now)) : .zero
    }

    /// Does what can be done now.
    /// - Returns: whether there may be more, whether it became ready just now, and whether the connection is over.
    func process() -> (isBusy: Bool, becameReady: Bool, isOver: Bool) {
        var result: Int32 = 1
        var count = 0
        while result > 0, count < Self.messagesPerTurn {
            result = sd_bus_process(bus, nil)
            count += 1
        }
        guard result >= 0 else { return (false, false, true) }
        let becameReady = !isReady && sd_bus_is_ready(bus) > 0
        if becameReady { isReady = true }
        return (result > 0, becameReady, false)
    }

    /// - Parameters:
    ///   - message: released here.
    ///   - answered: with the answer, or an error that the bus or a time-out made.
    func call(_ message: OpaquePointer, timeout: Duration, answered: @escaping (OpaquePointer) -> Void) -> Bool {
        defer { sd_bus_message_unref(message) }
        var cookie: UInt64 = 0
        let result = sd_bus_call_async(
            bus, nil, message, Self.answered, Unmanaged.passUnretained(self).toOpaque(),
            UInt64(timeout / .microseconds(1)))
        guard result >= 0, sd_bus_message_get_cookie(message, &cookie) >= 0 else { return false }
        waiting[cookie] = answered
        return true
    }

    func method(_ destination: String, _ path: String, _ interface: String, _ member: String) -> OpaquePointer? {
        var message: OpaquePointer?
        guard sd_bus_message_new_method_call(bus, &message, destination, path, interface, member) >= 0 else {
            return nil
        }
        return message
    }

    func match(_ rule: String) {
        sd_bus_add_match_async(bus, nil, rule, { _, _, _ in 0 }, { _, _, _ in 0 }, nil)
    }

    func reply(to call: OpaquePointer, _ write: (OpaquePointer) -> Bool = { _ in true }) {
        var message: OpaquePointer?
        guard sd_bus_message_new_method_return(call, &message) >= 0, let message else { return }
        defer { sd_bus_message_unref(message) }
        if write(message) {
            sd_bus_send(bus, message, nil)
        } else {
            refuse(call, "org.freedesktop.DBus.Error.Failed", "The answer could not be written.")
        }
    }

    func refuse(_ call: OpaquePointer, _ name: String, _ text: String) {
        var message: OpaquePointer?
        name.withCString { name in
            text.withCString { text in
                var failure = sd_bus_error(name: name, message: text, _need_free: 0)
                sd_bus_message_new_method_error(call, &message, &failure)
            }
        }
        guard let message else { return }
        sd_bus_send(bus, message, nil)
        sd_bus_message_unref(message)
    }

    func signal(_ path: String, _ interface: String, _ member: String, _ write: (OpaquePointer) -> Bool) {
        var message: OpaquePointer?
        guard sd_bus_message_new_signal(bus, &message, path, interface, member) >= 0, let message else { return }
        defer { sd_bus_message_unref(message) }
        if write(message) { sd_bus_send(bus, message, nil) }
    }

    private static let filter: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        let connection = Unmanaged<BusConnection>.fromOpaque(userdata).takeUnretainedValue()
        return connection.received?(message) == true ? 1 : 0
    }

    private static let answered: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        let connection = Unmanaged<BusConnection>.fromOpaque(userdata).takeUnretainedValue()
        var cookie: UInt64 = 0
        guard sd_bus_message_get_reply_cookie(message, &cookie) >= 0,
            let answered = connection.waiting.removeValue(forKey: cookie)
        else { return 0 }
        answered(message)
        return 0
    }
}
