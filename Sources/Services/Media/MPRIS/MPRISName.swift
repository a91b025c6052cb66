/// Names of players on the session bus.
package enum MPRISName {
    package static let prefix = "org.mpris.MediaPlayer2."
    /// Players that batond offers. Another one's names below it are passed over.
    package static let own = prefix + "baton."
    package static let path = "/org/mpris/MediaPlayer2"
    package static let root = "org.mpris.MediaPlayer2"
    package static let player = "org.mpris.MediaPlayer2.Player"

    /// The bus's name of a player: what cannot be in a part of a name becomes “_”. At most 255 bytes.
    /// - Parameter instance: distinguishes players of one app; 0 for the first.
    package static func make(_ id: String, instance: Int = 0) -> String {
        var part = String(
            id.unicodeScalars.prefix(160).map { scalar in
                let isAllowed =
                    scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(Character(scalar)))
                return isAllowed ? Character(scalar) : "_"
            })
        if part.first.map({ ("0"..."9").contains($0) }) ?? true { part = "_" + part }
        return own + part + (instance == 0 ? "" : ".instance\(instance)")
    }

    /// Plays nothing itself: it stands for the player that was used last, which may be ours.
    private static let proxy = prefix + "playerctld"

    /// Whether a name is of a player of another program.
    package static func isForeign(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name.utf8.count > prefix.utf8.count && name.utf8.count <= 255 && !name.hasPrefix(own)
            && name != proxy
    }
}
