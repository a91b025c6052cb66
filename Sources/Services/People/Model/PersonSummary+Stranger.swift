package import BatonCore

extension PersonSummary {
    /// A person known only from an app that shows it: without a card, and reachable only by these addresses.
    package init(stranger shown: ShownPerson, from app: String) {
        let person = DonatedPerson(shown)
        self.init(
            id: "shown:" + shown.addresses.joined(separator: "\u{1F}"), name: shown.shownName, contactIdentifier: nil,
            fromApp: app,
            addresses: person.handles.filter { $0.kind != .unknown }.map { handle in
                Address(
                    kind: handle.kind == .email ? .email : .telephone, value: handle.value, label: "", service: "")
            }, apps: [])
    }
}
