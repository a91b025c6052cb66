public import Foundation

/// How a query searches. CoreSpotlight's. Not safe to use from several threads at once; a query takes a copy.
open class CSSearchQueryContext: NSObject, NSCopying {
    /// The attributes that results have, by the names of the properties of ``CSSearchableItemAttributeSet``. Others are nil.
    open var fetchAttributes: [String] = []
    /// Queries in the language of ``CSSearchQuery``, all of which must hold for a result too.
    open var filterQueries: [String] = []
    /// The language that the person types in, as in `de`.
    open var keyboardLanguage: String?

    /// A context that fetches nothing but identifiers.
    public required override init() { super.init() }

    /// A context that says the same.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        copy.take(self)
        return copy
    }

    func take(_ other: CSSearchQueryContext) {
        fetchAttributes = other.fetchAttributes
        filterQueries = other.filterQueries
        keyboardLanguage = other.keyboardLanguage
    }
}

/// How a query of a person's words searches. CoreSpotlight's.
open class CSUserQueryContext: CSSearchQueryContext {
    /// Whether the best results come first; otherwise the newest.
    open var enableRankedResults = true
    /// Baton finds words and their stems, and no meanings: accepted, without effect.
    open var disableSemanticSearch = false
    /// The most results; 0 for all. Where more than 5,000 match, the newest are looked at.
    open var maxResultCount = 0
    /// As ``maxResultCount``, where results are ranked: the smaller of the two counts.
    open var maxRankedResultCount = 0
    /// The most suggestions; 0 for none.
    open var maxSuggestionCount = 0
    /// The suggestion that the person chose before, whose text is searched.
    public private(set) var currentSuggestion: CSSuggestion?

    /// A context for the first query of a search.
    public required init() { super.init() }

    /// A context after the person has chosen a suggestion.
    public convenience init(currentSuggestion: CSSuggestion?) {
        self.init()
        self.currentSuggestion = currentSuggestion
    }

    override func take(_ other: CSSearchQueryContext) {
        super.take(other)
        guard let other = other as? CSUserQueryContext else { return }
        enableRankedResults = other.enableRankedResults
        disableSemanticSearch = other.disableSemanticSearch
        maxResultCount = other.maxResultCount
        maxRankedResultCount = other.maxRankedResultCount
        maxSuggestionCount = other.maxSuggestionCount
        currentSuggestion = other.currentSuggestion
    }
}
