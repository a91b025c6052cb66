package import BackupFormat
import BatonConcurrency
import BatonCore
import ServiceLifecycle

/// Makes backups when ``BackupSchedule`` says so. It looks once a minute, since the state that it looks at changes without a
/// notification; without a target, and a restore that is not done, it waits for one.
package struct BackupRunner: Service {
    private let service: BackupService
    private let started: UInt64
    private let conditions: @Sendable (_ isTargetThere: Bool) -> BackupSchedule.Conditions
    private let isInUse: @Sendable () -> Bool
    private let tell: @Sendable (_ days: UInt64) -> Void
    private let queue = BlockingQueue("baton.backup.schedule")
    private static let interval = Duration.seconds(60)

    package init(
        service: BackupService, started: UInt64,
        conditions: @escaping @Sendable (Bool) -> BackupSchedule.Conditions,
        isInUse: @escaping @Sendable () -> Bool = { false },
        tell: @escaping @Sendable (UInt64) -> Void
    ) {
        self.service = service
        self.started = started
        self.conditions = conditions
        self.isInUse = isInUse
        self.tell = tell
    }

    /// Why no backup is made now; nil: one is.
    package func wait() async -> BackupSchedule.Wait? {
        // The target may be a share that is slow to answer.
        await queue.run {
            service.state.schedule(started: started).wait(conditions(service.isTargetThere), now: service.clock())
        }
    }

    package func run() async throws {
        // Work in progress ends at its next file.
        await withGracefulShutdownHandler {
            try? await cancelWhenGracefulShutdown {
                await service.continueRestore()
                var changes = service.changes.stream.makeAsyncIterator()
                while true {
                    while service.state.target == nil, service.plan == nil {
                        guard await changes.next() != nil else { return }
                    }
                    try await Task.sleep(for: Self.interval)
                    await look()
                }
            }
        } onGracefulShutdown: {
            service.end()
        }
    }

    private func look() async {
        await service.continueRestore()
        // A failure is kept in the state, and recorded.
        if await wait() == nil { _ = try? await service.backUp(isInUse: isInUse) }
        let now = service.clock()
        let schedule = service.state.schedule(started: started)
        guard schedule.tells(now: now) else { return }
        tell(schedule.daysWithout(now: now))
        try? service.change { $0.lastTold = now }
    }
}
