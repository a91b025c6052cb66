import BatonConcurrency
import BatonCore
import ContextAwareness
import Documents
import ServiceLifecycle

/// Sets how much the person's folders may use, by the settings, the network and the power.
struct FolderLimitsPart: DaemonPart {
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) throws {
        let settings = try daemon.part(SettingsPart.self).settings
        let context = try daemon.part(ContextPart.self).context
        let pacer = try daemon.part(DocumentsPart.self).service.pacer
        let changed = Signal()
        let own: [Setting] = [
            .foldersDown, .foldersUp, .foldersMetered, .foldersBattery, .foldersRoom, .documentsPrefetch,
        ]
        let ofSettings: [any Service] = own.map { setting in
            EventFollower(settings.values(of: setting)) { _ in changed.send() }
        }
        let limits = LimitsFollower(changed: changed) {
            let known = context.surroundings
            let limits = Self.limits { settings.value(of: $0) }
            // The kernel is asked only where it matters, and where the session does not say it.
            let asksKernel = limits.waitsOnBattery && known.isOnBattery == nil
            pacer.set(
                limits, isMetered: known.isMetered,
                isOnBattery: asksKernel ? !PowerSupplies.isOnMains() : known.isOnBattery)
            return asksKernel
        }
        followers = ofSettings + [EventFollower(context.surroundingsChanges()) { _ in changed.send() }, limits]
    }

    static func limits(_ value: (Setting) -> String) -> FolderLimits {
        var limits = FolderLimits()
        limits.down = Int(value(.foldersDown)).map { $0 * 1024 }
        limits.up = Int(value(.foldersUp)).map { $0 * 1024 }
        limits.waitsOnMetered = value(.foldersMetered) == "wait"
        limits.waitsOnBattery = value(.foldersBattery) == "wait"
        limits.room = UInt64(value(.foldersRoom)).map { $0 << 20 } ?? limits.room
        limits.prefetches = value(.documentsPrefetch) == "on"
        return limits
    }

    var services: [any Service] { followers }

    /// Sets the limits again when something has changed from which they follow.
    private struct LimitsFollower: Service {
        /// The kernel gives no event when the power changes.
        private static let pause = Duration.seconds(5)

        let changed: Signal
        /// - Returns: whether to look again after a while, since a change of something used gives no event.
        let apply: @Sendable () -> Bool

        func run() async throws {
            await cancelWhenGracefulShutdown {
                var timer: DeadlineTimer.Entry?
                changed.send()
                for await _ in changed.stream {
                    if let timer { DeadlineTimer.shared.cancel(timer) }
                    timer = apply() ? DeadlineTimer.shared.schedule(after: Self.pause) { changed.send() } : nil
                }
                if let timer { DeadlineTimer.shared.cancel(timer) }
            }
        }
    }
}
