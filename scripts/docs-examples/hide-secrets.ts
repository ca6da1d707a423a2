import { object } from "../../src/http/docs/read-description.ts";
import type { JsonObject, JsonValue } from "../../src/platform/kernel/json.ts";

/** The sandbox's name in the reference. */
export type Names = readonly (readonly [own: string, shown: string])[];

/** Shows only the first characters of these, enough to recognize their form. */
const shortened = new Set([
  ...[
    "access",
    "refresh",
    "sign",
    "token",
    "challenge",
    "secret",
    "clientDataJSON",
    "attestationObject",
  ],
  ...["authenticatorData", "signature", "userHandle", "rawId", "publicKey"],
]);
const left = 12;

/** An exchange without secrets, with the reference's addresses and logins. */
export function hideSecrets<Value extends JsonValue>(value: Value, names: Names): Value {
  return hidden(value, "", names) as Value;
}

function hidden(value: JsonValue, key: string, names: Names): JsonValue {
  if (typeof value === "string") return hiddenText(value, key, names);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => hidden(item as JsonValue, key, names));
  const members = Object.entries(value as JsonObject).map(([name, item]) => [
    name,
    hidden(item, name, names),
  ]);
  const shown = Object.fromEntries(members) as JsonObject;
  // An authenticator's credential is named by its id.
  return object(value)["rawId"] === undefined ? shown : { ...shown, id: shown["rawId"] ?? null };
}

function hiddenText(value: string, key: string, names: Names): string {
  if (key === "password" || key === "initial_password") return "...";
  if (key === "codes") return `${value.slice(0, 4)}...`;
  if (key === "secret" && value.startsWith("whsec_")) return "whsec_...";
  if (shortened.has(key) && value.length > left) return `${value.slice(0, left)}...`;
  return names
    .reduce((text, [own, shown]) => text.replaceAll(own, shown), value)
    .replaceAll(/\bsecret=\w+/g, "secret=...");
}
