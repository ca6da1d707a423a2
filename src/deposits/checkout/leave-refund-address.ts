import type { PayeeAddressing } from "../../chains/port.ts";
import type { FindKeyspace } from "../../currencies/keyspace.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { Deposit } from "../deposit.ts";
import { depositStatus } from "../deposit-status.ts";
import { readTransferRows } from "../payments/incoming.store.ts";
import { isUnresolved } from "../resolve/refundable.ts";
import { lockPageDeposit, readPageDeposit, readPayer, savePayer } from "./payment-page.store.ts";

export type RefundAddressContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  readonly findKeyspace: FindKeyspace;
  /** Null for a chain that this deployment does not run. */
  readonly findAddressing: (chain: string) => PayeeAddressing | null;
};

export type RefundAddress = { readonly address: string; readonly tag: string | null };

/**
 * Stores the refund address of an Unresolved deposit's payer. It obliges no one: the merchant decides, and the
 * first address stays, because anyone else with the page's link could replace it with theirs. An address of this service is taken as any
 * other, so that nobody learns here which addresses are ours. False: there is no such page.
 * Rejects with refundNotAsked, addressRefused, invalidValue.
 */
export async function leaveRefundAddress(
  context: RefundAddressContext,
  pageId: string,
  requested: RefundAddress,
): Promise<boolean> {
  const seen = await readPageDeposit(context.db, pageId);
  if (seen === null) return false;
  assertAsked(seen);
  const payee = readPayee(context, seen, requested);
  const now = context.clock.now();
  await context.db.transaction(async (tx) => {
    const deposit = present(await lockPageDeposit(tx, pageId), "a page that was there before");
    assertAsked(deposit);
    const payments = await readTransferRows(tx, [], [deposit]);
    if (!payments.some(isUnresolved))
      reject("refundNotAsked", "This payment has no funds to refund.");
    const known = await readPayer(tx, deposit);
    if (known !== null) {
      if (known.refundAddress === payee.address && known.tag === payee.tag) return;
      reject(
        "refundNotAsked",
        "A refund address has already been saved. Contact the store to change it.",
      );
    }
    await savePayer(tx, deposit, {
      refundAddress: payee.address,
      tag: payee.tag,
      leftAt: now,
    });
  });
  return true;
}

function assertAsked({ status }: Deposit): void {
  if (status !== depositStatus.unresolved)
    reject("refundNotAsked", "A refund address can be saved only while the payment is on hold.");
}

function readPayee(context: RefundAddressContext, deposit: Deposit, requested: RefundAddress) {
  const currency = context.currencies.get(present(deposit.currency, "what was paid in"));
  const chain = present(currency.chain, "the chain that was paid on");
  const addressing = context.findAddressing(chain);
  if (addressing === null)
    return reject("currencyUnavailable", `${currency.alpha} is not available here any more.`);
  const plain = addressing.parse(requested.address, null);
  if (
    requested.tag !== null &&
    plain !== null &&
    addressing.parse(requested.address, requested.tag) === null
  )
    reject("invalidValue", `This tag does not fit this ${currency.alpha} address.`, {
      pointer: "/tag",
    });
  const destination = addressing.parse(requested.address, requested.tag);
  if (destination === null)
    return refuse(
      addressing.explain?.(requested.address) ??
        `${currency.alpha} cannot be sent to this address.`,
    );
  return { address: destination.address, tag: destination.tag };
}

function refuse(detail: string): never {
  return reject("addressRefused", detail, { pointer: "/address" });
}
