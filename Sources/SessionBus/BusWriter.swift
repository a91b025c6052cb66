import CSystemd

/// Writes the arguments of a message, one after the other. After a failure nothing more is written, and the message is not sent.
package struct BusWriter {
    private let message: OpaquePointer
    package private(set) var isWhole = true

    init(_ message: OpaquePointer) { self.message = message }

    /// - Parameter type: `s`, `o` or `g`. A text ends at its first zero.
    package mutating func string(_ text: String, as type: Unicode.Scalar = "s") {
        note(text.withCString { sd_bus_message_append_basic(message, Self.code(type), $0) })
    }

    package mutating func boolean(_ value: Bool) {
        // As D-Bus has it: four bytes.
        basic("b", Int32(value ? 1 : 0))
    }

    package mutating func byte(_ value: UInt8) { basic("y", value) }
    package mutating func integer(_ value: Int32) { basic("i", value) }
    package mutating func unsigned(_ value: UInt32) { basic("u", value) }
    package mutating func integer64(_ value: Int64) { basic("x", value) }
    package mutating func real(_ value: Double) { basic("d", value) }

    package mutating func bytes(_ bytes: [UInt8]) {
        guard isWhole else { return }
        note(
            bytes.withUnsafeBytes {
                sd_bus_message_append_array(message, Self.code("y"), $0.baseAddress, $0.count)
            })
    }

    package mutating func array(of contents: String, _ body: (inout BusWriter) -> Void) {
        container("a", contents, body)
    }
    package mutating func structure(_ contents: String, _ body: (inout BusWriter) -> Void) {
        container("r", contents, body)
    }
    package mutating func variant(_ contents: String, _ body: (inout BusWriter) -> Void) {
        container("v", contents, body)
    }

    package mutating func strings(_ texts: [String]) {
        array(of: "s") { writer in for text in texts { writer.string(text) } }
    }

    /// An entry of a dictionary `a{sv}`.
    package mutating func entry(_ key: String, _ contents: String, _ body: (inout BusWriter) -> Void) {
        container("e", "sv") { writer in
            writer.string(key)
            writer.variant(contents, body)
        }
    }

    package mutating func entry(_ key: String, _ text: String) { entry(key, "s") { $0.string(text) } }

    /// `a{ss}`
    package mutating func dictionary(_ texts: [String: String]) {
        array(of: "{ss}") { writer in
            for (key, text) in texts.sorted(by: { $0.key < $1.key }) {
                writer.container("e", "ss") { writer in
                    writer.string(key)
                    writer.string(text)
                }
            }
        }
    }

    /// `a{sv}`
    package mutating func dictionary(_ values: [String: BusValue]) {
        array(of: "{sv}") { writer in
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                writer.entry(key, value.signature) { $0.value(value) }
            }
        }
    }

    package mutating func variant(_ value: BusValue) { variant(value.signature) { $0.value(value) } }

    package mutating func value(_ value: BusValue) {
        switch value {
        case .string(let text): string(text)
        case .strings(let texts): strings(texts)
        case .path(let path): string(path, as: "o")
        case .boolean(let value): boolean(value)
        case .integer32(let number): integer(number)
        case .integer64(let number): integer64(number)
        case .real(let number): real(number)
        case .list(let values): array(of: "v") { writer in for value in values { writer.variant(value) } }
        case .dictionary(let values): dictionary(values)
        }
    }

    private mutating func basic<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ value: Value) {
        guard isWhole else { return }
        var value = value
        note(sd_bus_message_append_basic(message, Self.code(type), &value))
    }

    private mutating func container(_ kind: Unicode.Scalar, _ contents: String, _ body: (inout BusWriter) -> Void) {
        guard isWhole else { return }
        note(sd_bus_message_open_container(message, Self.code(kind), contents))
        guard isWhole else { return }
        body(&self)
        guard isWhole else { return }
        note(sd_bus_message_close_container(message))
    }

    private mutating func note(_ result: Int32) { if result < 0 { isWhole = false } }

    private static func code(_ character: Unicode.Scalar) -> CChar { CChar(character.value) }
}
