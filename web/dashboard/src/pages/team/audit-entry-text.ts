import type { AuditEntry } from "../../../../../client/src/api-types.gen.ts";
import { roleNames } from "../../components/role-names.ts";

/** An audit entry in words. The API's own names stay in the tooltip and the CSV file. */

type Attributes = AuditEntry["attributes"];
type Names = Readonly<Record<string, string>>;

/** "Dee", "Dee (API key 4)", or the operator, who acts on the command line. */
export function actorOf({
  member_id,
  member_name,
  credential_id,
}: Pick<Attributes, "member_id" | "member_name" | "credential_id">): string {
  if (member_id === null && credential_id === null) return "Operator (command line)";
  const member = member_name ?? `Member ${member_id ?? ""}`;
  return credential_id === null ? member : `${member} (API key ${credential_id})`;
}

/** Actions whose name on the wire is not what a reader expects. */
const actionLabels: Names = {
  "session.opened": "Signed in",
  "session.refused": "Sign-in failed",
  "session.closed": "Signed out",
  "member.access_given": "Member access granted",
  "totp.enrolled": "Authenticator app added",
  "totp.removed": "Authenticator app removed",
  "webhook_secret.shown": "Webhook secret revealed",
  "recovery_codes.renewed": "Recovery codes regenerated",
  "credential.designated": "Default signing key changed",
  "payee.added": "Allowlist address added",
  "payee.removed": "Allowlist address removed",
  "unexplained_spend.decided": "Unrecorded transaction resolved",
};

/** `payout.approved` as "Payout approved". The API calls an API key a credential. */
export function actionLabel(action: string): string {
  return (
    actionLabels[action] ??
    capitalize(action.replace(/^credential\b/, "API key").replaceAll(/[._]/g, " "))
  );
}

/** "API key 1", "Payout 4"; a dash without an object. */
export function objectOf({
  object_type,
  object_id,
}: Pick<Attributes, "object_type" | "object_id">): string {
  if (object_type === null) return "–";
  const type =
    object_type === "credential" ? "API key" : capitalize(object_type.replaceAll(/[-_]/g, " "));
  return `${type} ${object_id ?? ""}`;
}

/** Names of summary members that say something else to a reader. */
const memberLabels: Names = {
  accent_color: "Color",
  accent_color_dark: "Color in dark mode",
  allowed_networks: "IP allowlist",
  failed: "Reason",
  frame_ancestors: "Embedding origins",
  grace_hours: "Previous secret valid for",
  help_email: "Support email",
  operates_the_deployment: "Operates the deployment",
  payment_page_button_text: "Return link text",
  payment_page_redirect_url: "Return URL",
  pays_to_its_address_book_only: "Restricted to the allowlist",
  shop_name: "Store name",
  shows_order_reference: "Order number shown",
  shows_receipt: "Receipt shown",
  stage: "Status",
  travel_rule_changed: "Recipient details changed",
  user_agent: "Device",
};

/** Values of summary members, by the member's name. */
const valueNames: Readonly<Record<string, Names>> = {
  failed: {
    code: "wrong code",
    not_usable: "account deactivated",
    passkey: "passkey rejected",
    password: "wrong password",
  },
  role: roleNames,
  second_factor: {
    passkey: "passkey",
    recovery_code: "recovery code",
    totp: "authenticator app",
  },
  stage: { held: "approved", internal: "internal transfer", waiting: "awaiting approval" },
};

/** "Role: Admin; IP allowlist: none → 10.0.0.0/8"; a dash for an entry without changes. */
export function summaryOf({ summary }: Pick<Attributes, "summary">): string {
  const members = new Map(Object.entries(summary as Readonly<Record<string, unknown>>));
  const changes = [...members].flatMap(([name, value]) => {
    const base = name.replace(/_before$/, "");
    // Shown together with the new value.
    if (base !== name && members.has(base)) return [];
    const text = valueText(base, value);
    const label = memberLabels[name] ?? capitalize(name.replaceAll("_", " "));
    const before = members.get(`${name}_before`);
    if (before === undefined) return text === "" ? [] : [`${label}: ${text}`];
    return [`${label}: ${orNone(valueText(base, before))} → ${orNone(text)}`];
  });
  return changes.length === 0 ? "–" : changes.join("; ");
}

function orNone(text: string): string {
  return text === "" ? "none" : text;
}

function valueText(member: string, value: unknown): string {
  const text = textOf(value);
  const names = new Map(Object.entries(valueNames[member] ?? {}));
  if (member === "grace_hours") return text === "0" ? "0 hours (immediately)" : `${text} hours`;
  // A changed role is written as "admin to owner".
  if (member === "role")
    return text
      .split(" to ")
      .map((role) => names.get(role) ?? role)
      .join(" → ");
  return names.get(text) ?? text;
}

/** A summary value as text; empty for objects and null. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : "";
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
