import { enterReceipts } from "../../src/deposits/unattributed/change-receipts.ts";
import type { NewReceipt } from "../../src/deposits/unattributed/receipt.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type DepositWorld, eth, units } from "./deposit-world.ts";

/**
 * A waiting unattributed payment of one ether, booked as a block books it; resolves with its id. In ether, because no chain that
 * the service's configuration knows has shared accounts yet.
 */
export async function arrangeReceipt(
  { database, clock }: Pick<DepositWorld, "database" | "clock">,
  changes: Partial<NewReceipt> = {},
): Promise<string> {
  const now = clock.now();
  const txid = systemRandom.uuid();
  const receipt: NewReceipt = {
    chain: "ETH",
    txid,
    outputIndex: 0,
    watchKey: "shared",
    address: "shared",
    tag: null,
    currency: eth,
    units: units("1", eth),
    from: ["0x52908400098527886E0F7030069857D2E4169EE7"],
    spends: [`${txid}#0`],
    spendableFromHeight: null,
    receivedAt: now,
    block: { height: 1, hash: `block of ${txid}` },
    vouchedHash: null,
    state: "waiting",
    owner: null,
    depositId: null,
    payoutId: null,
    decidedAt: null,
    reason: null,
    createdAt: now,
    updatedAt: now,
    ...changes,
  };
  await database.db.transaction((tx) => enterReceipts(tx, [receipt], now));
  const [row] = await database.sql<{ id: string }>("select id from unattributed where txid = $1", [
    receipt.txid,
  ]);
  return present(row, "a receipt").id;
}
