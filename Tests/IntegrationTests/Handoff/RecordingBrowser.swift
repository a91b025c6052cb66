import BatonTestSupport
import Foundation

/// A browser that writes down what it is given, a line for each page: how many arguments, and the first.
struct RecordingBrowser: Sendable {
    let device: TestDevice
    private let folder: String

    /// Makes it the browser of a device.
    /// - Parameter script: in place of writing down, with the page in `$1`.
    init(_ device: TestDevice, in household: TestHousehold, script: String? = nil) async throws {
        self.device = device
        folder = "\(household.directory)/browser-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // A program, not a script: it has no shell of its own between the daemon and it.
        try FileManager.default.copyItem(atPath: Products.path("ScriptApp"), toPath: folder + "/browser")
        let record = #"printf '%s %s\n' "$#" "$1" >> "\#(folder)/pages""#
        try Data((script ?? record).utf8).write(to: URL(fileURLWithPath: folder + "/browser.script"))
        try await device.baton("settings", "set", "browser", "\(folder)/browser %u")
    }

    /// The lines that it has written by now.
    var pages: [String] {
        let text = (try? String(contentsOfFile: folder + "/pages", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Waits until it has written down so many pages. A browser that takes long to start counts as one that has the page, so a
    /// continuation may be over before.
    func pages(_ count: Int) async throws -> [String] {
        try await device.until("the browser to be given \(count) pages", limit: .seconds(60)) { pages.count >= count }
        return pages
    }
}
