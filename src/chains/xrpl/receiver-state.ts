import type { ReceiverState } from "../paying-port.ts";
import type { Destination } from "../port.ts";
import { currentReserves } from "./pay-questions.ts";
import { accountIn } from "./questions.ts";
import type { RippledNode } from "./rippled-node.ts";

/** Flags of an account's root in the ledger. */
export const accountFlag = {
  requireDestinationTag: 0x00020000,
  disallowXrp: 0x00080000,
  depositAuth: 0x01000000,
};

/** Whether the receiver can be paid now, with the tag that is given. */
export async function readReceiver(
  node: RippledNode,
  { address, tag }: Destination,
  signal: AbortSignal,
): Promise<ReceiverState> {
  return await node.consult(async (ask) => {
    const root = await ask(accountIn("validated", address));
    if (root === null) {
      const { base } = await ask(currentReserves);
      return { kind: "needsActivation", minimumUnits: base };
    }
    const has = (bit: number): boolean => (root.flags & bit) !== 0;
    if (root.isPseudo)
      return refused("The receiver belongs to a pool or vault, which takes no payments.");
    if (has(accountFlag.depositAuth))
      return refused("The receiver takes only payments that it authorized.");
    if (has(accountFlag.disallowXrp)) return refused("The receiver does not want XRP.");
    if (has(accountFlag.requireDestinationTag) && tag === null)
      return {
        kind: "impossible",
        member: "tag",
        reason: "The receiver requires a destination tag.",
      };
    return { kind: "ready" };
  }, signal);
}

function refused(reason: string): ReceiverState {
  return { kind: "impossible", member: "address", reason };
}
