import BatonWire
public import Foundation
import SwiftProtobuf
import Synchronization

/// Finds the app's own items by the words that a person types, and suggests what else to type. CoreSpotlight's.
///
/// Make one for each text: wait a moment after a key, and cancel the query before.
open class CSUserQuery: CSSearchQuery, @unchecked Sendable {
    /// A query.
    ///
    /// - Parameters:
    ///   - userQueryString: what was typed so far. The last word may be the beginning of one. Empty finds nothing.
    ///   - userQueryContext: how to search; nil for ranked results without attributes.
    public convenience init(userQueryString: String?, userQueryContext: CSUserQueryContext?) {
        let context = userQueryContext ?? CSUserQueryContext()
        let limits = [context.maxResultCount, context.enableRankedResults ? context.maxRankedResultCount : 0]
        self.init(
            request: .with {
                $0.maximumResults = UInt32(clamping: limits.filter { $0 > 0 }.min() ?? 0)
                $0.userQuery = .with {
                    $0.text = userQueryString ?? ""
                    $0.ranked = context.enableRankedResults
                    $0.maximumSuggestions = UInt32(clamping: context.maxSuggestionCount)
                    $0.currentSuggestion = context.currentSuggestion?.text ?? ""
                }
            }, context: context, client: AppRuntime.current.spotlight)
    }

    /// How many suggestions there are so far.
    open var foundSuggestionCount: Int { run.suggestionCount }

    /// Called for each group of new suggestions, one call at a time.
    open var foundSuggestionsHandler: (([CSSuggestion]) -> Void)? {
        get { handlers.withLock { $0 }.foundSuggestions }
        set { change { $0.foundSuggestions = newValue } }
    }

    /// Makes the index ready for quick answers. Baton's always is.
    open class func prepare() {}

    /// Makes the index of some classes ready for quick answers. Baton's always is.
    open class func prepareProtectionClasses(_ protectionClasses: [FileProtectionType]) {}

    // MARK: The person's choices

    /// How a person has used a result.
    public enum UserInteractionKind: Int, Sendable {
        /// Opened it.
        case select = 0
        /// Looked at it.
        case focus = 1
        /// As `select`.
        public static let `default` = UserInteractionKind.select
    }

    /// The person chose a result, or looked at it. Results shown and not chosen count as well. It stays on the device, and
    /// improves the order of later results.
    open func userEngaged(
        _ item: CSSearchQuery.Item, visibleItems: [CSSearchQuery.Item], interaction: UserInteractionKind
    ) {
        run.client.engaged(
            .with {
                $0.interaction = interaction == .select ? .select : .focus
                $0.item = item.id
                $0.visible = visibleItems.prefix(1000).map(\.id)
            })
    }

    /// The person chose a suggestion, or looked at it.
    open func userEngaged(
        _ suggestion: Suggestion, visibleSuggestions: [Suggestion], interaction: UserInteractionKind
    ) {
        run.client.engaged(
            .with {
                $0.interaction = interaction == .select ? .select : .focus
                $0.suggestion = suggestion.suggestion.text
                $0.visible = visibleSuggestions.prefix(1000).map(\.suggestion.text)
            })
    }
}

extension CSUserQuery {
    /// One suggestion.
    public struct Suggestion: Sendable, Identifiable {
        /// The suggestions.
        public let suggestion: CSSuggestion
        /// Its text.
        public var id: String { suggestion.text }
    }

    /// A result or a suggestion.
    public enum Response: Sendable {
        /// A result.
        case item(CSSearchQuery.Item)
        /// A suggestion.
        case suggestion(Suggestion)
    }

    /// Results and suggestions as they are found.
    public struct Responses: AsyncSequence, Sendable {
        /// A result or a suggestion.
        public typealias Element = Response
        let query: CSUserQuery

        /// Begins the query.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                base: query.stream { found in
                    switch found {
                    case .items(let items): items.map { .item(.init(item: $0)) }
                    case .suggestions(let suggestions): suggestions.map { .suggestion(.init(suggestion: $0)) }
                    }
                }.makeAsyncIterator())
        }

        /// Reads responses.
        public struct Iterator: AsyncIteratorProtocol {
            var base: AsyncThrowingStream<Response, any Error>.Iterator

            /// The next one; nil at the end.
            public mutating func next() async throws -> Response? { try await base.next(isolation: #isolation) }
        }
    }

    /// Suggestions as they are found.
    public struct Suggestions: AsyncSequence, Sendable {
        /// A suggestion.
        public typealias Element = Suggestion
        let query: CSUserQuery

        /// Begins the query.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                base: query.stream { found in
                    if case .suggestions(let suggestions) = found {
                        suggestions.map { Suggestion(suggestion: $0) }
                    } else {
                        []
                    }
                }.makeAsyncIterator())
        }

        /// Reads suggestions.
        public struct Iterator: AsyncIteratorProtocol {
            var base: AsyncThrowingStream<Suggestion, any Error>.Iterator

            /// The next one; nil at the end.
            public mutating func next() async throws -> Suggestion? { try await base.next(isolation: #isolation) }
        }
    }

    /// Results and suggestions as they are found. Reading them starts the query, in place of ``CSSearchQuery/start()``.
    public var responses: Responses { Responses(query: self) }

    /// Suggestions as they are found. Reading them starts the query, in place of ``CSSearchQuery/start()``.
    public var suggestions: Suggestions { Suggestions(query: self) }
}
