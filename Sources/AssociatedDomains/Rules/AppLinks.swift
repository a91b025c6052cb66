/// The section `applinks` of a site file: which pages open which apps.
package struct AppLinks: Sendable {
    /// An element of `details`.
    package struct Entry: Sendable {
        package let appIDs: [String]
        /// In the file's order: the first that matches decides.
        package let components: [LinkComponent]
    }

    package var entries: [Entry] = []

    /// Every app that has an entry, in the order of the file.
    package var appIDs: [String] {
        var seen: Set<String> = []
        return entries.flatMap(\.appIDs).filter { seen.insert($0).inserted }
    }

    /// The first component that matches, among the entries of one app.
    /// - Parameter passed: called for each component before that one, with the reason why it does not match.
    func firstMatch(
        for appID: String, _ page: inout PageText, _ matcher: inout PatternMatcher,
        passed: (LinkComponent, LinkComponent.Part) -> Void
    ) -> LinkComponent? {
        for entry in entries where entry.appIDs.contains(appID) {
            for component in entry.components {
                switch component.evaluate(&page, &matcher) {
                case .matched where !matcher.isExhausted: return component
                case .matched: return nil
                case .failed(let part): passed(component, part)
                }
                if matcher.isExhausted { return nil }
            }
        }
        return nil
    }
}
