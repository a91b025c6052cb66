/// A table that an app hands over, as the app declares it.
package struct MirrorTable: Sendable, Equatable {
    /// The rule for two devices giving one value to a unique key.
    package enum Collision: Sendable, Equatable {
        /// The two rows become one for good.
        case merge
        /// The row that had it first, or wrote it first, loses the value.
        case clear
    }

    package struct UniqueKey: Sendable, Equatable {
        package var columns: [String]
        package var collision: Collision

        package init(columns: [String], collision: Collision) {
            self.columns = columns
            self.collision = collision
        }
    }

    package var name: String
    package var unique: [UniqueKey]
    /// Columns whose change does not keep a row from being deleted.
    package var quiet: Set<String>
    /// Columns that stay on the device.
    package var local: Set<String>
    /// Columns that are sent as differences.
    package var counters: Set<String>

    package init(
        _ name: String, unique: [UniqueKey] = [], quiet: Set<String> = [], local: Set<String> = [],
        counters: Set<String> = []
    ) {
        self.name = name
        self.unique = unique
        self.quiet = quiet
        self.local = local
        self.counters = counters
    }
}
