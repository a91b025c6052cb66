import Baton

/// The four tabs and which of them is in front.
@MainActor
final class Browser {
    let viewControllers: [BrowserViewController]
    private(set) var front: Tab = .weather

    convenience init(log: any EventLog, loader: any PageLoader = WebPageLoader()) {
        self.init(log: log, loaders: { _ in loader })
    }

    init(log: any EventLog, loaders: (Tab) -> any PageLoader) {
        viewControllers = Tab.allCases.map { BrowserViewController(tab: $0, log: log, loader: loaders($0)) }
    }

    var frontViewController: BrowserViewController { self[front] }

    subscript(tab: Tab) -> BrowserViewController { viewControllers[tab.rawValue - 1] }

    /// Only the page in front is offered to other devices.
    func select(_ tab: Tab) {
        guard tab != front else { return }
        if self[tab].userActivity == nil { self[front].resignCurrent() }
        show(tab)
        self[tab].makeCurrent()
    }

    /// Brings a tab to the front whose activity is about to become current by itself.
    func show(_ tab: Tab) {
        front = tab
        self[tab].observer?.browserDidChange()
    }

    func observe(_ observer: any BrowserObserver) {
        for viewController in viewControllers { viewController.observer = observer }
    }
}
