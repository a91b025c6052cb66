import AssociatedDomains

/// The JSON of a site file; what follows its first newline after byte 0xFF is a URL.
enum SiteFileTarget: FuzzTarget {
    static let name = "site-file"

    static func seeds() -> [[UInt8]] {
        let app = "YWBN8XTPBJ.com.company.FirstApp"
        let files = [
            #"{"activitycontinuation":{"apps":["\#(app)"]}}"#,
            #"{"applinks":{"apps":[],"details":[{"appID":"\#(app)","paths":["NOT /a/*","/b?","*"]}]}}"#,
            #"{"applinks":{"details":{"\#(app)":{"paths":["*"]}}}}"#,
            ##"""
            {"applinks":{"defaults":{"caseSensitive":false},"substitutionVariables":{"food":["burrito","p*","?"]},"details":
            [{"appIDs":["\##(app)"],"defaults":{"percentEncoded":false},"components":[{"/":"/$(lang)_$(region)/$(food)"},
            {"?":{"a":"$(digit)*","b":"?*"},"#":"x","exclude":true,"comment":"\u00e9\ud83d\ude00"}]}]}}
            """##,
        ]
        return files.map { Array($0.utf8) + [0xFF] + Array("https://company.com/en_US/burrito?a=1&b=%C3%BC#x".utf8) }
    }

    static func run(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0xFF, maxSplits: 1, omittingEmptySubsequences: false)
        guard let association = try? SiteAssociation(json: Array(parts[0])) else { return }
        let url = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "https://company.com/"
        guard let page = try? WebPageURL(url) else { return }
        for service in AssociatedDomain.Service.allCases {
            for appID in association.appIDs(for: service).prefix(20) {
                let limit = 1_000_000
                let verdict = association.verdict(on: page, appID: appID, service: service, limit: limit)
                let isMatched = association.matches(page, appID: appID, service: service, limit: limit)
                precondition((verdict.outcome == .matched) == isMatched, "the two answers differ")
            }
        }
    }
}
