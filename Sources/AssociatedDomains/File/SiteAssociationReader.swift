import BatonCore

/// Makes a ``SiteAssociation`` of a site file's JSON.
///
/// A known key with a value of the wrong type makes the whole file invalid: a rule that is left out could be the one
/// that excludes a page. Keys that are not known are ignored, as newer files have them, and warned of, as a misspelt
/// “exclude” excludes nothing.
struct SiteAssociationReader {
    /// Instructions of all patterns of one file.
    static let maximumLength = 1 << 18
    /// Warnings beyond are left out.
    private static let maximumWarnings = 50

    private var association = SiteAssociation()
    private var variables = SubstitutionVariables()
    private var length = 0

    static func read(_ json: StrictJSON) throws(BatonError) -> SiteAssociation {
        var reader = SiteAssociationReader()
        let root = try reader.object(json, "")
        reader.checkKeys(of: root, AssociatedDomain.Service.allCases.map(\.rawValue), "")
        for service in [AssociatedDomain.Service.activityContinuation, .webCredentials, .appClips] {
            guard let section = root[service.rawValue] else { continue }
            let members = try reader.object(section, service.rawValue)
            let location = service.rawValue + ".apps"
            reader.checkKeys(of: members, ["apps"], service.rawValue)
            guard let apps = members["apps"] else { throw wrong(service.rawValue, "must have an array “apps”") }
            reader.association.apps[service] = try reader.appIDs(apps, location)
        }
        if let section = root[AssociatedDomain.Service.appLinks.rawValue] {
            reader.association.appLinks = try reader.appLinks(section)
        }
        if reader.association.apps.isEmpty, reader.association.appLinks == nil {
            reader.warn(
                "The file has none of the sections activitycontinuation, applinks, webcredentials and appclips.")
        }
        return reader.association
    }

    // MARK: applinks

    private mutating func appLinks(_ section: StrictJSON) throws(BatonError) -> AppLinks {
        let members = try object(section, "applinks")
        checkKeys(of: members, ["apps", "details", "defaults", "substitutionVariables"], "applinks")
        if let defined = members["substitutionVariables"] { try readVariables(defined) }
        if let apps = members["apps"], !(try array(apps, "applinks.apps")).isEmpty {
            warn("applinks.apps is not empty. Apps are named in applinks.details; apps must be [] there.")
        }
        let defaults = try members["defaults"].map { json throws(BatonError) in
            try fields(json, "applinks.defaults")
        }
        var links = AppLinks()
        switch members["details"] {
        case nil: warn("applinks has no details, so no page opens an app.")
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                links.entries.append(try entry(element, "applinks.details[\(index)]", key: nil, defaults))
            }
        case .object(let elements):
            // The form of the first betas of iOS 9: the app's identifier is the key.
            for (key, element) in elements {
                links.entries.append(try entry(element, "applinks.details.\(key)", key: key, defaults))
            }
        case .some(let other):
            throw Self.wrong("applinks.details", "must be an array of objects, not \(other.kind)")
        }
        return links
    }

    private mutating func readVariables(_ json: StrictJSON) throws(BatonError) {
        let location = "applinks.substitutionVariables"
        var defined: [String: [String]] = [:]
        guard case .object(let members) = json else {
            throw Self.wrong(location, "must be an object, not \(json.kind)")
        }
        for (name, value) in members {
            guard !name.isEmpty, !name.contains(where: { "$()".contains($0) }) else {
                throw Self.wrong(
                    location, "has the name “\(name.prefix(50))”: names are not empty and hold no $, ( or )")
            }
            let values = try strings(value, "\(location).\(name)")
            if SubstitutionVariables.predefined[name] != nil {
                warn("\(location).\(name) is ignored: $(\(name)) is predefined.")
            } else {
                defined[name] = values
            }
            if values.contains(where: { $0.contains("$(") }) {
                warn("\(location).\(name): values hold no other variables; “$(” stands for itself there.")
            }
        }
        variables = SubstitutionVariables(defined)
    }

    private mutating func entry(
        _ json: StrictJSON, _ location: String, key: String?, _ defaults: ComponentFields?
    ) throws(BatonError) -> AppLinks.Entry {
        let members = try object(json, location)
        checkKeys(of: members, ["appID", "appIDs", "components", "defaults", "paths"], location)
        var appIDs: [String] = []
        if let key { appIDs += try self.appIDs(.array([.string(key)]), location) }
        if let one = members["appID"] { appIDs += try self.appIDs(.array([one]), location + ".appID") }
        if let many = members["appIDs"] { appIDs += try self.appIDs(many, location + ".appIDs") }
        if appIDs.isEmpty { warn("\(location) names no app. Give it appIDs.") }
        if let components = members["components"] {
            if members["paths"] != nil { warn("\(location) has components and paths; paths is ignored.") }
            var inherited = defaults ?? ComponentFields()
            if let own = members["defaults"] {
                inherited = try fields(own, location + ".defaults").over(inherited)
            }
            let elements = try array(components, location + ".components")
            if elements.isEmpty { warn("\(location).components is empty, so no page opens the app.") }
            var made: [LinkComponent] = []
            for (index, element) in elements.enumerated() {
                made.append(try component(element, "\(location).components[\(index)]", inherited))
            }
            return AppLinks.Entry(appIDs: appIDs, components: made)
        }
        guard let paths = members["paths"] else {
            warn("\(location) has neither components nor paths, so no page opens the app.")
            return AppLinks.Entry(appIDs: appIDs, components: [])
        }
        var made: [LinkComponent] = []
        for (index, path) in try strings(paths, location + ".paths").enumerated() {
            made.append(try legacyPath(path, "\(location).paths[\(index)]"))
        }
        return AppLinks.Entry(appIDs: appIDs, components: made)
    }

    // MARK: Rules

    private mutating func component(
        _ json: StrictJSON, _ location: String, _ inherited: ComponentFields
    ) throws(BatonError) -> LinkComponent {
        let own = try fields(json, location)
        let fields = own.over(inherited)
        let options = Pattern.Options(
            isCaseSensitive: fields.isCaseSensitive ?? true, isPercentEncoded: fields.isPercentEncoded ?? true)
        let query: LinkComponent.Query
        switch fields.query {
        case nil: query = .whole(try pattern("*", options, location))
        case .whole(let text): query = .whole(try pattern(text, options, location + ".?"))
        case .items(let items):
            var made: [LinkComponent.Item] = []
            for (name, text) in items {
                let units = options.units(ofPattern: name).map(options.folded)
                made.append(
                    .init(name: name, units: units, pattern: try pattern(text, options, "\(location).?.\(name)")))
            }
            query = .items(made)
        }
        return LinkComponent(
            path: try pattern(fields.path ?? "*", options, location + "./", asPath: true), query: query,
            fragment: try pattern(fields.fragment ?? "*", options, location + ".#"),
            isExcluded: fields.isExcluded ?? false, comment: own.comment, location: location)
    }

    private mutating func fields(_ json: StrictJSON, _ location: String) throws(BatonError) -> ComponentFields {
        let members = try object(json, location)
        checkKeys(of: members, ComponentFields.keys, location)
        let fields = try ComponentFields(members, location)
        if let problem = fields.queryProblem { warn(problem) }
        return fields
    }

    private mutating func legacyPath(_ text: String, _ location: String) throws(BatonError) -> LinkComponent {
        let isExcluded = text.hasPrefix("NOT ")
        let anything = try pattern("*", .init(), location)
        return LinkComponent(
            // Substitution variables came with components.
            path: try pattern(isExcluded ? String(text.dropFirst(4)) : text, .init(), location, asPath: true),
            query: .whole(anything), fragment: anything, isExcluded: isExcluded, comment: nil, location: location)
    }

    private mutating func pattern(
        _ text: String, _ options: Pattern.Options, _ location: String, asPath: Bool = false
    ) throws(BatonError) -> Pattern {
        if options.isPercentEncoded, !text.utf8.allSatisfy({ $0 < 0x80 }) {
            warn(
                "\(location) has characters that are not ASCII, which never match: percent-encode them, or set "
                    + "percentEncoded to false.")
        }
        if asPath, text.hasPrefix("//") {
            warn("\(location) begins with several slashes, which count as one on Apple's devices. Write one.")
        }
        if asPath, text.hasSuffix("/"), text.contains(where: { $0 != "/" }) {
            warn(
                "\(location) ends with a slash, which Apple's devices ignore, other than Apple's documentation: it matches pages "
                    + "without the slash, too.")
        }
        do throws(Pattern.Problem) {
            let pattern = try Pattern(
                text, options: options, variables: variables,
                maximumLength: min(Pattern.maximumLength, Self.maximumLength - length), asPath: asPath)
            length += pattern.length
            return pattern
        } catch {
            switch error {
            case .unknownVariable(let name):
                throw Self.wrong(
                    location,
                    "uses $(\(name.prefix(50))), which is neither predefined nor in applinks.substitutionVariables")
            case .tooLong:
                throw BatonError(
                    .resourceExhausted, reason: "site_file_patterns_too_long",
                    "\(location): the patterns are too long once their variables are put in (more than "
                        + "\(Pattern.maximumLength) in one, or \(Self.maximumLength) in all). Use “*” in place of long "
                        + "lists.")
            }
        }
    }

    // MARK: Values

    private mutating func warn(_ text: String) {
        if association.warnings.count < Self.maximumWarnings { association.warnings.append(text) }
    }

    private mutating func checkKeys(of members: [String: StrictJSON], _ known: [String], _ location: String) {
        for key in members.keys.filter({ !known.contains($0) }).sorted() {
            warn(
                "\(location.isEmpty ? "The file" : location) has the key “\(key.prefix(50))”, which is not known and is "
                    + "ignored. Known there: \(known.joined(separator: ", ")).")
        }
    }

    private mutating func appIDs(_ json: StrictJSON, _ location: String) throws(BatonError) -> [String] {
        let texts = try strings(json, location)
        for text in texts where !AppID.isValid(text) {
            warn("\(location): “\(text.prefix(100))” is no app identifier, which is TEAM.BUNDLE.")
        }
        return texts
    }

    private func strings(_ json: StrictJSON, _ location: String) throws(BatonError) -> [String] {
        var texts: [String] = []
        for (index, element) in try array(json, location).enumerated() {
            guard case .string(let text) = element else {
                throw Self.wrong("\(location)[\(index)]", "must be a text, not \(element.kind)")
            }
            texts.append(text)
        }
        return texts
    }

    private func array(_ json: StrictJSON, _ location: String) throws(BatonError) -> [StrictJSON] {
        guard case .array(let elements) = json else { throw Self.wrong(location, "must be an array, not \(json.kind)") }
        return elements
    }

    private func object(_ json: StrictJSON, _ location: String) throws(BatonError) -> [String: StrictJSON] {
        guard case .object(let members) = json else {
            throw Self.wrong(location, "must be an object, not \(json.kind)")
        }
        return Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    static func wrong(_ location: String, _ what: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "site_file_wrong_type",
            "\(location.isEmpty ? "The file" : location.prefix(300)) \(what).")
    }
}

/// The form of an App ID (H-91): a prefix of ten letters and digits, a dot, the bundle identifier.
package enum AppID {
    package static func isValid(_ text: String) -> Bool {
        guard let dot = text.firstIndex(of: ".") else { return false }
        let prefix = text[..<dot]
        return prefix.utf8.count == 10
            && prefix.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            }
            && BundleID.isValid(String(text[text.index(after: dot)...]))
    }
}
