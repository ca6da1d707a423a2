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

/** What an account can receive of an asset. */
export type Receiving = {
  readonly state: ReceiverState;
  /** How many units of the token its trust line has room for; null for coin, and where it can receive nothing. */
  readonly roomUnits: bigint | null;
};

/** Whether each account can receive its asset. */
export async function readReceivers(
  ask: AskStellar,
  receivers: readonly StellarReceiver[],
): Promise<readonly Receiving[]> {
  const states = await readAccountStates(
    ask,
    receivers.map(({ destination: { address }, asset }) => ({ address, asset })),
  );
  return receivers.map((receiver, place) => receivingOf(receiver, states[place] ?? null));
}

function receivingOf(
  { destination: { address, tag }, asset, code }: StellarReceiver,
  account: AccountState | null,
): Receiving {
  const only = (state: ReceiverState): Receiving => ({ state, roomUnits: null });
  const impossible = (member: "address" | "tag", reason: string): Receiving =>
    only({ kind: "impossible", member, reason });
  if (account === null)
    return asset === native
      ? only({ kind: "needsActivation", minimumUnits: newAccountUnits, createdOnce: true })
      : impossible("address", `The receiver's account does not exist, so it cannot hold ${code}.`);
  if (account.wantsMemo && tag === null) return impossible("tag", "The receiver requires a memo.");
  if (asset === native) return only({ kind: "ready" });
  if (asset.endsWith(`:${address}`))
    return impossible("address", `The receiver issues ${code}: what it is sent ceases to exist.`);
  if (account.token === null)
    return impossible("address", `The receiver has no trust line for ${code}.`);
  return account.token.isAuthorized
    ? { state: { kind: "ready" }, roomUnits: account.token.room }
    : impossible("address", `The issuer of ${code} does not let the receiver hold it.`);
}

/** Of those receivers, paid so many units each, one whose trust line has too little room for all that it gets; null if there is none. */
export function findFull(
  paid: readonly (StellarReceiver & Receiving & { readonly units: bigint })[],
): StellarReceiver | null {
  const sums = new Map<string, bigint>();
  for (const { destination, asset, units } of paid) {
    const line = `${destination.address} ${asset}`;
    sums.set(line, (sums.get(line) ?? 0n) + units);
  }
  const isFull = ({ destination, asset, roomUnits }: StellarReceiver & Receiving): boolean =>
    roomUnits !== null && (sums.get(`${destination.address} ${asset}`) ?? 0n) > roomUnits;
  return paid.find(isFull) ?? null;
}
