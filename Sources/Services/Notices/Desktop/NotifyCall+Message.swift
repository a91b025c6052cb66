import CSystemd

/// Writes `Notify`'s arguments: `susssasa{sv}i`.
extension NotifyCall {
    /// - Returns: false when a text cannot be sent.
    func append(to message: OpaquePointer) -> Bool {
        func open(_ type: Unicode.Scalar, _ contents: String) -> Bool {
            sd_bus_message_open_container(message, DesktopBus.type(type), contents) >= 0
        }
        func close() -> Bool { sd_bus_message_close_container(message) >= 0 }
        func add(_ text: String) -> Bool {
            text.withCString { sd_bus_message_append_basic(message, DesktopBus.type("s"), $0) } >= 0
        }
        func add(_ hint: Hint) -> Bool {
            switch hint {
            case .text(let text): return open("v", "s") && add(text) && close()
            case .byte(var byte):
                return open("v", "y") && sd_bus_message_append_basic(message, DesktopBus.type("y"), &byte) >= 0
                    && close()
            case .integer(var value):
                return open("v", "i") && sd_bus_message_append_basic(message, DesktopBus.type("i"), &value) >= 0
                    && close()
            case .boolean(let isTrue):
                // As D-Bus has it: four bytes.
                var value: Int32 = isTrue ? 1 : 0
                return open("v", "b") && sd_bus_message_append_basic(message, DesktopBus.type("b"), &value) >= 0
                    && close()
            }
        }
        var (replaces, timeout) = (replaces, timeout)
        guard add(application), sd_bus_message_append_basic(message, DesktopBus.type("u"), &replaces) >= 0,
            add(icon), add(summary), add(body),
            open("a", "s"), actions.allSatisfy({ add($0) }), close(), open("a", "{sv}")
        else { return false }
        for (name, hint) in hints.sorted(by: { $0.key < $1.key }) {
            guard open("e", "sv"), add(name), add(hint), close() else { return false }
        }
        return close() && sd_bus_message_append_basic(message, DesktopBus.type("i"), &timeout) >= 0
    }
}
