import type { ReceiverState } from "../paying-port.ts";
import type { Destination } from "../port.ts";
import { type AccountState, newAccountUnits, readAccountStates } from "./account-state.ts";
import { native } from "./asset.ts";
import type { AskStellar } from "./stellar-node.ts";

/** Who receives an asset; `code` names its currency in sentences for the payer. */
export type StellarReceiver = {
  readonly destination: Destination;
  readonly asset: string;
  readonly code: string;
};

/** Whether each account can receive its asset. */
export async function readReceivers(
  ask: AskStellar,
  receivers: readonly StellarReceiver[],
): Promise<readonly ReceiverState[]> {
  const states = await readAccountStates(
    ask,
    receivers.map(({ destination: { address }, asset }) => ({ address, asset })),
  );
  return receivers.map((receiver, place) => stateOf(receiver, states[place] ?? null));
}

function stateOf(
  { destination: { address, tag }, asset, code }: StellarReceiver,
  account: AccountState | null,
): ReceiverState {
  const impossible = (member: "address" | "tag", reason: string): ReceiverState => ({
    kind: "impossible",
    member,
    reason,
  });
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
