import Foundation

/// How many random schedules a run of the tests tries, and which: CONTRIBUTING.md says what each variable sets.
package enum Schedules {
    private static let environment = ProcessInfo.processInfo.environment

    /// The one to run alone, as a failure names it.
    package static let seed = environment["BATON_SEED"].flatMap(UInt64.init)
    /// Where schedules begin.
    private static let firstSeed = environment["BATON_FIRST_SEED"].flatMap(UInt64.init) ?? 0
    /// Whether dev/soak runs.
    package static let isSoak = environment["BATON_SOAK"] == "1"

    /// - Parameter soak: the count for dev/soak.
    package static func count(_ usual: Int, soak: Int) -> Int { isSoak ? soak : usual }

    /// The seed of what has one only.
    package static var oneSeed: UInt64 { seed ?? firstSeed }

    /// As many seeds as that, for one part of a simulation. The one to run alone is in the first part.
    package static func seeds(_ usual: Int, soak: Int, part: Int = 0) -> [UInt64] {
        if let seed { return part == 0 ? [seed] : [] }
        let first = firstSeed &+ UInt64(part) << 32
        return (0..<count(usual, soak: soak)).map { first &+ UInt64($0) }
    }

    /// Whether something happened often enough that should happen in one of `interval` schedules at least.
    ///
    /// Chance may make it fewer by three standard deviations: few schedules demand little of what is rare, and many all of it.
    package static func isEnough(_ number: Int, of schedules: Int, oneIn interval: Double) -> Bool {
        guard seed == nil else { return true }
        let expected = Double(schedules) / interval
        return Double(number) >= expected - 3 * expected.squareRoot()
    }
}
