import CSystemd

/// A message of a bus, from which arguments are read one after the other. It is untrusted but for its sender, which the bus vouches
/// for: each reading method returns nil when the next argument is of another type. Used on the thread of its connection.
package final class BusMessage {
    /// Texts of one array that are read. A bus has more names than a list of artists has.
    package static let maximumTexts = 16384

    let pointer: OpaquePointer

    /// Shares a message that the caller keeps.
    init(_ pointer: OpaquePointer) { self.pointer = sd_bus_message_ref(pointer) }
    /// Takes the caller's reference.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }
    deinit { sd_bus_message_unref(pointer) }

    // MARK: Header

    package var sender: String? { Self.text(sd_bus_message_get_sender(pointer)) }
    package var destination: String? { Self.text(sd_bus_message_get_destination(pointer)) }
    package var path: String? { Self.text(sd_bus_message_get_path(pointer)) }
    package var interface: String? { Self.text(sd_bus_message_get_interface(pointer)) }
    package var member: String? { Self.text(sd_bus_message_get_member(pointer)) }

    /// Nil stands for any.
    package func isSignal(_ interface: String? = nil, _ member: String? = nil) -> Bool {
        sd_bus_message_is_signal(pointer, interface, member) > 0
    }

    /// Nil stands for any.
    package func isCall(_ interface: String? = nil, _ member: String? = nil) -> Bool {
        sd_bus_message_is_method_call(pointer, interface, member) > 0
    }

    /// A call with arguments of exactly these types.
    package func isCall(_ interface: String, _ member: String, types: String) -> Bool {
        isCall(interface, member) && has(types)
    }

    package var isError: Bool { sd_bus_message_is_method_error(pointer, nil) != 0 }
    package func isError(_ name: String) -> Bool { sd_bus_message_is_method_error(pointer, name) > 0 }
    package var errorNumber: Int32 { sd_bus_message_get_errno(pointer) }
    package var errorText: String? { Self.text(sd_bus_message_get_error(pointer)?.pointee.message) }

    package func has(_ signature: String) -> Bool { sd_bus_message_has_signature(pointer, signature) > 0 }

    // MARK: Arguments

    /// - Parameter type: `s`, `o` or `g`.
    package func text(_ type: Unicode.Scalar = "s") -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(pointer, Self.code(type), &text) > 0 else { return nil }
        return Self.text(text)
    }

    package func boolean() -> Bool? { basic("b", Int32(0)).map { $0 != 0 } }
    package func unsigned() -> UInt32? { basic("u", UInt32(0)) }
    package func integer64() -> Int64? { basic("x", Int64(0)) }

    package func bytes() -> [UInt8]? {
        var start: UnsafeRawPointer?
        var count = 0
        guard sd_bus_message_read_array(pointer, Self.code("y"), &start, &count) >= 0 else { return nil }
        return start.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }

    /// An array of texts. Further ones are stepped over.
    /// - Parameters:
    ///   - type: `s` or `o`.
    ///   - maximumBytes: of all texts together.
    package func texts(
        _ type: Unicode.Scalar = "s", limit: Int = maximumTexts, maximumBytes: Int = .max
    ) -> [String]? {
        container("a", String(type)) {
            var (texts, size): ([String], Int) = ([], 0)
            while let text = text(type) {
                guard texts.count < limit, size <= maximumBytes - text.utf8.count else { continue }
                size += text.utf8.count
                texts.append(text)
            }
            return texts
        }
    }

    package func skip(_ types: String) -> Bool { sd_bus_message_skip(pointer, types) >= 0 }

    /// - Parameters:
    ///   - type: `a`, `v`, `r` or `e`.
    ///   - body: reads all of the contents.
    package func container<Value>(_ type: Unicode.Scalar, _ contents: String, _ body: () -> Value?) -> Value? {
        guard sd_bus_message_enter_container(pointer, Self.code(type), contents) > 0 else { return nil }
        let value = body()
        guard sd_bus_message_exit_container(pointer) >= 0 else { return nil }
        return value
    }

    /// `a{sv}`, of which `body` reads the values that it wants: as ``variant(_:_:)`` or not at all.
    /// - Returns: false when the message is something else.
    package func entries(_ body: (_ key: String) -> Void) -> Bool {
        container("a", "{sv}") {
            while sd_bus_message_enter_container(pointer, Self.code("e"), "sv") > 0 {
                guard let key = text() else { return nil }
                body(key)
                if sd_bus_message_at_end(pointer, 0) == 0, !skip("v") { return nil }
                guard sd_bus_message_exit_container(pointer) >= 0 else { return nil }
            }
            return true
        } ?? false
    }

    /// Steps over a variant of another type.
    package func variant<Value>(_ contents: String, _ body: () -> Value?) -> Value? {
        container("v", contents, body)
    }

    /// A file descriptor, which the message keeps and closes.
    package func descriptor() -> Int32? { basic("h", Int32(-1)) }

    /// All arguments that are left, whatever their types are.
    package func values() -> [BusValue] {
        var reader = BusReader(pointer)
        return reader.arguments()
    }

    private func basic<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ empty: Value) -> Value? {
        var value = empty
        return sd_bus_message_read_basic(pointer, Self.code(type), &value) > 0 ? value : nil
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
    private static func code(_ character: Unicode.Scalar) -> CChar { CChar(character.value) }
}
