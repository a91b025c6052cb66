import BatonCore
import BatonWire
package import Foundation
import Synchronization

extension UbiquityClient {
    /// How long opening a document waits for its content.
    package static let downloadPatience = Duration.seconds(60)

    /// Whether an item is in a container that this process has opened. Does not wait.
    package func isUbiquitous(_ url: URL) -> Bool { place(of: url) != nil }

    /// Whether the daemon's updates have an item at a URL. Followers have heard of it before it returns. Not to
    /// be called where they are.
    package func isListed(_ url: URL) -> Bool { listedItem(at: url) != nil }

    /// The item that the daemon's updates have at a URL; as ``isListed(_:)``.
    package func listedItem(at url: URL) -> UbiquitousItem? {
        guard let (container, path) = place(of: url) else { return nil }
        let watch = watch(container)
        return link.executor.queue.sync { watch.item(at: path) }
    }

    /// The daemon's record of an item; nil if it is in no container, or not known. Waits for the daemon at first.
    package func item(
        at url: URL, patience: Duration = .seconds(10)
    ) -> (item: UbiquitousItem, container: UbiquityContainer)? {
        guard let (container, path) = findPlace(of: url) else { return nil }
        let watch = watch(container)
        let item = watch.wait(patience) {
            watch.item(at: path).map(Optional.some) ?? (watch.isGathered ? .some(nil) : nil)
        }
        return (item ?? nil).map { ($0, container) }
    }

    /// Waits until the content of a document is on this device, and has it downloaded if it is not (D-17, H-24).
    ///
    /// Returns at once for what is here, and for what is not an item of a container: reading it then fails, and says why.
    /// - Parameter waitsForItem: whether this device may not have heard of the document yet, as when another device's
    ///   activity names it.
    /// - Throws: an error for apps: 4353 if it does not come in time, 4355 without a daemon, or what keeps it away.
    package func makeAvailable(
        _ url: URL, waitsForItem: Bool = false, patience: Duration = UbiquityClient.downloadPatience
    ) throws {
        guard !Placeholder.isContentHere(url) else { return }
        guard let (container, path) = waitsForItem ? findPlace(of: url) : place(of: url) else { return }
        let watch = watch(container)
        let exists =
            FileManager.default.fileExists(atPath: Placeholder.url(for: url).path)
            || FileManager.default.fileExists(atPath: url.path)
        guard waitsForItem || exists || watch.item(at: path) != nil else { return }
        var isRequested = false
        var last: (any Error)?
        let isHere = try watch.wait(patience) { () -> Bool? in
            if Placeholder.isContentHere(url) { return true }
            if !isRequested {
                do {
                    try change(url, .download)
                    (isRequested, last) = (true, nil)
                } catch let error as BatonError where error.code == .notFound && waitsForItem {
                    // Its place is known before it is.
                    last = nil
                } catch let error as BatonError where error.code.isRetriable {
                    last = error
                } catch {
                    throw UbiquityErrors.cocoa(error, url)
                }
            }
            return nil
        }
        if isHere == true { return }
        if let problem = watch.item(at: path)?.problem { throw UbiquityErrors.cocoa(problem, url) }
        throw last.map { UbiquityErrors.cocoa($0, url) } ?? UbiquityErrors.notArrived(url)
    }

    /// Changes to an item in a container while a document shows it.
    package enum ItemNews: Sendable, Equatable {
        /// Its content, its state or its conflicts may be others: those of this item. Nil where that does not say all: the item is gone,
        /// or something in it changed.
        case changed(UbiquitousItem?)
        /// Only its download or upload has gone on, begun or ended.
        case progressed
        case moved(URL)
    }

    /// Reports changes that come from elsewhere. Nil for an item in no container that this process has opened.
    package func follow(_ url: URL, _ tell: @escaping @Sendable (ItemNews) -> Void) -> (@Sendable () -> Void)? {
        guard let (container, path) = place(of: url) else { return nil }
        let follower = ItemFollower(path: path)
        let watch = watch(container)
        let id = watch.observe { delta, container in
            guard let container else { return }
            for news in follower.take(delta) {
                switch news {
                case .changed(let item): tell(.changed(item))
                case .progressed: tell(.progressed)
                case .moved(let item, let former):
                    let (new, old) = (container.url(of: item), container.url.appendingPathComponent(former))
                    // The update may be ahead of the disk: then the next one reports it.
                    let isMoved =
                        FileManager.default.fileExists(atPath: new.path)
                        && !FileManager.default.fileExists(atPath: old.path)
                    tell(isMoved ? .moved(new) : .changed(nil))
                }
            }
        }
        return { watch.removeObserver(id) }
    }
}

/// Follows one item by its identifier, which it has kept since it was first seen at a path.
private final class ItemFollower: Sendable {
    enum News {
        case changed(UbiquitousItem?)
        case progressed
        case moved(UbiquitousItem, former: String)
    }

    private struct State {
        var path: String
        var item: UbiquitousItem?
    }

    private let state: Mutex<State>

    init(path: String) { state = Mutex(State(path: path)) }

    func take(_ delta: ContainerItems.Delta) -> [News] {
        state.withLock { state in
            var news: [News] = []
            if let id = state.item?.id, delta.removed.contains(where: { $0.id == id }) {
                state.item = nil
                news.append(.changed(nil))
            }
            for item in delta.changed {
                guard let known = state.item else {
                    // Another may have taken its place.
                    guard item.path == state.path else { continue }
                    state.item = item
                    news.append(.changed(item))
                    continue
                }
                guard item.id == known.id else {
                    // An item in a package belongs to it.
                    if item.path.hasPrefix(state.path + "/") { news.append(.changed(nil)) }
                    continue
                }
                state.item = item
                if item.path != state.path {
                    news.append(.moved(item, former: state.path))
                    state.path = item.path
                } else if item.differsInContent(from: known) {
                    news.append(.changed(item))
                } else if item.differsInTransfer(from: known) {
                    news.append(.progressed)
                }
            }
            return news
        }
    }
}
