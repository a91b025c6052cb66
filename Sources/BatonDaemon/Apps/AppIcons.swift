import BatonCore
import BatonTrust
import Dispatch
import Files
import Glibc
import LaunchServices
import Synchronization

/// The pictures of installed apps: `CFBundleIconFile`, a file at the top of the bundle.
final class AppIcons: Sendable {
    private struct Known {
        var digest: [UInt8]
        var path: String?
    }

    /// Larger ones are not shown: the desktop reads them whole.
    private static let maximumSize = 1 << 20
    private static let extensions = [".png", ".svg", ".jpg", ".jpeg"]

    private let launchServices: LaunchServices
    /// One entry per app that was ever offered something; an app that was installed anew is looked at again.
    private let known = Mutex<[BundleID: Known]>([:])
    private let queue = DispatchQueue(label: "development.baton.icons")

    init(launchServices: LaunchServices) { self.launchServices = launchServices }

    /// - Returns: an absolute path; nil for an app without a picture that can be shown, or that is not installed.
    func path(of app: AppIdentity) async -> String? {
        guard let installed = launchServices.app(app.bundleID), installed.identity == app else { return nil }
        if let known = known.withLock({ $0[app.bundleID] }), known.digest == installed.digest { return known.path }
        let path = await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
            queue.async { continuation.resume(returning: Self.find(in: installed.bundlePath)) }
        }
        known.withLock { $0[app.bundleID] = Known(digest: installed.digest, path: path) }
        return path
    }

    /// Blocks.
    static func find(in bundle: String) -> String? {
        guard let plist = try? AtomicFile.read(bundle + "/Info.plist", limit: 1 << 20),
            let info = try? BundleInfo(infoPlist: plist, entitlements: nil, bundleName: ""),
            var name = info.iconFile
        else { return nil }
        if !extensions.contains(where: name.lowercased().hasSuffix) { name += ".png" }
        var status = stat()
        let path = "\(bundle)/\(name)"
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let bytes = try? AtomicFile.read(path, limit: maximumSize), canBeShown(bytes, name: name)
        else { return nil }
        return path
    }

    /// By its contents, since programs of the desktop do not go by the name.
    static func canBeShown(_ bytes: [UInt8], name: String) -> Bool {
        if let size = PictureSize(bytes) { return size.canBeShown }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
        let start = text.first { $0 != 0x20 && !(9...13).contains($0) }
        return name.lowercased().hasSuffix(".svg") && start == UInt8(ascii: "<")
    }
}
