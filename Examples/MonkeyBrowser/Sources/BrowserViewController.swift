import Baton
import Foundation

/// Told when what a person sees has changed.
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
        case loaded(String)
    }

    let tab: Tab
    private let log: any EventLog
    private let activityDelegate: MonkeyActivityDelegate
    weak var observer: (any BrowserObserver)?

    /// The text of the address field.
    var address = "" { didSet { observer?.browserDidChange() } }
    private(set) var page = Page.blank { didSet { observer?.browserDidChange() } }
    /// Of the page, once they have come from the device that showed it before.
    private(set) var images: [PageImage] = [] { didSet { observer?.browserDidChange() } }
    private var cache = ImageCache()
    private(set) var overlay = Overlay() { didSet { observer?.browserDidChange() } }

    init(tab: Tab, log: any EventLog) {
        self.tab = tab
        self.log = log
        activityDelegate = MonkeyActivityDelegate(log: log)
        super.init()
    }

    required convenience init() {
        self.init(tab: .weather, log: StandardOutputLog())
    }

    // MARK: What a person does

    /// Opens the page and offers it to the person's other devices (a new page is a new activity).
    func go(_ url: String) {
        address = url
        load(url)
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
        switch page {
        case .blank: break
        case .loading(let url), .loaded(let url): activity.addUserInfoEntries(from: ["Url": url])
        }
    }

    // MARK: The page

    /// Nothing is fetched; a page takes one turn of the main queue to be there.
    private func load(_ url: String) {
        page = .loading(url)
        images = []
        // Awaited by nobody and over at once.
        Task { @MainActor [weak self] in
            if let self, page == .loading(url) { page = .loaded(url) }
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
