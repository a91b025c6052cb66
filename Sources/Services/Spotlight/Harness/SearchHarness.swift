import BatonCore
package import BatonTransport
import BatonWire
import Foundation
import SearchText
import SwiftProtobuf

/// Answers the command line and the account's other devices about search.
package struct SearchHarness: Sendable {
    private let service: SpotlightService
    private let devices: DeviceSearch

    package init(_ service: SpotlightService, devices: DeviceSearch) {
        self.service = service
        self.devices = devices
    }

    /// - Parameter router: one that checks that callers are members of the account.
    package func registerLink(on router: inout ConnectRouter) {
        router.unary(SearchLinkMethods.findItems) { [self] request, context in
            let hits = try await devices.answer(
                request.query, bundleID: request.bundleID.isEmpty ? nil : try BundleID(validating: request.bundleID),
                for: try context.device)
            return .with { $0.items = hits.map { .init($0, origin: service.name(of: $0.item)) } }
        }
    }

    package func register(on router: inout ConnectRouter) {
        router.unary(SearchMethods.search) { [self] request, _ in try await search(request) }
        router.unary(SearchMethods.openResult) { [service, devices] request, _ in
            if let (isHandled, name) = try await devices.open(request.resultID) {
                return .with {
                    $0.handled = isHandled
                    $0.appName = name
                }
            }
            let (isHandled, name) = try await service.open(
                request.resultID, action: request.action.isEmpty ? nil : request.action)
            return .with {
                $0.handled = isHandled
                $0.appName = name
            }
        }
        router.unary(SearchMethods.continueSearch) { [service] request, _ in
            let isHandled = try await service.continueSearch(
                request.query, in: try BundleID(validating: request.bundleID))
            return .with { $0.handled = isHandled }
        }
        router.unary(SearchMethods.listIndexes) { [self] request, _ in try await indexes(request) }
        router.unary(SearchMethods.explainSearch) { [self] request, _ in try await explain(request) }
        router.unary(SearchMethods.forget) { [service] request, _ in
            let count = try await service.forget(try Self.forgotten(request))
            return .with { $0.forgotten = UInt64(clamping: count) }
        }
    }

    // MARK: Searching

    private func search(_ request: Baton_Control_V1_SearchRequest) async throws -> Baton_Control_V1_SearchResponse {
        let bundleID = request.bundleID.isEmpty ? nil : try BundleID(validating: request.bundleID)
        let limit = request.limit == 0 ? 20 : Int(clamping: request.limit)
        // An empty query is sent to no device.
        async let elsewhere = devices.ask(request.typing ? "" : request.query, bundleID: bundleID)
        let search = try await service.search(
            request.query, bundleID: bundleID, isTyping: request.typing, limit: limit)
        let answer = await elsewhere
        let titles = actionTitles(search.hits)
        let merged = SearchMerge.order(
            here: search.hits.filter { !$0.isRelated }, elsewhere: answer.results, isSame: { $0.isSame(as: $1) })
        let results = merged.map { found in
            switch found {
            case .here(let hit): message(hit, titles)
            case .elsewhere(let result): message(result)
            }
        }
        let related = search.hits.filter(\.isRelated).map { message($0, titles) }
        // What is typed yet changes with the next letter.
        let isNothing = results.isEmpty && related.isEmpty && !request.typing
        let why = isNothing ? try await service.whyNothing(request.query, bundleID: bundleID, search) : nil
        return .with {
            if let why {
                $0.nothing = .with {
                    $0.reason = why.reason
                    $0.message = why.message
                    $0.words = why.words
                }
            }
            $0.results = Array((results + related).prefix(min(max(limit, 1), SpotlightService.maximumResults)))
            $0.silentDevices = answer.silent.map { devices.devices.name(of: $0) }
            $0.corrections = search.corrections.map { word, replacements in
                .with {
                    $0.word = word
                    $0.replacements = replacements
                }
            }
        }
    }

    private func message(_ result: DeviceResult) -> Baton_Control_V1_SearchResult {
        .with {
            $0.resultID = result.id
            $0.source = .init(result.source)
            $0.title = result.title
            $0.origin = result.origin
            if let app = result.app { $0.app = .init(app) }
            $0.time = result.time
            $0.snippet = result.snippet
            $0.device = devices.devices.name(of: result.device)
            $0.elsewhere = true
            $0.url = result.page?.text ?? ""
            $0.contentDescription = result.contentDescription
        }
    }

    /// Each app's, read once.
    private func actionTitles(_ hits: [SearchHit]) -> [AppIdentity: [String: String]] {
        let apps = Set(hits.filter { !$0.item.texts("actionIdentifiers").isEmpty }.compactMap(\.item.owner.app))
        return Dictionary(uniqueKeysWithValues: apps.map { ($0, service.apps.searchOptions(of: $0).actionTitles) })
    }

    private func message(
        _ hit: SearchHit, _ titles: [AppIdentity: [String: String]] = [:]
    ) -> Baton_Control_V1_SearchResult {
        let item = hit.item
        let actions = item.source == .item ? item.texts("actionIdentifiers").prefix(16) : []
        return .with {
            $0.resultID = hit.id
            $0.source = .init(item.source)
            $0.title = hit.shownTitle
            $0.origin = service.name(of: item)
            if let app = item.owner.app { $0.app = .init(app) }
            $0.time = item.time
            $0.snippet = hit.context.text
            $0.highlights = hit.context.highlights.map { range in
                .with {
                    $0.start = UInt32(clamping: range.lowerBound)
                    $0.length = UInt32(clamping: range.count)
                }
            }
            $0.device = service.apps.deviceName
            $0.related = hit.isRelated
            $0.score = hit.score
            $0.url = item.source == .page || item.source == .activity ? item.text("url") ?? "" : ""
            $0.path = item.source == .document ? item.text("path") ?? "" : ""
            // A picture of the web is not on this device.
            let thumbnail = item.text("thumbnailURL").flatMap { URL(string: $0) }
            $0.thumbnailPath = thumbnail?.isFileURL == true ? thumbnail?.path ?? "" : ""
            $0.actions = actions.map { $0.shortened(toBytes: 200) }
            $0.actionTitles = actions.map { action in
                item.owner.app.flatMap { titles[$0]?[action] } ?? action.shortened(toBytes: 200)
            }
            $0.contentDescription = (item.text("contentDescription") ?? "").shortened(
                toBytes: DeviceResult.maximumTitle)
        }
    }

    // MARK: Lists

    private func indexes(
        _ request: Baton_Control_V1_ListIndexesRequest
    ) async throws -> Baton_Control_V1_ListIndexesResponse {
        let bundleID = request.bundleID.isEmpty ? nil : try BundleID(validating: request.bundleID)
        if request.reindex {
            guard let bundleID else {
                throw BatonError(
                    .invalidArgument, reason: "no_app",
                    "Name the app that is to index again: “baton index APP --again”.")
            }
            try await service.requestReindexing(of: bundleID)
        }
        let summary = try await service.summary()
        let usage = summary.usage.filter { bundleID == nil || $0.owner.app?.bundleID == bundleID }
        return .with {
            $0.fileSize = summary.size
            $0.waiting = UInt64(clamping: summary.waiting)
            $0.indexes = usage.map { usage in
                .with {
                    $0.source = .init(usage.source)
                    if let app = usage.owner.app {
                        $0.app = .init(app)
                        $0.name = service.apps.name(of: app)
                    }
                    $0.items = UInt64(clamping: usage.items)
                    $0.bytes = UInt64(clamping: usage.bytes)
                    $0.lastChange = usage.changed
                    $0.lastError = usage.error
                    $0.lastErrorTime = usage.errorTime
                    $0.reindexing = summary.reindexing.contains(usage.owner)
                }
            }
        }
    }

    private static func forgotten(
        _ request: Baton_Control_V1_ForgetRequest
    ) throws(BatonError) -> SpotlightService.Forgotten {
        switch request.what {
        case .bundleID(let text)?: return .app(try BundleID(validating: text))
        case .site(let site)?: return .site(site)
        case .place(let name)? where !name.isEmpty: return .place(name)
        case .last(let duration)?: return .last(duration)
        case .all(true)?: return .everything
        case .place?, .all(false)?, nil:
            throw BatonError(
                .invalidArgument, reason: "nothing_to_forget",
                "Say what to forget: an app, a site, a place, a time, or all.")
        }
    }

    // MARK: Explaining

    private func explain(
        _ request: Baton_Control_V1_ExplainSearchRequest
    ) async throws -> Baton_Control_V1_ExplainSearchResponse {
        let search = try await service.search(request.query, limit: SpotlightService.maximumResults)
        let findings = search.findings
        var answer = Baton_Control_V1_ExplainSearchResponse()
        answer.words = findings.words.map { word in
            .with {
                $0.word = word.word
                $0.stem = word.stems.joined(separator: ", ")
                $0.stopWord = word.isStopWord
                $0.documents = UInt64(clamping: word.documents)
                $0.replacements = word.replacements
            }
        }
        answer.expansion = findings.expansion
        answer.candidates = UInt32(clamping: findings.candidates.values.reduce(0, +))
        answer.truncated = findings.isTruncated
        answer.sources = SearchSource.allCases.map { source in
            .with {
                $0.source = .init(source)
                $0.candidates = UInt32(clamping: findings.candidates[source] ?? 0)
                $0.results = UInt32(clamping: search.hits.count { $0.item.source == source })
            }
        }
        answer.leftOut = try await leftOut(request.query, search)
        answer.results = search.hits.prefix(20).map { message($0) }
        if !request.item.isEmpty { try await explain(request.item, search, &answer) }
        return answer
    }

    private func leftOut(
        _ query: String, _ search: PersonsSearch
    ) async throws -> [Baton_Control_V1_LeftOut] {
        var list: [Baton_Control_V1_LeftOut] = []
        func add(_ reason: String, _ count: Int, _ message: String) {
            guard count > 0 else { return }
            list.append(
                .with {
                    $0.reason = reason
                    $0.count = UInt32(clamping: count)
                    $0.message = message
                })
        }
        add("app_gone", search.appsGone, "Their app is not installed, or is in development and does not run.")
        add("below_another", search.findings.below, "They stand below their container.")
        add("same_thing", search.findings.joined, "They are about a result that is shown.")
        add(
            "beyond_limit", search.findings.isTruncated ? 1 : 0,
            "More than \(SearchEngine.maximumCandidates) have the words; only the newest were ranked.")
        let sealed = service.isUnlocked() ? 0 : try await service.journal.sealedUsage().reduce(0) { $0 + $1.items }
        add("locked", sealed, "They are of the class “complete”, and the device is locked: nothing looks at them.")
        let full = service.appsWithoutRoom
        add("quota", full.count, "No more of \(full.joined(separator: ", ")) is indexed: there is as much as may be.")
        let waiting = try await service.summary().waiting
        add("not_indexed_yet", waiting, "Changes wait in the journal; they are indexed in a moment.")
        return list
    }

    private func explain(
        _ name: String, _ search: PersonsSearch, _ answer: inout Baton_Control_V1_ExplainSearchResponse
    ) async throws {
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw BatonError(
                .invalidArgument, reason: "invalid_item", "Name an item as APP/ID, as in com.example.notes/42.")
        }
        let (bundleID, key) = (try BundleID(validating: parts[0]), parts[1])
        func isWanted(_ item: IndexedItem) -> Bool { item.owner.app?.bundleID == bundleID && item.key == key }
        if let rank = search.findings.found.firstIndex(where: { isWanted($0.stored.item) }) {
            let found = search.findings.found[rank]
            answer.itemRank = UInt32(clamping: rank + 1)
            answer.itemScore = found.parts.map { part in
                .with {
                    $0.name = part.name
                    $0.value = part.value
                }
            }
            answer.item = Baton_Control_V1_Explanation(name, [])
            return
        }
        let reason = try await service.whyNot(bundleID, key, unread: search.findings.unread)
        answer.item = Baton_Control_V1_Explanation(name, [Baton_Link_V1_Stage("found", .failed, reason)])
    }
}

extension Baton_Control_V1_SearchResult.Source {
    init(_ source: SearchSource) {
        self =
            switch source {
            case .activity: .activity
            case .item: .item
            case .document: .document
            case .page: .page
            }
    }
}
