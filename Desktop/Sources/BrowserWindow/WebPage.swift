import CGTK4
import CWebKitGTK
import GTKSupport

/// A web view, and who asked for what it shows: the app, or the person with a link.
@MainActor
final class WebPage {
    enum Change {
        case loaded(request: UInt64, title: String)
        case failed(request: UInt64, why: String)
        /// The person has followed a link, or gone back.
        case navigated(url: String)
        case title
    }

    /// Which load a signal of the view is about.
    private enum Load: Equatable {
        case none
        /// Asked for by the app; signals of the view before it starts are about an older one.
        case waiting(UInt64)
        case running(UInt64)
        /// Loaded, but for the title, which comes a moment later.
        case untitled(UInt64)
        /// By the person.
        case link
        /// By the page's own script.
        case other
    }

    let view: OpaquePointer
    var changed: (@MainActor (Change) -> Void)?
    private var current = Load.none
    private var isLinkFollowed = false

    init?() {
        guard let view = webkit_web_view_new() else { return nil }
        self.view = view
        WebSignals.connect(view, to: self)
    }

    var title: String { webkit_web_view_get_title(view).map { String(cString: $0) } ?? "" }
    private var url: String { webkit_web_view_get_uri(view).map { String(cString: $0) } ?? "" }

    func load(_ url: String, request: UInt64) {
        fail("Another page was asked for meanwhile.")
        current = .waiting(request)
        webkit_web_view_load_uri(view, url)
    }

    func goBack() { if webkit_web_view_can_go_back(view) != 0 { webkit_web_view_go_back(view) } }

    private func fail(_ why: String) {
        switch current {
        case .waiting(let request), .running(let request), .untitled(let request):
            changed?(.failed(request: request, why: why))
        case .none, .link, .other: break
        }
        current = .none
    }

    // MARK: Signals of the view

    /// A navigation is about to begin.
    func decides(kind: UInt32) {
        // A link, a form, and back or forward; all but these are a load of the app's, a reload, or a script's.
        if [0, 1, 2].contains(kind) { isLinkFollowed = true }
    }

    func started() {
        switch current {
        case .waiting(let request):
            current = .running(request)
        case .running, .untitled:
            fail("Another page was asked for meanwhile.")
            current = isLinkFollowed ? .link : .other
        case .none, .link, .other: current = isLinkFollowed ? .link : .other
        }
        isLinkFollowed = false
    }

    func committed() { if current == .link { changed?(.navigated(url: url)) } }

    func finished() {
        switch current {
        case .running(let request):
            current = .untitled(request)
            if title.isEmpty {
                _ = GTK.after(milliseconds: Self.titleWait) { [weak self] in self?.isLoaded(request) }
            } else {
                isLoaded(request)
            }
        case .link, .other: current = .none
        case .none, .waiting, .untitled: break
        }
    }

    /// Milliseconds after which a page has no title.
    private static let titleWait: UInt32 = 2000

    private func isLoaded(_ request: UInt64) {
        guard current == .untitled(request) else { return }
        current = .none
        changed?(.loaded(request: request, title: title))
    }

    func failed(_ why: String) {
        // One that is still to start is not meant.
        if case .waiting = current { return }
        fail(why)
    }

    func ended() { fail("The process of the page has ended.") }

    func titleChanged() {
        if case .untitled(let request) = current, !title.isEmpty { isLoaded(request) }
        changed?(.title)
    }
}
