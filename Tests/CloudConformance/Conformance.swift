import BatonCloud
package import BatonCore
import Foundation
import Synchronization

/// A rule that a driver breaks.
package struct ConformanceFailure: Error, CustomStringConvertible {
    package let description: String
}

/// One rule of docs/cloud.md, tried on a fresh store.
package struct Check<Subject: Sendable>: Sendable, CustomTestStringConvertibleName {
    package let name: String
    package let run: @Sendable (Subject) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (Subject) async throws -> Void) {
        self.name = name
        self.run = run
    }
}

/// Named as the rule in a test's output.
package protocol CustomTestStringConvertibleName: CustomStringConvertible {
    var name: String { get }
}

extension CustomTestStringConvertibleName {
    package var description: String { name }
}

func require(_ condition: Bool, _ rule: String, line: UInt = #line, file: String = #fileID) throws {
    guard condition else { throw ConformanceFailure(description: "\(file):\(line): \(rule)") }
}

func requireEqual<Value: Equatable>(
    _ found: Value, _ expected: Value, _ rule: String, line: UInt = #line, file: String = #fileID
) throws {
    try require(found == expected, "\(rule): \(found) is not \(expected)", line: line, file: file)
}

/// - Parameter reason: of the error that must come.
func requireRefusal<Value>(
    _ reason: String, _ code: BatonError.Code, _ rule: String, line: UInt = #line, file: String = #fileID,
    _ body: () async throws -> Value
) async throws {
    do {
        _ = try await body()
    } catch let error as BatonError {
        try require(
            error.reason == reason && error.code == code, "\(rule): refused with \(error)", line: line, file: file)
        return
    }
    throw ConformanceFailure(description: "\(file):\(line): \(rule): not refused")
}

/// A clock that a test sets.
package final class ManualClock: Sendable {
    private let time = Mutex<UInt64>(1_800_000_000_000)

    package init() {}

    package var clock: WallClock {
        WallClock { [self] in Date(timeIntervalSince1970: Double(time.withLock { $0 }) / 1000) }
    }

    package func advance(milliseconds: UInt64) { time.withLock { $0 += milliseconds } }
    package func advance(days: UInt64) { advance(milliseconds: days * 86_400_000) }
    package func turnBack(days: UInt64) { time.withLock { $0 -= days * 86_400_000 } }
}
