import BatonCore
package import BatonTransport

/// A question of a desktop's search: the shell of GNOME (`org.gnome.Shell.SearchProvider2`) or KRunner (`org.kde.krunner1`).
package struct DesktopSearchCall: Sendable, Hashable {
    package enum Request: Sendable, Hashable {
        /// Identifiers of what has these words, the last of which may be typed yet.
        case find([String])
        case describe([String])
        case activate(String)
        /// The person wants to see more than the shell shows.
        case show([String])
        /// KRunner's: results with their descriptions.
        case match(String)
    }

    package let request: Request
    /// The process that has the connection from which the call came, as the bus names it; nil for one that has ended or that
    /// the bus does not name.
    package var caller: PeerProcess?

    package init(request: Request, caller: PeerProcess? = nil) {
        self.request = request
        self.caller = caller
    }
}

/// A result, as desktops show it.
package struct DesktopSearchResult: Sendable, Hashable {
    package enum Icon: Sendable, Hashable {
        /// A name in the desktop's theme.
        case named(String)
        /// An absolute path.
        case file(String)
    }

    /// Bytes of what is shown; more is cut.
    private static let maximumName = 200
    private static let maximumDescription = 500

    package var id: String
    /// Apps and pages write these two texts: both are without what steers how they are shown.
    package let name: String
    package let description: String
    package var icon: Icon
    /// The text for the clipboard as the person chooses it; empty for nothing.
    package var clipboardText: String
    /// From 0 to 1.
    package var relevance: Double

    package init(
        id: String, name: String, description: String, icon: Icon, clipboardText: String = "", relevance: Double = 0.5
    ) {
        self.id = id
        self.name = name.shownLine(toBytes: Self.maximumName)
        self.description = description.shownLine(toBytes: Self.maximumDescription)
        self.icon = icon
        self.clipboardText = clipboardText
        self.relevance = relevance
    }
}

package enum DesktopSearchAnswer: Sendable, Hashable {
    case identifiers([String])
    case results([DesktopSearchResult])
    case done
}

/// Answers desktops.
package protocol DesktopSearchHandler: Sendable {
    /// - Throws: the error for the caller.
    func perform(_ call: DesktopSearchCall) async throws -> DesktopSearchAnswer
}

/// Names of the desktop's search on the session bus. The package's files have them too.
package enum DesktopSearchNames {
    package static let bus = "org.baton.Baton.Search"
    package static let path = "/org/baton/Baton/Search"
    package static let shell = "org.gnome.Shell.SearchProvider2"
    package static let runner = "org.kde.krunner1"
    /// Results of one answer.
    package static let maximumResults = 20
    /// Words of a query, and bytes of all of them.
    static let maximumWords = 32
    static let maximumLength = 4096
}
