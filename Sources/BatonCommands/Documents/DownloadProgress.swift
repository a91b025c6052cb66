import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// How far the contents of a document, or of all in a folder, are on their way to this device.
struct DownloadProgress {
    private let path: String
    private var items: [Data: Baton_App_V1_DocumentItem] = [:]
    private(set) var isGathered = false

    /// - Parameter path: below the container.
    init(path: String) { self.path = path }

    mutating func take(_ news: Baton_App_V1_ContainerNews) {
        if news.reset { (items, isGathered) = ([:], false) }
        for item in news.changed {
            let isWanted = path.isEmpty || item.path == path || item.path.hasPrefix(path + "/")
            items[item.id] = isWanted && item.kind != .directory ? item : nil
        }
        for id in news.removed { items[id] = nil }
        if news.gathered { isGathered = true }
    }

    /// Everything is here, as new as it is known to be.
    var isComplete: Bool { isGathered && items.values.allSatisfy { $0.download == .current } }

    /// Why nothing comes; nil while something does.
    var obstacle: String? {
        let waiting = items.values.filter { $0.download != .current }
        guard !waiting.contains(where: \.downloading) else { return nil }
        return waiting.lazy.map(\.problemMessage).first { !$0.isEmpty }
    }

    var message: Baton_Control_V1_TransferProgress {
        .with {
            $0.total = items.values.reduce(0) { $0 &+ $1.size }
            $0.bytes = items.values.reduce(0) { $0 &+ Self.bytes($1) }
            $0.totalItems = UInt32(clamping: items.count)
            $0.items = UInt32(clamping: items.values.count { $0.download == .current })
        }
    }

    private static func bytes(_ item: Baton_App_V1_DocumentItem) -> UInt64 {
        guard item.download != .current else { return item.size }
        let percent = item.downloadedPercent.isFinite ? UInt64(max(0, min(100, item.downloadedPercent))) : 0
        // A size may be any.
        return item.size > 1 << 40 ? item.size / 100 * percent : item.size * percent / 100
    }
}
