import SessionBus

/// Writes `Notify`'s arguments: `susssasa{sv}i`.
extension NotifyCall {
    func write(to writer: inout BusWriter) {
        writer.string(application)
        writer.unsigned(replaces)
        for text in [icon, summary, body] { writer.string(text) }
        writer.strings(actions)
        writer.array(of: "{sv}") { writer in
            for (name, hint) in hints.sorted(by: { $0.key < $1.key }) {
                switch hint {
                case .text(let text): writer.entry(name, text)
                case .byte(let byte): writer.entry(name, "y") { $0.byte(byte) }
                case .integer(let value): writer.entry(name, "i") { $0.integer(value) }
                case .boolean(let isTrue): writer.entry(name, "b") { $0.boolean(isTrue) }
                }
            }
        }
        writer.integer(timeout)
    }
}
