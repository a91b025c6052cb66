import CSystemd

/// Writes values into a message of a bus, one after the other. After a failure nothing more is written.
struct BusWriter {
    private let message: OpaquePointer
    private(set) var isWhole = true

    init(_ message: OpaquePointer) { self.message = message }

    mutating func string(_ text: String) {
        // A text ends at its first zero: what follows would be left out by whoever reads it.
        note(text.withCString { sd_bus_message_append_basic(message, Self.type("s"), $0) })
    }

    mutating func integer(_ value: Int32) {
        var value = value
        note(sd_bus_message_append_basic(message, Self.type("i"), &value))
    }

    mutating func real(_ value: Double) {
        var value = value
        note(sd_bus_message_append_basic(message, Self.type("d"), &value))
    }

    mutating func array(of contents: String, _ body: (inout BusWriter) -> Void) { container("a", contents, body) }
    mutating func structure(_ contents: String, _ body: (inout BusWriter) -> Void) { container("r", contents, body) }
    mutating func variant(_ contents: String, _ body: (inout BusWriter) -> Void) { container("v", contents, body) }

    mutating func strings(_ texts: [String]) {
        array(of: "s") { writer in for text in texts { writer.string(text) } }
    }

    /// An entry of a dictionary `a{sv}`.
    mutating func entry(_ key: String, _ contents: String, _ body: (inout BusWriter) -> Void) {
        container("e", "sv") { writer in
            writer.string(key)
            writer.variant(contents, body)
        }
    }

    mutating func entry(_ key: String, _ text: String) { entry(key, "s") { $0.string(text) } }

    private mutating func container(_ kind: Unicode.Scalar, _ contents: String, _ body: (inout BusWriter) -> Void) {
        guard isWhole else { return }
        note(sd_bus_message_open_container(message, Self.type(kind), contents))
        body(&self)
        guard isWhole else { return }
        note(sd_bus_message_close_container(message))
    }

    private mutating func note(_ result: Int32) { if result < 0 { isWhole = false } }

    private static func type(_ character: Unicode.Scalar) -> CChar { CChar(character.value) }
}
