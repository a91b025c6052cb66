import BackupFormat
import CLinux
import Glibc

/// Rests now and then on the thread that makes a backup, while a person works. Used by that thread alone.
final class BackupThrottle {
    private let isInUse: @Sendable () -> Bool
    private var pace: BackupPace?

    init(isInUse: @escaping @Sendable () -> Bool) { self.isInUse = isInUse }

    /// Called between two pieces of work. May sleep for half a second.
    func rest() {
        guard isInUse() else {
            pace = nil
            return
        }
        let (cpu, wall) = (Self.time(CLOCK_THREAD_CPUTIME_ID), Self.time(CLOCK_MONOTONIC))
        guard var pace else {
            self.pace = BackupPace(cpu: cpu, wall: wall)
            return
        }
        let rest = pace.rest(cpu: cpu, wall: wall)
        self.pace = pace
        if rest > .zero { usleep(useconds_t(rest / .microseconds(1))) }
    }

    private static func time(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
