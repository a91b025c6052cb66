extension Place {
    /// The address on one line, as letters of its country have it.
    package var addressLine: String? {
        if let addressText, street == nil { return addressText }
        let parts = [street] + (isCodeFirst ? codeFirst : codeLast) + [country]
        let line = parts.compactMap(\.self).joined(separator: ", ")
        return line.isEmpty ? nil : line
    }

    private var codeLast: [String?] {
        let area = [region, postalCode].compactMap(\.self).joined(separator: " ")
        return [locality, area.isEmpty ? nil : area]
    }

    /// A region is no more than the city says where both have one name, as Berlin and Hamburg do.
    private var codeFirst: [String?] {
        let city = [postalCode, locality].compactMap(\.self).joined(separator: " ")
        return [city, region.flatMap { $0.lowercased() == locality?.lowercased() ? nil : $0 }]
    }

    /// Whether the postal code stands before the city. Where nothing says which country it is, digits do so without a region.
    private var isCodeFirst: Bool {
        guard let postalCode, locality != nil else { return false }
        guard let country else { return region == nil && postalCode.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        return Self.codeFirstCountries.contains(country.lowercased())
    }

    /// By code, and by name in English and in its own language.
    private static let codeFirstCountries = Set(
        """
        at,austria,österreich,be,belgium,belgië,belgique,belgien,bg,bulgaria,българия,ch,switzerland,schweiz,suisse,svizzera,cz,
        czechia,czech republic,česko,česká republika,de,germany,deutschland,dk,denmark,danmark,ee,estonia,eesti,es,spain,españa,
        fi,finland,suomi,fr,france,gr,greece,ελλάδα,hr,croatia,hrvatska,is,iceland,ísland,it,italy,italia,li,liechtenstein,lt,
        lithuania,lietuva,lu,luxembourg,luxemburg,mc,monaco,mx,mexico,méxico,nl,netherlands,the netherlands,nederland,no,norway,
        norge,pl,poland,polska,pt,portugal,ro,romania,românia,rs,serbia,srbija,se,sweden,sverige,si,slovenia,slovenija,sk,
        slovakia,slovensko,sm,san marino,tr,turkey,türkiye,va
        """.replacing("\n", with: "").split(separator: ",").map(String.init))
}
