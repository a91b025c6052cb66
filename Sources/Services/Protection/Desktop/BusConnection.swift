import CSystemd
import Foundation

/// One connection to a bus, for calls that wait for their answers. Lives and dies on one thread.
final class BusConnection {
    /// How long a service may take to answer.
    private static let answerLimit: UInt64 = 10_000_000

    let bus: OpaquePointer

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

    /// An object of a service, and one of its interfaces.
    struct Target {
        var service: String
        var path: String
        var interface: String
    }

    /// The name of the D-Bus error with which a service refused.
    struct Refusal: Error {
        var name: String
    }

    /// Blocks.
    /// - Parameter write: adds the arguments; false when that fails.
    func call(
        _ target: Target, _ member: String, _ write: (BusWriter) -> Bool = { _ in true }
    ) throws(Refusal) -> BusAnswer {
        var message: OpaquePointer?
        guard
            sd_bus_message_new_method_call(
                bus, &message, target.service, target.path, target.interface, member) >= 0, let message
        else { throw Refusal(name: "") }
        defer { sd_bus_message_unref(message) }
        guard write(BusWriter(message)) else { throw Refusal(name: "") }
        var error = sd_bus_error()
        defer { sd_bus_error_free(&error) }
        var reply: OpaquePointer?
        guard sd_bus_call(bus, message, Self.answerLimit, &error, &reply) >= 0, let reply else {
            throw Refusal(name: error.name.map { String(cString: $0) } ?? "")
        }
        return BusAnswer(reply)
    }
}

/// Adds arguments to a call. Each method says whether that worked.
struct BusWriter {
    private let message: OpaquePointer

    init(_ message: OpaquePointer) { self.message = message }

    /// `type` is `s` or `o`.
    func text(_ text: String, _ type: Unicode.Scalar = "s") -> Bool {
        text.withCString { sd_bus_message_append_basic(message, CChar(type.value), $0) >= 0 }
    }

    func boolean(_ value: Bool) -> Bool {
        var value: Int32 = value ? 1 : 0
        return sd_bus_message_append_basic(message, CChar(UInt8(ascii: "b")), &value) >= 0
    }

    func number(_ value: UInt32) -> Bool {
        var value = value
        return sd_bus_message_append_basic(message, CChar(UInt8(ascii: "u")), &value) >= 0
    }

    /// `a{sv}` of texts
    func options(_ texts: [String: String]) -> Bool {
        container("a", "{sv}") {
            texts.sorted { $0.key < $1.key }.allSatisfy { entry in
                container("e", "sv") { text(entry.key) && container("v", "s") { text(entry.value) } }
            }
        }
    }

    func bytes(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes {
            sd_bus_message_append_array(message, CChar(UInt8(ascii: "y")), $0.baseAddress, $0.count) >= 0
        }
    }

    /// `type` is `a`, `v`, `r` or `e`.
    func container(_ type: Unicode.Scalar, _ contents: String, _ body: () -> Bool) -> Bool {
        sd_bus_message_open_container(message, CChar(type.value), contents) >= 0 && body()
            && sd_bus_message_close_container(message) >= 0
    }

    /// `a{ss}`
    func dictionary(_ texts: [String: String]) -> Bool {
        container("a", "{ss}") {
            texts.sorted { $0.key < $1.key }.allSatisfy { entry in
                container("e", "ss") { text(entry.key) && text(entry.value) }
            }
        }
    }
}

/// A service's answer. Each method reads the next argument; nil when it is of another type.
final class BusAnswer {
    private let message: OpaquePointer

    init(_ message: OpaquePointer) { self.message = message }
    deinit { sd_bus_message_unref(message) }

    func has(_ signature: String) -> Bool { sd_bus_message_has_signature(message, signature) > 0 }

    func text(_ type: Unicode.Scalar = "s") -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, CChar(type.value), &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }

    func number() -> UInt32? {
        var number: UInt32 = 0
        return sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &number) > 0 ? number : nil
    }

    /// The caller closes it.
    func descriptor() -> Int32? {
        var descriptor: Int32 = -1
        guard sd_bus_message_read_basic(message, CChar(UInt8(ascii: "h")), &descriptor) > 0, descriptor >= 0 else {
            return nil
        }
        // The message's own goes with it.
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        return own >= 0 ? own : nil
    }

    func boolean() -> Bool? {
        var value: Int32 = 0
        return sd_bus_message_read_basic(message, CChar(UInt8(ascii: "b")), &value) > 0 ? value != 0 : nil
    }

    func bytes() -> [UInt8]? {
        var start: UnsafeRawPointer?
        var count = 0
        guard sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &start, &count) >= 0 else { return nil }
        return start.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }

    func skip(_ types: String) -> Bool { sd_bus_message_skip(message, types) >= 0 }

    func container<Value>(_ type: Unicode.Scalar, _ contents: String, _ body: () -> Value?) -> Value? {
        guard sd_bus_message_enter_container(message, CChar(type.value), contents) > 0 else { return nil }
        let value = body()
        guard sd_bus_message_exit_container(message) >= 0 else { return nil }
        return value
    }

    /// `ao`, at most `limit`.
    func paths(limit: Int) -> [String]? {
        container("a", "o") {
            var paths: [String] = []
            while let path = text("o") { if paths.count < limit { paths.append(path) } }
            return paths
        }
    }
}
