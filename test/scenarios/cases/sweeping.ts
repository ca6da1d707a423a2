import { expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import type { Resource } from "../support/api-client.ts";
import { type ChainControl, signal } from "../support/chain-control.ts";
import { unitsAt } from "../support/chain-facts.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { addressOf, withShop } from "../support/shop.ts";
import { inFull, type TestSite } from "../support/test-site.ts";

const deposits = [
  { alpha: "USDT-ETH", amount: "100" },
  { alpha: "USDT-ETH", amount: "250.5" },
  { alpha: "USDC-ETH", amount: "75.000001" },
  { alpha: "ETH", amount: "0.5" },
] as const;

/**
 * Funds on deposit addresses of an account chain are swept into the hot account: tokens in a transaction that their addresses
 * have authorized (EIP-7702), so that none of them needs ether for it. No wallet's balance changes.
 */
export function sweeping(scenario: DefineScenario): void {
  scenario(
    "sweeps confirmed deposits into the hot account without changing balances",
    ["ETH"],
    (site) =>
      withShop(site, async (shop) => {
        const created: { alpha: string; wallet: string; amount: string; deposit: Resource }[] = [];
        await site.onChain("ETH", async (chain) => {
          for (const { alpha, amount } of deposits) {
            const wallet = await shop.wallet("enterprise", alpha);
            created.push({ alpha, amount, wallet, deposit: await shop.deposit(wallet) });
          }
          for (const { alpha, amount, deposit } of created)
            await chain.pay(alpha, addressOf(deposit), amount);
          await chain.mine(13);
          for (const { alpha, amount, wallet } of created)
            await shop.expectBalance(wallet, inFull(amount, alpha), inFull("0", alpha));
        });
        // Other scenarios take their turn in between: sweeping takes some blocks.
        await shop.waitSeconds(15);
        await site.onChain("ETH", async (chain) => {
          for (const { alpha, deposit } of created) {
            await eventually(
              () => unitsAt(chain, alpha, [addressOf(deposit)]),
              (units) => units === 0n,
              180,
            );
          }
          await chain.mine(12);
          for (const { alpha, amount, wallet } of created) {
            expect(await shop.balance(wallet)).toEqual({
              confirmed: inFull(amount, alpha),
              pending: inFull("0", alpha),
            });
          }
          await expectAuthorised(
            site,
            chain,
            created.filter(({ alpha }) => alpha !== "ETH").map(({ deposit }) => addressOf(deposit)),
          );
        });
      }),
  );
}

/** Each address delegates to our contract, and paid nothing for it: it never had ether. */
async function expectAuthorised(
  site: TestSite,
  { rpc }: ChainControl,
  addresses: readonly string[],
): Promise<void> {
  for (const address of addresses) {
    expect(await rpc.call("eth_getCode", [address, "latest"], signal)).toMatch(
      /^0xef0100[0-9a-f]{40}$/,
    );
    expect(await rpc.call("eth_getBalance", [address, "latest"], signal)).toBe("0x0");
  }
  const rows = await site.sql<{ readonly txid: string }>(
    `select a.txid from spend s join spend_attempt a on a.spend_id = s.id and a.number = s.mined_attempt
     where s.kind = 'sweep' and s.chain = 'ETH' and s.purpose::text ilike any($1)`,
    [addresses.map((address) => `%${address}%`)],
  );
  expect(rows.length).toBeGreaterThan(0);
}
