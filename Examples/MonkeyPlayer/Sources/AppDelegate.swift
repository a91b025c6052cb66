import Baton

/// The media sample of the chapter on proactive suggestions: songs that the system may ask for, with the desktop's controls.
///
/// It prints what its screen would show.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let player = Player()
    /// The manager does not keep it.
    private let content: PlayableContentDelegate

    required init() {
        content = PlayableContentDelegate(player: player)
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        MPPlayableContentManager.shared().delegate = content
        MPPlayableContentManager.shared().dataSource = content
        RemoteCommands.connect(player)
        Suggestions.offer()
        CommandLines.read { [weak self] line in self?.perform(line) }
        print("launched")
        return true
    }

    /// Plays what the app has suggested and the person chose, or goes on with what another device has played: the item and the
    /// position come along.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard userActivity.activityType == "INPlayMediaIntent",
            let name = Suggestions.song(in: userActivity) ?? userActivity.userInfo?["mediaIdentifier"] as? String,
            let index = Song.all.firstIndex(where: { $0.identifier == name })
        else { return false }
        player.load(index)
        player.seek(to: userActivity.userInfo?["position"] as? Double ?? 0)
        player.play()
        return true
    }

    private func perform(_ line: String) {
        let words = line.split(separator: " ")
        switch words.first {
        case "play":
            if let number = words.dropFirst().first.flatMap({ Int($0) }), Song.all.indices.contains(number) {
                player.load(number)
            }
            player.play()
        case "pause": player.pause()
        case "next": player.next()
        case "seek": player.seek(to: words.dropFirst().first.flatMap { Double($0) } ?? 0)
        case "quit": exit(0)
        case nil: break
        default: print("Not a command: \(line). There are play [NUMBER], pause, next, seek SECONDS and quit.")
        }
    }
}
