import type { WalletRights } from "../../accounts/principal.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { boolean, type JsonSchema, text } from "../../platform/resources/json-schema.ts";

const grantsMax = 500;

/** The granted wallets of a member. */
export const walletGrants: JsonSchema = {
  type: "array",
  description: "The granted wallets; empty for a member with all wallets.",
  items: {
    type: "object",
    properties: { wallet: text, may_pay: boolean },
    required: ["wallet", "may_pay"],
  },
};

/** The granted wallets as the API shows them; an empty list for all wallets. */
export function renderGrants(wallets: WalletRights): readonly JsonObject[] {
  return wallets === "all"
    ? []
    : [...wallets].map(([wallet, { mayPay }]) => ({ wallet, may_pay: mayPay }));
}

/** Parses a list of grants; null means an empty list. Throws `invalidValue` with a pointer to the fault. */
export function readGrants(value: JsonValue): Exclude<WalletRights, "all"> {
  const pointer = "/data/attributes/wallet_grants";
  if (value === null) return new Map();
  if (!Array.isArray(value) || value.length > grantsMax)
    reject("invalidValue", `This must be a list of at most ${grantsMax} grants.`, { pointer });
  const grants = new Map<string, { readonly mayPay: boolean }>();
  for (const [index, item] of (value as readonly JsonValue[]).entries()) {
    const at = `${pointer}/${index}`;
    if (typeof item !== "object" || item === null || Array.isArray(item))
      reject("invalidValue", "A grant is an object with wallet and may_pay.", { pointer: at });
    const { wallet, may_pay: mayPay = false } = item as JsonObject;
    const id = typeof wallet === "number" ? String(wallet) : wallet;
    if (typeof id !== "string" || !isObjectId(id))
      reject("invalidValue", "This must be the id of a wallet.", { pointer: `${at}/wallet` });
    if (typeof mayPay !== "boolean")
      reject("invalidValue", "This must be true or false.", { pointer: `${at}/may_pay` });
    if (grants.has(id))
      reject("invalidValue", "The wallet is granted twice.", { pointer: `${at}/wallet` });
    grants.set(id, { mayPay });
  }
  return grants;
}
