import CSystemd

/// Reads and writes values of messages. What comes is untrusted: what is of an unexpected type is stepped over.
enum BusMessage {
    /// Entries of one dictionary or list that are read; the rest of it is stepped over.
    private static let maximumEntries = 256
    /// How deep dictionaries may nest.
    private static let maximumDepth = 4

    // MARK: Writing

    static func append(_ values: [String: BusValue], to message: OpaquePointer) -> Bool {
        guard sd_bus_message_open_container(message, type("a"), "{sv}") >= 0 else { return false }
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard sd_bus_message_open_container(message, type("e"), "sv") >= 0, append(key, to: message),
                appendVariant(value, to: message), sd_bus_message_close_container(message) >= 0
            else { return false }
        }
        return sd_bus_message_close_container(message) >= 0
    }

    static func appendVariant(_ value: BusValue, to message: OpaquePointer) -> Bool {
        guard sd_bus_message_open_container(message, type("v"), signature(value)) >= 0, append(value, to: message)
        else { return false }
        return sd_bus_message_close_container(message) >= 0
    }

    static func append(_ text: String, as character: Unicode.Scalar = "s", to message: OpaquePointer) -> Bool {
        text.withCString { sd_bus_message_append_basic(message, type(character), $0) >= 0 }
    }

    static func append(_ texts: [String], to message: OpaquePointer) -> Bool {
        guard sd_bus_message_open_container(message, type("a"), "s") >= 0 else { return false }
        for text in texts { guard append(text, to: message) else { return false } }
        return sd_bus_message_close_container(message) >= 0
    }

    static func append(_ value: BusValue, to message: OpaquePointer) -> Bool {
        switch value {
        case .string(let text): return append(text, to: message)
        case .strings(let texts): return append(texts, to: message)
        case .path(let path): return append(path, as: "o", to: message)
        case .boolean(let value):
            var number: Int32 = value ? 1 : 0
            return sd_bus_message_append_basic(message, type("b"), &number) >= 0
        case .integer32(var number): return sd_bus_message_append_basic(message, type("i"), &number) >= 0
        case .integer64(var number): return sd_bus_message_append_basic(message, type("x"), &number) >= 0
        case .real(var number): return sd_bus_message_append_basic(message, type("d"), &number) >= 0
        case .dictionary(let values): return append(values, to: message)
        }
    }

    private static func signature(_ value: BusValue) -> String {
        switch value {
        case .string: "s"
        case .strings: "as"
        case .path: "o"
        case .boolean: "b"
        case .integer32: "i"
        case .integer64: "x"
        case .real: "d"
        case .dictionary: "a{sv}"
        }
    }

    // MARK: Reading

    static func text(_ message: OpaquePointer, _ character: Unicode.Scalar = "s") -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, type(character), &text) > 0, let text else { return nil }
        return String(cString: text)
    }

    static func texts(_ message: OpaquePointer) -> [String]? {
        guard sd_bus_message_enter_container(message, type("a"), "s") > 0 else { return nil }
        var found: [String] = []
        while let text = text(message) {
            // A bus has more names than a list of artists has.
            if found.count < 16384 { found.append(text) }
        }
        return sd_bus_message_exit_container(message) >= 0 ? found : nil
    }

    /// Reads `a{sv}`.
    static func dictionary(_ message: OpaquePointer, depth: Int = 0) -> [String: BusValue]? {
        guard depth < maximumDepth, sd_bus_message_enter_container(message, type("a"), "{sv}") > 0 else { return nil }
        var found: [String: BusValue] = [:]
        while sd_bus_message_enter_container(message, type("e"), "sv") > 0 {
            guard let key = text(message) else { return nil }
            if found.count < maximumEntries {
                guard let value = variant(message, depth: depth) else { return nil }
                if case .some(let value) = value { found[key] = value }
            } else {
                guard sd_bus_message_skip(message, "v") >= 0 else { return nil }
            }
            guard sd_bus_message_exit_container(message) >= 0 else { return nil }
        }
        return sd_bus_message_exit_container(message) >= 0 ? found : nil
    }

    /// - Returns: nil when the message is broken; nil within for a type that nobody here reads.
    static func variant(_ message: OpaquePointer, depth: Int = 0) -> BusValue?? {
        var (kind, contents): (CChar, UnsafePointer<CChar>?) = (0, nil)
        guard sd_bus_message_peek_type(message, &kind, &contents) > 0, kind == type("v"), let contents else {
            return nil
        }
        let signature = String(cString: contents)
        guard read.contains(signature) else {
            return sd_bus_message_skip(message, "v") >= 0 ? .some(nil) : nil
        }
        guard sd_bus_message_enter_container(message, type("v"), signature) > 0 else { return nil }
        let value = value(message, signature, depth)
        // A dictionary that is nested too deep is not left in the middle.
        guard let value, sd_bus_message_exit_container(message) >= 0 else { return nil }
        return .some(value)
    }

    private static let read: Set<String> = ["s", "o", "as", "b", "y", "n", "q", "i", "u", "x", "t", "d", "a{sv}"]

    private static func value(_ message: OpaquePointer, _ signature: String, _ depth: Int) -> BusValue? {
        switch signature {
        case "s": text(message).map(BusValue.string)
        case "o": text(message, "o").map(BusValue.path)
        case "as": texts(message).map { .strings(Array($0.prefix(maximumEntries))) }
        case "b": number(message, "b", Int32(0)).map { .boolean($0 != 0) }
        case "y": number(message, "y", UInt8(0)).map { .integer32(Int32($0)) }
        case "n": number(message, "n", Int16(0)).map { .integer32(Int32($0)) }
        case "q": number(message, "q", UInt16(0)).map { .integer32(Int32($0)) }
        case "i": number(message, "i", Int32(0)).map { .integer32($0) }
        case "u": number(message, "u", UInt32(0)).map { .integer64(Int64($0)) }
        case "x": number(message, "x", Int64(0)).map { .integer64($0) }
        case "t": number(message, "t", UInt64(0)).map { .integer64(Int64(clamping: $0)) }
        case "d": number(message, "d", Double(0)).map { .real($0) }
        case "a{sv}": dictionary(message, depth: depth + 1).map(BusValue.dictionary)
        default: nil
        }
    }

    static func number<Value: BitwiseCopyable>(
        _ message: OpaquePointer, _ character: Unicode.Scalar, _ empty: Value
    ) -> Value? {
        var value = empty
        return sd_bus_message_read_basic(message, type(character), &value) > 0 ? value : nil
    }

    static func type(_ character: Unicode.Scalar) -> CChar { CChar(character.value) }
}
