import BatonCore
import BatonTrust
import Opening
import Testing

/// Where a URL goes: the rules of docs/opening.md.
@Suite struct URLRouterTests {
    private func router(_ configure: (inout URLRouter) -> Void = { _ in }) throws -> URLRouter {
        var claims = AppClaims()
        claims.urlTypes = [.init(name: "", schemes: ["todolist", "https"], role: .editor)]
        var router = URLRouter(claimants: [
            OpeningClaimant(bundleID: try BundleID(validating: "com.acme.todo"), name: "To Do", claims: claims)
        ])
        configure(&router)
        return router
    }

    /// A route in words, to be compared.
    private func text(_ route: URLRouter.Route) -> String {
        switch route {
        case .scheme(let app): "scheme \(app)"
        case .universalLink(let app): "link \(app)"
        case .desktop: "desktop"
        case .nobody(let error): error.reason
        }
    }

    private let site = BundleID(rawValue: "com.acme.site")

    @Test("U-1, U-9: a claimed scheme goes to the app")
    func claimed() throws {
        let (route, steps) = try router().route("ToDoList://item?x#y", from: .person)
        #expect(text(route) == "scheme com.acme.todo")
        #expect(steps.contains { $0.name == "handler" })
    }

    @Test func `a scheme that nobody claims goes to the desktop, or is refused with the reason`() throws {
        #expect(text(try router { $0.desktopCanOpen = true }.route("other:x", from: .person).route) == "desktop")
        #expect(text(try router().route("other:x", from: .person).route) == "no_handler")
    }

    @Test func `an app cannot take pages by claiming https as a scheme`() throws {
        let route = try router { $0.desktopCanOpen = true }.route("https://example.com", from: .person).route
        #expect(text(route) == "desktop")
    }

    @Test func `a page goes to the app of its site, but not from that app itself, nor against the person's choice`()
        throws
    {
        let site = try #require(site)
        func route(
            _ caller: OpeningCaller = .person, only: Bool = false, choice: HandlerDefault? = nil
        ) throws -> String {
            text(
                try router {
                    $0.pageClaims = [site]
                    $0.domainChoice = choice
                    $0.desktopCanOpen = true
                }.route("https://acme.com/a", from: caller, universalLinksOnly: only).route)
        }
        #expect(try route() == "link \(site)")
        #expect(try route(only: true) == "link \(site)")
        #expect(try route(OpeningCaller(app: AppIdentity(bundleID: site, team: .development))) == "desktop")
        #expect(try route(choice: .browser) == "desktop")
        #expect(try route(choice: .app(site)) == "link \(site)")
        #expect(try route(only: true, choice: .browser) == "no_universal_link")
    }

    @Test(arguments: [
        "", "todolist", "://x", "1todo:x", "todo list:x", "todolist://a b", "todolist://\u{202E}x", "todolist://a\nb",
        "todolist://%zz", "todolist:\u{0}", "todolist://ä",
    ])
    func `what is no URL is refused, whoever claims it`(_ url: String) throws {
        #expect(text(try router { $0.desktopCanOpen = true }.route(url, from: .person).route) == "invalid_url")
    }

    @Test func `a URL of a megabyte is refused, one of 64 KiB is not`() throws {
        let long = "todolist://" + String(repeating: "a", count: 1 << 20)
        #expect(text(try router().route(long, from: .person).route) == "url_too_long")
        let whole = "todolist://" + String(repeating: "a", count: URLRouter.maximumLength - 11)
        #expect(text(try router().route(whole, from: .person).route) == "scheme com.acme.todo")
    }
}
