import BatonCore

extension HandlerDefaults {
    /// Takes over a choice that was made on another device, where the person has made none here.
    /// - Parameter bundleID: empty for the browser.
    /// - Returns: false for what is no choice.
    package func restore(kind: String, name: String, bundleID: String) async throws -> Bool {
        guard (1...253).contains(name.utf8.count) else { return false }
        let subject: OpeningSubject
        switch kind {
        case "scheme":
            guard let scheme = URLScheme(name), !scheme.isReserved else { return false }
            subject = .scheme(scheme)
        case "type": subject = .type(name)
        case "domain": subject = .domain(name)
        default: return false
        }
        guard choice(for: subject) == nil else { return true }
        if bundleID.isEmpty {
            guard case .domain = subject else { return false }
            try await set(.browser, for: subject)
            return true
        }
        guard let app = BundleID(rawValue: bundleID) else { return false }
        try await set(.app(app), for: subject)
        return true
    }
}
