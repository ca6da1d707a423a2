import type { ReceiverState } from "../paying-port.ts";
import type { Destination } from "../port.ts";
import { newAccountUnits, readAccountState } from "./account-state.ts";
import { native } from "./asset.ts";
import type { AskStellar } from "./stellar-node.ts";

/** Whether an account can receive an asset; `code` names the currency in sentences for the payer. */
export async function readReceiver(
  ask: AskStellar,
  { address, tag }: Destination,
  { asset, code }: { readonly asset: string; readonly code: string },
): Promise<ReceiverState> {
  const impossible = (member: "address" | "tag", reason: string): ReceiverState => ({
    kind: "impossible",
    member,
    reason,
  });
  const account = await readAccountState(ask, address, asset);
  if (account === null)
    return asset === native
      ? { kind: "needsActivation", minimumUnits: newAccountUnits }
      : impossible("address", `The receiver's account does not exist, so it cannot hold ${code}.`);
  if (account.wantsMemo && tag === null) return impossible("tag", "The receiver requires a memo.");
  if (asset === native) return { kind: "ready" };
  if (asset.endsWith(`:${address}`))
    return impossible("address", `The receiver issues ${code}: what it is sent ceases to exist.`);
  if (account.token === null)
    return impossible("address", `The receiver has no trust line for ${code}.`);
  return account.token.isAuthorized
    ? { kind: "ready" }
    : impossible("address", `The issuer of ${code} does not let the receiver hold it.`);
}
