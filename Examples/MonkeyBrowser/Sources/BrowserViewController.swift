import Baton
import Foundation

/// Is called when the view of a person has changed.
@MainActor
protocol BrowserObserver: AnyObject {
    func browserDidChange()
}

/// One tab: its address field, its page, and its activity.
@MainActor
final class BrowserViewController: UIResponder {
    enum Page: Equatable {
        case blank
        case loading(String)
        case loaded(String, PageContent)
        case failed(String, why: String)

        var url: String {
            switch self {
            case .blank: ""
            case .loading(let url), .loaded(let url, _), .failed(let url, _): url
            }
        }
    }

    let tab: Tab
    private let log: any EventLog
    private let loader: any PageLoader
    private let activityDelegate: MonkeyActivityDelegate
    weak var observer: (any BrowserObserver)?

    /// The text of the address field.
    var address = "" { didSet { observer?.browserDidChange() } }
    private(set) var page = Page.blank { didSet { observer?.browserDidChange() } }
    /// The page's images, once they have come from the device that showed it before.
    private(set) var images: [PageImage] = [] { didSet { observer?.browserDidChange() } }
    private var cache = ImageCache()
    private(set) var overlay = Overlay() { didSet { observer?.browserDidChange() } }

    init(tab: Tab, log: any EventLog, loader: any PageLoader) {
        self.tab = tab
        self.log = log
        self.loader = loader
        activityDelegate = MonkeyActivityDelegate(log: log)
        super.init()
    }

    required convenience init() {
        self.init(tab: .weather, log: StandardOutputLog(), loader: WebPageLoader())
    }

    /// Registers with the app delegate, and opens the tab's own page, which is not offered: the person has not asked for it.
    func viewDidLoad(registeringWith delegate: AppDelegate) {
        delegate.register(self)
        guard page == .blank else { return }
        address = tab.startPage
        load(tab.startPage)
    }

    // MARK: What a person does

    /// Opens the page and offers it to the person's other devices (a new page is a new activity).
    func go(_ url: String) {
        address = url
        load(url)
        offer(url)
    }

    /// The person has followed a link of the page. The page that it leads to is shown already.
    func follow(_ url: String) {
        guard url != page.url else { return }
        address = url
        images = []
        page = .loaded(url, PageContent(title: url, lines: []))
        offer(url)
    }

    private func offer(_ url: String) {
        let activity = NSUserActivity(activityType: tab.activityType)
        activity.title = tab.activityTitle
        activity.delegate = activityDelegate
        activity.supportsContinuationStreams = true
        activity.addUserInfoEntries(from: ["Url": url])
        userActivity = activity
        makeCurrent()
    }

    /// The tab has come to the front.
    func makeCurrent() {
        guard let userActivity else { return }
        userActivity.becomeCurrent()
        log.record(event("current", of: userActivity))
    }

    /// Another tab has come to the front.
    func resignCurrent() { userActivity?.resignCurrent() }

    // MARK: Continuing

    /// A page is on its way from another device.
    func preparingToHandoff() { overlay.show(at: .now) }

    /// The page has come.
    func performHandoff(_ activity: NSUserActivity) {
        overlay.hide(at: .now)
        let url = activity.userInfo?["Url"] as? String ?? ""
        address = url
        load(url)
        activity.delegate = activityDelegate
        userActivity = activity
        makeCurrent()
    }

    /// The pictures of the page are too large for the activity: they are asked for over its streams.
    func askForImages(of activity: NSUserActivity) {
        let url = activity.userInfo?["Url"] as? String ?? ""
        let log = log
        let known = cache.images
        activity.getContinuationStreams { [weak self] input, output, error in
            guard let input, let output else {
                return log.record(.log("No streams for the images. \(error?.localizedDescription ?? "")"))
            }
            ImageStreams(input: input, output: output).ask(for: url, having: known, log) { images in
                if let images { self?.show(images, of: url) }
            }
        }
    }

    /// Unless the person has gone to another page meanwhile.
    private func show(_ images: [PageImage], of url: String) {
        cache.add(images)
        guard address == url else { return }
        self.images = images
        log.record(
            Event(
                name: "images",
                fields: [
                    "tab": String(tab.rawValue), "url": url, "count": String(images.count),
                    "bytes": String(images.reduce(0) { $0 + $1.data.count }),
                    "fingerprints": images.map(\.fingerprint).joined(separator: " "),
                ]))
    }

    /// The page will not come.
    func cancelHandoff() { overlay.hide(at: .now) }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        log.record(.log("Restoring Activity \(activity.title ?? "")"))
        log.record(event("restored", of: activity))
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        if page != .blank { activity.addUserInfoEntries(from: ["Url": page.url]) }
    }

    // MARK: The page

    private func load(_ url: String) {
        page = .loading(url)
        images = []
        // Ends by itself: the loader has a deadline. A page that comes late, after another one was asked for, is not shown.
        Task { @MainActor [weak self, loader] in
            let result: Page
            do {
                result = .loaded(url, try await loader.page(at: url))
            } catch {
                result = .failed(url, why: error.localizedDescription)
            }
            guard let self, page == .loading(url) else { return }
            page = result
            if case .loaded(_, let content) = result {
                let fields = ["tab": String(tab.rawValue), "url": url, "pageTitle": content.title]
                log.record(Event(name: "loaded", fields: fields))
            }
        }
    }

    private func event(_ name: String, of activity: NSUserActivity) -> Event {
        Event(
            name: name,
            fields: [
                "tab": String(tab.rawValue), "type": activity.activityType, "title": activity.title ?? "",
                "url": activity.userInfo?["Url"] as? String ?? "",
            ])
    }
}
