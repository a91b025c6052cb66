/// `baton.control.v1.SuggestionsService`
package enum SuggestionsMethods {
    private static let service = "baton.control.v1.SuggestionsService"

    package static let listSuggestions = ConnectMethod<
        Baton_Control_V1_ListSuggestionsRequest, Baton_Control_V1_ListSuggestionsResponse
    >(service, "ListSuggestions")
    package static let explainSuggestion = ConnectMethod<
        Baton_Control_V1_ExplainSuggestionRequest, Baton_Control_V1_ExplainResponse
    >(service, "ExplainSuggestion")
    package static let getDirections = ConnectMethod<
        Baton_Control_V1_GetDirectionsRequest, Baton_Control_V1_GetDirectionsResponse
    >(service, "GetDirections")
    package static let rememberPage = ConnectMethod<
        Baton_Control_V1_RememberPageRequest, Baton_Control_V1_RememberPageResponse
    >(service, "RememberPage")
    package static let forgetPlaces = ConnectMethod<
        Baton_Control_V1_ForgetPlacesRequest, Baton_Control_V1_ForgetPlacesResponse
    >(service, "ForgetPlaces")
}
