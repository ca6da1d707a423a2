import algosdk, { type Account } from "algosdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAlgorandActivator } from "../../src/chains/algorand/activator.ts";
import { createAlgodNode } from "../../src/chains/algorand/algod-node.ts";
import { createAlgorandSweeper } from "../../src/chains/algorand/sweeper.ts";
import { createAlgorandWriter } from "../../src/chains/algorand/writer.ts";
import type { Destination } from "../../src/chains/port.ts";
import { createHttpNodes, type HttpNodes } from "../../src/chains/rpc/http-nodes.ts";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { type CurrencyId, money } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type PrivateAlgorand, startPrivateAlgorand } from "../support/private-algorand.ts";

/*
 * Accounts of ours whose owner rekeyed them outside the service (by algosdk, on the simulated network): the network refuses their own keys, so
 * nothing is drafted for them.
 */

const coin = "1141" as CurrencyId;
const { signal } = new AbortController();
const currencies = builtInCurrencies.filter(({ id }) => id === coin);
let network: PrivateAlgorand;
let nodes: HttpNodes;

beforeAll(async () => {
  network = await startPrivateAlgorand();
  const { token, url } = network.algorand;
  nodes = createHttpNodes({
    nodes: [{ url, headers: { "x-algo-api-token": token } }],
    chain: "ALGO",
    timeoutMs: 5_000,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
});
afterAll(async () => {
  await nodes.close();
  await network.stop();
});

async function rekey(account: Account): Promise<string> {
  const stranger = algosdk.generateAccount().addr;
  await network.send(
    algosdk.makePaymentTxnWithSuggestedParamsFromObject({
      sender: account.addr,
      receiver: account.addr,
      amount: 0,
      rekeyTo: stranger,
      suggestedParams: await network.params(),
    }),
    account,
  );
  await network.mine();
  return stranger.toString();
}

const addressOf = ({ addr }: Account): string => addr.toString();
const destination = (account: Account): Destination => ({
  address: addressOf(account),
  addressType: null,
  tag: null,
});
const impossible = (stranger: string) => ({
  kind: "impossible",
  reason: `the account was rekeyed: only the key of ${stranger} signs for it`,
});

describe("an account that was rekeyed", () => {
  it("pays no payout", async () => {
    const hot = await network.newAccount(5_000_000n);
    const writer = createAlgorandWriter({ node: createAlgodNode("ALGO", nodes), currencies });
    const request = {
      payments: [{ destination: destination(network.faucet), amount: money(1_000_000n, coin) }],
      funds: { kind: "account", address: addressOf(hot), sequence: null },
      feeTarget: null,
      feeCeiling: 100_000n,
      replaces: null,
      reference: "7",
    } as const;
    expect(await writer.draft(request, signal)).toMatchObject({ kind: "draft" });
    const stranger = await rekey(hot);
    expect(await writer.draft(request, signal)).toEqual(impossible(stranger));
  });

  it("is not swept, and what it holds counts as unusable", async () => {
    const [hot, gas, deposit] = [
      await network.newAccount(1_000_000n),
      await network.newAccount(1_000_000n),
      await network.newAccount(5_000_000n),
    ];
    const sweeper = createAlgorandSweeper({
      node: createAlgodNode("ALGO", nodes),
      currencies,
      treasury: { hot: destination(hot), gas: destination(gas) },
    });
    const address = { keyIndex: 3, address: addressOf(deposit), currencies: [coin] };
    const workOf = async () => (await sweeper.survey([address], signal)).states[0]?.assets[0]?.work;
    expect(await workOf()).toBe(1n);
    const stranger = await rekey(deposit);
    expect(await workOf()).toBeNull();
    const { states } = await sweeper.survey([address], signal);
    const state = present(states[0], "the address");
    const plan = { kind: "single", state, currency: coin } as const;
    expect(await sweeper.draft({ plan, sequence: null, feeCeiling: 100_000n }, signal)).toEqual(
      impossible(stranger),
    );
  });

  it("activates no address", async () => {
    const gas = await network.newAccount(5_000_000n);
    const activator = createAlgorandActivator({
      node: createAlgodNode("ALGO", nodes),
      currencies,
      gas: addressOf(gas),
    });
    const plan = {
      kind: "topUp",
      address: algosdk.generateAccount().addr.toString(),
      units: 100_000n,
    } as const;
    expect(await activator.draft(plan, 100_000n, signal)).toMatchObject({ kind: "draft" });
    const stranger = await rekey(gas);
    expect(await activator.draft(plan, 100_000n, signal)).toEqual(impossible(stranger));
  });
});
