/// Makes a card of its lines.
struct CardBuilder {
    /// More values of one kind are not read.
    static let maximumValues = 1000
    /// A longer text is cut.
    static let maximumText = 1 << 20

    let version: VCardVersion
    private(set) var card = ContactCard(identifier: "")
    private(set) var isGroup = false
    private(set) var unreadable = 0
    /// By group: what `X-ABLabel` says.
    private var labels: [String: String] = [:]
    /// By group: the country's code.
    private var countries: [String: String] = [:]

    init(version: VCardVersion) { self.version = version }

    mutating func read(_ lines: [VCardLine]) {
        for line in lines where !line.group.isEmpty {
            if line.name == "X-ABLABEL" { labels[line.group] = CardLabel.word(of: line.text) }
            if line.name == "X-ABADR" { countries[line.group] = line.text.trimmed.lowercased() }
        }
        for line in lines {
            if line.name.isEmpty || !read(line) { unreadable += 1 }
        }
    }

    /// - Returns: false for a line of a known property that says nothing that can be read.
    private mutating func read(_ line: VCardLine) -> Bool {
        guard let kind = CardProperty(line.name) else { return true }
        // A value elsewhere is never fetched.
        if line.first("VALUE")?.lowercased() == "uri", kind == .image { return readImage(line) }
        switch kind {
        case .identifier: card.identifier = Self.identifier(line.text)
        case .kind: readKind(line)
        case .name: readName(line)
        case .formattedName: set(&card.formattedName, line.text)
        case .nickname: set(&card.nickname, version == .v2 ? line.text : line.list.joined(separator: ", "))
        case .organization: readOrganization(line)
        case .title: set(&card.jobTitle, line.text)
        case .note: if card.note.isEmpty { card.note = Self.cut(line.text) }
        case .previousFamilyName: set(&card.previousFamilyName, line.text)
        case .phoneticNames: readPhonetic(line)
        case .telephones: return readTelephone(line)
        case .emails:
            let address = Self.without("mailto:", line.text).trimmed
            return add(\.emails, label(line) { CardLabel.word(of: $0) }, address, line)
        case .addresses: return readAddress(line)
        case .urls: return add(\.urls, label(line) { CardLabel.word(of: $0) }, line.text.trimmed, line)
        case .instantMessages: return readInstantMessage(line)
        case .socialProfiles: return readProfile(line)
        case .relations: return readRelation(line)
        case .birthday:
            guard let date = Self.date(line) else { return false }
            card.birthday = date
        case .dates:
            guard let date = Self.date(line) else { return false }
            return add(\.dates, line.name == "X-ABDATE" ? labels[line.group] ?? "" : "anniversary", date, line)
        case .image: return readImage(line)
        case .labels: break
        }
        return true
    }

    /// The first one counts, as in address books; but one that is preferred.
    private func set(_ text: inout String, _ new: String) {
        guard text.isEmpty else { return }
        text = Self.cut(new.trimmed)
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= maximumText ? text : String(decoding: text.utf8.prefix(maximumText), as: UTF8.self)
    }

    private static func without(_ prefix: String, _ text: String) -> String {
        text.lowercased().hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    }

    /// Longer and invalid ones count for no identifier.
    private static func identifier(_ text: String) -> String {
        let text = text.trimmed
        return text.utf8.count <= 256 && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } ? text : ""
    }

    private func label(_ line: VCardLine, _ word: ([String]) -> String) -> String {
        if !line.group.isEmpty, let label = labels[line.group] { return label }
        return word(line.types)
    }

    private mutating func add<Value>(
        _ list: WritableKeyPath<ContactCard, [ContactCard.Labeled<Value>]>, _ label: String, _ value: Value,
        _ line: VCardLine
    ) -> Bool {
        if let text = value as? String, text.isEmpty { return true }
        guard card[keyPath: list].count < Self.maximumValues else { return false }
        card[keyPath: list].append(.init(label: Self.cut(label), value: value, isPreferred: line.isPreferred))
        return true
    }

    // MARK: One property each

    private mutating func readKind(_ line: VCardLine) {
        switch line.text.trimmed.lowercased() {
        case "org", "organization", "company": card.isOrganization = true
        case "group": isGroup = true
        default: break
        }
    }

    private mutating func readName(_ line: VCardLine) {
        // A part may have several names, parted by commas, but not in the oldest version.
        let isOldest = version == .v2
        let parts = VCardText.split(line.rawText, at: ";").map { part in
            guard !isOldest else { return VCardText.unescaped(part).trimmed }
            return VCardText.split(String(part), at: ",").map { VCardText.unescaped($0).trimmed }.filter { !$0.isEmpty }
                .joined(separator: " ")
        }
        func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
        set(&card.familyName, part(0))
        set(&card.givenName, part(1))
        set(&card.middleName, part(2))
        set(&card.namePrefix, part(3))
        set(&card.nameSuffix, part(4))
    }

    private mutating func readOrganization(_ line: VCardLine) {
        let parts = line.components
        set(&card.organizationName, parts.first ?? "")
        set(&card.departmentName, parts.dropFirst().filter { !$0.isEmpty }.joined(separator: ", "))
    }

    private mutating func readPhonetic(_ line: VCardLine) {
        switch line.name {
        case "X-PHONETIC-FIRST-NAME": set(&card.phoneticGivenName, line.text)
        case "X-PHONETIC-MIDDLE-NAME": set(&card.phoneticMiddleName, line.text)
        case "X-PHONETIC-LAST-NAME": set(&card.phoneticFamilyName, line.text)
        default: set(&card.phoneticOrganizationName, line.text)
        }
    }

    private mutating func readTelephone(_ line: VCardLine) -> Bool {
        let number = Self.without("tel:", line.text).trimmed
        return add(\.telephones, label(line) { CardLabel.word(ofTelephone: $0) }, number, line)
    }

    private mutating func readAddress(_ line: VCardLine) -> Bool {
        let parts = line.components.map(\.trimmed)
        guard parts.contains(where: { !$0.isEmpty }) else { return true }
        func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
        var address = ContactCard.Address()
        address.street = [part(0), part(1), part(2)].filter { !$0.isEmpty }.joined(separator: "\n")
        address.city = part(3)
        address.state = part(4)
        address.postalCode = part(5)
        address.country = part(6)
        address.subLocality = line.first("X-APPLE-SUBLOCALITY") ?? ""
        address.subAdministrativeArea = line.first("X-APPLE-SUBADMINISTRATIVEAREA") ?? ""
        address.isoCountryCode = line.group.isEmpty ? "" : countries[line.group] ?? ""
        if address.isoCountryCode.isEmpty { address.isoCountryCode = line.first("CC")?.lowercased() ?? "" }
        return add(\.addresses, label(line) { CardLabel.word(of: $0) }, address, line)
    }

    private mutating func readInstantMessage(_ line: VCardLine) -> Bool {
        let text = line.text.trimmed
        guard !text.isEmpty else { return true }
        var types = line.types
        let service: String
        var (name, url) = (text, "")
        if let old = CardProperty.messengers[line.name] {
            service = old
        } else {
            guard let colon = text.firstIndex(of: ":") else { return false }
            let scheme = text[..<colon].lowercased()
            service =
                line.first("X-SERVICE-TYPE") ?? line.first("SERVICE-TYPE") ?? CardProperty.schemes[scheme] ?? scheme
            name = VCardText.percentDecoded(text[text.index(after: colon)...].drop { $0 == "/" })
            url = text
            types.removeAll { $0 == service.lowercased() }
        }
        return add(
            \.instantMessages, label(line) { [types] _ in CardLabel.word(of: types) },
            .init(service: service, username: name, url: url), line)
    }

    private mutating func readProfile(_ line: VCardLine) -> Bool {
        let url = line.text.trimmed
        let types = line.types.filter { !["pref", "home", "work"].contains($0) }
        let service = line.first("X-SERVICE-TYPE") ?? line.first("SERVICE-TYPE") ?? types.first ?? ""
        var name = line.first("X-USER") ?? line.first("USERNAME") ?? ""
        if name.isEmpty {
            name = VCardText.percentDecoded(url.split(separator: "/").last.map(String.init) ?? "")
        }
        guard !name.isEmpty || !url.isEmpty else { return true }
        let place = line.types.first { $0 == "home" || $0 == "work" } ?? ""
        return add(
            \.socialProfiles, label(line) { _ in place }, .init(service: service, username: name, url: url), line)
    }

    private mutating func readRelation(_ line: VCardLine) -> Bool {
        switch line.name {
        case "X-ABRELATEDNAMES", "RELATED":
            let text = line.text.trimmed
            guard !Self.isReference(line) else { return false }
            return add(\.relations, label(line) { CardLabel.word(of: $0) }, text, line)
        default:
            let word = line.name.split(separator: "-").last.map { $0.lowercased() } ?? ""
            return add(\.relations, word, line.text.trimmed, line)
        }
    }

    /// Another card's identifier is no name.
    static func isReference(_ line: VCardLine) -> Bool {
        line.name == "RELATED" && line.first("VALUE")?.lowercased() != "text" && line.value.contains(0x3A)
    }

    private mutating func readImage(_ line: VCardLine) -> Bool {
        guard card.image == nil else { return true }
        let isData =
            line.value.prefix(5).elementsEqual("data:".utf8) || line.value.prefix(5).elementsEqual("DATA:".utf8)
        var bytes: [UInt8]?
        if isData {
            guard let comma = line.value.prefix(200).firstIndex(of: 0x2C),
                String(decoding: line.value[..<comma], as: UTF8.self).lowercased().hasSuffix("base64")
            else { return false }
            bytes = VCardText.base64(line.value[(comma + 1)...].lazy.filter { $0 != 0x5C })
        } else if line.isBase64 {
            bytes = VCardText.base64(line.value)
        }
        guard let bytes, !bytes.isEmpty else { return false }
        card.image = bytes
        return true
    }

    // MARK: Days

    /// `1996-04-15`, `19960415`, `--0415`, `---15`, `1996-04` or `1996`, and a time behind it that counts for nothing.
    static func date(_ line: VCardLine) -> ContactCard.PartialDate? {
        guard var date = date(line.text.trimmed) else { return nil }
        if let omitted = line.first("X-APPLE-OMIT-YEAR").flatMap({ Int($0) }), omitted == date.year { date.year = nil }
        return date
    }

    static func date(_ text: String) -> ContactCard.PartialDate? {
        let text = text.prefix { $0 != "T" && $0 != " " }
        var date: ContactCard.PartialDate
        func number(_ text: some StringProtocol) -> Int? {
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
        }
        if text.hasPrefix("---") {
            date = .init(day: number(text.dropFirst(3)))
        } else if text.hasPrefix("--") {
            let rest = text.dropFirst(2).filter { $0 != "-" }
            date = .init(month: number(rest.prefix(2)), day: rest.count > 2 ? number(rest.dropFirst(2)) : nil)
        } else {
            let rest = text.filter { $0 != "-" }
            guard [4, 6, 8].contains(rest.count) else { return nil }
            date = .init(
                year: number(rest.prefix(4)), month: rest.count > 4 ? number(rest.dropFirst(4).prefix(2)) : nil,
                day: rest.count > 6 ? number(rest.dropFirst(6)) : nil)
            if date.year == nil { return nil }
        }
        guard date.month.map({ (1...12).contains($0) }) ?? true, date.day.map({ (1...31).contains($0) }) ?? true,
            date.year != nil || date.month != nil || date.day != nil
        else { return nil }
        return date
    }
}
