/*
 * Loops of conversions at full speed while two sources' prices move: dollars to USD Coin to ether to dollars, rate-locked
 * deposits paid internally, payouts that wait for approval until the price is favorable, and overpaid deposits accepted when it
 * is. The account's holdings, valued at the bid, never exceed the initial value plus the effect of price moves. A short run by
 * default; `npm run conversions` runs for ten minutes.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { walletType } from "../../src/accounts/wallets/wallet.ts";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import { createRateProviders } from "../../src/currencies/rates/create-rate-providers.ts";
import { createFetchText } from "../../src/currencies/rates/fetch-text.ts";
import { readRateQuotes } from "../../src/currencies/rates/rate-quote.store.ts";
import { refreshRates } from "../../src/currencies/rates/refresh-rates.ts";
import { createRegistry } from "../../src/currencies/registry.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { formatDecimal } from "../../src/platform/kernel/decimal.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { type RateServer, startRateServer } from "../../src/sandbox/rate-server.ts";
import type { ApiResponse } from "../support/api-server.ts";
import { expectBooksToBalance } from "../support/check-books.ts";
import { dollar, ether, usdc, useConversions } from "../support/conversion-site.ts";
import { useDatabase } from "../support/database.ts";
import { fillPool } from "../support/deposit-world.ts";
import { createSeeded } from "../support/seeded.ts";
import { useWholeApi } from "../support/whole-api.ts";

const seconds = Number(process.env["SLUICE_CONVERSION_SECONDS"] ?? "0");
const roundsMin = 8;
const stepsPerRound = seconds > 0 ? 25 : 4;
const playersCount = 4;
/** Two valuations may differ by less than this through rounding, in 10^-18 dollars. */
const roundingMax = 10n ** 6n;

const database = useDatabase();
const api = useWholeApi(database);
const site = useConversions(api);
const registry = createRegistry(builtInCurrencies);

let server: RateServer;
beforeAll(async () => {
  server = await startRateServer();
});
afterAll(() => server.close());

type Player = {
  readonly dollars: string;
  readonly coins: string;
  readonly ethers: string;
  /** Deposits created at an earlier price, and payouts waiting since then. */
  readonly invoices: string[];
  readonly waiting: string[];
};

/** One refresh of both sources over HTTP, as a worker does it. */
async function refresh(): Promise<void> {
  // Longer than a process caches prices.
  api.clock.advance(2);
  const fetchText = createFetchText({ clock: systemClock });
  const providers = createRateProviders(server.sources, registry, fetchText, api.clock);
  const { answered } = await refreshRates(
    { db: database.db, providers, clock: api.clock, logger: silentLogger },
    new AbortController().signal,
  );
  expect(answered).toEqual(["kraken", "bitstamp"]);
}

/** The account's holdings in 10^-18 dollars, including funds on hold in deposits, each currency at its bid. */
async function worth(): Promise<bigint> {
  const quotes = await readRateQuotes(database.db);
  const held = await database.sql<{ currency: string; units: bigint }>(
    `select currency, sum(units) as units from (
       select w.currency, b.available + b.held - b.deficit as units
       from wallet_balance b join wallet w on w.account_id = b.account_id and w.id = b.wallet_id
       union all
       select currency, units from transfer where disposition in ('pending', 'unresolved')) as part
     group by currency`,
  );
  return held.reduce((sum, { currency, units }) => {
    const { exp, pricedAs } = registry.get(currency);
    const bid = pricedAs === "USD" ? 10n ** 18n : quotes.get(pricedAs ?? "")?.quote.bid;
    return sum + (units * present(bid, `price of ${currency}`)) / 10n ** BigInt(exp);
  }, 0n);
}

describe("conversion loops", () => {
  it(
    "gain nothing except by holding a currency while its price moves",
    async () => {
      const seeded = createSeeded(20_261_123);
      const approver = await api.arrangeMember({ accountId: site.tenant().accountId });
      const clerk = await api.arrangeMember({
        accountId: site.tenant().accountId,
        role: "withdrawals_with_approval",
      });
      await refresh();
      const players: Player[] = [];
      for (let number = 0; number < playersCount; number += 1)
        players.push({
          dollars: await site.wallet(walletType.merchant, dollar, "10000"),
          coins: await site.wallet(walletType.merchant, usdc),
          ethers: await site.wallet(walletType.enterprise, ether),
          invoices: [],
          waiting: [],
        });
      let [answers, rounds] = [0, 0];
      const recorded = (answer: ApiResponse): ApiResponse => {
        answers += 1;
        expect(answer.status, answer.text).toBeLessThan(500);
        return answer;
      };

      const start = await worth();
      let bound = start;
      let highest = start;
      const endsAt = systemClock.now() + seconds * 1_000_000;
      while (rounds < roundsMin || systemClock.now() < endsAt) {
        rounds += 1;
        await fillPool(api.world(), "evm", "", playersCount * stepsPerRound);
        const before = await worth();
        server.setPrice("ETH", String(2_000 + seeded.between(0, 1_000)));
        server.setPrice("USDC", `0.99${seeded.between(0, 99)}`);
        await refresh();
        bound += (await worth()) - before;
        await site.pass(seeded.chance(0.3) ? 901 : 1);
        await refresh();
        const [asApprover, asClerk] = [await api.tokenOf(approver), await api.tokenOf(clerk)];

        const play = async (player: Player): Promise<void> => {
          for (let step = 0; step < stepsPerRound; step += 1) {
            const { dollars, coins, ethers, invoices, waiting } = player;
            switch (seeded.between(0, 5)) {
              case 0: {
                recorded(await site.payWallet(dollars, usdc, "250", coins));
                recorded(await site.payWallet(coins, ether, "0.08", dollars));
                const left = await site.available(coins);
                recorded(await site.payWallet(coins, usdc, formatDecimal(left, 6), dollars));
                break;
              }
              case 1: {
                recorded(await site.payWallet(dollars, ether, "0.1", ethers));
                recorded(await site.payWallet(ethers, ether, "0.1", dollars));
                break;
              }
              case 2: {
                invoices.push(await site.invoice(dollars, { target_amount_requested: "100" }));
                break;
              }
              case 3: {
                const id = invoices.shift();
                if (id === undefined) break;
                const { attributes } = recorded(await site.get(`/deposit/${id}/`)).one;
                const requested = attributes["source_amount_requested"] as string;
                recorded(
                  await site.payDeposit(dollars, id, seeded.chance(0.5) ? requested : "0.07"),
                );
                const body = { data: { type: "deposit", attributes: { action: "accept" } } };
                if (seeded.chance(0.5)) recorded(await site.post(`/deposit/${id}/resolve/`, body));
                else invoices.push(id);
                break;
              }
              case 4: {
                const created = recorded(
                  await site.payWallet(dollars, ether, "0.1", ethers, asClerk),
                );
                if (created.status === 201) waiting.push(created.one.id);
                break;
              }
              default: {
                const id = waiting.shift();
                const word = seeded.chance(0.7) ? "approve" : "cancel";
                if (id === undefined) break;
                recorded(await site.post(`/payout/${id}/${word}/`, undefined, asApprover));
              }
            }
          }
        };
        await Promise.all(players.map(play));
        const reached = await worth();
        if (reached > highest) highest = reached;
        expect(reached, `round ${rounds}, in 10^-18 dollar`).toBeLessThanOrEqual(
          bound + roundingMax,
        );
      }
      await expectBooksToBalance(database);
      const shown = (units: bigint) => formatDecimal(units / 10n ** 16n, 2);
      const end = await worth();
      const lines = [
        `${rounds} rounds, ${answers} responses: started with ${shown(start)} USD, holds ${shown(end)} USD;`,
        `price moves alone would have led to ${shown(bound)} USD, and conversions cost ${shown(bound - end)} USD.`,
      ];
      console.log(lines.join(" "));
      expect(answers).toBeGreaterThan(rounds);
    },
    (seconds + 300) * 1_000,
  );
});
