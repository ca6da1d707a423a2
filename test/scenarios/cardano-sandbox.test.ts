import { join } from "node:path";
import csl from "@emurgo/cardano-serialization-lib-nodejs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withheldUnits } from "../../src/chains/cardano/withheld-units.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { type CardanoSite, readSandboxFile } from "../../src/sandbox/sandbox-file.ts";
import {
  type Amount,
  addressOfScript,
  build,
  type Coin,
  coinsOf,
  idOf,
  scripts,
  spendScript,
  takenCollateral,
} from "../support/build-cardano.ts";
import { addressOfKey } from "../support/private-cardano.ts";
import { cardanoUnits } from "../support/query-cardano.ts";
import { expectWholeBooks } from "./cases/whole-books.ts";
import type { Resource } from "./support/api-client.ts";
import { settled } from "./support/callbacks.ts";
import { openCashier } from "./support/cashier.ts";
import { patienceMs } from "./support/define-scenario.ts";
import type { Deployment } from "./support/deployment.ts";
import { amountOf } from "./support/money.ts";
import { runSluice } from "./support/run-sluice.ts";
import { startSandboxDeployment } from "./support/sandbox-deployment.ts";
import { addressOf, type Shop, withShop } from "./support/shop.ts";
import { currencyOf, openTestSite, type TestSite } from "./support/test-site.ts";

/*
 * ADA through HTTP in the sandbox, with its simulated network. The payer is the serialization library of Cardano's wallets, unmodified, which
 * finds everything that it needs in sandbox.json.
 */

let deployment: Deployment;
let site: TestSite;
let chain: CardanoSite;
let faucet: csl.PrivateKey;
const used = new Set<string>();
const { confirmationBlocks } = currencyOf("ADA");

beforeAll(async () => {
  deployment = await startSandboxDeployment({ SLUICE_CHAINS: "ADA" });
  const file = await readSandboxFile(join(deployment.configFile, ".."));
  chain = file.chains["ADA"] as CardanoSite;
  site = await openTestSite(deployment);
  faucet = csl.PrivateKey.from_bech32(chain.faucet_private_key);
}, 900_000);
afterAll(async () => {
  await site.close();
  await deployment.stop();
});

async function result(method: string, params: object = {}): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", method, params, id: 1 });
  const response = await fetch(chain.ogmios_url, { method: "POST", body });
  const answer = (await response.json()) as { readonly result?: unknown; readonly error?: object };
  if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
  return answer.result;
}

const control = (path: string, body: object) =>
  fetch(chain.sandbox_url + path, { method: "POST", body: JSON.stringify(body) });

/** A coin of the faucet that this test has not spent, with or without tokens. */
async function faucetCoin(withTokens: boolean): Promise<Coin> {
  const coins = await coinsOf({ result }, addressOfKey(faucet));
  const coin = coins.find(
    ({ index, lovelace, tokens = {}, txid }) =>
      !used.has(`${txid}:${index}`) &&
      Object.keys(tokens).length > 0 === withTokens &&
      lovelace > 500_000_000n,
  );
  const found = present(coin, "a coin of the faucet");
  used.add(`${found.txid}:${found.index}`);
  return found;
}

async function pay(
  outputs: readonly (readonly [string, Amount])[],
  withTokens = false,
): Promise<string> {
  // The sandbox's own payer may spend the same coin first.
  for (let tries = 1; ; tries += 1) {
    const raw = build({ inputs: [await faucetCoin(withTokens)], outputs, key: faucet });
    try {
      const cbor = Buffer.from(raw).toString("hex");
      await result("submitTransaction", { transaction: { cbor } });
      return idOf(raw);
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

const confirm = () => site.onChain("ADA", (driven) => driven.mine(confirmationBlocks));
const lovelaceAt = (address: string) => cardanoUnits(chain, [address]);
const newAddress = () => addressOfKey(csl.PrivateKey.generate_ed25519());

const inShop = (work: (shop: Shop, wallet: string) => Promise<void>): Promise<void> =>
  withShop(site, async (shop) => work(shop, await shop.wallet("enterprise", "ADA")));

describe("a deposit of ADA", () => {
  it(
    "has an enterprise address of its own, and is credited once confirmed",
    {
      timeout: patienceMs,
    },
    () =>
      inShop(async (shop, wallet) => {
        const [first, second] = [await shop.deposit(wallet), await shop.deposit(wallet)];
        const address = addressOf(first);
        expect(address).toMatch(/^addr_test1v/);
        expect(addressOf(second)).not.toBe(address);
        const txid = await pay([
          [address, { lovelace: 12_500_000n }],
          [address, { lovelace: 2_500_000n }],
          [addressOf(second), { lovelace: 3_000_000n }],
        ]);
        await confirm();
        await shop.expectBalance(wallet, "18.000000", "0.000000");
        const shown = await shop.transfers(first);
        expect(shown.map(({ amount, status, txid: id }) => [amount, status, id])).toEqual([
          ["12.500000", 2, txid],
          ["2.500000", 2, txid],
        ]);
      }),
  );

  it("loses what a reorg removed, until a block contains it again", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      await site.onChain("ADA", async (driven) => {
        await driven.mine(1);
        const { height } = await driven.tip();
        await pay([[addressOf(deposit), { lovelace: 7_000_000n }]]);
        await driven.mine(confirmationBlocks);
        await shop.expectBalance(wallet, "7.000000", "0.000000");
        const depth = (await driven.tip()).height - height;
        expect(depth).toBeGreaterThanOrEqual(confirmationBlocks);
        await control("/reorg", { depth, transactions: "wait" });
        await driven.caughtUp();
        await shop.expectTransfer(deposit, { amount: "7.000000" });
        await driven.mine(confirmationBlocks);
        await shop.expectBalance(wallet, "7.000000", "0.000000");
        await shop.expectTransfer(deposit, { status: 2 });
      });
      await shop.expectBalance(wallet, "7.000000", "0.000000");
    }),
  );

  it(
    "is credited nothing while the operator has stopped the chain of a split network, and once on the branch that stays",
    {
      timeout: patienceMs,
    },
    () =>
      inShop(async (shop, wallet) => {
        const { configFile } = deployment;
        const deposit = await shop.deposit(wallet);
        await site.onChain("ADA", async (driven) => {
          const { height } = await driven.tip();
          await runSluice(
            ...["pause", "--chain", "ADA", "--stop-crediting"],
            ...["--reason", "the network is split", "--config", configFile],
          );
          try {
            const txid = await pay([[addressOf(deposit), { lovelace: 9_000_000n }]]);
            await control("/mine", { blocks: confirmationBlocks + 1 });
            // Longer than a worker needs for a block.
            await shop.waitSeconds(5);
            await shop.expectBalance(wallet, "0.000000", "0.000000");
            expect((await shop.transfers(deposit)).filter(({ status }) => status === 2)).toEqual(
              [],
            );
            const depth = (await driven.tip()).height - height;
            await control("/reorg", { depth, transactions: "wait" });
            await shop.expectBalance(wallet, "0.000000", "0.000000");
            await runSluice("resume", "--chain", "ADA", "--config", configFile);
            await driven.mine(confirmationBlocks);
            await shop.expectTransfer(deposit, { txid, status: 2 });
          } finally {
            await runSluice("resume", "--chain", "ADA", "--config", configFile).catch(() => "");
          }
        });
        await shop.expectBalance(wallet, "9.000000", "0.000000");
      }),
  );

  /** Pays the deposit so much ADA with 70 test tokens; resolves with the transaction's id, the token, and what it withholds. */
  const payBundle = async (deposit: Resource, lovelace: bigint) => {
    const coin = await faucetCoin(true);
    const [[policy, names]] = Object.entries(coin.tokens ?? {}) as [
      [string, Readonly<Record<string, bigint>>],
    ];
    const [name] = Object.keys(names) as [string];
    const bundle = { lovelace, tokens: { [policy]: { [name]: 70n } } };
    const raw = build({ inputs: [coin], outputs: [[addressOf(deposit), bundle]], key: faucet });
    const cbor = Buffer.from(raw).toString("hex");
    await result("submitTransaction", { transaction: { cbor } });
    const asset = `${policy}.${name}`;
    const assets = [{ asset, units: 70n }];
    return { txid: idOf(raw), asset, withheld: withheldUnits({ units: lovelace, assets }) };
  };
  const netOf = (lovelace: bigint, withheld: bigint) => amountOf(lovelace - withheld, "ADA");

  it(
    "is credited the ADA of a bundle but what its tokens keep, and pays out the rest",
    { timeout: patienceMs },
    () =>
      inShop(async (shop, wallet) => {
        const deposit = await shop.deposit(wallet);
        const { asset, txid, withheld } = await payBundle(deposit, 40_000_000n);
        expect(withheld).toBeGreaterThan(1_000_000n);
        await confirm();
        const net = netOf(40_000_000n, withheld);
        await shop.expectBalance(wallet, net, "0.000000");
        const shown = await shop.transfers(deposit);
        expect(shown.map(({ amount, amount_cleared: cleared }) => [amount, cleared])).toEqual([
          [net, net],
          ["70", "0"],
        ]);
        expect(await shop.read(deposit)).toMatchObject({ target_paid: net });
        await shop.expectCallbackCount(deposit, 1);
        expect(await shop.callbacks(deposit)).toEqual([
          expect.stringMatching(`^transfer 2 ${net} `),
        ]);
        const strays = await site.sql<{ readonly asset: string }>(
          "select asset_locator as asset from transfer where txid = $1 and asset_locator is not null",
          [txid],
        );
        expect(strays).toEqual([{ asset }]);
        const cashier = openCashier(site, shop, site.cashier);
        const [receiver, over] = [newAddress(), newAddress()];
        const order = { wallet, alpha: "ADA" };
        await expect(cashier.pay({ ...order, amount: "39", address: over })).rejects.toThrow(
          /"4008"/,
        );
        const payout = await cashier.pay({ ...order, amount: "38", address: receiver });
        await cashier.expectSent(payout);
        await confirm();
        await cashier.expectTransfer(payout, { status: 2 });
        expect(await lovelaceAt(receiver)).toBe(38_000_000n);
      }),
  );

  it("is credited nothing that a bundle keeps, also after a reorg", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      await site.onChain("ADA", async (driven) => {
        await driven.mine(1);
        const { height } = await driven.tip();
        const { withheld } = await payBundle(deposit, 6_000_000n);
        const net = netOf(6_000_000n, withheld);
        await driven.mine(confirmationBlocks);
        await shop.expectBalance(wallet, net, "0.000000");
        await control("/reorg", {
          depth: (await driven.tip()).height - height,
          transactions: "wait",
        });
        await driven.caughtUp();
        await shop.expectBalance(wallet, "0.000000", net);
        await driven.mine(confirmationBlocks);
        await shop.expectBalance(wallet, net, "0.000000");
      });
    }),
  );

  it("is dust if its tokens keep all of it", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      const { withheld } = await payBundle(deposit, 1_160_000n);
      expect(1_160_000n - withheld).toBeLessThan(1_000_000n);
      await confirm();
      const amount = netOf(1_160_000n, withheld);
      await settled(
        () => shop.transfers(deposit),
        ([first]) => first?.["status"] === 2,
      );
      expect((await shop.transfers(deposit))[0]).toMatchObject({ amount, op_type: 15 });
      await shop.expectNoCallbacks(deposit);
      await shop.expectBalance(wallet, "0.000000", "0.000000");
    }),
  );
});

describe("a transaction whose script fails", () => {
  it(
    "pays a deposit nothing but what is left of its collateral, which the network took",
    { timeout: patienceMs },
    () =>
      inShop(async (shop, wallet) => {
        const [paid, returned] = [await shop.deposit(wallet), await shop.deposit(wallet)];
        const parameters = (await result("queryLedgerState/protocolParameters")) as {
          readonly plutusCostModels: Readonly<Record<string, readonly number[]>>;
        };
        const script = scripts.alwaysFails;
        const [locked] = await coinsOf({ result }, addressOfScript(script));
        const collateral = await faucetCoin(false);
        const raw = spendScript({
          locked: present(locked, "an output of the script"),
          script,
          collateral,
          key: faucet,
          to: addressOf(paid),
          collateralReturn: addressOf(returned),
          isValid: false,
          costModel: present(parameters.plutusCostModels["plutus:v3"], "the costs of version 3"),
        });
        const cbor = Buffer.from(raw).toString("hex");
        await result("submitTransaction", { transaction: { cbor } });
        await confirm();
        const left = amountOf(collateral.lovelace - takenCollateral, "ADA");
        await shop.expectBalance(wallet, left, "0.000000");
        await shop.expectTransfer(returned, { amount: left, status: 2, txid: idOf(raw) });
        expect(await shop.transfers(paid)).toEqual([]);
        expect(await shop.read(paid)).toMatchObject({ target_paid: "0.000000" });
      }),
  );
});

describe("a payout of ADA", () => {
  /** A wallet with 50 ADA, and a cashier who pays out of it. */
  const withFunds = (
    work: (cashier: ReturnType<typeof openCashier>, wallet: string) => Promise<void>,
  ): Promise<void> =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      await pay([[addressOf(deposit), { lovelace: 50_000_000n }]]);
      await confirm();
      await shop.expectBalance(wallet, "50.000000", "0.000000");
      await work(openCashier(site, shop, site.cashier), wallet);
    });
  const order = (wallet: string, address: string, amount: string) => ({
    wallet,
    alpha: "ADA",
    amount,
    address,
  });
  const confirmed = async (
    cashier: ReturnType<typeof openCashier>,
    payouts: readonly Resource[],
  ): Promise<readonly unknown[]> => {
    for (const payout of payouts) await cashier.expectSent(payout);
    await confirm();
    const shown = [];
    for (const payout of payouts) shown.push(await cashier.expectTransfer(payout, { status: 2 }));
    return shown.map(({ txid }) => txid);
  };

  it(
    "arrives in full at addresses of keys, of scripts, with stake, and of Byron",
    {
      timeout: patienceMs,
    },
    () =>
      withFunds(async (cashier, wallet) => {
        const credential = csl.Credential.from_keyhash(
          csl.PrivateKey.generate_ed25519().to_public().hash(),
        );
        const script = csl.Credential.from_scripthash(csl.ScriptHash.from_hex("cd".repeat(28)));
        const root = csl.Bip32PrivateKey.generate_ed25519_bip32().to_public();
        const receivers = [
          newAddress(),
          csl.EnterpriseAddress.new(0, script).to_address().to_bech32(),
          csl.BaseAddress.new(0, credential, script).to_address().to_bech32(),
          csl.ByronAddress.icarus_from_key(root, chain.network_magic).to_base58(),
        ];
        const payouts = [];
        for (const address of receivers)
          payouts.push(await cashier.pay(order(wallet, address, "2.5")));
        await confirmed(cashier, payouts);
        for (const address of receivers) expect(await lovelaceAt(address)).toBe(2_500_000n);
      }),
  );

  it(
    "is refused below what an output must hold, and to addresses that cannot be paid",
    {
      timeout: patienceMs,
    },
    () =>
      withFunds(async (cashier, wallet) => {
        await expect(cashier.calculate(order(wallet, newAddress(), "0.9"))).rejects.toThrow(
          /"40\d\d"/,
        );
        const main = "addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8";
        await expect(cashier.calculate(order(wallet, main, "2"))).rejects.toThrow(
          /another network/,
        );
        const stake = "stake_test1uqehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gssrtvn";
        await expect(cashier.calculate(order(wallet, stake, "2"))).rejects.toThrow(/stake address/);
      }),
  );

  it("shares a transaction with others that wait", { timeout: patienceMs }, () =>
    withFunds(async (cashier, wallet) => {
      const receivers = Array.from({ length: 6 }, newAddress);
      const payouts: Resource[] = [];
      await Promise.all(
        receivers.map(async (address) => {
          payouts.push(await cashier.pay(order(wallet, address, "1.5")));
        }),
      );
      const txids = await confirmed(cashier, payouts);
      expect(new Set(txids).size).toBeLessThan(receivers.length);
      for (const address of receivers) expect(await lovelaceAt(address)).toBe(1_500_000n);
    }),
  );
});

describe("the sandbox's Cardano network", () => {
  it("ends with books that match it", { timeout: patienceMs }, () => expectWholeBooks(site));
});
