/// `baton.control.v1.ContextService`
package enum ContextMethods {
    private static let service = "baton.control.v1.ContextService"

    package static let getContext = ConnectMethod<
        Baton_Control_V1_GetContextRequest, Baton_Control_V1_GetContextResponse
    >(service, "GetContext")
    package static let listStayPlaces = ConnectMethod<
        Baton_Control_V1_ListStayPlacesRequest, Baton_Control_V1_ListStayPlacesResponse
    >(service, "ListStayPlaces")
    package static let nameStayPlace = ConnectMethod<
        Baton_Control_V1_NameStayPlaceRequest, Baton_Control_V1_NameStayPlaceResponse
    >(service, "NameStayPlace")
    package static let forgetStayPlaces = ConnectMethod<
        Baton_Control_V1_ForgetStayPlacesRequest, Baton_Control_V1_ForgetStayPlacesResponse
    >(service, "ForgetStayPlaces")
}
