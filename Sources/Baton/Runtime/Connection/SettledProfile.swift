import Synchronization

/// What the process says of itself, settled at the first use.
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
