import { bech32m } from "@scure/base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { expectWholeBooks } from "../scenarios/cases/whole-books.ts";
import {
  type Cashier,
  feeOf,
  fundedWallet,
  openCashier,
  textOf,
} from "../scenarios/support/cashier.ts";
import type { ChainControl } from "../scenarios/support/chain-control.ts";
import { burntBy, unitsAt } from "../scenarios/support/chain-facts.ts";
import { patienceMs } from "../scenarios/support/define-scenario.ts";
import type { Deployment } from "../scenarios/support/deployment.ts";
import { amountOf, less, unitsOf } from "../scenarios/support/money.ts";
import { startSandboxDeployment } from "../scenarios/support/sandbox-deployment.ts";
import { addressOf, type Shop, withShop } from "../scenarios/support/shop.ts";
import { currencyOf, inFull, openTestSite, type TestSite } from "../scenarios/support/test-site.ts";
import { alterSignature } from "../support/alter-signature.ts";
import { payTokens } from "../support/cash-tokens.ts";
import { eventually } from "../support/eventually.ts";
import vectors from "../vectors/zcash-addresses.json" with { type: "json" };

/* Bitcoin's relatives over HTTP, in one sandbox: what the loop of all coins (`utxo-coins.test.ts`) does not show. */

const coins = [
  { alpha: "BCH", scheme: "", paid: "0.03" },
  { alpha: "ZEC", scheme: "zcash:", paid: "0.03" },
  { alpha: "DASH", scheme: "dash:", paid: "0.03" },
  { alpha: "DOGE", scheme: "dogecoin:", paid: "30" },
] as const;

const opened: { deployment: Deployment | null; site: TestSite | null } = {
  deployment: null,
  site: null,
};
beforeAll(async () => {
  opened.deployment = await startSandboxDeployment({ SLUICE_CHAINS: "BCH,ZEC,DASH,DOGE" });
  opened.site = await openTestSite(opened.deployment);
  // Ledgers, a database, keys and three processes.
}, 900_000);
afterAll(async () => {
  await opened.site?.close();
  await opened.deployment?.stop();
});

type World = {
  readonly site: TestSite;
  readonly shop: Shop;
  readonly chain: ChainControl;
  readonly cashier: Cashier;
};

function on(alpha: string, work: (world: World) => Promise<void>): Promise<void> {
  const site = present(opened.site, "the sandbox");
  return withShop(site, (shop) =>
    site.onChain(alpha, (chain) =>
      work({ site, shop, chain, cashier: openCashier(site, shop, site.cashier) }),
    ),
  );
}

const timeout = patienceMs;

describe.each(coins)("$alpha", ({ alpha, scheme, paid }) => {
  it("shows payers a link with one scheme, the address and the amount", { timeout }, () =>
    on(alpha, async ({ shop }) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, { target_amount_requested: "100.00" }, alpha);
      const page = textOf(deposit.attributes, "payment_page").replace(/\/$/, "");
      const response = await fetch(`${page}/state/`);
      expect(response.status).toBe(200);
      const { payment } = (await response.json()) as { readonly payment: { readonly uri: string } };
      const requested = textOf(deposit.attributes, "source_amount_requested");
      const amount = requested.replace(/\.?0+$/, "");
      expect(payment.uri).toBe(`${scheme}${addressOf(deposit)}?amount=${amount}`);
      expect(payment.uri.split("?")[0]?.split(":")).toHaveLength(2);
    }),
  );

  it("deducts an included fee from what the receiver gets", { timeout }, () =>
    on(alpha, async ({ cashier, chain, shop }) => {
      const wallet = await fundedWallet(shop, chain, alpha, paid);
      const address = await chain.node.faucet<string>("getnewaddress");
      // The whole balance: a fee on top could not be paid.
      const order = { wallet, alpha, amount: paid, address };
      expect((await cashier.ask(order)).codes).toEqual(["4008"]);
      const payout = await cashier.pay({ ...order, attributes: { is_fee_included: true } });
      const cleared = less(paid, [feeOf(payout)], alpha);
      await cashier.expectTransfer(payout, { status: 1 });
      await chain.mine(currencyOf(alpha).confirmationBlocks);
      const done = await cashier.expectTransfer(payout, {
        status: 2,
        amount: inFull(paid, alpha),
        amount_cleared: cleared,
      });
      expect(amountOf(await unitsAt(chain, alpha, [address]), alpha)).toBe(cleared);
      expect(await burntBy(chain, textOf(done, "txid"))).toBeLessThanOrEqual(
        unitsOf(feeOf(payout), alpha),
      );
      await shop.expectBalance(wallet, inFull("0", alpha), inFull("0", alpha));
    }),
  );
});

describe("a payout whose signature a miner alters", () => {
  it("is made under another id, and nobody has to decide about it", { timeout }, () =>
    on("DASH", async ({ cashier, chain, shop, site }) => {
      const alpha = "DASH";
      const wallet = await fundedWallet(shop, chain, alpha, "0.05");
      const address = await chain.node.faucet<string>("getnewaddress");
      const payout = await cashier.pay({ wallet, alpha, amount: "0.02", address });
      const txid = textOf(await cashier.expectSent(payout), "txid");
      const raw = await chain.node.command<string>("getrawtransaction", [txid]);
      const altered = Buffer.from(alterSignature(Buffer.from(raw, "hex"))).toString("hex");
      const miner = await chain.node.faucet<string>("getnewaddress");
      await chain.node.command("generateblock", [miner, [altered]]);
      await chain.caughtUp();
      const other = await cashier.expectSent(payout);
      expect(textOf(other, "txid")).not.toBe(txid);
      expect(await site.sql("select * from payout_stop")).toEqual([]);
      expect(await site.sql("select * from unexplained_spend")).toEqual([]);
      await chain.mine(currencyOf(alpha).confirmationBlocks);
      await cashier.expectTransfer(payout, { status: 2, txid: textOf(other, "txid") });
      expect(await unitsAt(chain, alpha, [address])).toBe(unitsOf("0.02", alpha));
    }),
  );
});

describe("an output with CashTokens", () => {
  it("is shown as another asset, credits nothing, and is never spent", { timeout }, () =>
    on("BCH", async ({ cashier, chain, shop, site }) => {
      const alpha = "BCH";
      const wallet = await shop.wallet("enterprise", alpha);
      const deposit = await shop.deposit(wallet);
      const tokens = { amount: 5_000n, units: 40_000_000n };
      const { txid } = await payTokens(chain.node, addressOf(deposit), tokens);
      await shop.expectTransfer(deposit, { amount: "1", amount_cleared: "0", txid, status: 1 });
      await chain.mine(currencyOf(alpha).confirmationBlocks);
      await shop.expectTransfer(deposit, { amount: "1", amount_cleared: "0", txid, status: 2 });
      const zero = inFull("0", alpha);
      await shop.expectBalance(wallet, zero, zero);
      expect(await shop.read(deposit)).toMatchObject({ target_paid: zero, assets: {} });
      await shop.expectNoCallbacks(deposit);
      const known = await site.sql("select 1 from coin where chain = 'BCH' and outpoint = $1", [
        `${txid}:0`,
      ]);
      expect(known).toEqual([]);

      // Real money at the same address is credited and paid out, without the output beside it.
      await chain.pay(alpha, addressOf(deposit), "0.05");
      await chain.mine(currencyOf(alpha).confirmationBlocks);
      await shop.expectBalance(wallet, inFull("0.05", alpha), zero);
      const address = await chain.node.faucet<string>("getnewaddress");
      const payout = await cashier.pay({ wallet, alpha, amount: "0.04", address });
      await cashier.expectSent(payout);
      await chain.mine(currencyOf(alpha).confirmationBlocks);
      await cashier.expectTransfer(payout, { status: 2 });
      expect(await chain.node.command("gettxout", [txid, 0])).toMatchObject({
        tokenData: { amount: "5000" },
      });
    }),
  );
});

describe("an address", () => {
  /** What is said about the address of a payout from a wallet that can pay it. */
  const refusal = async ({ cashier, chain, shop }: World, alpha: string, address: string) => {
    const wallet = await fundedWallet(shop, chain, alpha, "0.02");
    const attributes = { fee_amount: "0.0001" };
    const answer = await cashier.ask({ wallet, alpha, amount: "0.01", address, attributes });
    const { errors = [] } = JSON.parse(answer.text) as {
      readonly errors?: readonly {
        readonly code: string;
        readonly detail: string;
        readonly source?: { readonly pointer?: string };
      }[];
    };
    return errors.flatMap(({ code, detail, source }) =>
      source?.pointer === "/data/attributes/address" ? [`${code} ${detail}`] : [],
    );
  };

  it("of Bitcoin Cash is refused with what is wrong with its prefix or case", { timeout }, () =>
    on("BCH", async (world) => {
      const own = await world.chain.node.faucet<string>("getnewaddress");
      const ask = (address: string) => refusal(world, "BCH", address);
      expect(await ask(`bitcoincash:${own}`)).toEqual([
        "7001 The address has more than one prefix: bchreg: comes once, or not at all.",
      ]);
      expect(await ask(own.replace("bchreg:q", "bchreg:Q"))).toEqual([
        "7001 The address mixes upper and lower case, which addresses of this form never do.",
      ]);
      expect(await ask("bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a")).toEqual([
        "7001 This is an address of the main network, and payments here are made on a private test network.",
      ]);
    }),
  );

  it("of a shielded pool of Zcash is refused", { timeout }, () =>
    on("ZEC", async (world) => {
      const [unified = ""] = vectors.unified.withoutTransparent.toSorted(
        (a, b) => a.length - b.length,
      );
      const sapling =
        "ztestsapling10yy2ex5dcqkclhc7z7yrnjq2z6feyjad56ptwlfgmy77dmaqqrl9gyhprdx59qgmsnyfska2kez";
      expect(await refusal(world, "ZEC", unified)).toEqual([
        "7001 Unified addresses are not paid, since their owners expect shielded payments: give a transparent address (t1, t3 or tex).",
      ]);
      expect(await refusal(world, "ZEC", sapling)).toEqual([
        "7001 Shielded addresses are not paid: give a transparent address (t1, t3 or tex).",
      ]);
    }),
  );

  it("of Zcash for transparent coins only is paid", { timeout }, () =>
    on("ZEC", async ({ cashier, chain, shop }) => {
      const alpha = "ZEC";
      const wallet = await fundedWallet(shop, chain, alpha, "0.03");
      const hash = Uint8Array.from(systemRandom.bytes(20));
      const address = bech32m.encode("texregtest", bech32m.toWords(hash));
      const payout = await cashier.pay({ wallet, alpha, amount: "0.01", address });
      // Written as the ordinary address of the same hash.
      const shown = textOf(payout.attributes, "address");
      expect(shown).toMatch(/^tm/);
      await cashier.expectSent(payout);
      await chain.mine(currencyOf(alpha).confirmationBlocks);
      const { txid } = await cashier.expectTransfer(payout, { status: 2 });
      const paid = await chain.node.command<{
        readonly vout: readonly {
          readonly value: string;
          readonly scriptPubKey: { readonly hex: string };
        }[];
      }>("getrawtransaction", [txid, 1]);
      const script = `76a914${Buffer.from(hash).toString("hex")}88ac`;
      const output = paid.vout.find(({ scriptPubKey }) => scriptPubKey.hex === script);
      expect(Number(output?.value)).toBe(0.01);
      expect(await unitsAt(chain, alpha, [shown])).toBe(unitsOf("0.01", alpha));
    }),
  );
});

describe("the books", () => {
  it("match the chains, without the outputs that hold tokens", { timeout }, async () => {
    const site = present(opened.site, "the sandbox");
    await expectWholeBooks(site);
    for (const { alpha } of coins) {
      const [row] = await eventually(
        () =>
          site.sql<{ ledger: bigint; chain: bigint; isNewest: boolean }>(
            `select r.ledger_units as ledger, r.chain_units as chain, r.height = c.height as "isNewest"
             from reconciliation r join chain_cursor c on c.chain = r.chain where r.currency = $1`,
            [currencyOf(alpha).id],
          ),
        ([newest]) => newest?.isNewest === true,
        180,
      );
      expect(row?.ledger).toBeGreaterThan(0n);
      expect(row?.chain).toBe(row?.ledger);
    }
  });
});
