import type { AuditEntry } from "../../../../../client/src/api-types.gen.ts";
import type { PlainText } from "../../language/catalogs.ts";
import { t } from "../../language/t.ts";
import { actionNames, memberNames, objectNames, valueNames } from "./audit-names.ts";

/** An audit entry in words. The API's own names stay in the tooltip and the CSV file. */

type Attributes = AuditEntry["attributes"];

/** "Dee", "Dee (API key 4)", or the operator, who acts on the command line. */
export function actorOf({
  member_id,
  member_name,
  credential_id,
}: Pick<Attributes, "member_id" | "member_name" | "credential_id">): string {
  if (member_id === null && credential_id === null) return t("Operator (command line)");
  const member = member_name ?? t("Member {id}", { id: member_id ?? "" });
  return credential_id === null
    ? member
    : t("{name} (API key {id})", { name: member, id: credential_id });
}

/** `payout.approved` as "Payout approved". The API calls an API key a credential. */
export function actionLabel(action: string): string {
  return (
    nameIn(actionNames, action) ??
    capitalize(action.replace(/^credential\b/, "API key").replaceAll(/[._]/g, " "))
  );
}

/** "API key 1", "Payout 4"; a dash without an object. */
export function objectOf({
  object_type,
  object_id,
}: Pick<Attributes, "object_type" | "object_id">): string {
  if (object_type === null) return "–";
  const type = nameIn(objectNames, object_type) ?? capitalize(object_type.replaceAll(/[-_]/g, " "));
  return `${type} ${object_id ?? ""}`;
}

/** "Role: Admin; IP allowlist: none → 10.0.0.0/8"; a dash for an entry without changes. */
export function summaryOf({ summary }: Pick<Attributes, "summary">): string {
  const members = new Map(Object.entries(summary as Readonly<Record<string, unknown>>));
  const changes = [...members].flatMap(([name, value]) => {
    const base = name.replace(/_before$/, "");
    // Shown together with the new value.
    if (base !== name && members.has(base)) return [];
    const text = valueText(base, value);
    const label = nameIn(memberNames, name) ?? capitalize(name.replaceAll("_", " "));
    const before = members.get(`${name}_before`);
    if (before === undefined) return text === "" ? [] : [`${label}: ${text}`];
    return [`${label}: ${orNone(valueText(base, before))} → ${orNone(text)}`];
  });
  return changes.length === 0 ? "–" : changes.join("; ");
}

function nameIn(names: Readonly<Record<string, PlainText>>, name: string): string | undefined {
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  return known === undefined ? undefined : t(known);
}

function orNone(text: string): string {
  return text === "" ? t("none") : text;
}

function valueText(member: string, value: unknown): string {
  const text = textOf(value);
  const names = valueNames[member] ?? {};
  if (member === "grace_hours")
    return text === "0" ? t("0 hours (immediately)") : t("{count} hours", { count: text });
  // A changed role is written as "admin to owner".
  if (member === "role")
    return text
      .split(" to ")
      .map((role) => nameIn(names, role) ?? role)
      .join(" → ");
  return nameIn(names, text) ?? text;
}

/** A summary value as text; empty for objects and null. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  return typeof value === "string" ? value : "";
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
