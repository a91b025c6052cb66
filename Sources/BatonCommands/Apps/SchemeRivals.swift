import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// Names the other apps that open what an app that was just installed says it opens: which of them is used, the person may
/// want to choose.
enum SchemeRivals {
    /// An Info.plist that has more is not read.
    private static let maximumBytes = 1 << 20
    /// Schemes that are asked about.
    private static let maximumSchemes = 16

    /// A sentence for each scheme that another app has too.
    /// - Parameter path: of the app's bundle.
    static func sentences(_ path: String, of bundleID: String, _ session: CommandSession) async -> [String] {
        let named = (try? await blocking { schemes(in: path) }) ?? []
        var sentences: [String] = []
        for scheme in named.prefix(maximumSchemes) {
            // Installed is installed, whatever becomes of this question.
            let answer = try? await session.call(ControlMethods.listHandlers, .with { $0.url = "\(scheme):" })
            let handlers = (answer?.handlers ?? []).filter { !$0.bundleID.isEmpty }
            let others = handlers.filter { $0.bundleID != bundleID }
            guard let first = handlers.first, !others.isEmpty else { continue }
            let names = others.map { "“\(TerminalText.escape($0.name))” (\(TerminalText.escape($0.bundleID)))" }
            let verb = others.count == 1 ? "opens" : "open"
            let now = first.bundleID == bundleID ? "this app" : "“\(TerminalText.escape(first.name))”"
            sentences.append(
                "\(names.joined(separator: " and ")) \(verb) \(scheme): too. Now \(now) is used; to choose the other: "
                    + "baton default scheme \(scheme) \(first.bundleID == bundleID ? others[0].bundleID : bundleID)")
        }
        return sentences
    }

    private static func schemes(in path: String) -> [String] {
        guard let bytes = try? ByteFile.read(path + "/Info.plist", limit: maximumBytes), bytes.count <= maximumBytes,
            let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any],
            let types = list["CFBundleURLTypes"] as? [[String: Any]]
        else { return [] }
        let named = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
        return Set(named.compactMap { URLScheme($0)?.rawValue }).sorted()
    }
}
