import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { acceptDeposit, cancelDeposit } from "../../src/deposits/payments/change-deposit.ts";
import { concludeExpiries } from "../../src/deposits/payments/conclude-expiries.ts";
import { Rejected } from "../../src/platform/kernel/rejection.ts";
import { expectBooksToBalance } from "../support/check-books.ts";
import { useDatabase } from "../support/database.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  bnb,
  btc,
  depositWorld,
  eth,
  ownerOf,
  payment,
  readBalance,
  readDeposit,
  readEvents,
  readTransfers,
  units,
} from "../support/deposit-world.ts";
import { fc } from "../support/property.ts";

/*
 * Several writers that change one deposit at the same time: two followers, users, the expiry. Each runs in its own transaction,
 * and none may lose another's changes. Also long random histories, after which the books are compared with the transfers.
 */

const database = useDatabase();
const world = depositWorld(database);
let ethereum: AnnouncingChain;
let binance: AnnouncingChain;
beforeEach(async () => {
  ethereum = await announceChain(world, "ETH");
  binance = await announceChain(world, "BNB-BSC");
});
afterEach(() => expectBooksToBalance(database));

describe("payments in parallel", () => {
  it("lose nothing when two followers report one deposit at once", async () => {
    const wallet = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, wallet);
    const rounds = 15;
    const alternate = async (chain: AnnouncingChain, currency: typeof eth): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        await chain.append([payment({ deposit, amount: "1", currency })]);
      }
    };
    await Promise.all([alternate(ethereum, eth), alternate(binance, bnb)]);
    await ethereum.grow(2);
    const { sums, assets } = await readDeposit(world, deposit);
    expect(sums.enrolled).toBe(units("15", eth));
    expect(assets).toEqual({ [eth]: units("15", eth), [bnb]: units("15", bnb) });
    expect(await readTransfers(world, deposit)).toHaveLength(2 * rounds);
    expect(await readBalance(world, wallet)).toMatchObject({ available: units("15", eth) });
  });

  it("never deadlock when blocks touch the same deposits in different orders", async () => {
    const wallet = await arrangeWallet(world);
    const deposits = await Promise.all(
      Array.from({ length: 8 }, () => arrangeDeposit(world, wallet)),
    );
    const pay = (chain: AnnouncingChain, order: readonly Deposit[], currency: typeof eth) =>
      chain.append(order.map((deposit) => payment({ deposit, amount: "1", currency })));
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([pay(ethereum, deposits, eth), pay(binance, deposits.toReversed(), bnb)]);
    }
    await ethereum.grow(2);
    expect(await readBalance(world, wallet)).toMatchObject({ available: units("40", eth) });
  });

  it("end in a valid state when a payment, a cancellation and the expiry happen at once", async () => {
    const wallet = await arrangeWallet(world, { type: 1, currency: eth });
    const owner = ownerOf(wallet.accountId);
    for (let round = 0; round < 10; round += 1) {
      const deposit = await arrangeDeposit(world, wallet, { requested: "1", timeLimit: 60 });
      world.clock.advance(61);
      await ethereum.catchUp();
      await Promise.all([
        ethereum.append([payment({ deposit, amount: "1" })]),
        cancelDeposit(world.context, owner, deposit.id),
        concludeExpiries({ ...world.context, idleChains: ["ETH"] }),
      ]);
      await ethereum.grow(3);
      const { status } = await readDeposit(world, deposit);
      expect(status).toBe(5);
      const events = await readEvents(world, deposit);
      expect(events.filter((trigger) => trigger === "confirmed")).toHaveLength(1);
    }
  });

  type Step =
    | {
        readonly do: "pay";
        readonly to: number;
        readonly cents: number;
        readonly isPending: boolean;
      }
    | { readonly do: "include" | "conflict"; readonly which: number }
    | { readonly do: "orphan" | "grow" | "wait" | "conclude" }
    | { readonly do: "cancel" | "accept"; readonly to: number };

  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant("pay" as const),
        to: fc.nat(2),
        cents: fc.integer({ min: 1, max: 150 }),
        isPending: fc.boolean(),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom("include" as const, "conflict" as const),
        which: fc.nat(3),
      }),
    },
    {
      weight: 7,
      arbitrary: fc.record({
        do: fc.constantFrom(...(["orphan", "grow", "grow", "wait", "conclude"] as const)),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom("cancel" as const, "accept" as const),
        to: fc.nat(2),
      }),
    },
  );

  it("keep the books balanced in random histories on a real database, and leave every balance at zero when all is reversed", async () => {
    const bitcoin = () => announceChain(world, "BTC");
    const wallet = await arrangeWallet(world, { type: 1, currency: btc });
    const endless = await arrangeWallet(world, { currency: btc });
    const owner = ownerOf(wallet.accountId);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const chain = await bitcoin();
        const deposits = [
          await arrangeDeposit(world, wallet, { requested: "1", timeLimit: 100 }),
          await arrangeDeposit(world, wallet, { confirmationsNeeded: 1, timeLimit: 300 }),
          await arrangeDeposit(world, endless, { confirmationsNeeded: 0 }),
        ];
        const waiting: ReturnType<typeof payment>[] = [];
        const mined: ReturnType<typeof payment>[][] = [];
        const append = async (hits: ReturnType<typeof payment>[]): Promise<void> => {
          await chain.append(hits);
          mined.push(hits);
        };
        const orphan = async (): Promise<void> => {
          const hits = mined.pop();
          if (hits === undefined) return;
          await chain.orphan();
          waiting.push(...hits);
        };
        const conflict = async (hit: ReturnType<typeof payment> | undefined): Promise<void> => {
          if (hit !== undefined) await chain.conflict(hit.transfer.key.txid);
        };
        const take = (which: number) => waiting.splice(which % Math.max(waiting.length, 1), 1)[0];
        for (const next of steps) {
          world.clock.advance(7);
          switch (next.do) {
            case "pay": {
              const deposit = deposits[next.to]!;
              const hit = payment({ deposit, amount: `0.${String(next.cents).padStart(3, "0")}` });
              if (next.isPending) {
                await chain.see([hit]);
                waiting.push(hit);
              } else await append([hit]);
              break;
            }
            case "include": {
              const hit = take(next.which);
              if (hit !== undefined) await append([hit]);
              break;
            }
            case "conflict":
              await conflict(take(next.which));
              break;
            case "orphan":
              await orphan();
              break;
            case "grow":
              await append([]);
              break;
            case "wait":
              world.clock.advance(60);
              break;
            case "conclude":
              await chain.catchUp();
              await concludeExpiries({ ...world.context, idleChains: [] });
              break;
            case "cancel":
            case "accept": {
              const act = next.do === "cancel" ? cancelDeposit : acceptDeposit;
              await act(world.context, owner, deposits[next.to]!.id).catch((error: unknown) => {
                expect(error).toBeInstanceOf(Rejected);
              });
            }
          }
        }
        await expectBooksToBalance(database);
        while (mined.length > 0) await orphan();
        for (const hit of waiting.splice(0)) await conflict(hit);
        await expectBooksToBalance(database);
        for (const { walletId } of [wallet, endless]) {
          expect(await readBalance(world, { walletId })).toEqual({
            available: 0n,
            pending: 0n,
            deficit: 0n,
          });
        }
      }),
      { numRuns: 25 },
    );
  });
});
