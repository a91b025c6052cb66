package import BatonCore

/// Which player a person means. A pure decision.
package enum PlayerChoice {
    /// The order in which players are listed: what plays before what does not, here before elsewhere, what has played before what
    /// has not, then by when it last did.
    package static func sorted(_ players: [MediaPlayer]) -> [MediaPlayer] {
        players.sorted { left, right in
            if left.isPlaying != right.isPlaying { return left.isPlaying }
            if left.isHere != right.isHere { return left.isHere }
            if left.hasPlayed != right.hasPlayed { return left.hasPlayed }
            if left.lastUsed != right.lastUsed { return left.lastUsed > right.lastUsed }
            return left.id < right.id
        }
    }

    /// - Parameters:
    ///   - text: its identifier, its app's, or its name; nil for the one that a command without a name goes to.
    ///   - kind: what it is to do. It goes to what plays, else to what last played of those that can do it. Playing goes on here if
    ///     anything is here; a pause goes to what plays, wherever that is.
    /// - Throws: `not_found`, or `invalid_argument` where a word is in the names of several.
    package static func find(
        _ text: String?, for kind: MediaCommand.Kind, among players: [MediaPlayer]
    ) throws(BatonError) -> MediaPlayer {
        let all = sorted(players)
        guard let text, !text.isEmpty else {
            let starts = kind == .play || kind == .togglePlayPause
            let plays = all.first { $0.isHere && $0.isPlaying }
            let able = all.filter { $0.isPlaying || $0.can(kind) }
            let here = starts ? able.first(where: \.isHere) ?? all.first(where: \.isHere) : nil
            if let chosen = plays ?? here ?? able.first ?? all.first { return chosen }
            throw BatonError(
                .notFound, reason: "no_player",
                "Nothing plays, here or on your other devices. Start something in an app.")
        }
        let wanted = text.lowercased()
        let fitting: [(MediaPlayer) -> Bool] = [
            { $0.id == text }, { $0.app?.bundleID.rawValue.lowercased() == wanted }, { $0.name.lowercased() == wanted },
            { $0.name.lowercased().hasPrefix(wanted) },
        ]
        for fits in fitting {
            if let player = all.first(where: fits) { return player }
        }
        let named = all.filter { SpokenName.fit(text, $0.name) != nil }
        let names = Set(named.map(\.name))
        guard names.count < 2 else {
            throw BatonError(
                .invalidArgument, reason: "ambiguous_player",
                "Several players fit “\(text.shortened(toBytes: 80))”: \(names.sorted().prefix(8).joined(separator: ", ")). Name one in "
                    + "full.")
        }
        if let player = named.first { return player }
        throw BatonError(
            .notFound, reason: "unknown_player",
            "There is no player “\(text.shortened(toBytes: 80))”. \(SpokenName.meant(text, among: all.map(\.name)))“baton media” lists "
                + "them.")
    }
}

extension MediaPlayer {
    /// One of play, pause and toggle stands for the others.
    fileprivate func can(_ kind: MediaCommand.Kind) -> Bool {
        let kinds: [MediaCommand.Kind] = kind == .play ? [.play, .togglePlayPause] : [kind]
        return kinds.contains(where: commands.contains)
    }
}
