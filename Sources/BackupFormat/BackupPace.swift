/// How fast a backup that no person requested may go while the person works: a fifth of a processor.
package struct BackupPace: Hashable, Sendable {
    package static let share = 0.2
    /// Work is measured over so long: what was saved in longer pauses is not spent at once.
    package static let window = Duration.seconds(2)
    /// The longest pause at a time, so that work that is stopped ends soon.
    package static let longest = Duration.milliseconds(500)

    private var cpu: Duration
    private var wall: Duration

    /// - Parameters:
    ///   - cpu: the time that the thread has had on processors so far.
    ///   - wall: the time by a clock that goes on.
    package init(cpu: Duration, wall: Duration) {
        self.cpu = cpu
        self.wall = wall
    }

    /// How long to rest now; zero for not at all.
    package mutating func rest(cpu: Duration, wall: Duration) -> Duration {
        let (used, passed) = (cpu - self.cpu, wall - self.wall)
        let due = used / Self.share - passed
        if due <= .zero, passed > Self.window { self = BackupPace(cpu: cpu, wall: wall) }
        return due < .milliseconds(5) ? .zero : min(due, Self.longest)
    }
}
