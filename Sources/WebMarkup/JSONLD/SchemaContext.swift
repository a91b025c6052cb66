/// The context of schema.org, built in: the only one that is known, since none is ever fetched.
enum SchemaContext {
    static let vocabulary = "http://schema.org/"

    /// As pages name it without a scheme, which by itself would be a file of their own.
    static func isShortAddress(_ text: String) -> Bool {
        let text = text.lowercased().drop { $0 == "/" }
        return ["schema.org", "schema.org/", "www.schema.org", "www.schema.org/"].contains(text)
    }

    static func isAddress(_ iri: String) -> Bool {
        var text = Substring(iri.lowercased())
        while let last = text.utf8.last, last == UInt8(ascii: "/") || last == UInt8(ascii: "#") { text.removeLast() }
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return false }
        text = text.dropFirst(scheme.count)
        if text.hasPrefix("www.") { text = text.dropFirst(4) }
        return [
            "schema.org", "schema.org/docs/jsonldcontext.json", "schema.org/docs/jsonldcontext.jsonld",
        ]
        .contains(text)
    }

    static let terms: [String: TermDefinition] = {
        var terms = ["id": TermDefinition(iri: "@id"), "type": TermDefinition(iri: "@type")]
        // Those that are names of properties, too, are these.
        for (prefix, iri) in prefixes where prefix != "geo" && prefix != "gtin" {
            terms[prefix] = TermDefinition(iri: iri, isPrefix: true)
        }
        for name in addresses.split(whereSeparator: \.isWhitespace).map(String.init) {
            terms[name] = TermDefinition(iri: vocabulary + name, type: "@id")
        }
        for (type, names) in dates {
            for name in names.split(whereSeparator: \.isWhitespace).map(String.init) {
                terms[name] = TermDefinition(iri: vocabulary + name, type: vocabulary + type)
            }
        }
        return terms
    }()

    static let prefixes = [
        "schema": "http://schema.org/", "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#", "xsd": "http://www.w3.org/2001/XMLSchema#",
        "owl": "http://www.w3.org/2002/07/owl#", "dc": "http://purl.org/dc/elements/1.1/",
        "dct": "http://purl.org/dc/terms/", "dcterms": "http://purl.org/dc/terms/",
        "dctype": "http://purl.org/dc/dcmitype/", "foaf": "http://xmlns.com/foaf/0.1/",
        "skos": "http://www.w3.org/2004/02/skos/core#", "void": "http://rdfs.org/ns/void#",
        "dcat": "http://www.w3.org/ns/dcat#", "prov": "http://www.w3.org/ns/prov#",
        "org": "http://www.w3.org/ns/org#", "qb": "http://purl.org/linked-data/cube#",
        "rdfa": "http://www.w3.org/ns/rdfa#", "sh": "http://www.w3.org/ns/shacl#",
        "time": "http://www.w3.org/2006/time#", "vcard": "http://www.w3.org/2006/vcard/ns#",
        "geo": "http://www.opengis.net/ont/geosparql#", "sosa": "http://www.w3.org/ns/sosa/",
        "ssn": "http://www.w3.org/ns/ssn/", "odrl": "http://www.w3.org/ns/odrl/2/",
        "cc": "http://creativecommons.org/ns#",
        "gr": "http://purl.org/goodrelations/v1#", "doap": "http://usefulinc.com/ns/doap#",
        "bibo": "http://purl.org/ontology/bibo/", "csvw": "http://www.w3.org/ns/csvw#",
        "vann": "http://purl.org/vocab/vann/", "prof": "http://www.w3.org/ns/dx/prof/",
        "snomed": "http://purl.bioontology.org/ontology/SNOMEDCT/", "lrmoo": "http://iflastandards.info/ns/lrm/lrmoo/",
        "gs1": "https://ref.gs1.org/voc/", "gtin": "https://schema.org/gtin", "unece": "http://unece.org/vocab#",
        "wd": "http://www.wikidata.org/entity/", "wdt": "http://www.wikidata.org/prop/direct/",
        "og": "http://ogp.me/ns#", "oa": "http://www.w3.org/ns/oa#",
    ]

    /// Properties whose values are addresses of something, so that a text is an `@id`.
    private static let addresses = """
        acquireLicensePage actionableFeedbackPolicy additionalType afterMedia archivedAt beforeMedia
        benefitsSummaryUrl codeRepository colorSwatch contentUrl correctionsPolicy discussionUrl
        diseasePreventionInfo diseaseSpreadStatistics diversityPolicy diversityStaffingReport documentation
        downloadUrl duringMedia embedUrl ethicsPolicy gameLocation gettingTestedInfo hasGS1DigitalLink hasMap
        healthPlanMarketingUrl image inCodeSet inDefinedTermSet installUrl isBasedOn isBasedOnUrl labelDetails
        layoutImage license logo mainEntityOfPage map maps masthead merchantReturnLink
        missionCoveragePrioritiesPolicy newsUpdatesAndGuidelines noBylinesPolicy paymentUrl prescribingInfo
        publicTransportClosuresInfo publishingPrinciples quarantineGuidelines relatedLink replyToUrl
        returnPolicyLink sameAs schoolClosuresInfo screenshot sdLicense serviceUrl shippingSettingsLink
        significantLink significantLinks speakable statType target targetUrl thumbnailUrl tourBookingPage
        trackingUrl travelBans unnamedSourcesPolicy url usageInfo verificationFactCheckingPolicy webFeed
        """

    private static let dates = [
        "Date": """
        birthDate deathDate foundingDate dissolutionDate dateCreated dateModified datePublished dateIssued
        dateDeleted dateVehicleFirstRegistered datasetTimeInterval expires guidelineDate knownVehicleDamagesDate
        lastReviewed legislationDate legislationDateVersion productionDate purchaseDate releaseDate sdDatePublished
        vehicleModelDate modelDate validIn orderDate dateRead dateReceived dateSent datePosted dateline paymentDue
        """,
        "DateTime": """
        availableFrom availableThrough arrivalTime bookingTime checkinTime checkoutTime commentTime
        contentReferenceTime coverageEndTime coverageStartTime departureTime doorTime dropoffTime endTime
        estimatedFlightDuration modifiedTime orderDateTime ownedFrom ownedThrough paymentDueDate pickupTime
        previousStartDate priceValidUntil scheduledPaymentDate scheduledTime startTime uploadDate validFrom
        validThrough validUntil webCheckinTime
        """,
    ]
}
