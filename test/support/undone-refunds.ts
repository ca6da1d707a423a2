import { expect } from "vitest";
import type { Principal } from "../../src/accounts/principal.ts";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { transferRoutes } from "../../src/http/deposits/transfer.ts";
import { payoutRoutes } from "../../src/http/payouts/payout.ts";
import { changePayouts } from "../../src/payouts/change-payouts.ts";
import type { Payout } from "../../src/payouts/payout.ts";
import { approvalMessage } from "../../src/signer/intent.ts";
import { apiServer } from "./api-server.ts";
import {
  ownerOf,
  readBalance,
  readDeposit,
  readTestAddresses,
  readTransfers,
} from "./deposit-world.ts";
import { useEtherShop } from "./ether-shop.ts";
import type { SendOptions } from "./paying-back.ts";
import { payoutSeal } from "./payout-world.ts";

/** Half of a payment is commission. */
export const half = { ratePpm: 500_000, fixedUnits: 0n, minimumUnits: 0n };

/** Outcomes of a payout that a chain reports. */
export const sent = { stage: "sending", txid: "0xpaid", block: null } as const;
export const reverted = {
  stage: "failed",
  block: { height: 7, hash: "0xblock" },
} as const;

/**
 * Refunds whose payout is canceled or fails: 100 USD are requested and paid in ether, and half of each payment is commission. The
 * test plays the chain's part for the payout.
 */
export function useUndoneRefunds() {
  const site = useEtherShop();
  const { database, world, resolve, payoutOf } = site;
  const acting = {
    seal: payoutSeal,
    approve: approvalMessage,
    payInternally: () => Promise.reject(new Error("no payout stays inside the service here")),
    withdrawFromSpend: () => Promise.resolve(true),
    approverMinAgeSeconds: 0,
    readAddresses: readTestAddresses,
  };
  const api = apiServer(
    [...payoutRoutes({ ...world.context, ...acting }), ...transferRoutes(world.context)],
    { clock: world.clock },
  );
  /** Everything that a deposit's transfers show about amounts and status. */
  const shown = async (deposit: Deposit) => {
    const all = await Promise.all(
      (await readTransfers(world, deposit)).map(async ({ id }) => {
        const as = ownerOf(deposit.accountId);
        const { one, status, text } = await api.ask("GET", `/transfer/${id}/`, { as });
        expect(status, text).toBe(200);
        return one.attributes;
      }),
    );
    return all.map((attributes) => ({
      status: attributes["status"],
      amount: attributes["amount"],
      cleared: attributes["amount_cleared"],
      commission: attributes["commission"],
      message: attributes["message"],
      user: attributes["user_message"],
    }));
  };
  return {
    site,
    api,
    shown,
    /** A deposit that was paid these amounts of ether. */
    paid: async (...amounts: readonly string[]): Promise<Deposit> => {
      const deposit = await site.invoice({ commission: half });
      await site.pay(deposit, ...amounts);
      return deposit;
    },
    refunded: async (deposit: Deposit, options: SendOptions = {}): Promise<Payout> => {
      const answer = await resolve(deposit, options);
      expect(answer.status, answer.text).toBe(200);
      world.clock.advance(1);
      return payoutOf(answer, site.shop.accountId);
    },
    accept: (deposit: Deposit) => resolve(deposit, { attributes: { action: "accept" } }),
    cancel: async ({ id }: Payout, as?: Principal): Promise<void> => {
      const answer = await api.ask("POST", `/payout/${id}/cancel/`, {
        as: as ?? ownerOf(site.shop.accountId),
      });
      expect(answer.status, answer.text).toBe(200);
      world.clock.advance(1);
    },
    /** Applies an outcome of a payout that a chain or the signer's journal reports. */
    applyOutcome: async ({ id }: Payout, facts: Partial<Payout>): Promise<void> => {
      const now = world.clock.now();
      await database.db.transaction((tx) =>
        changePayouts(tx, world.context, [id], (payout) => ({ ...payout, ...facts }), now),
      );
      world.clock.advance(1);
    },
    /** The state that must be equal before a refund and after it was undone. */
    picture: async (deposit: Deposit) => {
      const { status, statusReason, sums, assets } = await readDeposit(world, deposit);
      return {
        status,
        statusReason,
        sums,
        assets,
        transfers: await shown(deposit),
        balance: await readBalance(world, site.shop),
      };
    },
  };
}
