import type { ReceiverState } from "../paying-port.ts";
import type { AskAlgod } from "./algod-node.ts";
import { accountAt, holdingAt } from "./questions.ts";

/** What every account must hold, in microalgos; each asset takes as much again. The network has never changed it. */
export const accountUnits = 100_000n;

/** Whether an address can receive coin (`asset` null) or an asset; `code` names it in sentences for the payer. */
export async function readReceiver(
  ask: AskAlgod,
  address: string,
  { asset, code }: { readonly asset: string | null; readonly code: string },
): Promise<ReceiverState> {
  const impossible = (reason: string): ReceiverState => ({
    kind: "impossible",
    member: "address",
    reason,
  });
  if (asset === null) {
    const { units } = await ask(accountAt(address));
    return units === 0n
      ? { kind: "needsActivation", minimumUnits: accountUnits }
      : { kind: "ready" };
  }
  const holding = await ask(holdingAt(address, asset));
  if (holding === null) return impossible(`The receiver has not opted in to ${code}.`);
  return holding.isFrozen
    ? impossible(`The issuer of ${code} has frozen the receiver's holding.`)
    : { kind: "ready" };
}
