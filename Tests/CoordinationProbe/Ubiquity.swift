import Baton
import Foundation

/// Uses documents in iCloud as it is told by lines; see UbiquityProcessTests of IntegrationTests.
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
            case "versions": try versions(url(words[1]))
            case "take": try take(url(words[1]))
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

    private static func versions(_ url: URL) throws {
        let current = try String(contentsOf: url, encoding: .utf8)
        let conflicts = (NSFileVersion.unresolvedConflictVersionsOfItem(at: url) ?? []).map { version in
            (try? String(contentsOf: version.url, encoding: .utf8)) ?? "?"
        }
        Probe.say("versions \(current)|\(conflicts.sorted().joined(separator: ","))")
    }

    /// Takes the content of the conflict in place of the current one, and settles it.
    private static func take(_ url: URL) throws {
        for version in NSFileVersion.unresolvedConflictVersionsOfItem(at: url) ?? [] {
            _ = try version.replaceItem(at: url)
            version.isResolved = true
        }
        try NSFileVersion.removeOtherVersionsOfItem(at: url)
        Probe.say("taken")
    }
}
