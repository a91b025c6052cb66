package import FileSync

/// A number of which each change is a difference: two devices that count while apart both count.
package struct RecordCounter: Hashable, Sendable {
    /// The differences of one actor in all.
    package struct Sum: Hashable, Sendable {
        /// How many differences there were. The greater one is the newer one.
        package var changes: UInt64
        package var value: Int64

        package init(changes: UInt64, value: Int64) {
            self.changes = changes
            self.value = value
        }
    }

    package internal(set) var sums: [ActorID: Sum]

    package init(sums: [ActorID: Sum] = [:]) { self.sums = sums }

    package var value: Int64 { sums.values.reduce(0) { $0 &+ $1.value } }

    mutating func add(_ difference: Int64, by actor: ActorID) {
        let old = sums[actor] ?? Sum(changes: 0, value: 0)
        sums[actor] = Sum(changes: old.changes &+ 1, value: old.value &+ difference)
    }

    func joined(_ other: RecordCounter) -> RecordCounter {
        RecordCounter(
            sums: sums.merging(other.sums) { ($0.changes, $0.value) >= ($1.changes, $1.value) ? $0 : $1 })
    }
}

extension Record {
    /// What a column that counts has to begin with, so that it shows a number: a row that is new says which it has.
    package func counterStart(_ column: String, showing value: RecordValue) -> RecordValue {
        guard case .integer(let number) = value, let sum = counters[column]?.value else { return value }
        return .integer(number &- sum)
    }

    /// The fields, with columns that count as the numbers that they show.
    package var numbers: [RecordField: RecordValue] {
        var values = fields.mapValues(\.value)
        for (column, counter) in counters {
            switch values[.value(column)] {
            case .integer(let start): values[.value(column)] = .integer(start &+ counter.value)
            case .real(let start): values[.value(column)] = .real(start + Double(counter.value))
            default: values[.value(column)] = .integer(counter.value)
            }
        }
        return values
    }
}
