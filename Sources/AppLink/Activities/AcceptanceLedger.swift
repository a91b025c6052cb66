/// The callbacks that the app had for each acceptance, so that a command which the daemon repeats, e.g. after it was restarted,
/// does not reach the app twice: a pure value.
package struct AcceptanceLedger: Sendable {
    package struct WillContinue: Sendable, Equatable {
        package var activityType: String
        package var showsProgress: Bool
        package var isImplemented: Bool

        package init(activityType: String, showsProgress: Bool, isImplemented: Bool) {
            self.activityType = activityType
            self.showsProgress = showsProgress
            self.isImplemented = isImplemented
        }
    }

    package enum Outcome: Sendable, Equatable {
        case continued(isHandled: Bool)
        case failed(isImplemented: Bool)
    }

    private struct Record: Sendable {
        var willContinue: WillContinue?
        var outcome: Outcome?
    }

    /// Policy: the oldest is forgotten. An acceptance lasts less than a minute.
    package static let capacity = 256

    private var records: [String: Record] = [:]
    private var order: [String] = []

    package init() {}

    package func willContinue(_ acceptance: String) -> WillContinue? { records[acceptance]?.willContinue }
    package func activityType(_ acceptance: String) -> String? { records[acceptance]?.willContinue?.activityType }
    package func outcome(_ acceptance: String) -> Outcome? { records[acceptance]?.outcome }

    package mutating func note(_ willContinue: WillContinue, for acceptance: String) {
        change(acceptance) { $0.willContinue = willContinue }
    }

    package mutating func note(_ outcome: Outcome, for acceptance: String) {
        change(acceptance) { $0.outcome = outcome }
    }

    private mutating func change(_ acceptance: String, _ body: (inout Record) -> Void) {
        if records[acceptance] == nil {
            order.append(acceptance)
            if order.count > Self.capacity { records[order.removeFirst()] = nil }
        }
        body(&records[acceptance, default: Record()])
    }
}
