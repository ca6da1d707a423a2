import { addressText } from "./address.ts";
import type { ApplyData } from "./apply-data.ts";
import { amountText, refuse } from "./refusal.ts";
import { type Account, type Draft, minBalanceOf } from "./state.ts";
import type { Transaction } from "./transaction.ts";

const zeroAddress = addressText(new Uint8Array(32));

/** Moves microAlgos from one account to another; refuses more than there are. */
export function moveAlgos(draft: Draft, from: string, to: string, microAlgos: bigint): void {
  const sender = draft.account(from);
  if (sender.microAlgos < microAlgos) refuse(overspend(from, sender, microAlgos));
  draft.putAccount(from, { ...sender, microAlgos: sender.microAlgos - microAlgos });
  const receiver = draft.account(to);
  draft.putAccount(to, { ...receiver, microAlgos: receiver.microAlgos + microAlgos });
}

/** As go-algorand prints it, with the members that can differ here. */
function overspend(address: string, account: Account, tried: bigint): string {
  const data = [
    "Status:Offline",
    `MicroAlgos:${amountText(account.microAlgos)}`,
    "RewardsBase:0",
    "RewardedMicroAlgos:0.0A",
    `AuthAddr:${account.authAddress ?? zeroAddress}`,
    `TotalAppParams:${account.createdApplications.length}`,
    `TotalAssetParams:${account.createdAssets.length}`,
    `TotalAssets:${account.holdings.size}`,
  ].join(" ");
  return `overspend (account ${address}, data {AccountBaseData:{${data}}}, tried to spend ${amountText(tried)})`;
}

/** Pays, and closes the sender's account if the payment says so. */
export function applyPayment(
  draft: Draft,
  { amt = 0n, close, rcv }: Transaction,
  sender: string,
): ApplyData {
  if (amt !== 0n || rcv !== undefined)
    moveAlgos(draft, sender, rcv === undefined ? zeroAddress : addressText(rcv), amt);
  if (close === undefined) return {};
  const { microAlgos } = draft.account(sender);
  moveAlgos(draft, sender, addressText(close), microAlgos);
  const { createdApplications, holdings } = draft.account(sender);
  if (holdings.size > 0) refuse(`cannot close: ${holdings.size} outstanding assets`);
  if (createdApplications.length > 0)
    refuse(`cannot close: ${createdApplications.length} outstanding created applications`);
  // The key that signs for the account goes with it.
  draft.putAccount(sender, { ...draft.account(sender), authAddress: null });
  return microAlgos === 0n ? {} : { ca: microAlgos };
}

/** Refuses when an account that was changed has less than it must keep; an empty one may go. */
export function checkMinBalances(draft: Draft, exempt: readonly string[]): void {
  for (const address of draft.changed().filter((one) => !exempt.includes(one))) {
    const account = draft.account(address);
    const least = minBalanceOf(account);
    const isGone =
      account.microAlgos === 0n && account.holdings.size === 0 && account.authAddress === null;
    if (!isGone && account.microAlgos < least)
      refuse(
        `account ${address} balance ${account.microAlgos} below min ${least} (${account.holdings.size} assets)`,
      );
  }
}
