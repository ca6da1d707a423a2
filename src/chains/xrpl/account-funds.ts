import type { AccountFunds } from "../paying-port.ts";
import { currentReserves, type Reserves } from "./pay-questions.ts";
import { type AccountRoot, accountIn } from "./questions.ts";
import type { RippledNode } from "./rippled-node.ts";

/** The part of the balance that the account cannot send. */
export function reservedOf(
  { balance, ownerCount }: Pick<AccountRoot, "balance" | "ownerCount">,
  { base, increment }: Reserves,
): bigint {
  const reserve = base + BigInt(ownerCount) * increment;
  return balance < reserve ? balance : reserve;
}

/** The account's XRP in the newest validated ledger, which is both the tip and final here. */
export async function readFunds(
  consult: RippledNode["consult"],
  address: string,
  signal: AbortSignal,
): Promise<AccountFunds> {
  return await consult(async (ask) => {
    const [root, reserves] = await Promise.all([
      ask(accountIn("validated", address)),
      ask(currentReserves),
    ]);
    if (root === null) return { latest: 0n, final: 0n, reserved: 0n };
    const { balance } = root;
    return { latest: balance, final: balance, reserved: reservedOf(root, reserves) };
  }, signal);
}
