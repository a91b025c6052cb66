/// The purpose of a field, by IBus's numbers (those of GTK and of Wayland's text input).
package enum FieldPurpose {
    private static let (password, pin, terminal): (UInt32, UInt32, UInt32) = (8, 9, 10)
    private static let isPrivate: UInt32 = 1 << 11

    /// Whether nothing is read there, and nothing offered: secrets, what a program calls private, and terminals, whose programs have
    /// uses of their own for Tab and Ctrl+Space.
    package static func isSilent(purpose: UInt32, hints: UInt32) -> Bool {
        [password, pin, terminal].contains(purpose) || hints & isPrivate != 0
    }
}
