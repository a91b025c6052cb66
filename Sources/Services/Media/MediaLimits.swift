package struct MediaLimits: Sendable {
    /// Apps that play at once. Policy: further ones are refused.
    package var maximumApps = 64
    /// Processes of one app among them: all of them together take half of the players that the desktop is offered. As above.
    package var maximumOfApp = 8
    /// Players of one other device that are kept.
    package var maximumRemote = 4
    /// An app's handler.
    package var commandDeadline = Duration.seconds(10)
    package var artworkDeadline = Duration.seconds(10)
    /// In pixels, each way.
    package var artworkSize: UInt32 = 512
    package var maximumArtwork = 1 << 20
    /// Between two values of the topic.
    package var publishPause = Duration.milliseconds(500)
    package var maximumText = 512

    package init() {}
}
