import Baton
import Foundation

/// Two fields, a key for this device and one that all devices share, and a list of notifications.
@MainActor
final class KeyValueViewController {
    private static let sharedKey = "Shared"

    private let deviceName: String
    private let screen: Screen
    private var observer: (any NSObjectProtocol)?
    private var deviceValue = ""
    private var sharedValue = ""
    /// The scrolling text view: the newest first, 100 lines at most.
    private var notifications: [String] = []

    init(deviceName: String, screen: Screen) {
        self.deviceName = deviceName
        self.screen = screen
    }

    // MARK: The life of the view

    /// Registers before the store is asked for the first time, so that no change is missed.
    func viewWillAppear() {
        observer = NotificationCenter.default.addObserver(
            forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: nil, queue: nil
        ) { notification in
            let reason = notification.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int
            let keys = notification.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String]
            // The notification comes on a queue of the library; the fields belong to the main one.
            DispatchQueue.main.async {
                MainActor.assumeIsolated { self.storeChanged(reason: reason, keys: keys ?? []) }
            }
        }
        NSUbiquitousKeyValueStore.default.synchronize()
        updateFields()
    }

    func viewWillDisappear() {
        if let observer { NotificationCenter.default.removeObserver(observer) }
        observer = nil
    }

    // MARK: Notifications

    private func storeChanged(reason: Int?, keys: [String]) {
        let why =
            switch reason {
            case NSUbiquitousKeyValueStoreServerChange: "ServerChange"
            case NSUbiquitousKeyValueStoreInitialSyncChange: "InitialSyncChange"
            case NSUbiquitousKeyValueStoreQuotaViolationChange: "QuotaViolationChange"
            case NSUbiquitousKeyValueStoreAccountChange: "AccountChange"
            default: "unknown"
            }
        let line = "\(why): \(keys.joined(separator: ", "))"
        notifications.insert(line, at: 0)
        if notifications.count > 100 { notifications.removeLast() }
        screen.show("notification", ["reason": why, "keys": keys.joined(separator: ",")], line)
        if keys.contains(deviceName) || keys.contains(Self.sharedKey) { updateFields() }
    }

    private func updateFields() {
        let store = NSUbiquitousKeyValueStore.default
        deviceValue = store.string(forKey: deviceName) ?? ""
        sharedValue = store.string(forKey: Self.sharedKey) ?? ""
        screen.show(
            "fields", ["device": deviceName, "deviceValue": deviceValue, "shared": sharedValue],
            "\(deviceName): \(deviceValue)\n\(Self.sharedKey): \(sharedValue)")
    }

    func show() {
        updateFields()
        screen.show(
            "list", ["notifications": notifications.joined(separator: "\n")], notifications.joined(separator: "\n"))
    }

    // MARK: Changes

    func setDeviceValue(_ text: String) { set(text, forKey: deviceName) }

    func setShared(_ text: String) { set(text, forKey: Self.sharedKey) }

    private func set(_ text: String, forKey key: String) {
        let store = NSUbiquitousKeyValueStore.default
        store.set(text, forKey: key)
        saved(store.synchronize())
    }

    func remove(_ key: String) {
        let store = NSUbiquitousKeyValueStore.default
        store.removeObject(forKey: key)
        saved(store.synchronize())
    }

    private func saved(_ isSaved: Bool) {
        screen.show("saved", ["saved": "\(isSaved)"], isSaved ? "Saved." : "Not saved yet.")
        updateFields()
    }

    /// The chapter's snippets.
    func runSnippets() {
        let store = NSUbiquitousKeyValueStore.default
        store.set("VALUE IN THE CLOUD", forKey: "testkey")
        store.synchronize()

        let value = store.string(forKey: "testkey")
        screen.show("snippet", ["value": value ?? ""], "testkey: \(value ?? "")")

        store.removeObject(forKey: "testkey")
        store.synchronize()
        screen.show("snippet", ["value": store.string(forKey: "testkey") ?? ""], "testkey was removed.")
    }
}
