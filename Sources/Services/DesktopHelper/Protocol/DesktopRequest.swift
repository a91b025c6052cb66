package import Foundation

/// A request of the daemon to `baton-desktop`, its helper with windows: one JSON object a line, on the helper's standard input.
///
/// The files of this folder are part of two packages: of the daemon's, and by a link of the helper's.
package enum DesktopRequest: Sendable, Hashable, Codable {
    /// Shows a question until it is answered, withdrawn, or closed by the person.
    case ask(question: DesktopQuestion)
    /// Takes a question away.
    case withdraw(id: UInt64)
    /// Shows a launch image until the request to hide it.
    case showImage(image: DesktopImage)
    case hideImage(id: Int32)
}

/// A question of an app to the person.
package struct DesktopQuestion: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Codable {
        /// One of the options.
        case choice
        /// One of the options, by which an app may do something: none is taken for chosen by a key that was meant for another window.
        case permission
        /// The path of an existing file.
        case openFile
        /// The path of a directory.
        case directory
        /// A line of text.
        case text
    }

    package var id: UInt64
    /// The name of the app that asks.
    package var app: String
    package var kind: Kind
    package var title: String
    /// The answers to choose from; empty for another kind of question.
    package var options: [DesktopOption]
    /// The suggested answer; empty for none.
    package var suggestion: String

    package init(
        id: UInt64, app: String, kind: Kind, title: String, options: [DesktopOption] = [], suggestion: String = ""
    ) {
        self.id = id
        self.app = app
        self.kind = kind
        self.title = title
        self.options = options
        self.suggestion = suggestion
    }
}

/// One answer of a choice. The first of its three pictures that is there is shown.
package struct DesktopOption: Sendable, Hashable, Codable {
    package var id: String
    package var title: String
    /// The path of an app's icon.
    package var iconPath: String?
    /// A PNG picture.
    package var icon: Data?
    /// In the icon naming specification.
    package var iconName: String?

    package init(id: String, title: String, iconPath: String? = nil, icon: Data? = nil, iconName: String? = nil) {
        self.id = id
        self.title = title
        self.iconPath = iconPath
        self.icon = icon
        self.iconName = iconName
    }
}

/// The picture that is shown while an app is launched.
package struct DesktopImage: Sendable, Hashable, Codable {
    /// The app's process.
    package var id: Int32
    /// The name of the app.
    package var app: String
    /// Where the picture is, for a screen whose points are pixels.
    package var path: String
    /// Where those for 2 and 3 pixels a point are.
    package var scaled: [Int: String]

    package init(id: Int32, app: String, path: String, scaled: [Int: String] = [:]) {
        self.id = id
        self.app = app
        self.path = path
        self.scaled = scaled
    }

    /// The picture for a screen.
    /// - Parameter scale: pixels of a point there; as with 3 beyond it.
    package func path(scale: Int) -> String { scale < 2 ? path : scaled[min(scale, 3)] ?? path }

    /// The scale that is in the name of a file, as in `Default@2x.png`: pixels of a point of the picture.
    package static func scale(ofFile path: String) -> Int {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return [2, 3].first { name.contains("@\($0)x.") || name.contains("@\($0)x~") } ?? 1
    }
}
