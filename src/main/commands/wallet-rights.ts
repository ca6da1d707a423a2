import type { WalletRights } from "../../accounts/principal.ts";
import { readWallets } from "../../accounts/wallets/wallet.store.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import type { Foundation } from "../build/foundation.ts";

/**
 * Reads rights to single wallets of an account, each written `ID`, or `ID:pay` where payouts from it are granted too.
 * Throws for a wallet that the account does not have.
 */
export async function readWalletRights(
  { db, currencies }: Pick<Foundation, "db" | "currencies">,
  accountId: string,
  texts: readonly string[],
): Promise<ReadonlyMap<string, { readonly mayPay: boolean }>> {
  const rights = new Map(
    texts.map((text) => {
      const [id = "", ...more] = text.split(":");
      if (!isObjectId(id) || (more.length > 0 && more.join(":") !== "pay"))
        throw new Error(`"${text}" names no wallet: write its id, as 12 or 12:pay.`);
      return [id, { mayPay: more.length > 0 }] as const;
    }),
  );
  const held = await readWallets(db, currencies, accountId, [...rights.keys()]);
  const known = new Set(held.map(({ id }) => id));
  const unknown = [...rights.keys()].filter((id) => !known.has(id));
  if (unknown.length > 0) throw new Error(`The account has no wallet ${unknown.join(", ")}.`);
  return rights;
}

/** For people: which wallets, each with whether payouts from it are granted. */
export function describeWallets(wallets: WalletRights): string {
  if (wallets === "all") return "all wallets";
  if (wallets.size === 0) return "no wallet";
  const each = [...wallets].map(([id, { mayPay }]) => (mayPay ? `${id}:pay` : id));
  return `wallets ${each.join(" ")}`;
}
