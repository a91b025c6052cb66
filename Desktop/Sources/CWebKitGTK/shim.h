#pragma once

/* The few functions of WebKitGTK 6.0 and GTK 4 that MonkeyBrowser's window uses, as their documentation gives them. See
   CGTK4/shim.h: dev/desktop compiles this file behind their own headers, too. */

#ifdef BATON_CHECK_DECLARATIONS
#include <webkit/webkit.h>
#endif

typedef struct _GtkLabel GtkLabel;
typedef struct _GtkNotebook GtkNotebook;
typedef struct _GtkOverlay GtkOverlay;
typedef struct _GtkSpinner GtkSpinner;
typedef struct _GtkWidget GtkWidget;
typedef struct _WebKitNavigationAction WebKitNavigationAction;
typedef struct _WebKitNavigationPolicyDecision WebKitNavigationPolicyDecision;
typedef struct _WebKitPolicyDecision WebKitPolicyDecision;
typedef struct _WebKitURIRequest WebKitURIRequest;
typedef struct _WebKitWebView WebKitWebView;

/* GTK */
GtkWidget *gtk_notebook_new(void);
int gtk_notebook_append_page(GtkNotebook *notebook, GtkWidget *child, GtkWidget *label);
int gtk_notebook_get_current_page(GtkNotebook *notebook);
void gtk_notebook_set_current_page(GtkNotebook *notebook, int page);
GtkWidget *gtk_overlay_new(void);
void gtk_overlay_add_overlay(GtkOverlay *overlay, GtkWidget *widget);
void gtk_overlay_set_child(GtkOverlay *overlay, GtkWidget *child);
GtkWidget *gtk_spinner_new(void);
void gtk_spinner_set_spinning(GtkSpinner *spinner, int spins);
GtkWidget *gtk_button_new_from_icon_name(const char *name);
void gtk_label_set_text(GtkLabel *label, const char *text);
void gtk_widget_set_halign(GtkWidget *widget, unsigned int align);
void gtk_widget_set_valign(GtkWidget *widget, unsigned int align);
void gtk_widget_set_can_target(GtkWidget *widget, int can_target);
void gtk_widget_set_opacity(GtkWidget *widget, double opacity);
void gtk_widget_set_tooltip_text(GtkWidget *widget, const char *text);
void gtk_widget_set_visible(GtkWidget *widget, int is_visible);

/* WebKit */
GtkWidget *webkit_web_view_new(void);
int webkit_web_view_can_go_back(WebKitWebView *view);
const char *webkit_web_view_get_title(WebKitWebView *view);
const char *webkit_web_view_get_uri(WebKitWebView *view);
void webkit_web_view_go_back(WebKitWebView *view);
void webkit_web_view_load_uri(WebKitWebView *view, const char *uri);
unsigned int webkit_network_error_quark(void);
void webkit_policy_decision_ignore(WebKitPolicyDecision *decision);
WebKitNavigationAction *webkit_navigation_policy_decision_get_navigation_action(
    WebKitNavigationPolicyDecision *decision);
unsigned int webkit_navigation_action_get_navigation_type(WebKitNavigationAction *action);
WebKitURIRequest *webkit_navigation_action_get_request(WebKitNavigationAction *action);
const char *webkit_uri_request_get_uri(WebKitURIRequest *request);
