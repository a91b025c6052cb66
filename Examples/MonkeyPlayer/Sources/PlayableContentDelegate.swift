import Baton

/// Plays what the system asks for, as when headphones are connected (P-63), and says what there is.
final class PlayableContentDelegate: NSObject, MPPlayableContentDelegate, MPPlayableContentDataSource {
    private let player: Player

    init(player: Player) {
        self.player = player
        super.init()
    }

    /// Access the item, fill the Now Playing information, prepare and play, then say how it went.
    func playableContentManager(
        _ contentManager: MPPlayableContentManager, initiatePlaybackOfContentItemAt indexPath: IndexPath,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let index = indexPath.last ?? 0
        guard indexPath.count <= 1, Song.all.indices.contains(index) else {
            return completionHandler(MPError(.notFound))
        }
        MainActor.assumeIsolated { [player] in
            // One that plays already does not begin anew.
            if !(player.isPlaying && player.index == index) {
                player.load(index)
                player.play()
            }
            contentManager.nowPlayingIdentifiers = [player.song.identifier]
        }
        completionHandler(nil)
    }

    func playableContentManager(
        _ contentManager: MPPlayableContentManager, initializePlaybackQueueWithContentItems contentItems: [Any]?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let wanted = (contentItems?.first as? MPContentItem)?.identifier
        let index = wanted.map { name in Song.all.firstIndex { $0.identifier == name } } ?? 0
        guard let index else { return completionHandler(MPError(.notFound)) }
        MainActor.assumeIsolated { [player] in if !player.isPlaying { player.load(index) } }
        completionHandler(nil)
    }

    func numberOfChildItems(at indexPath: IndexPath) -> Int { indexPath.isEmpty ? Song.all.count : 0 }

    func contentItem(at indexPath: IndexPath) -> MPContentItem? {
        guard indexPath.count == 1, let index = indexPath.last, Song.all.indices.contains(index) else { return nil }
        let song = Song.all[index]
        let item = MPContentItem(identifier: song.identifier)
        item.title = song.title
        item.subtitle = song.artist
        item.isPlayable = true
        return item
    }
}
