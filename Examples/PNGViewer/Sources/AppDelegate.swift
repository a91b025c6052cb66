import Baton
import Foundation

/// Opens PNG files. In front it shows one at once; in the background it only notes it for later, and so it does while
/// the device is locked, since the file cannot be read then.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private var noted: [URL] = []

    required init() { super.init() }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // A window that is hidden, and shown again.
        CommandLines.read { line in
            switch line {
            case "hide": application.transition(to: .background)
            case "show": application.transition(to: .active)
            default: print("Not a command: \(line). There are hide and show.")
            }
        }
        return true
    }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        if url.isFileURL, !app.isProtectedDataAvailable {
            noted.append(url)
            print("noted \(url.lastPathComponent), as the device is locked")
            return true
        }
        guard url.isFileURL, let picture = Picture(contentsOf: url) else {
            print("refused \(url.lastPathComponent)")
            return false
        }
        if app.applicationState == .background {
            noted.append(url)
            print("noted \(url.lastPathComponent)")
        } else {
            show(picture, at: url)
        }
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { showNoted(application) }

    /// The device was unlocked.
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) { showNoted(application) }

    private func showNoted(_ application: UIApplication) {
        guard application.isProtectedDataAvailable, application.applicationState != .background else { return }
        for url in noted { Picture(contentsOf: url).map { show($0, at: url) } }
        noted = []
    }

    func applicationDidEnterBackground(_ application: UIApplication) { print("hidden") }

    private func show(_ picture: Picture, at url: URL) {
        print("shows \(url.lastPathComponent), \(picture.width) x \(picture.height)")
        // The Inbox is read only: what is to be kept is moved out of it, the rest deleted.
        let pictures = url.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Pictures")
        do {
            try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: url, to: pictures.appendingPathComponent(url.lastPathComponent))
            print("moved \(url.lastPathComponent)")
        } catch {
            print("not moved: \(error.localizedDescription)")
        }
    }
}

/// As much of a PNG file as its size in points needs.
struct Picture {
    let width: UInt32
    let height: UInt32

    /// - Returns: nil for what is no PNG file.
    init?(contentsOf url: URL) {
        guard let file = try? FileHandle(forReadingFrom: url), let head = try? file.read(upToCount: 24),
            head.count == 24,
            Array(head.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
            Array(head[12..<16]) == Array("IHDR".utf8)
        else { return nil }
        func number(_ range: Range<Int>) -> UInt32 { head[range].reduce(0) { $0 << 8 | UInt32($1) } }
        width = number(16..<20)
        height = number(20..<24)
    }
}
