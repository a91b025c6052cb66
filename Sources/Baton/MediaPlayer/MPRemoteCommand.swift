public import Foundation

/// The result of a command. MediaPlayer's.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
    /// It is done.
    case success = 0
    /// The wanted item is not there.
    case noSuchContent = 100
    /// Nothing plays that this could be done with.
    case noActionableNowPlayingItem = 110
    /// The device to play on is not there.
    case deviceNotFound = 120
    /// It could not be done.
    case commandFailed = 200
}

/// One thing that the system may ask of an app that plays. MediaPlayer's. May be used from any thread.
///
/// A command is offered while it has a target and is enabled: the desktop's controls follow.
///
/// Apple: <https://developer.apple.com/documentation/mediaplayer/mpremotecommand>
public class MPRemoteCommand: NSObject, @unchecked Sendable {
    typealias Handler = (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus

    private struct Values {
        var isEnabled = true
        var targets: [(token: MPRemoteCommandTarget, handler: Handler)] = []
    }

    // Everything that changes is behind locks; subclasses too.
    private let values = UncheckedMutex(Values())
    let kind: MediaCommandName
    private let changed: @Sendable () -> Void

    init(_ kind: MediaCommandName, changed: @escaping @Sendable () -> Void) {
        self.kind = kind
        self.changed = changed
        super.init()
    }

    /// Whether it can be asked now; true at first.
    public var isEnabled: Bool {
        get { values.withLock { $0.isEnabled } }
        set {
            values.withLock { $0.isEnabled = newValue }
            changed()
        }
    }

    /// Has the handler perform the command, on the main thread. With several, all are called, and it is a success if it is one for
    /// any of them. At most 10 seconds are waited for it.
    /// - Returns: what ``removeTarget(_:)`` takes.
    @discardableResult
    public func addTarget(
        handler: @escaping (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus
    ) -> Any {
        let token = MPRemoteCommandTarget()
        values.withLock { $0.targets.append((token, handler)) }
        changed()
        return token
    }

    /// Takes a handler away.
    /// - Parameter target: what ``addTarget(handler:)`` returned; nil for all.
    public func removeTarget(_ target: Any?) {
        values.withLock { values in
            guard let target else { return values.targets.removeAll() }
            values.targets.removeAll { $0.token === target as? MPRemoteCommandTarget }
        }
        changed()
    }

    // MARK: For the daemon

    func noteChange() { changed() }

    var isOffered: Bool { values.withLock { !$0.targets.isEmpty } }

    /// - Returns: nil without a target.
    func perform(_ event: MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus? {
        // Not under the lock: handlers are the app's.
        let (isEnabled, handlers) = values.withLock { ($0.isEnabled, $0.targets.map(\.handler)) }
        guard isEnabled, !handlers.isEmpty else { return nil }
        let statuses = handlers.map { $0(event) }
        return statuses.contains(.success) ? .success : statuses.first
    }
}

/// Names a handler.
final class MPRemoteCommandTarget: Sendable {}
