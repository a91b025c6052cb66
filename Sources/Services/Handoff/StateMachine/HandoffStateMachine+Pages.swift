package import BatonCore

/// Pages, for the browser or for the app that claims their site: H-33, H-84 to H-86, H-95.
extension HandoffStateMachine {
    // MARK: The receiver

    /// - Parameter claims: the apps that the site of the page names now. The page may be another one than was offered,
    ///   and the site may have changed its mind since.
    mutating func pageArrived(
        _ acceptance: AcceptanceID, _ page: WebPage, title: String?, claims: [AppIdentity], now: Duration
    ) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance] else { return [] }
        switch continuation.recipient {
        case .caller: return finish(acceptance, continuation, .pageOpened(page), now: now)
        case .browser: return open(acceptance, page, now: now)
        case .claimant(let app) where claims.contains(app.identity):
            let activity = continuation.offer.activity.id
            return prepare(acceptance, ActivityPayload.page(activity, page, title: title), now: now)
        case .claimant(let app):
            guard receiver.hasBrowser else {
                return fail(
                    acceptance,
                    .init(.handoffFailed, "The page does not belong to \(app.name) any more, and no browser is set."))
            }
            let failure = ActivityFailure(
                .handoffFailed, "The page does not belong to \(app.name): the browser opens it.")
            return tellApp(acceptance, continuation, failure) + open(acceptance, page, now: now)
        case .app: return []
        }
    }

    private mutating func open(_ acceptance: AcceptanceID, _ page: WebPage, now: Duration) -> [HandoffAction] {
        guard var continuation = receiver.continuations[acceptance] else { return [] }
        continuation.recipient = .browser
        continuation.session = nil
        continuation.isLaunching = false
        continuation.stage = .opening(page)
        continuation.deadline = now + configuration.browserDeadline
        continuation.payloadDeadline = nil
        receiver.continuations[acceptance] = continuation
        return [.openPage(acceptance, page)]
    }

    /// The browser has the page.
    package mutating func pageOpened(_ acceptance: AcceptanceID, now: Duration) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance], case .opening(let page) = continuation.stage else {
            return []
        }
        return finish(acceptance, continuation, .pageOpened(page), now: now)
    }

    package mutating func pageNotOpened(_ acceptance: AcceptanceID, message: String) -> [HandoffAction] {
        guard case .opening? = receiver.continuations[acceptance]?.stage else { return [] }
        return fail(acceptance, .init(.handoffFailed, message))
    }

    // MARK: The origin

    /// The app's answer, or the lack of one, where only the page was asked for.
    mutating func savedPage(
        _ acceptance: AcceptanceID, _ save: OriginState.Save,
        _ result: Result<ActivityPayload, ActivityFailure>, now: Duration
    ) -> [HandoffAction] {
        var title = save.title
        let page: WebPage?
        switch result {
        case .success(let payload):
            // An app may fill it in as late as this, or take it away.
            page = payload.page
            if let newer = payload.title { title = newer }
        case .failure:
            // Only the page is needed, and the offer named it already.
            page = save.page.flatMap { try? WebPage($0) }
        }
        guard let page else {
            let failure = ActivityFailure(.handoffFailed, "The activity has no page any more on the other device.")
            if case .failure(let reason) = result { return [.answerFetch(acceptance, .failure(reason))] }
            return [.answerFetch(acceptance, .failure(failure))]
        }
        remember(
            acceptance,
            OriginState.Served(activity: save.activity, team: save.team, requester: save.requester, since: now))
        return [.answerFetch(acceptance, .success(ActivityPayload.page(save.activity, page, title: title)))]
    }
}
