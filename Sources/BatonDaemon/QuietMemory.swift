import BatonTransport
import Dispatch
import Glibc

/// Memory that a busy time needs and an idle daemon does not: freed memory, and pages of the program. It goes back when all is quiet.
enum QuietMemory {
    /// Looks now and then, as long as the process runs.
    static func watch() { look(BusyTimes()) }

    private static func look(_ times: BusyTimes) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(BusyTimes.period)) {
            var times = times
            if times.isOver(processorTime) {
                FreeMemory.giveBackSoon()
                StartupMemory.release()
            }
            look(times)
        }
    }

    /// All threads of this process together.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// Says when a process that was busy is so no more. A value, without a clock.
struct BusyTimes {
    /// Seconds between two looks.
    static let period = 10
    private static let much = Duration.seconds(1)
    private static let little = Duration.milliseconds(100)

    private var last = Duration.zero
    private var wasBusy = false

    /// - Parameter used: the processor time of the process so far.
    /// - Returns: once for each busy time.
    mutating func isOver(_ used: Duration) -> Bool {
        let spent = used - last
        last = used
        if spent >= Self.much { wasBusy = true }
        guard wasBusy, spent < Self.little else { return false }
        wasBusy = false
        return true
    }
}
