import Baton
import Foundation

/// Uses documents in iCloud by commands in lines; see UbiquityProcessTests of IntegrationTests.
enum Ubiquity {
    /// `app BUNDLE`, before anything else: which program in development it is.
    static func become(_ bundleIdentifier: String) {
        BatonConfiguration.current = BatonConfiguration(bundleIdentifier: bundleIdentifier)
        Probe.say("app \(bundleIdentifier)")
    }

    /// - Returns: false for a command of another kind.
    static func perform(_ words: [String]) -> Bool {
        do {
            switch words.first {
            // Off the main thread, since it waits for the daemon.
            case "container":
                Thread.detachNewThread {
                    let url = FileManager.default.url(forUbiquityContainerIdentifier: nil)
                    Probe.say("container \(url?.path ?? "none")")
                }
            // PATH PATH
            case "upload": try move(true, words)
            case "withdraw": try move(false, words)
            // PATH
            case "evict":
                try FileManager.default.evictUbiquitousItem(at: url(words[1]))
                Probe.say("evicted")
            case "download":
                try FileManager.default.startDownloadingUbiquitousItem(at: url(words[1]))
                Probe.say("downloading")
            case "standing":
                let values = url(words[1]).ubiquitousItemResourceValues()
                Probe.say(
                    "standing \(values.ubiquitousItemDownloadingStatus == .current) "
                        + "\(values.ubiquitousItemIsUploaded == true) \(values.ubiquitousItemContainerDisplayName ?? "")"
                )
            default: return false
            }
        } catch let error as NSError {
            Probe.say("failed \(error.domain) \(error.code) \(error.localizedDescription)")
        }
        return true
    }

    private static func url(_ path: String) -> URL { URL(fileURLWithPath: path) }

    private static func move(_ flag: Bool, _ words: [String]) throws {
        try FileManager.default.setUbiquitous(flag, itemAt: url(words[1]), destinationURL: url(words[2]))
        Probe.say("moved")
    }
}
