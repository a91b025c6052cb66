/// `baton.control.v1.SearchService`
package enum SearchMethods {
    private static let service = "baton.control.v1.SearchService"

    package static let search = ConnectMethod<
        Baton_Control_V1_SearchRequest, Baton_Control_V1_SearchResponse
    >(service, "Search")
    package static let openResult = ConnectMethod<
        Baton_Control_V1_OpenResultRequest, Baton_Control_V1_OpenResultResponse
    >(service, "OpenResult")
    package static let continueSearch = ConnectMethod<
        Baton_Control_V1_ContinueSearchRequest, Baton_Control_V1_ContinueSearchResponse
    >(service, "ContinueSearch")
    package static let listIndexes = ConnectMethod<
        Baton_Control_V1_ListIndexesRequest, Baton_Control_V1_ListIndexesResponse
    >(service, "ListIndexes")
    package static let explainSearch = ConnectMethod<
        Baton_Control_V1_ExplainSearchRequest, Baton_Control_V1_ExplainSearchResponse
    >(service, "ExplainSearch")
    package static let forget = ConnectMethod<
        Baton_Control_V1_ForgetRequest, Baton_Control_V1_ForgetResponse
    >(service, "Forget")
}

/// `baton.link.v1.SearchLinkService`
package enum SearchLinkMethods {
    private static let service = "baton.link.v1.SearchLinkService"

    package static let findItems = ConnectMethod<Baton_Link_V1_FindItemsRequest, Baton_Link_V1_FindItemsResponse>(
        service, "FindItems")
}
