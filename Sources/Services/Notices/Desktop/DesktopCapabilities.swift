/// The capabilities of a notification server that matter here.
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
