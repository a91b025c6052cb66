/// The steps that are left for a page. Work that grows faster than the page is paid from it.
struct WorkBudget {
    /// The cost of a property of something: so a page has 50,000 at most.
    static let property = 40

    private(set) var steps: Int

    /// The cost of a text that is made of others: short names behind one long address make a small page large.
    static func cost(ofBytes bytes: Int) -> Int { bytes / 16 }

    init(steps: Int) { self.steps = steps }

    var isSpent: Bool { steps <= 0 }

    /// False once nothing is left.
    mutating func spend(_ count: Int = 1) -> Bool {
        steps -= count
        return steps > 0
    }
}
