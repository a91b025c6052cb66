/// A message to the program with the window. Each is one line of JSON on its standard input.
package enum WindowCommand: Sendable, Hashable, Codable {
    /// The window's contents; sent again whenever they change.
    case show(state: WindowState)
    /// Loads a page in a tab. Exactly one `loaded` or `failed` with the same number answers it.
    case load(request: UInt64, tab: Int, url: String)
}

/// The controls around the pages.
package struct WindowState: Sendable, Hashable, Codable {
    /// The tab in front, from 0.
    package var front: Int
    package var tabs: [WindowTab]

    package init(front: Int, tabs: [WindowTab]) {
        self.front = front
        self.tabs = tabs
    }
}

package struct WindowTab: Sendable, Hashable, Codable {
    package var title: String
    /// The text of the address field.
    package var address: String
    /// Why there is no page; empty when there is one.
    package var failure: String
    /// The message beside the activity indicator; empty for neither.
    package var message: String
    /// How opaque the two are, 0 to 1.
    package var overlayAlpha: Double

    package init(title: String, address: String, failure: String, message: String, overlayAlpha: Double) {
        self.title = title
        self.address = address
        self.failure = failure
        self.message = message
        self.overlayAlpha = overlayAlpha
    }
}

/// A message of the program with the window. Each is one line of JSON on its standard output. Tabs count from 0.
package enum WindowEvent: Sendable, Hashable, Codable {
    /// The window is there.
    case ready
    case selected(tab: Int)
    /// The person has pressed Go, or Return in the address field.
    case go(tab: Int, address: String)
    /// The person has followed a link, or gone back.
    case navigated(tab: Int, url: String)
    case loaded(request: UInt64, title: String)
    case failed(request: UInt64, why: String)
    /// The person has closed the window.
    case closed
}
