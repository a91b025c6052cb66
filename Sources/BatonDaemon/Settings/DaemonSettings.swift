import BatonConcurrency
package import BatonCore
import Dispatch
import Synchronization

/// This device's settings. A change takes effect at once, and is on the disk before its caller is answered.
package final class DaemonSettings: Sendable {
    private struct State {
        /// Only what is set.
        var values: [String: String]
        var problem: BatonError?
    }

    private let state: Mutex<State>
    private let broadcasts = Dictionary(
        uniqueKeysWithValues: Setting.all.map { ($0.name, Broadcaster<String>(.newest)) })
    private let file: SettingsFile
    private let recorder: any EventRecorder
    /// Reads and writes the file; one change after the other.
    private let queue = DispatchQueue(label: "development.baton.settings")

    /// Reads the file; blocks. One that cannot be used is reported, and every setting has its default.
    package init(locations: Locations, recorder: any EventRecorder) {
        file = SettingsFile(in: locations)
        self.recorder = recorder
        do throws(BatonError) {
            state = Mutex(State(values: try file.read()))
        } catch {
            state = Mutex(State(values: [:], problem: error))
            recorder.record("daemon", "settings_refused", error.message, ["reason": error.reason])
        }
    }

    /// Why the file was refused at the start; nil when it was not.
    package var problem: BatonError? { state.withLock { $0.problem } }

    package func value(of setting: Setting) -> String {
        state.withLock { $0.values[setting.name] ?? setting.defaultValue }
    }

    /// Whether the person has set it, be it to what is the default.
    package func isSet(_ setting: Setting) -> Bool { state.withLock { $0.values[setting.name] != nil } }

    /// The value now, and each other one from now on. Values without a reader are one: the newest.
    package func values(of setting: Setting) -> AsyncStream<String> {
        state.withLock { state in
            // Every setting is in the list.
            broadcasts[setting.name]?.subscribe([state.values[setting.name] ?? setting.defaultValue])
                ?? AsyncStream { $0.finish() }
        }
    }

    /// - Parameter value: nil for the default.
    /// - Throws: `not_found`, `invalid_argument`, and `failed_precondition` with reason `settings_broken`: what a person
    ///   wrote into the file is not thrown away because it cannot be read.
    package func change(_ name: String, to value: String?) async throws {
        let setting = try Setting.named(name)
        if let value { try setting.validate(value) }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in continuation.resume(with: Result { try apply(setting, value) }) }
        }
        recorder.record(
            "daemon", "setting_changed", "The setting “\(name)” was changed.", ["name": name])
    }

    /// Another program has written the file: a restore.
    /// - Throws: as ``change(_:to:)``; what held holds then.
    package func reload() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in
                continuation.resume(with: Result { set(try file.read()) })
            }
        }
    }

    /// Runs on the queue. Edits made to the file meanwhile are kept.
    private func apply(_ setting: Setting, _ value: String?) throws(BatonError) {
        var values = try file.read()
        values[setting.name] = value
        try file.write(values)
        set(values)
    }

    private func set(_ values: [String: String]) {
        state.withLock { state in
            let former = state.values
            state.values = values
            state.problem = nil
            for setting in Setting.all where former[setting.name] != values[setting.name] {
                broadcasts[setting.name]?.send(values[setting.name] ?? setting.defaultValue)
            }
        }
    }
}
