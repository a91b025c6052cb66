/// When indexing begins that gives way to what else the daemon does: while ten thousand files come, their names wait. A value.
struct QuietMoment: Sendable {
    /// How long the processor is looked at first.
    static let look = Duration.milliseconds(100)
    /// And then, where the daemon was busy.
    static let pause = Duration.seconds(1)
    /// Nothing waits longer, however busy the daemon is.
    static let patience = Duration.seconds(30)

    private let begin: Duration
    private var last: (time: Duration, worked: Duration)

    /// - Parameters:
    ///   - now: never less than before.
    ///   - worked: the daemon's time of processors so far.
    init(at now: Duration, worked: Duration) {
        begin = now
        last = (now, worked)
    }

    /// - Returns: nil where it is now; else when to ask again. The daemon is busy that takes a quarter of a processor.
    mutating func wait(at now: Duration, worked: Duration) -> Duration? {
        defer { last = (now, worked) }
        let isBusy = (worked - last.worked) * 4 > now - last.time
        return isBusy && now - begin < Self.patience ? Self.pause : nil
    }
}
