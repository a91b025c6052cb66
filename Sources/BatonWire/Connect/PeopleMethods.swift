/// `baton.control.v1.PeopleService`
package enum PeopleMethods {
    private static let service = "baton.control.v1.PeopleService"

    package static let listPeople = ConnectMethod<
        Baton_Control_V1_ListPeopleRequest, Baton_Control_V1_ListPeopleResponse
    >(service, "ListPeople")
    package static let showPerson = ConnectMethod<
        Baton_Control_V1_ShowPersonRequest, Baton_Control_V1_ShowPersonResponse
    >(service, "ShowPerson")
    package static let contactPerson = ConnectMethod<
        Baton_Control_V1_ContactPersonRequest, Baton_Control_V1_ContactPersonResponse
    >(service, "ContactPerson")
    package static let resetPersonDefault = ConnectMethod<
        Baton_Control_V1_ResetPersonDefaultRequest, Baton_Control_V1_ResetPersonDefaultResponse
    >(service, "ResetPersonDefault")
    package static let forgetDonations = ConnectMethod<
        Baton_Control_V1_ForgetDonationsRequest, Baton_Control_V1_ForgetDonationsResponse
    >(service, "ForgetDonations")
}
