import BatonCore
import ContextAwareness
import Documents
import ServiceLifecycle

/// Tells the person's folders how much they may use, by the settings, the network and the power.
struct FolderLimitsPart: DaemonPart {
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) throws {
        let settings = try daemon.part(SettingsPart.self).settings
        let context = try daemon.part(ContextPart.self).context
        let pacer = try daemon.part(DocumentsPart.self).service.pacer
        let apply: @Sendable () -> Void = {
            let known = context.surroundings
            let limits = Self.limits { settings.value(of: $0) }
            // The kernel is asked only where it matters.
            let isOnBattery = known.isOnBattery ?? (limits.waitsOnBattery ? !PowerSupplies.isOnMains() : nil)
            pacer.set(limits, isMetered: known.isMetered, isOnBattery: isOnBattery)
        }
        let own: [Setting] = [
            .foldersDown, .foldersUp, .foldersMetered, .foldersBattery, .foldersRoom, .documentsPrefetch,
        ]
        followers =
            own.map { setting in EventFollower(settings.values(of: setting)) { _ in apply() } }
            + [PeriodicLook(apply)]
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

    /// No event tells of every change of the network and the power.
    private struct PeriodicLook: Service {
        private static let pause = Duration.seconds(5)
        private let look: @Sendable () -> Void

        init(_ look: @escaping @Sendable () -> Void) { self.look = look }

        func run() async throws {
            await cancelWhenGracefulShutdown {
                while !Task.isCancelled {
                    look()
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
    }
}
