import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Address, comment } from "@ton/core";
import { JettonMaster, JettonWallet, TonClient, WalletContractV4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import { ton } from "../../src/currencies/coins/ton.ts";
import type { Currency } from "../../src/currencies/currency.ts";
import type { StartedChain } from "../../src/main/families/sandbox-family.ts";
import { tonSandbox } from "../../src/main/families/ton-sandbox.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { ChainPayer } from "../../src/sandbox/chain-payer.ts";
import type { TonSite } from "../../src/sandbox/sandbox-file.ts";

/* The TON network as the sandbox starts it, and the payer behind `sluice pay` and the simulator. */

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const family = tonSandbox(ton);
let home: string;
let started: StartedChain;
let site: TonSite;
let payer: ChainPayer;
let client: TonClient;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-ton-sandbox-"));
  const chain = await family.start(home, world);
  if (typeof chain === "string") throw new Error(chain);
  started = chain;
  site = chain.reached as TonSite;
  payer = await family.createPayer(site, world);
  client = new TonClient({ endpoint: site.rpc_url });
});
afterAll(async () => {
  await payer.close();
  await started.stop();
  await rm(home, { recursive: true });
});

const currency = (alpha: string): Currency =>
  present(
    builtInCurrencies.find((one) => one.alpha === alpha),
    alpha,
  );
const receiver = (seed: number): Address =>
  WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, seed) }).address;

describe("the sandbox's TON network", () => {
  it("is described as simulated, with everything that an outside payer needs", () => {
    expect(site).toEqual({
      family: "ton",
      simulated: true,
      rpc_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v2\/jsonRPC$/) as string,
      v3_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v3$/) as string,
      sandbox_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/sandbox$/) as string,
      faucet_secret_key: expect.stringMatching(/^[0-9a-f]{128}$/) as string,
      global_id: -217,
      jetton_wallets: {
        [site.tokens["USDT-TON"] ?? ""]: {
          code_hash: "a760d629d5343e76d045017d9dc216fc8a307a8377815feb2b0a5c490e733486",
          code_depth: 6,
          layout: "tep-74",
        },
      },
      tokens: { "USDT-TON": expect.stringMatching(/^EQ[\w-]{46}$/) as string },
    });
    expect(family.tokens(site)).toEqual(site.tokens);
  });

  it("is paid by several payers at once, each with its comment", async () => {
    const other = await family.createPayer(site, world);
    const address = receiver(1).toString({ bounceable: false });
    const coin = currency("TON");
    const paid = await Promise.all([
      payer.pay(coin, address, 5_000_000n, "first"),
      other.pay(coin, address, 7_000_000n, "second"),
      payer.pay(coin, address, 9_000_000n, null),
    ]);
    await other.close();
    expect(new Set(paid).size).toBe(3);
    await payer.mine(3);
    const received = await client.getTransactions(receiver(1), { limit: 10 });
    expect(received).toHaveLength(3);
    const bodies = received.map(({ inMessage }) => present(inMessage, "a message").body);
    for (const text of ["first", "second"])
      expect(bodies.some((body) => body.equals(comment(text)))).toBe(true);
  });

  it("is paid in the test dollar with a comment, and has no reorgs", async () => {
    const owner = receiver(2);
    await payer.pay(currency("USDT-TON"), owner.toString(), 3_000_000n, "order 9");
    await payer.mine(6);
    const master = Address.parse(present(site.tokens["USDT-TON"], "the test dollar"));
    const own = await client.open(JettonMaster.create(master)).getWalletAddress(owner);
    expect(await client.open(JettonWallet.create(own)).getBalance()).toBe(3_000_000n);
    const [notified] = await client.getTransactions(owner, { limit: 1 });
    const slice = present(notified?.inMessage, "the notification").body.beginParse();
    expect(slice.loadUint(32)).toBe(0x7362d09c);
    expect(() => payer.reorg(1, "wait")).toThrow(/final/);
    expect(payer.reorgDepthMax).toBe(0);
  });
});
