package import BatonCore

/// A browser, and where it looks for a person's native messaging hosts.
package struct Browser: Sendable, Equatable {
    package enum Family: Sendable, Hashable {
        /// Manifests name origins; extensions are `chrome-extension://…/`.
        case chromium
        /// Manifests name extensions by their identifiers.
        case gecko
    }

    /// As on the command line.
    package var name: String
    package var title: String
    package var family: Family
    /// Where it keeps its profiles; there only when it has been started once.
    package var folder: String
    /// Within `folder`.
    var hosts: String

    /// - Throws: `failed_precondition` when no home is known.
    package static func all(environment: [String: String]) throws(BatonError) -> [Browser] {
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw BatonError(
                .failedPrecondition, reason: "no_home", "HOME is not set, so that no browser's folder is known. Set it."
            )
        }
        let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
        let chromiums = [
            ("chromium", "Chromium", "chromium"), ("chrome", "Google Chrome", "google-chrome"),
            ("brave", "Brave", "BraveSoftware/Brave-Browser"), ("edge", "Microsoft Edge", "microsoft-edge"),
            ("vivaldi", "Vivaldi", "vivaldi"), ("opera", "Opera", "opera"),
        ]
        let geckos = [("firefox", "Firefox", ".mozilla"), ("librewolf", "LibreWolf", ".librewolf")]
        return chromiums.map { name, title, folder in
            Browser(
                name: name, title: title, family: .chromium, folder: "\(configuration)/\(folder)",
                hosts: "NativeMessagingHosts")
        }
            + geckos.map { name, title, folder in
                Browser(
                    name: name, title: title, family: .gecko, folder: "\(home)/\(folder)",
                    hosts: "native-messaging-hosts")
            }
    }

    /// The host's manifest.
    package var manifestPath: String { "\(hostsFolder)/\(BrowserCaller.hostName).json" }
    var hostsFolder: String { "\(folder)/\(hosts)" }

    /// - Parameter program: the program that the browser is to start.
    func manifest(program: String) -> [UInt8] {
        let callers: JSONValue.Member =
            switch family {
            case .chromium: .init("allowed_origins", .init(strings: [BrowserCaller.chromiumOrigin]))
            case .gecko: .init("allowed_extensions", .init(strings: [BrowserCaller.geckoID]))
            }
        let json = JSONValue.object([
            .init("name", .string(BrowserCaller.hostName)),
            .init("description", "Pages of your other devices, by Baton"),
            .init("path", .string(program)), .init("type", "stdio"), callers,
        ])
        return Array("\(json)\n".utf8)
    }
}
