/// Follows the person's sessions of the desktop, and decides when the device is to be locked and unlocked. A value: what
/// logind's reports in, actions out.
///
/// The device is locked when a session is, and unlocked when the last of those that were locked is unlocked by a person. A
/// session that ends unlocks nothing.
package struct SessionLock: Sendable {
    package enum Input: Sendable, Equatable {
        /// The bus is there, or logind was started anew.
        case connected
        /// Sessions came or went.
        case sessionsChanged
        /// All sessions of this person.
        case sessions([String])
        /// Something about a session has changed.
        case changed(String)
        /// `LockedHint`: the desktop says whether it shows its lock.
        case hint(String, Bool)
        /// The signal `Lock`: a program wants the session to be locked, and the desktop is about to do it.
        case lockWanted(String)
        /// The signal `Unlock`.
        case unlockWanted(String)
    }

    package enum Action: Sendable, Equatable {
        /// Give `sessions`.
        case listSessions
        /// Give `hint`.
        case askHint(String)
        case lock
        case unlock
    }

    /// Sessions that are followed. Policy: more are not.
    package static let maximumSessions = 64

    private var sessions: Set<String> = []
    private var locked: Set<String> = []

    package init() {}

    package mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .connected, .sessionsChanged: return [.listSessions]
        case .sessions(let paths):
            sessions = Set(paths.prefix(Self.maximumSessions))
            locked.formIntersection(sessions)
            return sessions.sorted().map { .askHint($0) }
        case .changed(let path): return sessions.contains(path) ? [.askHint(path)] : []
        case .hint(let path, true):
            guard sessions.contains(path), locked.insert(path).inserted else { return [] }
            return [.lock]
        case .lockWanted(let path):
            guard sessions.contains(path) else { return [] }
            // Also when it is locked already: the device may have been unlocked by hand since.
            locked.insert(path)
            return [.lock]
        case .hint(let path, false), .unlockWanted(let path):
            guard locked.remove(path) != nil, locked.isEmpty else { return [] }
            return [.unlock]
        }
    }
}
