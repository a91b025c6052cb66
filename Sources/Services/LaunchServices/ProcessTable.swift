import BatonCore

/// Which apps run, in which processes. A pure value: it takes events and returns what follows.
///
/// An app has one process that counts, the first; others of the same app, started by hand beside it, wait behind it.
struct ProcessTable: Sendable {
    enum Origin: Sendable, Hashable {
        /// By this daemon, which is its parent and learns how it ended.
        case launched
        /// Another process started it; that it ended is noticed, how is not.
        case noted
    }

    struct Process: Sendable, Hashable {
        let stamp: ProcessStamp
        var origin: Origin
        /// It was asked to end, so its end is no crash.
        var isStopping = false
    }

    private var processes: [AppIdentity: [Process]] = [:]

    /// - Returns: false if the process is known already. One that was noted may turn out to have been launched.
    mutating func started(_ app: AppIdentity, _ stamp: ProcessStamp, _ origin: Origin) -> Bool {
        if let index = processes[app]?.firstIndex(where: { $0.stamp == stamp }) {
            if origin == .launched { processes[app]?[index].origin = .launched }
            return false
        }
        processes[app, default: []].append(Process(stamp: stamp, origin: origin))
        return true
    }

    /// - Parameter reporter: only the parent's word counts for a process that was launched.
    /// - Returns: what was known of the process; nil if nothing was.
    mutating func ended(_ app: AppIdentity, processID: Int32, by reporter: Origin) -> Process? {
        guard let index = processes[app]?.firstIndex(where: { $0.stamp.processID == processID }),
            processes[app]?[index].origin == reporter || reporter == .launched
        else { return nil }
        let process = processes[app]?.remove(at: index)
        if processes[app]?.isEmpty == true { processes[app] = nil }
        return process
    }

    /// Marks all processes of an app as asked to end.
    mutating func stopping(_ app: AppIdentity) -> [Process] {
        guard var list = processes[app] else { return [] }
        for index in list.indices { list[index].isStopping = true }
        processes[app] = list
        return list
    }

    func current(_ app: AppIdentity) -> Process? { processes[app]?.first }
    func all(_ app: AppIdentity) -> [Process] { processes[app] ?? [] }
    /// The app whose process it is.
    func app(of stamp: ProcessStamp) -> AppIdentity? {
        processes.first { $0.value.contains { $0.stamp == stamp } }?.key
    }
    func contains(_ app: AppIdentity, processID: Int32) -> Bool {
        processes[app]?.contains { $0.stamp.processID == processID } ?? false
    }
    var runningApps: [AppIdentity] { Array(processes.keys) }
}
