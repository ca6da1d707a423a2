import type { Payment } from "../../chains/paying-port.ts";
import type { PayeeAddressing } from "../../chains/port.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import type { PayoutIntent } from "../../signer/intent.ts";
import type { PaidPayouts } from "../../treasury/spends/spend-context.ts";
import type { Payout } from "../payout.ts";
import { readTracesOfSpends } from "../payout-trace.store.ts";
import { payoutIntent } from "./payout-intent.ts";
import {
  arePayoutsPaused,
  findOfStoppedWallets,
  findPayoutsOfSpends,
  readPayoutRows,
} from "./send.store.ts";

/** The payout side of one chain's spends. */
export function createPaidPayouts(
  currencies: CurrencyRegistry,
  addressing: Pick<PayeeAddressing, "parse">,
): PaidPayouts {
  return {
    intents: async (db, spendIds) => {
      const carried = await findPayoutsOfSpends(db, spendIds);
      const payouts = await readPayoutRows(
        db,
        carried.map(({ id }) => id),
      );
      const known = new Map(payouts.map((payout) => [payout.id, payout]));
      const bySpend = Map.groupBy(carried, ({ spendId }) => spendId);
      return new Map(
        [...bySpend].flatMap(([spendId, ofSpend]) => {
          const intents = ofSpend.flatMap(({ id }) => {
            const payout = present(known.get(id), `payout ${id}`);
            const { approval } = payout;
            const intent = payoutIntent(payout, currencies.get(payout.currency));
            return approval === null
              ? []
              : [{ ...intent, approval: Buffer.from(approval).toString("base64") }];
          });
          return intents.length === ofSpend.length ? [[spendId, intents] as const] : [];
        }),
      );
    },
    paymentOf: ({ address, tag, currency, units }) => {
      const known = currencies.find(currency);
      const destination = addressing.parse(address, tag);
      if (known === null || destination === null) return null;
      const amount = { units: BigInt(units), currency: known.id };
      return { payment: { destination, amount }, confirmations: known.confirmationBlocks };
    },
    existing: async (db, intents) => {
      const ids = intents.map(({ payoutId }) => payoutId).filter(isObjectId);
      const payouts = await readPayoutRows(db, ids);
      const known = new Map(payouts.map((payout) => [payout.id, payout]));
      const same = intents.filter((intent) => {
        const payout = known.get(intent.payoutId);
        return payout !== undefined && !payout.isInternal && isIntended(payout, intent);
      });
      return new Set(same.map(({ payoutId }) => payoutId));
    },
    carriers: async (db, payoutIds) => {
      const payouts = await readPayoutRows(db, payoutIds);
      return new Map(
        payouts.flatMap(({ id, spendId }) => (spendId === null ? [] : [[id, spendId] as const])),
      );
    },
    traces: readTracesOfSpends,
    arePaused: arePayoutsPaused,
    ofStoppedWallets: findOfStoppedWallets,
  };
}

/** Whether the signer signed this very payment: a restored database may have reused the payout's id. */
export function isIntended(payout: Payout, intent: PayoutIntent): boolean {
  return (
    payout.chain === intent.chain &&
    payout.address === intent.address &&
    payout.tag === intent.tag &&
    payout.currency === intent.currency &&
    payout.paidUnits.toString() === intent.units
  );
}

/** The chain payment of a payout; its address was validated on creation. */
export function paymentOf(
  payout: Pick<Payout, "id" | "address" | "tag" | "paidUnits" | "currency">,
  addressing: Pick<PayeeAddressing, "parse">,
): Payment {
  const address = present(payout.address, `address of payout ${payout.id}`);
  const destination = present(
    addressing.parse(address, payout.tag),
    `a destination of payout ${payout.id}`,
  );
  return { destination, amount: { units: payout.paidUnits, currency: payout.currency } };
}
