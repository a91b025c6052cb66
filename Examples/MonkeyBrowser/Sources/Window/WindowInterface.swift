import Foundation

/// The front end with a window: the pages are shown by WebKit, in a program of its own.
@MainActor
final class WindowInterface: Interface, BrowserObserver {
    private nonisolated static let name = "monkeybrowser-window"
    /// Seconds between the frames of a fade.
    private static let frame = 1.0 / 30

    private let browser: Browser
    private let window: WindowProcess
    private let log: any EventLog
    private let isTerminal: Bool
    private var isReady = false
    private var isShowingDue = false

    /// - Parameter isTerminal: a person started the app there, and reads why there is no window.
    init(browser: Browser, window: WindowProcess, log: any EventLog, isTerminal: Bool) {
        self.browser = browser
        self.window = window
        self.log = log
        self.isTerminal = isTerminal
    }

    /// - Returns: the path of the program with the window; nil without a display, where it is not installed, and in Baton's
    ///   sandbox: WebKit has one of its own, which cannot be made within another.
    nonisolated static func program(environment: [String: String], executable: String) -> String? {
        let hasDisplay = ["WAYLAND_DISPLAY", "DISPLAY"].contains { environment[$0]?.isEmpty == false }
        // An app that is confined has its container as its home.
        guard hasDisplay, environment["CFFIXED_USER_HOME"] == nil else { return nil }
        let beside = URL(fileURLWithPath: executable).deletingLastPathComponent().path
        let search = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return ([beside, "/usr/lib/baton"] + search).map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile)
    }

    func start() {
        browser.observe(self)
        window.receive = { [weak self] in self?.handle($0) }
        window.end = { [weak self] in self?.ended() }
        window.start()
    }

    func stop() { window.stop() }

    /// Shows once for all changes of one turn of the main queue.
    func browserDidChange() { show(after: 0) }

    private func show(after delay: TimeInterval) {
        guard !isShowingDue else { return }
        isShowingDue = true
        DispatchQueue.main.asyncAfter(deadline: .now() + delay) { MainActor.assumeIsolated { self.show() } }
    }

    private func show() {
        isShowingDue = false
        guard isReady else { return }
        let now = ContinuousClock.now
        window.show(
            WindowState(front: browser.front.index, tabs: browser.viewControllers.map { Self.state(of: $0, at: now) }))
        if browser.viewControllers.contains(where: { $0.overlay.isFading(at: now) }) { show(after: Self.frame) }
    }

    private static func state(of viewController: BrowserViewController, at now: ContinuousClock.Instant) -> WindowTab {
        let failure =
            if case .failed(let url, let why) = viewController.page { "\(url) cannot be shown. \(why)" } else { "" }
        let overlay = viewController.overlay
        let alpha = overlay.alpha(at: now)
        return WindowTab(
            title: viewController.tab.title, address: viewController.address, failure: failure,
            message: overlay.isShown || alpha > 0 ? Overlay.message : "", overlayAlpha: alpha)
    }

    private func handle(_ event: WindowEvent) {
        switch event {
        case .ready:
            isReady = true
            log.record(Event(name: "window"))
            browserDidChange()
        case .selected(let index): if let tab = Tab(index: index) { browser.select(tab) }
        case .go(let index, let address):
            if let tab = Tab(index: index), !address.isEmpty { browser[tab].go(address) }
        case .navigated(let index, let url): if let tab = Tab(index: index) { browser[tab].follow(url) }
        case .closed: stop()
        case .loaded, .failed: break
        }
    }

    /// The window was closed; or there never was one, and the app goes on without.
    private func ended() {
        if isReady { exit(0) }
        let sentence = "The window cannot be opened. Unset DISPLAY and WAYLAND_DISPLAY to use the terminal."
        guard !isTerminal else {
            FileHandle.standardError.write(Data((sentence + "\n").utf8))
            exit(1)
        }
        log.record(.log(sentence))
    }
}
