extension InputField.Key {
    private enum Value {
        static let (backspace, tab, space): (UInt32, UInt32, UInt32) = (0xFF08, 0xFF09, 0x20)
        /// Shift, Control, Caps Lock, Meta, Alt, Super, Hyper; Mode_switch and ISO's levels and groups; Num Lock.
        static let modifiers: [ClosedRange<UInt32>] = [0xFFE1...0xFFEE, 0xFE01...0xFE13, 0xFF7E...0xFF7F]
    }

    private enum State {
        static let control: UInt32 = 1 << 2
        /// Shift; those that make a shortcut of a key: Control, Alt, Super, Hyper, Meta.
        static let shift: UInt32 = 1
        static let shortcut: UInt32 = 1 << 2 | 1 << 3 | 1 << 26 | 1 << 27 | 1 << 28
        static let released: UInt32 = 1 << 30
    }

    /// - Parameters:
    ///   - value: the key's symbol, by X11's numbers.
    ///   - state: what is held with it, by IBus's bits.
    ///   - character: what it writes; 0 for nothing.
    /// - Returns: nil for a key that is let go.
    package init?(value: UInt32, state: UInt32, character: UInt32) {
        guard state & State.released == 0 else { return nil }
        let shortcut = state & State.shortcut
        if Value.modifiers.contains(where: { $0.contains(value) }) {
            self = .modifier
        } else if value == Value.space, shortcut == State.control, state & State.shift == 0 {
            self = .request
        } else if shortcut != 0 {
            self = .other
        } else if value == Value.tab, state & State.shift == 0 {
            self = .tab
        } else if value == Value.backspace {
            self = .backspace
        } else if let scalar = Unicode.Scalar(character), character >= 0x20, character != 0x7F {
            self = .character(Character(scalar))
        } else {
            self = .other
        }
    }
}
