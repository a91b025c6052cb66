import BatonCore
import Documents
import Testing

@testable import BatonDaemon

/// Issue 30, folders: limits as settings.
@Suite struct FolderLimitsSettingsTests {
    @Test("settings become limits, and what is no limit is refused")
    func limits() {
        #expect(FolderLimitsPart.limits { $0.defaultValue } == FolderLimits())
        let set = [
            "folders.download-rate": "100", "folders.upload-rate": "1", "folders.metered": "sync",
            "folders.battery": "wait", "folders.room": "0", "documents.prefetch": "on",
        ]
        let limits = FolderLimitsPart.limits { set[$0.name] ?? $0.defaultValue }
        #expect(limits.down == 102_400 && limits.up == 1024 && limits.room == 0)
        #expect(!limits.waitsOnMetered && limits.waitsOnBattery && limits.prefetches)
        for (setting, values) in [
            (Setting.foldersDown, ["0", "-1", "fast", "1.5", "9999999999999999999"]), (.foldersMetered, ["on", ""]),
            (.foldersBattery, ["off"]), (.documentsPrefetch, ["yes"]), (.foldersRoom, ["-1", "all"]),
        ] {
            for value in values { #expect(throws: BatonError.self) { try setting.validate(value) } }
        }
    }
}
