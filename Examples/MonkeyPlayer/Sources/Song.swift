import Baton

/// A song of the app.
struct Song: Sendable {
    let identifier: String
    let title: String
    let artist: String
    let album: String
    let duration: Double
    /// The name of a picture in the app's bundle; nil where there is none.
    let picture: String?

    static let all = [
        Song(
            identifier: "song-0", title: "Tone", artist: "The Monkeys", album: "Tests", duration: 180, picture: nil),
        Song(
            identifier: "song-1", title: "Overtone", artist: "The Monkeys", album: "Tests", duration: 240, picture: nil),
        Song(
            identifier: "song-2", title: "Undertone", artist: "Anna Ape", album: "Trials", duration: 90, picture: nil),
    ]

    /// For the system.
    var item: MPMediaItem {
        var properties: [String: Any] = [
            MPMediaItemPropertyTitle: title, MPMediaItemPropertyArtist: artist,
            MPMediaItemPropertyAlbumTitle: album, MPMediaItemPropertyPlaybackDuration: duration,
        ]
        if let image = picture.flatMap({ UIImage(named: $0) }) {
            properties[MPMediaItemPropertyArtwork] = MPMediaItemArtwork(boundsSize: image.size) { _ in image }
        }
        return MPMediaItem(properties: properties)
    }
}
