package import BatonCore
package import FileSync

/// A number of which each change is a difference: two devices that count while apart both count.
package struct RecordCounter: Hashable, Sendable {
    /// The differences of one actor in all.
    package struct Sum: Hashable, Sendable {
        /// How many differences there were. The greater one is the newer one.
        package var changes: UInt64
        package var value: Int64
        /// When the last of them was made; zero: that is not known.
        package var time: HybridTimestamp

        package init(changes: UInt64, value: Int64, time: HybridTimestamp = .zero) {
            self.changes = changes
            self.value = value
            self.time = time
        }
    }

    package internal(set) var sums: [ActorID: Sum]

    package init(sums: [ActorID: Sum] = [:]) { self.sums = sums }

    package var value: Int64 { sums.values.reduce(0) { $0 &+ $1.value } }

    mutating func add(_ difference: Int64, by actor: ActorID, at time: HybridTimestamp) {
        let old = sums[actor] ?? Sum(changes: 0, value: 0)
        sums[actor] = Sum(
            changes: old.changes &+ 1, value: old.value &+ difference, time: max(old.time, time))
    }

    func without(_ actors: Set<ActorID>) -> RecordCounter {
        RecordCounter(sums: sums.filter { !actors.contains($0.key) })
    }

    func joined(_ other: RecordCounter) -> RecordCounter {
        RecordCounter(
            sums: sums.merging(other.sums) {
                ($0.changes, $0.value, $0.time) >= ($1.changes, $1.value, $1.time) ? $0 : $1
            })
    }
}

extension RecordView {
    /// A counting column's starting value, so that it shows a number: a row that is new says which it has. The counts in all
    /// records of the row are shown on top. NULL counts as 0.
    package mutating func counterStart(
        _ column: String, of row: RecordName, showing value: RecordValue
    ) throws -> RecordValue {
        let table = schema.tableName(ofRow: row)
        let sum = try members(of: row).reduce(Int64(0)) { sum, record in
            record.type == table ? sum &+ (record.counters[column]?.value ?? 0) : sum
        }
        guard sum != 0 else { return value }
        return switch value {
        case .integer(let number): .integer(number &- sum)
        case .real(let number): .real(number - Double(sum))
        case .nothing: .integer(0 &- sum)
        default: value
        }
    }
}

extension Record {
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
