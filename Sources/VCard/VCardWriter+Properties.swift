/// Which lines a part of a card has.
extension VCardWriter {
    func lines(of property: CardProperty, in card: ContactCard, _ groups: inout GroupNames) -> [Line] {
        switch property {
        case .identifier: text("UID", card.identifier)
        case .kind:
            card.isOrganization
                ? [version == .v4 ? Line(name: "KIND", value: "org") : Line(name: "X-ABShowAs", value: "COMPANY")] : []
        // Every version but the oldest demands both.
        case .formattedName: [Line(name: "FN", value: escaped(card.displayName))]
        case .name: [Line(name: "N", value: structured(card.nameParts))]
        case .previousFamilyName: text("X-MAIDENNAME", card.previousFamilyName)
        case .phoneticNames:
            text("X-PHONETIC-FIRST-NAME", card.phoneticGivenName)
                + text("X-PHONETIC-MIDDLE-NAME", card.phoneticMiddleName)
                + text("X-PHONETIC-LAST-NAME", card.phoneticFamilyName)
                + text("X-PHONETIC-ORG", card.phoneticOrganizationName)
        case .nickname: text("NICKNAME", card.nickname)
        case .organization:
            card.organizationName.isEmpty && card.departmentName.isEmpty
                ? []
                : [
                    Line(
                        name: "ORG",
                        value: structured(
                            [card.organizationName] + (card.departmentName.isEmpty ? [] : [card.departmentName])))
                ]
        case .title: text("TITLE", card.jobTitle)
        case .note: text("NOTE", card.note)
        case .telephones:
            card.telephones.flatMap { number in
                labeled(
                    Line(name: "TEL", value: escaped(number.value)), number.label, number.isPreferred,
                    CardLabel.types(ofTelephone: number.label), &groups)
            }
        case .emails: card.emails.flatMap { labeled("EMAIL", escaped($0.value), $0.label, $0.isPreferred, &groups) }
        case .addresses: card.addresses.flatMap { address($0, &groups) }
        case .urls: card.urls.flatMap { labeled("URL", escaped($0.value), $0.label, $0.isPreferred, &groups) }
        case .instantMessages: card.instantMessages.flatMap { instantMessage($0, &groups) }
        case .socialProfiles: card.socialProfiles.flatMap { profile($0, &groups) }
        case .relations: card.relations.flatMap { relation($0, &groups) }
        case .birthday: card.birthday.map { [date("BDAY", $0)] } ?? []
        case .dates: card.dates.flatMap { day($0, &groups) }
        case .image: card.image.map { [image($0)] } ?? []
        case .labels: []
        }
    }

    private func text(_ name: String, _ value: String) -> [Line] {
        value.isEmpty ? [] : [Line(name: name, value: escaped(value))]
    }

    private func escaped(_ text: String) -> String {
        guard version == .v2 else { return VCardText.escaped(text) }
        // The oldest version has line feeds in quoted-printable, and escapes semicolons only.
        return text.replacing("\\", with: "\\\\").replacing(";", with: "\\;").replacing("\n", with: "\r\n")
    }

    private func structured(_ parts: [String]) -> String { parts.map(escaped).joined(separator: ";") }

    private func labeled(
        _ name: String, _ value: String, _ label: String, _ isPreferred: Bool, _ groups: inout GroupNames
    ) -> [Line] {
        labeled(Line(name: name, value: value), label, isPreferred, CardLabel.types(of: label), &groups)
    }

    /// - Parameter types: what says the label; nil where none does, and it goes into a line of its own.
    private func labeled(
        _ line: Line, _ label: String, _ isPreferred: Bool, _ types: [String]?, _ groups: inout GroupNames
    ) -> [Line] {
        var line = line
        for type in types ?? [] { line.parameters.append(("TYPE", type)) }
        if isPreferred { line.parameters.append(version == .v4 ? ("PREF", "1") : ("TYPE", "pref")) }
        guard types == nil else { return [line] }
        if line.group.isEmpty { line.group = groups.next() }
        return [line, Line(name: "X-ABLabel", value: escaped(CardLabel.text(of: label)), group: line.group)]
    }

    private func address(_ address: ContactCard.Labeled<ContactCard.Address>, _ groups: inout GroupNames) -> [Line] {
        let value = address.value
        var line = Line(
            name: "ADR",
            value: structured(["", "", value.street, value.city, value.state, value.postalCode, value.country]))
        let more = [
            ("X-ABADR", value.isoCountryCode), ("X-APPLE-SUBLOCALITY", value.subLocality),
            ("X-APPLE-SUBADMINISTRATIVEAREA", value.subAdministrativeArea),
        ].filter { !$0.1.isEmpty }
        if !more.isEmpty { line.group = groups.next() }
        let lines = labeled(line, address.label, address.isPreferred, CardLabel.types(of: address.label), &groups)
        return lines + more.map { Line(name: $0, value: escaped($1), group: line.group) }
    }

    private func instantMessage(
        _ message: ContactCard.Labeled<ContactCard.ServiceName>, _ groups: inout GroupNames
    ) -> [Line] {
        let value = message.value
        let scheme =
            CardProperty.schemes.first { $0.value.lowercased() == value.service.lowercased() }?.key ?? "x-apple"
        let url = value.url.isEmpty ? "\(scheme):\(Self.percentEncoded(value.username))" : value.url
        var line = Line(name: "IMPP", value: escaped(url))
        if !value.service.isEmpty { line.parameters.append(("X-SERVICE-TYPE", value.service)) }
        return labeled(line, message.label, message.isPreferred, CardLabel.types(of: message.label), &groups)
    }

    private func profile(
        _ profile: ContactCard.Labeled<ContactCard.ServiceName>, _ groups: inout GroupNames
    ) -> [Line] {
        let value = profile.value
        var line = Line(name: "X-SOCIALPROFILE", value: escaped(value.url))
        if !value.service.isEmpty { line.parameters.append(("X-SERVICE-TYPE", value.service)) }
        if !value.username.isEmpty { line.parameters.append(("X-USER", value.username)) }
        return labeled(line, profile.label, profile.isPreferred, CardLabel.types(of: profile.label), &groups)
    }

    private func relation(_ relation: ContactCard.Labeled<String>, _ groups: inout GroupNames) -> [Line] {
        var line = Line(name: "X-ABRELATEDNAMES", value: escaped(relation.value), group: groups.next())
        if relation.isPreferred { line.parameters.append(("TYPE", "pref")) }
        guard !relation.label.isEmpty else { return [line] }
        return [line, Line(name: "X-ABLabel", value: escaped(CardLabel.text(of: relation.label)), group: line.group)]
    }

    private func day(_ day: ContactCard.Labeled<ContactCard.PartialDate>, _ groups: inout GroupNames) -> [Line] {
        if day.label == "anniversary", version == .v4 { return [date("ANNIVERSARY", day.value)] }
        var line = date("X-ABDATE", day.value)
        line.group = groups.next()
        guard !day.label.isEmpty else { return [line] }
        return [line, Line(name: "X-ABLabel", value: escaped(CardLabel.text(of: day.label)), group: line.group)]
    }

    /// A year that is not known is written as version 4 has it, which other programs read in the older ones, too.
    private func date(_ name: String, _ date: ContactCard.PartialDate) -> Line {
        func padded(_ number: Int, _ count: Int) -> String {
            let digits = String(max(0, number))
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        let (month, day) = (date.month.map { padded($0, 2) }, date.day.map { padded($0, 2) })
        guard let year = date.year.map({ padded($0, 4) }) else {
            return Line(name: name, value: month.map { "--\($0)\(day ?? "")" } ?? "---\(day ?? "01")")
        }
        guard let month else { return Line(name: name, value: year) }
        guard let day else { return Line(name: name, value: "\(year)-\(month)") }
        return Line(name: name, value: version == .v4 ? "\(year)\(month)\(day)" : "\(year)-\(month)-\(day)")
    }

    private func image(_ bytes: [UInt8]) -> Line {
        let type =
            bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
            ? "png" : bytes.starts(with: [0x47, 0x49, 0x46]) ? "gif" : "jpeg"
        let text = VCardText.base64Text(bytes)
        if version == .v4 {
            return Line(name: "PHOTO", value: "", bytes: Array("data:image/\(type);base64,".utf8) + text)
        }
        return Line(
            name: "PHOTO",
            parameters: [("ENCODING", version == .v2 ? "base64" : "b"), ("TYPE", type.uppercased())], value: "",
            bytes: text)
    }

    private static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "@"), UInt8(ascii: "+"):
                result.append(byte)
            default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
