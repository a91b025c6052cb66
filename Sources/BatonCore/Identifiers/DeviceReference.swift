/// Finds the device that a person means: by its identifier or a beginning of it (4 characters or more), or by its name or
/// the beginning of it, in upper or lower case.
package enum DeviceReference {
    package struct Candidate: Hashable, Sendable {
        package var id: String
        /// Empty when it is not known.
        package var name: String
        /// False: it was revoked.
        package var isMember: Bool
        /// A key on paper: it can be named, and is no device.
        package var isRecoveryKey: Bool

        package init(id: String, name: String, isMember: Bool, isRecoveryKey: Bool = false) {
            self.id = id
            self.name = name
            self.isMember = isMember
            self.isRecoveryKey = isRecoveryKey
        }
    }

    /// The best match wins: an identifier, then the exact name, then the name in another case, then its beginning, then
    /// that of one of its words. When several devices have one name, a current member is preferred to a former one.
    /// - Throws: `not_found`, or `invalid_argument` when several fit.
    package static func find(_ text: String, among all: [Candidate]) throws(BatonError) -> Candidate {
        let upper = text.uppercased()
        let rules: [(Candidate) -> Bool] = [
            { $0.id == upper }, { SpokenName.fit(text, $0.name) == .exact },
            { SpokenName.fit(text, $0.name) == .otherCase },
            { candidate in
                SpokenName.fit(text, candidate.name) == .beginning
                    || upper.utf8.count >= 4 && candidate.id.hasPrefix(upper)
            },
            { SpokenName.fit(text, $0.name) == .word },
        ]
        for rule in rules {
            let fitting = all.filter(rule)
            let members = fitting.filter(\.isMember)
            let matches = members.isEmpty ? fitting : members
            if matches.count == 1, let match = matches.first { return match }
            if !matches.isEmpty { throw ambiguous(text, matches) }
        }
        throw unknown(text, all)
    }

    package static func unknown(_ text: String, _ all: [Candidate]) -> BatonError {
        let members = all.filter(\.isMember)
        let names = list(members.filter { !$0.isRecoveryKey })
        let meant = SpokenName.meant(text, among: members.map(\.name).filter { !$0.isEmpty })
        return BatonError(
            .notFound, reason: "unknown_device",
            "No device is called “\(text.shortened(toBytes: 80))”. "
                + (names.isEmpty ? "See “baton devices”." : "\(meant)Devices: \(names)."))
    }

    private static func ambiguous(_ text: String, _ matches: [Candidate]) -> BatonError {
        BatonError(
            .invalidArgument, reason: "ambiguous_device",
            "Several devices fit “\(text.shortened(toBytes: 80))”: \(list(matches)). Name one in full, or by its identifier."
        )
    }

    /// Several devices may have one name, so that only their identifiers distinguish them.
    private static func list(_ devices: [Candidate]) -> String {
        let names = Dictionary(grouping: devices, by: \.name)
        let shown = devices.map { device in
            device.name.isEmpty || names[device.name, default: []].count > 1
                ? "\(device.name) \(device.id.prefix(8))".drop { $0 == " " } : Substring(device.name)
        }
        let most = shown.sorted().prefix(8).joined(separator: ", ")
        return shown.count > 8 ? most + ", …" : most
    }
}
