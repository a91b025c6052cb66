// Labels of values, as address books write them.

/// The label for at home. Contacts'.
public let CNLabelHome = "_$!<Home>!$_"
/// The label for at work. Contacts'.
public let CNLabelWork = "_$!<Work>!$_"
/// The label for at school. Contacts'.
public let CNLabelSchool = "_$!<School>!$_"
/// The label for anything else. Contacts'.
public let CNLabelOther = "_$!<Other>!$_"
/// The label for an e-mail address of iCloud. Contacts'.
public let CNLabelEmailiCloud = "_$!<iCloud>!$_"
/// The label for the person's own page. Contacts'.
public let CNLabelURLAddressHomePage = "_$!<HomePage>!$_"
/// The label for an anniversary. Contacts'.
public let CNLabelDateAnniversary = "_$!<Anniversary>!$_"
/// The label for a mobile telephone. Contacts'.
public let CNLabelPhoneNumberMobile = "_$!<Mobile>!$_"
/// The label for a main number. Contacts'.
public let CNLabelPhoneNumberMain = "_$!<Main>!$_"
/// The label for a fax at home. Contacts'.
public let CNLabelPhoneNumberHomeFax = "_$!<HomeFAX>!$_"
/// The label for a fax at work. Contacts'.
public let CNLabelPhoneNumberWorkFax = "_$!<WorkFAX>!$_"
/// The label for another fax. Contacts'.
public let CNLabelPhoneNumberOtherFax = "_$!<OtherFAX>!$_"
/// The label for a pager. Contacts'.
public let CNLabelPhoneNumberPager = "_$!<Pager>!$_"
/// The label for the relation father. Contacts'.
public let CNLabelContactRelationFather = "_$!<Father>!$_"
/// The label for the relation mother. Contacts'.
public let CNLabelContactRelationMother = "_$!<Mother>!$_"
/// The label for the relation parent. Contacts'.
public let CNLabelContactRelationParent = "_$!<Parent>!$_"
/// The label for the relation brother. Contacts'.
public let CNLabelContactRelationBrother = "_$!<Brother>!$_"
/// The label for the relation sister. Contacts'.
public let CNLabelContactRelationSister = "_$!<Sister>!$_"
/// The label for the relation son. Contacts'.
public let CNLabelContactRelationSon = "_$!<Son>!$_"
/// The label for the relation daughter. Contacts'.
public let CNLabelContactRelationDaughter = "_$!<Daughter>!$_"
/// The label for the relation child. Contacts'.
public let CNLabelContactRelationChild = "_$!<Child>!$_"
/// The label for the relation friend. Contacts'.
public let CNLabelContactRelationFriend = "_$!<Friend>!$_"
/// The label for the relation spouse. Contacts'.
public let CNLabelContactRelationSpouse = "_$!<Spouse>!$_"
/// The label for the relation partner. Contacts'.
public let CNLabelContactRelationPartner = "_$!<Partner>!$_"
/// The label for the relation assistant. Contacts'.
public let CNLabelContactRelationAssistant = "_$!<Assistant>!$_"
/// The label for the relation manager. Contacts'.
public let CNLabelContactRelationManager = "_$!<Manager>!$_"
/// The label for an iPhone. Contacts'.
public let CNLabelPhoneNumberiPhone = "iPhone"
