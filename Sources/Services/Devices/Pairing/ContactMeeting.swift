/// Decides which of two devices that are to become contacts begins: both wait and look, and the one with the smaller label
/// calls the other. A value: labels in, actions out.
struct ContactMeeting: Sendable {
    /// Bound: labels that are kept; more are ignored.
    static let maximumLabels = 16

    enum Input: Sendable {
        /// This device is announced under another label.
        case announced(String)
        case found(String)
        case lost(String)
        /// The time after the first one was found is over.
        case settled
        /// Another device has called this one, and a code is shown.
        case called
        /// That attempt is over.
        case callEnded
    }

    enum Action: Sendable, Equatable {
        /// Give `settled` after a moment.
        case startTimer
        /// Call the device that is announced under this label. Nothing follows.
        case call(String)
        /// A person must say which. Nothing follows.
        case several([String])
    }

    /// The label that the person named; nil for any.
    private let wanted: String?
    private var own: Set<String> = []
    private var current = ""
    private var others: Set<String> = []
    private var hasTimer = false
    private var hasSettled = false
    private var isCalled = false
    private var isOver = false

    init(wanted: String?) { self.wanted = wanted?.uppercased() }

    mutating func handle(_ input: Input) -> [Action] {
        guard !isOver else { return [] }
        var actions: [Action] = []
        switch input {
        case .announced(let label):
            current = label.uppercased()
            own.insert(current)
            others.remove(current)
        case .found(let label):
            let label = label.uppercased()
            guard !own.contains(label), others.count < Self.maximumLabels else { return [] }
            others.insert(label)
            if !hasTimer {
                hasTimer = true
                actions.append(.startTimer)
            }
        case .lost(let label): others.remove(label.uppercased())
        case .settled: hasSettled = true
        case .called: isCalled = true
        case .callEnded: isCalled = false
        }
        return actions + decide()
    }

    private mutating func decide() -> [Action] {
        guard !isCalled, !current.isEmpty else { return [] }
        if let wanted {
            guard others.contains(wanted), current < wanted else { return [] }
            isOver = true
            return [.call(wanted)]
        }
        // The one with the greatest label is called, whichever are near.
        guard hasSettled, let greatest = others.max(), current < greatest else { return [] }
        isOver = true
        return others.count == 1 ? [.call(greatest)] : [.several(others.sorted())]
    }
}
