import Synchronization

/// The self-description of the process, settled at the first use.
final class SettledProfile: Sendable {
    private let make: @Sendable () -> AppProfile
    private let made = Mutex<AppProfile?>(nil)

    init(make: @escaping @Sendable () -> AppProfile) { self.make = make }

    var value: AppProfile {
        made.withLock { made in
            let profile = made ?? make()
            made = profile
            return profile
        }
    }
}
