package import BatonCore
package import BatonWire
import SearchText
import SwiftProtobuf

/// Something that another device of the account has found, made fit to be shown: the device may be hostile.
package struct DeviceResult: Hashable, Sendable {
    /// Bytes of what is shown; more is cut.
    package static let maximumTitle = 500
    package static let maximumText = 1000
    package static let maximumOrigin = 200

    package var device: DeviceID
    package var source: SearchSource
    package var title: String
    package var origin: String
    package var app: AppIdentity?
    /// Milliseconds since 1970; not in the future.
    package var time: UInt64
    package var snippet: String
    package var contentDescription: String
    /// Nil for none that may be opened for another device.
    package var page: WebPage?

    /// Nil for a kind that this version does not know.
    package init?(_ item: Baton_Link_V1_FoundItem, from device: DeviceID, now: UInt64) {
        guard let source = SearchSource(rawValue: item.source.rawValue) else { return nil }
        self.device = device
        self.source = source
        title = item.title.shownLine(toBytes: Self.maximumTitle)
        origin = item.origin.shownLine(toBytes: Self.maximumOrigin)
        app = item.hasApp ? try? AppIdentity(item.app) : nil
        time = min(item.time, now)
        snippet = item.snippet.shownLine(toBytes: Self.maximumText)
        contentDescription = item.contentDescription.shownLine(toBytes: Self.maximumTitle)
        page = source == .document ? nil : WebPage.fromOtherDevice(item.url)
    }

    // MARK: Naming

    private static let prefix = "device/"

    /// Names it in `OpenResult`: which device has it, and its page. It is kept nowhere.
    package var id: String { Self.prefix + device.rawValue + "/" + (page?.text ?? "") }

    /// - Returns: nil for an identifier of something else.
    static func read(_ id: String) -> (device: DeviceID, page: WebPage?)? {
        guard id.hasPrefix(prefix) else { return nil }
        let parts = id.dropFirst(prefix.count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, let device = DeviceID(rawValue: String(name)) else { return nil }
        return (device, parts.count == 2 ? WebPage.fromOtherDevice(String(parts[1])) : nil)
    }
}

/// The order of what several devices found.
enum SearchMerge {
    /// By place: the first of this device, the first of each other, the second of this one. Scores are not compared: each
    /// device counts with its own index, and one might lie. Items that this device has too are left out.
    static func order<Here>(
        here: [Here], elsewhere: [[DeviceResult]], isSame: (Here, DeviceResult) -> Bool
    ) -> [Found<Here>] {
        var merged: [Found<Here>] = []
        let length = max(here.count, elsewhere.map(\.count).max() ?? 0)
        for place in 0..<length {
            if place < here.count { merged.append(.here(here[place])) }
            for results in elsewhere where place < results.count {
                let result = results[place]
                if !here.contains(where: { isSame($0, result) }) { merged.append(.elsewhere(result)) }
            }
        }
        return merged
    }

    enum Found<Here> {
        case here(Here)
        case elsewhere(DeviceResult)
    }
}

// MARK: This device's results, for others

extension IndexedItem {
    /// The page that shows it when it is opened on another device.
    var page: WebPage? {
        guard source != .document else { return nil }
        let addresses = [text("url"), text("contentURL"), source == .page ? key : nil]
        return addresses.lazy.compactMap { $0.flatMap(WebPage.fromOtherDevice) }.first
    }
}

extension SearchHit {
    /// Whether another device found what is here too: the same page, or the same document of the same app.
    func isSame(as result: DeviceResult) -> Bool {
        if let page = result.page { return item.page == page }
        return result.source == .document && item.source == .document && result.title == item.title
            && result.app == item.owner.app
    }
}

extension Baton_Link_V1_FoundItem {
    init(_ hit: SearchHit, origin: String) {
        let item = hit.item
        self.init()
        source = .init(rawValue: item.source.rawValue) ?? .unspecified
        title = hit.shownTitle
        self.origin = origin.shortened(toBytes: DeviceResult.maximumOrigin)
        if let app = item.owner.app { self.app = .init(app) }
        time = item.time
        snippet = hit.context.text.shortened(toBytes: DeviceResult.maximumText)
        url = item.page?.text ?? ""
        contentDescription = (item.text("contentDescription") ?? "").shortened(toBytes: DeviceResult.maximumTitle)
    }
}
