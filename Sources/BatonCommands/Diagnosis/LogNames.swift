import BatonWire

/// Names for the identifiers in log records. The daemon is asked when an unknown identifier turns up, at most once for
/// each.
struct LogNames {
    private let session: CommandSession
    private var devices: [String: String] = [:]
    private var apps: [String: String] = [:]
    /// Bound 4096: beyond, identifiers stay what they are.
    private var asked: Set<String> = []

    init(session: CommandSession) { self.session = session }

    func device(_ identifier: String) -> String? { devices[identifier] }
    func app(_ identifier: String) -> String? { apps[identifier] }

    /// Never fails: a log without names is better than none.
    mutating func learn(_ fields: [String: String]) async {
        if let identifier = fields["device_id"], mayAsk(identifier, known: devices),
            let answer = try? await session.call(ControlMethods.listDevices, .init())
        {
            devices = Dictionary(answer.devices.map { ($0.deviceID, $0.name) }, uniquingKeysWith: { $1 })
        }
        if let identifier = fields["bundle_id"], mayAsk(identifier, known: apps),
            let answer = try? await session.call(ControlMethods.listApps, .init())
        {
            apps = Dictionary(answer.apps.map { ($0.identity.bundleID, $0.name) }, uniquingKeysWith: { $1 })
        }
    }

    private mutating func mayAsk(_ identifier: String, known: [String: String]) -> Bool {
        guard known[identifier] == nil, asked.count < 4096 else { return false }
        return asked.insert(identifier).inserted
    }
}
