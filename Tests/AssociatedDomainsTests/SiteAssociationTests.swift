import AssociatedDomains
import BatonCore
import Foundation
import Testing

struct SiteAssociationTests {
    // H-90, H-91: the shape, with the sample identifiers.
    @Test("The list of a site names the apps that continue activities of its pages (H-90, H-91)")
    func activityContinuation() async throws {
        let file = try await Fixture.file(
            """
            {"activitycontinuation": {"apps": ["YWBN8XTPBJ.com.company.FirstApp", "YWBN8XTPBJ.com.company.SecondApp"]}}
            """)
        #expect(file.signer == nil)
        #expect(file.association.appIDs(for: .activityContinuation) == [Fixture.app, Fixture.otherApp])
        #expect(file.association.warnings.isEmpty)
        let url = "https://company.com/any/page?whatever#at-all"
        #expect(try Fixture.outcome(file.association, url, .activityContinuation) == .matched)
        let stranger = "AAAAAAAAAA.com.company.FirstApp"
        #expect(try Fixture.outcome(file.association, url, app: stranger, .activityContinuation) == .notMatched)
        #expect(try Fixture.outcome(file.association, url, .webCredentials) == .notMatched)
        #expect(try Fixture.outcome(file.association, url, .appLinks) == .notMatched)
    }

    @Test("An identifier without a team is warned of (H-91)")
    func oddIdentifier() async throws {
        let file = try await Fixture.file(#"{"activitycontinuation": {"apps": ["com.company.FirstApp"]}}"#)
        #expect(file.association.warnings.count == 1)
        // It is for people, who know nothing of requirements.
        #expect(file.association.warnings.first?.contains("H-") == false)
    }

    @Test("A key that is not known is ignored and warned of, wherever it is, and no other is")
    func unknownKeys() async throws {
        let file = try await Fixture.file(
            """
            {"applinks": {"apps": [], "detials": [], "defaults": {"casesensitive": false}, "details": [
              {"appIDs": ["\(Fixture.app)"], "component": [], "defaults": {"percentencoded": true, "exclude": false},
               "components": [{"/": "/a/*", "exlude": true}, {"#": "x", "?": "y", "exclude": true, "caseSensitive": true,
                               "percentEncoded": true, "comment": "known"}, {"?": {"exlude": "an item"}}]}]},
             "webcredentials": {"apps": [], "app": []}, "authsrv": {"apps": []}, "applink": {}}
            """)
        let warnings = file.association.warnings
        let expected = [
            ("The file", "applink"), ("webcredentials", "app"), ("applinks", "detials"),
            ("applinks.defaults", "casesensitive"), ("applinks.details[0]", "component"),
            ("applinks.details[0].defaults", "percentencoded"), ("applinks.details[0].components[0]", "exlude"),
        ]
        #expect(warnings.count == expected.count)
        for (warning, (location, key)) in zip(warnings, expected) {
            #expect(warning.hasPrefix("\(location) has the key “\(key)”, which is not known"))
        }
        #expect(warnings.last?.contains("exclude") == true)
        #expect(try Fixture.outcome(file.association, "https://company.com/a/b") == .matched)
    }

    // A page that a browser requests as /private/x must be judged as that.
    @Test("Rules see the path without its dot segments")
    func dotSegments() async throws {
        let association = try await Fixture.components(#"[{"/": "/private/*", "exclude": true}, {"/": "/public/*"}]"#)
        let expected: [(String, LinkVerdict.Outcome)] = [
            ("/public/../private/1", .blocked), ("/public/%2e%2e/private/1", .blocked), ("/./private/1", .blocked),
            ("/private/../public/1", .matched), ("/public/..", .notMatched), ("/public/.", .matched),
        ]
        for (path, outcome) in expected {
            #expect(try Fixture.outcome(association, "https://company.com" + path) == outcome, "\(path)")
        }
    }

    @Test("Legacy paths compare the path alone, in order, and “NOT ” excludes")
    func legacyPaths() async throws {
        let association = try await Fixture.links(
            """
            {"apps": [], "details": [{"appID": "\(Fixture.app)",
             "paths": ["/wwdc/news/", "NOT /videos/wwdc/2010/*", "/videos/wwdc/201?/*", "NOT *.pdf", "/docs/*"]}]}
            """)
        let expected: [(String, LinkVerdict.Outcome)] = [
            ("/wwdc/news/", .matched), ("/wwdc/news/?ref=1#x", .matched), ("/wwdc/news", .matched),
            ("/WWDC/news/", .notMatched), ("/videos/wwdc/2010/1", .blocked), ("/videos/wwdc/2015/101", .matched),
            ("/videos/wwdc/2015", .matched), ("/videos/wwdc", .notMatched), ("/docs/a.pdf", .blocked),
            ("/docs/a.txt", .matched),
            ("/", .notMatched),
        ]
        for (path, outcome) in expected {
            #expect(try Fixture.outcome(association, "https://company.com" + path) == outcome, "\(path)")
        }
    }

    @Test("details may be a dictionary by app, whose order is the file's")
    func dictionaryForm() async throws {
        let association = try await Fixture.links(
            #"{"details": {"\#(Fixture.otherApp)": {"paths": ["*"]}, "\#(Fixture.app)": {"paths": ["/x"]}}}"#)
        #expect(association.appIDs(for: .appLinks) == [Fixture.otherApp, Fixture.app])
        #expect(try Fixture.outcome(association, "https://company.com/y", app: Fixture.otherApp) == .matched)
        #expect(try Fixture.outcome(association, "https://company.com/y") == .notMatched)
    }

    // The example of the documentation of components.
    @Test("Components match when all of their parts do, and the first that matches decides")
    func components() async throws {
        let association = try await Fixture.components(
            """
            [{"#": "no_universal_links", "exclude": true, "comment": "by fragment"},
             {"/": "/buy/*"},
             {"/": "/help/website/*", "exclude": true},
             {"/": "/help/*", "?": {"articleNumber": "????"}, "comment": "by number"}]
            """)
        let expected: [(String, LinkVerdict.Outcome)] = [
            ("/buy/1", .matched), ("/buy/1#no_universal_links", .blocked), ("/buy", .matched), ("/bu", .notMatched),
            ("/help/website/1?articleNumber=1234", .blocked), ("/help/1?articleNumber=1234", .matched),
            ("/help/1?articleNumber=123", .notMatched), ("/help/1", .notMatched),
            ("/help/1?articleNumber=1234&x=y", .matched), ("/help/1?articleNumber=1234&articleNumber=1", .notMatched),
        ]
        for (path, outcome) in expected {
            #expect(try Fixture.outcome(association, "https://company.com" + path) == outcome, "\(path)")
        }
    }

    @Test("A part that a component does not name matches anything, and a path may be written without its slash")
    func defaultParts() async throws {
        let association = try await Fixture.components(##"[{"/": "abc", "?": "def", "#": "*"}]"##)
        #expect(try Fixture.outcome(association, "https://www.example.com/abc?def") == .matched)
        #expect(try Fixture.outcome(association, "https://www.example.com/abc?def#x") == .matched)
        #expect(try Fixture.outcome(association, "https://www.example.com/abc") == .notMatched)
        let all = try await Fixture.components("[{}]")
        #expect(try Fixture.outcome(all, "https://www.example.com") == .matched)
        let none = try await Fixture.components("[]")
        #expect(try Fixture.outcome(none, "https://www.example.com") == .notMatched)
        #expect(none.warnings.count == 1)
    }

    @Test("An item of the query that is missing or has no value counts as empty; every occurrence must match")
    func queryItems() async throws {
        let association = try await Fixture.components(#"[{"?": {"a": "?*", "b": "*", "c": ""}}]"#)
        let expected: [(String, LinkVerdict.Outcome)] = [
            ("a=1", .matched), ("a=", .notMatched), ("a", .notMatched), ("", .notMatched), ("a=1&c", .matched),
            ("a=1&c=", .matched), ("a=1&c=2", .notMatched), ("a=1&a=", .notMatched), ("a=1&a=2&z", .matched),
            ("a=b=c", .matched), ("A=1", .notMatched),
        ]
        for (query, outcome) in expected {
            #expect(try Fixture.outcome(association, "https://company.com/?" + query) == outcome, "\(query)")
        }
    }

    @Test("Defaults come from the component, else from its entry, else from applinks, for every key")
    func defaults() async throws {
        let association = try await Fixture.components(
            #"[{"/": "/a"}, {"/": "/B", "caseSensitive": true}, {"/": "/c", "exclude": false}, {"?": "q"}]"#,
            entry: #""defaults": {"exclude": true, "/": "/d"},"#,
            section: ##""defaults": {"caseSensitive": false, "exclude": false, "#": "f"},"##)
        let expected: [(String, LinkVerdict.Outcome)] = [
            ("/A#F", .blocked), ("/A", .notMatched), ("/B#f", .blocked), ("/b#f", .notMatched), ("/C#f", .matched),
            ("/D?q#f", .blocked), ("/e?q#f", .notMatched),
        ]
        for (path, outcome) in expected {
            #expect(try Fixture.outcome(association, "https://company.com" + path) == outcome, "\(path)")
        }
    }

    @Test("percentEncoded compares the URL as it is written, or decoded with patterns in Unicode")
    func percentEncoded() async throws {
        let encoded = try await Fixture.components(#"[{"/": "/gr%C3%BCn/*"}]"#)
        #expect(try Fixture.outcome(encoded, "https://company.com/gr%C3%BCn/x") == .matched)
        #expect(try Fixture.outcome(encoded, "https://company.com/gr%c3%bcn/x") == .notMatched)
        #expect(try Fixture.outcome(encoded, "https://company.com/grün/x") == .matched)
        let decoded = try await Fixture.components(
            #"[{"/": "/gr?n/straße", "percentEncoded": false, "caseSensitive": false, "?": {"ö": "ä*"}}]"#)
        #expect(try Fixture.outcome(decoded, "https://company.com/GR%C3%9CN/Stra%C3%9Fe?%C3%96=%C3%84b") == .matched)
        #expect(try Fixture.outcome(decoded, "https://company.com/gr%C3%BC%C3%BCn/straße?ö=ä") == .notMatched)
        // Bytes that are not UTF-8 are matched by wildcards only, so that an exclusion of everything still holds.
        let wild = try await Fixture.components(#"[{"/": "/x/*", "percentEncoded": false}]"#)
        #expect(try Fixture.outcome(wild, "https://company.com/x/%FF%FE") == .matched)
        let warned = try await Fixture.components(#"[{"/": "/grün"}]"#)
        #expect(warned.warnings.count == 1)
    }

    @Test("Substitution variables stand for any of their values, and the predefined ones for what they are named for")
    func variables() async throws {
        let association = try await Fixture.components(
            """
            [{"/": "/$(lang)_$(region)/$(food)"}, {"/": "/n/$(digit)$(xdigit)$(upper)$(lower)$(alpha)$(alnum)"},
             {"/": "/i/$(region)/$(Food)", "caseSensitive": false}, {"/": "/$(deal)/end"}, {"/": "/$(/$x)"}]
            """,
            section:
                #""substitutionVariables": {"food": ["burrito", "?izza", "s*p"], "Food": ["X"], "deal": ["", "a", "a/b"]},"#
        )
        let expected: [(String, LinkVerdict.Outcome)] = [
            ("/en_US/burrito", .matched), ("/de_CH/pizza", .matched), ("/fr_FR/soup", .matched),
            ("/fr_FR/sp", .matched),
            ("/fr_FR/pizzas", .notMatched), ("/xx_US/burrito", .notMatched), ("/en_XX/burrito", .notMatched),
            ("/EN_us/burrito", .notMatched), ("/en_US/Burrito", .notMatched), ("/n/7fAbC9", .matched),
            ("/n/7gAbC9", .notMatched), ("/n/7fabC9", .notMatched), ("/i/us/x", .matched), ("/i/US/X", .matched),
            ("/i/zz/x", .notMatched), ("//end", .matched), ("/a/end", .matched), ("/a/b/end", .matched),
            ("/b/end", .notMatched), ("/$(/$x)", .matched),
        ]
        for (path, outcome) in expected {
            #expect(try Fixture.outcome(association, "https://company.com" + path) == outcome, "\(path)")
        }
    }

    @Test("An exclusion concerns the apps of its entry; another app's entries are for that app")
    func perApp() async throws {
        let association = try await Fixture.links(
            """
            {"details": [{"appIDs": ["\(Fixture.app)"], "components": [{"/": "/a", "exclude": true}, {"/": "*"}]},
                         {"appIDs": ["\(Fixture.otherApp)", "\(Fixture.app)"], "components": [{"/": "/a"}]}]}
            """)
        #expect(try Fixture.outcome(association, "https://company.com/a") == .blocked)
        #expect(try Fixture.outcome(association, "https://company.com/a", app: Fixture.otherApp) == .matched)
        #expect(try Fixture.outcome(association, "https://company.com/b") == .matched)
        #expect(try Fixture.outcome(association, "https://company.com/b", app: Fixture.otherApp) == .notMatched)
    }

    @Test("A verdict says of each rule which part failed, against what, and which rule decided")
    func explains() async throws {
        let association = try await Fixture.components(
            """
            [{"/": "/buy/*"}, {"/": "/help/*", "?": {"n": "????"}, "comment": "four"}, {"#": "x"},
             {"/": "/help/secret/*", "exclude": true, "comment": "secret"}]
            """)
        let verdict = association.verdict(
            on: try WebPageURL("https://company.com/help/secret/1?n=12#y"), appID: Fixture.app, service: .appLinks)
        #expect(verdict.outcome == .blocked)
        #expect(verdict.reason.contains("applinks.details[0].components[3]"))
        #expect(
            verdict.rules.map(\.location) == (0..<4).map { "applinks.details[0].components[\($0)]" })
        #expect(verdict.rules.map(\.failure?.part) == ["/", "?n", "#", nil])
        #expect(verdict.rules[0].failure?.pattern == "/buy/*")
        #expect(verdict.rules[0].failure?.text == "/help/secret/1")
        #expect(verdict.rules[1].comment == "four")
        #expect(verdict.rules[3].isExcluding)
        #expect(verdict.steps > 0)
    }
}
