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
    /// By group: what else belongs to an address.
    private var places: [String: ContactCard.Address] = [:]
    /// Values of which another form, in another language, is known: their `ALTID`s.
    private var alternatives: Set<String> = []

    init(version: VCardVersion) { self.version = version }

    mutating func read(_ lines: [VCardLine]) {
        readGroups(lines)
        // The first one counts, as in address books, but a preferred one before it.
        let preferred = Set(lines.indices.filter { lines[$0].property?.isSingle == true && lines[$0].isPreferred })
        for index in preferred.sorted() where !read(lines[index]) { unreadable += 1 }
        for (index, line) in lines.enumerated() where preferred.isEmpty || !preferred.contains(index) {
            if line.name.isEmpty || !read(line) { unreadable += 1 }
        }
    }

    /// Labels and places, which belong to other lines of their groups.
    mutating func readGroups(_ lines: [VCardLine]) {
        for line in lines where !line.group.isEmpty && line.property == .labels {
            switch line.name {
            case "X-ABLABEL": labels[line.group] = CardLabel.word(of: line.text)
            case "X-ABADR": places[line.group, default: .init()].isoCountryCode = line.text.trimmed.lowercased()
            case "X-APPLE-SUBLOCALITY": places[line.group, default: .init()].subLocality = line.text.trimmed
            default: places[line.group, default: .init()].subAdministrativeArea = line.text.trimmed
            }
        }
    }

    /// The card that one line makes alone.
    func part(_ line: VCardLine) -> ContactCard {
        var one = self
        one.card = ContactCard(identifier: "")
        _ = one.read(line)
        return one.card
    }

    /// Which value a line is a form of; nil for one that has no other.
    static func alternative(_ line: VCardLine) -> String? {
        guard !line.parameters.isEmpty, let number = line.first("ALTID") else { return nil }
        return "\(line.name) \(number)"
    }

    /// - Returns: false for a line of a known property that says nothing that can be read.
    private mutating func read(_ line: VCardLine) -> Bool {
        guard let kind = line.property else { return true }
        if let alternative = Self.alternative(line), !alternatives.insert(alternative).inserted { return true }
        if line.name == AndroidProperty.name { return readAndroid(line) }
        switch kind {
        case .identifier: card.identifier = Self.identifier(line.text)
        case .kind: readKind(line)
        case .name: readName(line)
        case .formattedName: set(&card.formattedName, line.text)
        case .nickname:
            let names = version == .v2 ? line.text : line.list.map(\.trimmed).joined(separator: ", ")
            add(names.trimmed, to: &card.nickname, separator: ", ")
        case .organization: readOrganization(line)
        case .title: set(&card.jobTitle, line.text)
        case .note: add(line.text, to: &card.note, separator: "\n")
        case .previousFamilyName: set(&card.previousFamilyName, line.text)
        case .phoneticNames: readPhonetic(line)
        case .telephones: return readTelephone(line)
        case .emails:
            let address = VCardText.without("MAILTO:", line.text).trimmed
            return Self.add(address, label(line), line, to: &card.emails)
        case .addresses: return readAddress(line)
        case .urls: return Self.add(line.text.trimmed, label(line), line, to: &card.urls)
        case .instantMessages: return readInstantMessage(line)
        case .socialProfiles: return readProfile(line)
        case .relations: return readRelation(line)
        case .birthday:
            guard let date = Self.date(line) else { return false }
            if card.birthday == nil { card.birthday = date }
        case .dates:
            guard let date = Self.date(line) else { return false }
            let label = line.name == "X-ABDATE" ? labels[line.group] ?? "" : "anniversary"
            return Self.add(date, label, line, to: &card.dates)
        // A value elsewhere is never fetched.
        case .image: return readImage(line)
        case .labels: break
        }
        return true
    }

    private func set(_ text: inout String, _ new: String) {
        guard text.isEmpty else { return }
        text = Self.cut(new.trimmed)
    }

    /// Several lines of it are one text.
    private func add(_ new: String, to text: inout String, separator: String) {
        guard !new.isEmpty, text.utf8.count < Self.maximumText else { return }
        if !text.isEmpty { text += separator }
        text += new
        if text.utf8.count > Self.maximumText { text = Self.cut(text) }
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= maximumText ? text : String(decoding: text.utf8.prefix(maximumText), as: UTF8.self)
    }

    /// Longer and invalid ones count for no identifier.
    private static func identifier(_ text: String) -> String {
        let text = text.trimmed
        return text.utf8.count <= 256 && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } ? text : ""
    }

    private func label(_ line: VCardLine, _ word: (VCardLine) -> String = { CardLabel.word(of: $0) }) -> String {
        if !line.group.isEmpty, let label = labels[line.group] { return label }
        return word(line)
    }

    private static func add<Value>(
        _ value: Value, _ label: String, _ line: VCardLine, to list: inout [ContactCard.Labeled<Value>]
    ) -> Bool {
        if let text = value as? String, text.isEmpty { return true }
        guard list.count < maximumValues else { return false }
        list.append(.init(label: cut(label), value: value, isPreferred: line.isPreferred))
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
        let parts = VCardText.split(line.rawText, at: 0x3B).map { part in
            guard !isOldest, part.utf8.contains(0x2C) else { return VCardText.unescaped(part).trimmed }
            return VCardText.split(part, at: 0x2C).map { VCardText.unescaped($0).trimmed }.filter { !$0.isEmpty }
                .joined(separator: " ")
        }
        // A name is taken whole: parts of two are no person's.
        guard card.nameParts.allSatisfy(\.isEmpty) else { return }
        func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
        set(&card.familyName, part(0))
        set(&card.givenName, part(1))
        set(&card.middleName, part(2))
        set(&card.namePrefix, part(3))
        set(&card.nameSuffix, part(4))
    }

    private mutating func readOrganization(_ line: VCardLine) {
        guard card.organizationName.isEmpty, card.departmentName.isEmpty else { return }
        let parts = line.components.map(\.trimmed)
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
        let text = line.text.trimmed
        var number = VCardText.without("TEL:", text)
        if number.utf8.count < text.utf8.count { number = VCardText.percentDecoded(number) }
        return Self.add(number.trimmed, label(line) { CardLabel.word(ofTelephone: $0) }, line, to: &card.telephones)
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
        let place = line.group.isEmpty ? nil : places[line.group]
        func first(_ part: String?, _ parameter: String) -> String {
            if let part, !part.isEmpty { return part }
            return line.first(parameter) ?? ""
        }
        address.subLocality = first(place?.subLocality, "X-APPLE-SUBLOCALITY")
        address.subAdministrativeArea = first(place?.subAdministrativeArea, "X-APPLE-SUBADMINISTRATIVEAREA")
        address.isoCountryCode = first(place?.isoCountryCode, "CC").lowercased()
        return Self.add(address, label(line), line, to: &card.addresses)
    }

    private mutating func readInstantMessage(_ line: VCardLine) -> Bool {
        let text = line.text.trimmed
        guard !text.isEmpty else { return true }
        let service: String
        var (name, url) = (text, "")
        var others: Set<String> = []
        if let old = CardProperty.messengers[line.name] {
            service = old
        } else {
            let named = line.first("X-SERVICE-TYPE") ?? line.first("SERVICE-TYPE")
            if let colon = text.firstIndex(of: ":") {
                let scheme = text[..<colon].lowercased()
                service = named ?? CardProperty.schemes[scheme] ?? scheme
                name = VCardText.percentDecoded(text[text.index(after: colon)...].drop { $0 == "/" })
                url = text
            } else {
                // A name alone, without the address that it should be.
                service = named ?? ""
            }
            others = [service.lowercased()]
        }
        return Self.add(
            .init(service: service, username: name, url: url), label(line) { CardLabel.word(of: $0, without: others) },
            line, to: &card.instantMessages)
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
        return Self.add(
            .init(service: service, username: name, url: url), label(line) { _ in place }, line,
            to: &card.socialProfiles)
    }

    private mutating func readRelation(_ line: VCardLine) -> Bool {
        switch line.name {
        case "X-ABRELATEDNAMES", "RELATED":
            let text = line.text.trimmed
            guard !Self.isReference(line) else { return false }
            return Self.add(text, label(line), line, to: &card.relations)
        default:
            let word = line.name.split(separator: "-").last.map { $0.lowercased() } ?? ""
            return Self.add(line.text.trimmed, word, line, to: &card.relations)
        }
    }

    private mutating func readAndroid(_ line: VCardLine) -> Bool {
        guard let found = AndroidProperty(line) else { return true }
        switch found.property {
        case .nickname: set(&card.nickname, found.value)
        case .relations: return Self.add(found.value, found.label, line, to: &card.relations)
        default:
            guard let date = Self.date(found.value) else { return false }
            return Self.add(date, found.label, line, to: &card.dates)
        }
        return true
    }

    /// Another card's identifier is no name.
    static func isReference(_ line: VCardLine) -> Bool {
        line.name == "RELATED" && line.first("VALUE")?.lowercased() != "text" && line.value.contains(0x3A)
    }

    private mutating func readImage(_ line: VCardLine) -> Bool {
        guard card.image == nil else { return true }
        let isData = VCardText.capitals(line.value.prefix(5)) == "DATA:"
        var bytes: [UInt8]?
        if isData {
            // Some programs escape the comma.
            guard let comma = line.value.prefix(200).firstIndex(of: 0x2C),
                VCardText.utf8(line.value[..<comma]).lowercased().replacing("\\", with: "").hasSuffix("base64")
            else { return false }
            bytes = VCardText.base64(line.value[(comma + 1)...])
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
        let text = Array(text.utf8.prefix { $0 != UInt8(ascii: "T") && $0 != 0x20 })
        func number(_ digits: ArraySlice<UInt8>) -> Int? { Int(VCardText.utf8(digits)) }
        func isDigits(_ bytes: some Sequence<UInt8>) -> Bool { bytes.allSatisfy { (0x30...0x39).contains($0) } }
        var date = ContactCard.PartialDate()
        if text.starts(with: [0x2D, 0x2D, 0x2D]) {
            guard isDigits(text.dropFirst(3)) else { return nil }
            date.day = number(text[3...])
        } else if text.starts(with: [0x2D, 0x2D]) {
            let rest = text.dropFirst(2).filter { $0 != 0x2D }
            guard isDigits(rest), rest.count <= 4 else { return nil }
            date.month = number(rest.prefix(2))
            if rest.count > 2 { date.day = number(rest[2...]) }
        } else {
            // With hyphens, a month and a day may have one digit.
            let parts = text.split(separator: 0x2D, omittingEmptySubsequences: false)
            let digits = parts.count == 1 ? [text.prefix(4), text.dropFirst(4).prefix(2), text.dropFirst(6)] : parts
            guard digits.count <= 3, digits.joined().count <= 8, digits[0].count == 4, isDigits(digits.joined()),
                parts.count > 1 || [4, 6, 8].contains(text.count)
            else { return nil }
            date.year = number(digits[0])
            if digits.count > 1 { date.month = number(digits[1]) }
            if digits.count > 2 { date.day = number(digits[2]) }
            // Some programs write this for a year that is not known.
            if date.year == 0 { date.year = nil }
        }
        guard date.month.map({ (1...12).contains($0) }) ?? true, date.day.map({ (1...31).contains($0) }) ?? true,
            date.year != nil || date.month != nil || date.day != nil
        else { return nil }
        return date
    }
}
