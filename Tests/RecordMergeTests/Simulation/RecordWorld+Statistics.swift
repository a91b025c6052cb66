extension RecordWorld {
    struct Statistics {
        var transactions = 0
        var merges = 0
        var doubled = 0
        var crashes = 0
        var refused = 0
        var adopted = 0
        var consequences = 0
        var cleared = 0
        var revived = 0
        var followed = 0
        var upgraded = 0

        mutating func add(_ other: Statistics) {
            transactions += other.transactions
            merges += other.merges
            doubled += other.doubled
            crashes += other.crashes
            refused += other.refused
            adopted += other.adopted
            consequences += other.consequences
            cleared += other.cleared
            revived += other.revived
            followed += other.followed
            upgraded += other.upgraded
        }
    }

    /// What a daemon or a mirror may do wrong, that has the rules right.
    enum Mistake: Sendable, CaseIterable {
        /// Rule 3: a row that the table refuses is not held.
        case unheld
        /// Rule 3: held rows are not tried again after a change of the schema.
        case untried
        /// Rule 6: a new column is written into every row.
        case backfill
        /// A crash comes between the end of a line of the journal and its saving.
        case cut
    }
}
