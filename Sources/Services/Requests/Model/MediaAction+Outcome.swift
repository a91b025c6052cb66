import RequestGrammar

extension RequestMeaning.MediaAction {
    /// For people: what a player does now.
    func outcome(in player: String, media: String?) -> String {
        switch self {
        case .play: "\(player) plays\(media.map { " “\($0)”" } ?? "")."
        case .pause: "\(player) is paused."
        case .next: "\(player) goes to the next item."
        case .previous: "\(player) goes to the item before."
        }
    }
}
