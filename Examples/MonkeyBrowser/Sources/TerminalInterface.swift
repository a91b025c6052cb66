import Foundation

/// The front end for people: keys in, a screen of text out.
@MainActor
final class TerminalInterface: Interface, BrowserObserver {
    private let browser: Browser
    private let log: TerminalLog
    private var rawMode: RawMode?
    private var parser = KeyParser()
    private var input: (any DispatchSourceRead)?
    private var isDrawingDue = false

    init(browser: Browser, log: TerminalLog) {
        self.browser = browser
        self.log = log
    }

    func start() {
        rawMode = RawMode()
        browser.observe(self)
        log.observe { [weak self] in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.browserDidChange() } }
        }
        let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
        input.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
        input.resume()
        self.input = input
        draw()
    }

    func stop() {
        input?.cancel()
        rawMode?.restore()
        rawMode = nil
    }

    /// Draws once for all changes of one turn of the main queue.
    func browserDidChange() {
        guard !isDrawingDue else { return }
        isDrawingDue = true
        DispatchQueue.main.async { MainActor.assumeIsolated { self.draw() } }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else { return quit() }
        for key in parser.parse(buffer.prefix(count)) { press(key) }
    }

    private func press(_ key: Key) {
        let viewController = browser.frontViewController
        switch key {
        case .character(let character): viewController.address.append(character)
        case .backspace: viewController.address = String(viewController.address.dropLast())
        case .clear: viewController.address = ""
        case .enter: if !viewController.address.isEmpty { viewController.go(viewController.address) }
        case .nextTab: turn(by: 1)
        case .previousTab: turn(by: -1)
        case .quit: quit()
        }
    }

    private func turn(by step: Int) {
        let count = Tab.allCases.count
        browser.select(Tab.allCases[(browser.front.rawValue - 1 + step + count) % count])
    }

    private func quit() {
        stop()
        exit(0)
    }

    private func draw() {
        isDrawingDue = false
        guard rawMode != nil else { return }
        let viewController = browser.frontViewController
        let now = ContinuousClock.now
        let size = RawMode.size
        let screen = TerminalScreen(
            front: browser.front, address: viewController.address, page: viewController.page,
            images: viewController.images.map { "\($0.name), \($0.data.count) bytes" },
            overlayAlpha: viewController.overlay.alpha(at: now), indicator: viewController.overlay.indicator(at: now),
            log: log.lines, width: size.width, height: size.height)
        RawMode.write(screen.render())
        if viewController.overlay.isFading(at: now) || viewController.overlay.isShown {
            // The frames of a fade and of the indicator, 20 a second; none when nothing moves.
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) {
                MainActor.assumeIsolated { self.browserDidChange() }
            }
        }
    }
}
