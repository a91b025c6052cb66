/// What a notification server says that it can do, as far as it matters here.
struct DesktopCapabilities: Hashable, Sendable {
    var hasActions = false
    var hasBody = false
    var hasMarkup = false

    /// - Parameter names: of the server's answer to `GetCapabilities`.
    init(names: [String]) {
        hasActions = names.contains("actions")
        hasBody = names.contains("body")
        hasMarkup = names.contains("body-markup")
    }
}
