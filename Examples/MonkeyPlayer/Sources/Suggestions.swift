import Baton

/// The app's suggestions: a song when headphones are connected, and one that is new.
@MainActor
enum Suggestions {
    static func offer() {
        if let shortcut = INShortcut(intent: intent(Song.all[0])) {
            let relevant = INRelevantShortcut(shortcut: shortcut)
            relevant.relevanceProviders = [INDailyRoutineRelevanceProvider(situation: .headphonesConnected)]
            INRelevantShortcutStore.default.setRelevantShortcuts([relevant]) { error in
                print(error.map { "could not suggest: \($0.localizedDescription)" } ?? "suggested")
            }
        }
        INUpcomingMediaManager.shared.setSuggestedMediaIntents(NSOrderedSet(array: [intent(Song.all[2])]))
    }

    private static func intent(_ song: Song) -> INPlayMediaIntent {
        INPlayMediaIntent(mediaItems: [
            INMediaItem(
                identifier: song.identifier, title: song.title, type: .song, artwork: nil, artist: song.artist)
        ])
    }

    /// The identifier of the song that the system asks for; nil where it asks by no intent.
    static func song(in activity: NSUserActivity) -> String? {
        (activity.interaction?.intent as? INPlayMediaIntent)?.mediaItems?.first?.identifier
    }
}
