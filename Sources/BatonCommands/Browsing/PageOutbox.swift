package import BatonCore

/// Decides what to send the daemon about the one page that a browser publishes: a pure value.
///
/// It holds no queue but the difference between the present state and the daemon's, so the latest page wins, and a
/// thousand changes in a row cost no more than one.
package struct PageOutbox: Sendable {
    package enum Step: Sendable, Equatable {
        /// Offer the page, as the current one.
        case offer(ActivityID, BrowsedPage)
        /// Send the changes of the page that is offered.
        case describe(ActivityID, BrowsedPage)
        /// The person is on no page any more.
        case withdraw(ActivityID)
    }

    /// The page that the person is on.
    package private(set) var page: BrowsedPage?
    /// The activity that stands for the pages; a new one after each withdrawal, since that one is gone for good.
    package private(set) var activity: ActivityID
    /// The person came to the page, and the daemon does not know yet.
    private var isVisit = false
    private var known: BrowsedPage?
    /// Another device continued it: it is not offered before the person comes to it again, or to another page.
    private var isContinuedElsewhere = false
    private let makeID: @Sendable () -> ActivityID

    package init(makeID: @escaping @Sendable () -> ActivityID = { .random() }) {
        self.makeID = makeID
        activity = makeID()
    }

    /// The person came to a page: it was opened, its tab chosen, or its window brought to the front.
    package mutating func visit(_ page: BrowsedPage) {
        self.page = page
        isVisit = true
        isContinuedElsewhere = false
    }

    /// The page has another title, or another address without being left.
    package mutating func update(_ page: BrowsedPage) {
        guard let former = self.page, former.url == page.url else { return visit(page) }
        self.page = page
    }

    package mutating func withdraw() {
        page = nil
        isVisit = false
        isContinuedElsewhere = false
    }

    /// - Returns: the page; nil when the person has gone on meanwhile, so that another one is to be offered.
    package mutating func continuedElsewhere(_ activity: ActivityID) -> BrowsedPage? {
        guard activity == self.activity, let page, !isVisit else { return nil }
        isContinuedElsewhere = true
        known = nil
        return page
    }

    /// A daemon that knows nothing of it must be sent everything.
    package mutating func attached() {
        known = nil
        isVisit = page != nil && !isContinuedElsewhere
    }

    /// The next step; it counts as done from now on.
    package mutating func next() -> Step? {
        guard let page else {
            guard known != nil else { return nil }
            known = nil
            defer { activity = makeID() }
            return .withdraw(activity)
        }
        guard !isContinuedElsewhere else { return nil }
        defer {
            known = page
            isVisit = false
        }
        if isVisit || known == nil { return .offer(activity, page) }
        return known == page ? nil : .describe(activity, page)
    }
}
