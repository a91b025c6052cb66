/// Where the person's session bus is.
package enum SessionBusAddress {
    /// - Returns: an address as D-Bus writes it; nil where nobody says. There need be no bus.
    package static func find(in environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else { return nil }
        return "unix:path=" + escaped(directory + "/bus")
    }

    /// The specification's set of characters stands for itself; every other byte is written with `%`.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            guard character.isASCII, character.isLetter || character.isNumber || "-_/.\\*".contains(character) else {
                let digits = String(byte, radix: 16)
                return "%" + (digits.count == 1 ? "0" : "") + digits
            }
            return String(character)
        }.joined()
    }
}
