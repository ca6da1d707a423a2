import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { FeeQuote } from "../../src/chains/paying-port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import {
  fundHotAccount,
  type HotAccount,
  openHotAccount,
  payment,
} from "../support/evm-hot-account.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  currenciesOf,
  eth,
  type PrivateEvm,
  signal,
  startPrivateEvm,
  usdc,
  usdt,
} from "../support/private-evm.ts";
import { type Interception, type RpcGateway, startGateway } from "../support/rpc-gateway.ts";

describe("the EVM writer's fees", () => {
  /*
   * Fees on nodes and chains of several kinds: a real node behind a gateway that removes or changes responses, and a stub
   * contract at the address of the OP stack's price oracle.
   */

  const payee = "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955";
  const oracle = "0x420000000000000000000000000000000000000f";
  const optimism = "1144" as CurrencyId;
  const arbitrum = "1143" as CurrencyId;

  let evm: PrivateEvm;
  let gateway: RpcGateway;
  const clients: AdapterUnderTest[] = [];
  let hot: HotAccount;

  beforeAll(async () => {
    evm = await startPrivateEvm();
    gateway = await startGateway(evm.anvil.url);
    hot = open("ETH");
    await fundHotAccount(evm, hot.address);
  });
  afterEach(() => {
    gateway.intercept = () => null;
  });
  afterAll(async () => {
    for (const { close } of clients) await close();
    await gateway.close();
    await evm.stop();
  });

  /** The hot account as the adapter of that chain sees it, on the same node. */
  function open(chain: string): HotAccount {
    const currencies = currenciesOf(chain, {
      [usdt]: evm.contracts.usdt,
      [usdc]: evm.contracts.usdc,
    });
    const client = connectEvm({ url: gateway.url, currencies, chain });
    clients.push(client);
    return openHotAccount(evm, client.adapter, currencies);
  }

  async function quote(
    of: HotAccount,
    currency: CurrencyId,
    units = 10n ** 18n,
  ): Promise<FeeQuote> {
    return await of.writer.quote(
      {
        payment: payment(payee, currency, units),
        funds: { kind: "account", address: of.address, sequence: 0n },
        balance: 10n ** 20n,
      },
      signal,
    );
  }

  function asked(method: string): number {
    return gateway.requests.flat().filter((one) => one === method).length;
  }

  /** The node's latest block without a base fee, as on chains before EIP-1559. */
  async function withoutBaseFee(): Promise<
    (method: string, params: readonly unknown[]) => Interception
  > {
    const block = await evm.rpc.call<Record<string, unknown>>(
      "eth_getBlockByNumber",
      ["latest", false],
      signal,
    );
    const result = { ...block, baseFeePerGas: null };
    return (method, [at]) =>
      method === "eth_getBlockByNumber" && at === "latest" ? { result } : null;
  }

  it("requests market fees once per block", async () => {
    await evm.mine();
    const before = asked("eth_feeHistory");
    const first = await quote(hot, eth);
    expect(await quote(hot, eth)).toEqual(first);
    await quote(hot, usdt, 5n);
    expect(asked("eth_feeHistory")).toBe(before + 1);
    await evm.mine();
    await quote(hot, eth);
    expect(asked("eth_feeHistory")).toBe(before + 2);
  });

  it("quotes 21,000 gas for ether and more for a token, whether or not the payer holds it", async () => {
    const ether = await quote(hot, eth);
    const token = await quote(hot, usdt, 5n);
    expect(token.medium).toBeGreaterThan(ether.medium * 2n);
    expect(token.warning).toBeNull();
    const poor = await hot.writer.quote(
      {
        payment: payment(payee, usdt, 10n ** 15n),
        funds: { kind: "account", address: present(evm.accounts[8], "an account"), sequence: 0n },
        balance: 0n,
      },
      signal,
    );
    // Without a balance the gas cannot be estimated: 100,000 gas.
    expect(poor.medium * 21n).toBe(ether.medium * 100n);
  });

  it("warns of a tiny amount and of a remainder that cannot pay its own fee", async () => {
    const { low, medium } = await quote(hot, eth);
    expect((await quote(hot, eth, medium)).warning).toBe(1);
    const rest = await hot.writer.quote(
      {
        payment: payment(payee, eth, 10n ** 20n - medium - low / 2n),
        funds: { kind: "account", address: hot.address, sequence: 0n },
        balance: 10n ** 20n,
      },
      signal,
    );
    expect(rest.warning).toBe(3);
  });

  it("falls back to the gas price on a node without a fee history", async () => {
    await evm.mine();
    gateway.intercept = (method) =>
      method === "eth_feeHistory" ? { error: { code: -32601, message: "Method not found" } } : null;
    const { low, medium, high } = await quote(hot, eth);
    expect(low).toBeGreaterThan(0n);
    expect(medium).toBeGreaterThan(low);
    expect(high).toBeGreaterThan(medium);
  });

  it.each<readonly [string, Interception]>([
    ["rejects the request", { error: { code: -32000, message: "header not found" } }],
    ["returns another shape", { result: { baseFeePerGas: [] } }],
  ])("reports no fees for a node that %s", async (_case, instead) => {
    await evm.mine();
    gateway.intercept = (method) => (method === "eth_feeHistory" ? instead : null);
    await expect(quote(hot, eth)).rejects.toMatchObject({ name: "Unavailable" });
  });

  it("sends a legacy transaction, which is mined if blocks have no base fee", async () => {
    await evm.mine();
    gateway.intercept = await withoutBaseFee();
    const price = BigInt(await evm.rpc.call<string>("eth_gasPrice", [], signal));
    const { low } = await quote(hot, eth);
    expect(low).toBe(21_000n * price);
    const paid = [payment(payee, eth, 5n)];
    const request = await hot.request(paid);
    const first = hot.sign(await hot.draft(request), paid);
    expect(first.draft.body["type"]).toBe("legacy");
    expect(await hot.writer.broadcast(first.raw, signal)).toEqual({ kind: "accepted" });
    const second = hot.sign(await hot.draft({ ...request, replaces: first.draft }), paid);
    expect(await hot.writer.broadcast(second.raw, signal)).toEqual({ kind: "accepted" });
    const before = await hot.coinUnits();
    await evm.mine();
    gateway.intercept = () => null;
    const status = await hot.writer.status(second.txid, second.draft, signal);
    expect(status).toMatchObject({ kind: "mined", txid: second.txid, hasSucceeded: true });
    const burnt = before - 5n - (await hot.coinUnits());
    expect(status).toMatchObject({ feeUnits: burnt });
    expect(burnt).toBe(second.draft.feeUnits);
  });

  it("quotes and drafts a rollup's data fee in addition to gas", async () => {
    const onOptimism = open("OPT");
    await evm.mine();
    const without = await quote(onOptimism, optimism);
    // Returns 8000 wei for every call: up to 8000 plus a quarter for the layer below, 8000 for the operator.
    await evm.rpc.call("anvil_setCode", [oracle, "0x611f4060005260206000f3"], signal);
    const quoted = await quote(onOptimism, optimism);
    expect(quoted.low - without.low).toBe(18_000n);
    expect(quoted.high - without.high).toBe(18_000n);
    const paid = [payment(payee, optimism, 5n)];
    const request = await onOptimism.request(paid, { feeTarget: quoted.medium });
    const draft = await onOptimism.draft(request);
    expect(draft.body["dataFee"]).toBe("18000");
    expect(draft.feeUnits).toBeLessThanOrEqual(quoted.medium);
    const tooTight = { ...request, feeCeiling: quoted.low - 18_001n };
    expect((await onOptimism.writer.draft(tooTight, signal)).kind).toBe("tooExpensive");
    onOptimism.sign(draft, paid);

    // First an oracle without the operator's fee, then none.
    const revertsOnOperator = "0x60003560e01c63275aedd214601a57611f4060005260206000f35b60006000fd";
    await evm.rpc.call("anvil_setCode", [oracle, revertsOnOperator], signal);
    expect((await quote(onOptimism, optimism)).low - without.low).toBe(10_000n);
    await evm.rpc.call("anvil_setCode", [oracle, "0x60006000fd"], signal);
    await expect(quote(onOptimism, optimism)).rejects.toMatchObject({ name: "Unavailable" });
    await evm.rpc.call("anvil_setCode", [oracle, "0x"], signal);
  });

  it("uses the node's estimate even for a plain account if data is charged as gas", async () => {
    const onArbitrum = open("ARB");
    const estimates = new Map([
      ["0x0", "0x7530"],
      ["0x5", "0x9c40"],
    ]);
    gateway.intercept = (method, [call]) => {
      const { value = "" } = (call ?? {}) as { value?: string };
      const gas = estimates.get(value);
      return method === "eth_estimateGas" && gas !== undefined ? { result: gas } : null;
    };
    const paid = [payment(payee, arbitrum, 5n)];
    const draft = await onArbitrum.draft(await onArbitrum.request(paid));
    // 40,000 plus a fifth.
    expect(draft.body["gas"]).toBe("48000");
    gateway.intercept = (method) =>
      method === "eth_estimateGas"
        ? { error: { code: -32000, message: "header not found" } }
        : null;
    await expect(quote(onArbitrum, arbitrum)).rejects.toMatchObject({ name: "Unavailable" });
  });
});
