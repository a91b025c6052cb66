import AppLink
import BatonWire
public import Foundation

extension NSNotification.Name {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Posted when ``Foundation/FileManager/ubiquityIdentityToken`` has changed: the person has entered or left an account,
    /// or has switched iCloud off for the app. No object, no `userInfo`. Posted on a serial queue of the library, once the
    /// process has used iCloud: has read the token, opened a container, or started a query.
    public static let NSUbiquityIdentityDidChange = Self("NSUbiquityIdentityDidChangeNotification")
}

/// Documents in iCloud: containers, and items in them (D-5, D-6). Not to be confused with ``NSUbiquitousKeyValueStore``.
///
/// All of these wait, for the daemon or the disk: call them off the main thread (D-8, D-10). Any thread may call them.
/// Errors are those of Cocoa; in iCloud's own range 4353 for an item that has not come from the other device, 4354 for an
/// account that is full, 4355 when there is no iCloud or no daemon.
extension FileManager {
    /// The directory of a container of the app (D-9). It is the same on each of the person's devices; `Documents` in it,
    /// which exists when this returns, is what the person sees (D-32).
    ///
    /// Waits for the daemon, up to 35 s (D-10). Ask again each time the app comes to the foreground, since the person may
    /// have left the account (D-12).
    /// - Parameter containerIdentifier: `TEAMID.com.example.App`, or `iCloud.com.example.App`, from the app's
    ///   entitlements; nil for the first of them (D-11).
    /// - Returns: nil if iCloud is not available. The log says why.
    ///
    /// Apple: <https://developer.apple.com/documentation/foundation/filemanager/1411653-url>
    public func url(forUbiquityContainerIdentifier containerIdentifier: String?) -> URL? {
        guard let container = try? AppRuntime.current.ubiquity.open(containerIdentifier) else { return nil }
        // The daemon makes the container; an app saves in this folder without making it.
        try? createDirectory(
            at: container.url.appendingPathComponent("Documents"), withIntermediateDirectories: false)
        return container.url
    }

    /// Names the person's account: two tokens are equal if they are of one account. Nil without one, or without a
    /// daemon.
    ///
    /// Only the first use waits, up to 5 s. ``Foundation/NSNotification/Name/NSUbiquityIdentityDidChange`` announces changes.
    public var ubiquityIdentityToken: (any NSCoding & NSCopying & NSObjectProtocol)? {
        AppRuntime.current.ubiquity.identity.token.map { NSData(data: $0) }
    }

    /// Whether an item is in a container of this app (D-23). Says nothing of whether the cloud has it. False if there is no
    /// such item.
    public func isUbiquitousItem(at url: URL) -> Bool {
        guard AppRuntime.current.ubiquity.findPlace(of: url) != nil else { return false }
        return (try? attributesOfItem(atPath: url.path)) != nil
            || (try? attributesOfItem(atPath: Placeholder.url(for: url).path)) != nil
    }

    /// Moves an item into a container, or out of it (D-23). Presenters of the item hear that it has moved.
    ///
    /// Does a coordinated write: never call it on the main thread, nor within a coordinated access to the item. An item
    /// that leaves and is not on this device is downloaded first, which may take 60 s.
    /// - Parameters:
    ///   - flag: true to move it into a container.
    ///   - url: where the item is.
    ///   - destinationURL: where it is to be: in a container if `flag` is true, in none otherwise. The folder must exist,
    ///     and nothing may be there.
    public func setUbiquitous(_ flag: Bool, itemAt url: URL, destinationURL: URL) throws {
        let ubiquity = AppRuntime.current.ubiquity
        guard let inside = ubiquity.findPlace(of: flag ? destinationURL : url) else {
            throw UbiquityErrors.notInContainer(flag ? destinationURL : url)
        }
        guard ubiquity.place(of: flag ? url : destinationURL)?.container != inside.container else {
            throw DocumentErrors.cocoa(
                .fileWriteInvalidFileName,
                flag
                    ? "“\(url.lastPathComponent)” is in iCloud already. Move it with a coordinated write."
                    : "“\(destinationURL.lastPathComponent)” would still be in iCloud. Choose a place outside.", url)
        }
        if !flag { try ubiquity.makeAvailable(url) }
        try coordinatedMove(
            url, to: destinationURL, presenter: nil, runtime: DocumentEnvironment.shared.coordination())
    }

    /// - Parameter presenter: the one that moves the item, and hears nothing of it.
    func coordinatedMove(
        _ url: URL, to destinationURL: URL, presenter: (any NSFilePresenter)?, runtime: FileCoordinationRuntime
    ) throws {
        let coordinator = NSFileCoordinator(filePresenter: presenter, runtime: runtime)
        var failure: NSError?
        var result: Result<Void, any Error> = .success(())
        coordinator.coordinate(
            writingItemAt: url, options: .forMoving, writingItemAt: destinationURL, options: .forReplacing,
            error: &failure
        ) { source, destination in
            result = Result {
                guard (try? attributesOfItem(atPath: destination.path)) == nil else {
                    throw DocumentErrors.cocoa(
                        .fileWriteFileExists, "“\(destination.lastPathComponent)” exists already.", destination)
                }
                coordinator.item(at: source, willMoveTo: destination)
                try moveItem(at: source, to: destination)
                coordinator.item(at: source, didMoveTo: destination)
            }
        }
        if let failure { throw failure }
        try result.get()
    }

    /// Has the newest content of an item downloaded. Returns at once; a query's attributes show the progress, and
    /// ``Foundation/URL/ubiquitousItemResourceValues()``. Nothing happens if it is here already.
    public func startDownloadingUbiquitousItem(at url: URL) throws {
        try change(url, .download)
    }

    /// Removes the content of an item from this device, once the cloud has it. A placeholder stays, and the item on all
    /// other devices. Do not call it within a coordinated write.
    public func evictUbiquitousItem(at url: URL) throws {
        try change(url, .evict)
    }

    private func change(_ url: URL, _ change: UbiquitousChange) throws {
        let ubiquity = AppRuntime.current.ubiquity
        guard ubiquity.findPlace(of: url) != nil else { throw UbiquityErrors.notInContainer(url) }
        do {
            try ubiquity.change(url, change == .download ? .download : .evict)
        } catch {
            throw UbiquityErrors.cocoa(error, url, isWriting: change == .evict)
        }
    }

    private enum UbiquitousChange {
        case download
        case evict
    }

    /// Not possible: Baton's cloud has only what it cannot read, and publishes nothing. Send the file with a share sheet.
    /// - Parameter outDate: not set.
    /// - Throws: `NSFeatureUnsupportedError`, always; for what is no item in iCloud `NSFileWriteInvalidFileNameError`.
    public func url(
        forPublishingUbiquitousItemAt url: URL, expiration outDate: UnsafeMutablePointer<NSDate?>? = nil
    ) throws -> URL {
        guard AppRuntime.current.ubiquity.findPlace(of: url) != nil else { throw UbiquityErrors.notInContainer(url) }
        throw DocumentErrors.cocoa(
            .featureUnsupported,
            "“\(url.lastPathComponent)” cannot be published: the cloud has only sealed data. Share the file instead.",
            url)
    }
}
