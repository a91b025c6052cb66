import Baton

/// Plays songs: silently, since a sample has none. Another app would have its decoder here.
@MainActor
final class Player {
    private(set) var index = 0
    private(set) var isPlaying = false
    private(set) var isReady = false
    /// Seconds from the beginning, at `measured`.
    private var elapsed = 0.0
    private var measured = Date()
    private var end: Timer?

    var song: Song { Song.all[index] }
    var isAtEnd: Bool { index == Song.all.count - 1 }

    var position: Double { min(elapsed + (isPlaying ? Date().timeIntervalSince(measured) : 0), song.duration) }

    /// Prepares a song, and does not play it yet.
    func load(_ index: Int) {
        pause(isTold: false)
        self.index = index
        elapsed = 0
        isReady = true
        tell()
        print("loaded \(song.title)")
    }

    func play() {
        if !isReady { load(0) }
        guard !isPlaying else { return }
        isPlaying = true
        measured = Date()
        waitForEnd()
        tell()
        print("plays \(song.title) from \(Int(position))")
    }

    func pause() { pause(isTold: true) }

    private func pause(isTold: Bool) {
        guard isPlaying else { return }
        elapsed = position
        isPlaying = false
        end?.invalidate()
        guard isTold else { return }
        tell()
        print("paused at \(Int(position))")
    }

    func next() {
        let plays = isPlaying
        load((index + 1) % Song.all.count)
        if plays { play() }
    }

    func previous() {
        let plays = isPlaying
        load(max(0, index - 1))
        if plays { play() }
    }

    func seek(to seconds: Double) {
        elapsed = min(max(0, seconds), song.duration)
        measured = Date()
        if isPlaying { waitForEnd() }
        tell()
        print("at \(Int(position))")
    }

    private func waitForEnd() {
        end?.invalidate()
        end = Timer.scheduledTimer(withTimeInterval: max(0.1, song.duration - position), repeats: false) { _ in
            MainActor.assumeIsolated { self.next() }
        }
    }

    /// Title, artist, album, duration and picture; the system follows time and rate itself (P-64, P-65).
    private func tell() {
        let item = song.item
        var info: [String: Any] = [
            MPMediaItemPropertyTitle: item.title ?? "", MPMediaItemPropertyArtist: item.artist ?? "",
            MPMediaItemPropertyAlbumTitle: item.albumTitle ?? "",
            MPMediaItemPropertyPlaybackDuration: item.playbackDuration,
            MPNowPlayingInfoPropertyElapsedPlaybackTime: position,
            MPNowPlayingInfoPropertyPlaybackRate: isPlaying ? 1.0 : 0.0,
            MPNowPlayingInfoPropertyExternalContentIdentifier: song.identifier,
        ]
        info[MPMediaItemPropertyArtwork] = item.artwork ?? Self.missingArtwork
        MPNowPlayingInfoCenter.default().nowPlayingInfo = info
        MPNowPlayingInfoCenter.default().playbackState = isPlaying ? .playing : .paused
        RemoteCommands.follow(self)
    }

    private static let missingArtwork: MPMediaItemArtwork? =
        UIImage(named: "MissingAlbumArt.png").map { MPMediaItemArtwork(image: $0) }
}
