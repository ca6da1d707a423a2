import { operatorAccountId, systemAccount, walletAccount } from "../../ledger/ledger-account.ts";
import { type Entry, type Position, postingsBetween } from "../../ledger/posting.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { NewReceipt, Receipt } from "./receipt.ts";

/**
 * A receipt's ledger positions. Waiting, the money is nobody's (`unattributed/C`). An assigned receipt has none, because its
 * deposit's transfer has them. While it is returned, the wallet that pays it back is credited, which is what the payout charges.
 */
export function positionsOf(receipt: NewReceipt | null): readonly Position[] {
  if (receipt?.block == null) return [];
  const { currency, units } = receipt;
  const owed = (account: string): readonly Position[] => [
    { account: systemAccount("chain", currency), currency, units },
    { account, currency, units: -units },
  ];
  switch (receipt.state) {
    case "waiting":
      return owed(systemAccount("unattributed", currency));
    case "dust":
      return owed(systemAccount("dust", currency));
    case "assigned":
      return [];
    case "returning": {
      const { walletId } = present(receipt.owner, "the wallet of a return");
      return owed(walletAccount(walletId, "available"));
    }
  }
}

/** The entries of a receipt's change; `before` is null for a new one. An entry concerns one account. */
export function entriesOf(before: Receipt | null, after: Receipt): readonly Entry[] {
  const cause = `unattributed:${after.id}`;
  const [was, is] = [ownerOf(before), ownerOf(after)];
  assert(
    was === is || was === operatorAccountId || is === operatorAccountId,
    `receipt ${after.id} goes from one account to another`,
  );
  const postings = postingsBetween(positionsOf(before), positionsOf(after));
  const accountId = is === operatorAccountId ? was : is;
  return postings.length === 0 ? [] : [{ accountId, cause, postings }];
}

/** The account whose wallet is credited; the operator's without one. */
function ownerOf(receipt: Receipt | null): string {
  return receipt?.state === "returning"
    ? present(receipt.owner, "the wallet of a return").accountId
    : operatorAccountId;
}
