/// Loads a tab's pages in the window's web view, which shows them.
struct WindowPageLoader: PageLoader {
    let window: WindowProcess
    let tab: Tab

    func page(at address: String) async throws -> PageContent { try await window.load(address, in: tab) }
}
