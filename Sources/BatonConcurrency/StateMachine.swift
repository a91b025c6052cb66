/// A state machine: a value without I/O and without a clock.
///
/// Each input returns the actions to perform, in order. The same inputs at the same moments cause the same actions, so that
/// a simulation can run it through many thousands of schedules. A ``StateMachineDriver`` runs it in a process.
package protocol StateMachine: Sendable {
    associatedtype Input: Sendable
    associatedtype Action: Sendable
    /// Why an input may be refused. A refused input changes nothing and causes nothing.
    associatedtype Refusal: Error = Never

    mutating func handle(_ input: Input, now: Timestamp) throws(Refusal) -> [Action]

    /// When ``advance(now:)`` must be called next, on the monotonic clock; nil when nothing is waited for.
    mutating func nextDeadline(now: Timestamp) -> Duration?

    /// Performs everything that is due. Idempotent.
    mutating func advance(now: Timestamp) -> [Action]
}
