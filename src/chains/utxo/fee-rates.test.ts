import { describe, expect, it } from "vitest";
import {
  type Call,
  client,
  type Handler,
  signal,
  startNode,
} from "../../../test/support/scripted-node.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { readFeeFloor, readFeeRates } from "./fee-rates.ts";

describe("readFeeRates", () => {
  /*
   * Fee rates parsed from a node's answers over HTTP. If a source is named, a node on the public network returned these
   * numbers and they were reported there; the members around them, and everything else, follow the nodes' help texts.
   */

  type Answers = Readonly<Record<string, string>>;

  /** Estimates are keyed by method and number of blocks. */
  const node = (answers: Answers): Handler => {
    return (body, response) => {
      const replies = (body as readonly Call[]).map(({ id, method, params }) => {
        const key = method === "estimatesmartfee" ? `${method} ${String(params[0])}` : method;
        return `{"jsonrpc":"2.0","id":${id},"result":${answers[key] ?? "null"}}`;
      });
      response.end(`[${replies.join()}]`);
    };
  };

  const noEstimate = '{"errors":["Insufficient data or no feerate found"],"blocks":2}';

  /** https://github.com/bitcoin/bitcoin/issues/10490 (2017): a mempool above its limit; the other estimates are made up. */
  const bitcoinFull: Answers = {
    getmempoolinfo:
      '{"size":29142,"bytes":34126503,"usage":78304032,"maxmempool":100000000,"mempoolminfee":0.00015944,"minrelaytxfee":0.00001000}',
    getnetworkinfo: '{"version":140200,"relayfee":0.00001000,"incrementalfee":0.00001000}',
    "estimatesmartfee 25": '{"feerate":0.00016025,"blocks":25}',
    "estimatesmartfee 6": '{"feerate":0.00120534,"blocks":6}',
    "estimatesmartfee 2": '{"feerate":0.00250001,"blocks":2}',
  };

  /** https://github.com/litecoin-project/litecoin/issues/676 and /750 (2021): blocks are never full. */
  const litecoinCalm: Answers = {
    getmempoolinfo:
      '{"size":4,"bytes":1080,"usage":6128,"maxmempool":300000000,"mempoolminfee":0.00001000,"minrelaytxfee":0.00001000}',
    getnetworkinfo: '{"version":180100,"relayfee":0.00001000,"incrementalfee":0.00010000}',
    "estimatesmartfee 25": '{"feerate":0.00001000,"blocks":25}',
    "estimatesmartfee 6": '{"feerate":0.00001000,"blocks":6}',
    "estimatesmartfee 2": '{"feerate":0.00001000,"blocks":2}',
  };

  async function ratesOf(answers: Answers, network: "main" | "regtest" = "main"): Promise<unknown> {
    return await readFeeRates(client([await startNode(node(answers))]), network, signal);
  }

  it("reads the node's estimates to the last digit", async () => {
    expect(await ratesOf(bitcoinFull)).toEqual({
      relay: 15_944n,
      increment: 1_000n,
      low: 16_025n,
      medium: 120_534n,
      high: 250_001n,
    });
    expect(await ratesOf(litecoinCalm)).toEqual({
      relay: 1_000n,
      increment: 10_000n,
      low: 1_000n,
      medium: 1_000n,
      high: 1_000n,
    });
  });

  it("asks for the documented modes and targets", async () => {
    const endpoint = await startNode(node(litecoinCalm));
    await readFeeRates(client([endpoint]), "main", signal);
    const calls = (endpoint.requests[0] as readonly Call[]).map(({ method, params }) => [
      method,
      ...params,
    ]);
    expect(endpoint.requests).toHaveLength(1);
    expect(calls).toEqual([
      ["getmempoolinfo"],
      ["getnetworkinfo"],
      ["estimatesmartfee", 25, "economical"],
      ["estimatesmartfee", 6, "economical"],
      ["estimatesmartfee", 2, "conservative"],
    ]);
  });

  it("raises an estimate to the mempool's minimum", async () => {
    // https://github.com/bitcoin/bitcoin/issues/19699: nodes before 23.0 answer such estimates.
    const answers = { ...bitcoinFull, "estimatesmartfee 25": '{"feerate":0.00001000,"blocks":25}' };
    expect(await ratesOf(answers)).toMatchObject({ low: 15_944n, medium: 120_534n });
  });

  it("never lets a higher level be cheaper than a lower one", async () => {
    // https://github.com/bitcoin/bitcoin/issues/26304 (2022, test network): the nearer target at the price of the farther.
    const answers = {
      ...bitcoinFull,
      "estimatesmartfee 25": '{"feerate":0.00050106,"blocks":111}',
      "estimatesmartfee 6": '{"feerate":0.00040000,"blocks":6}',
      "estimatesmartfee 2": '{"feerate":0.00050106,"blocks":2}',
    };
    expect(await ratesOf(answers)).toMatchObject({ low: 50_106n, medium: 50_106n, high: 50_106n });
    const medium = { ...answers, "estimatesmartfee 6": '{"feerate":0.00070001,"blocks":6}' };
    expect(await ratesOf(medium)).toMatchObject({ low: 50_106n, medium: 70_001n, high: 70_001n });
  });

  it("reads a rate in scientific notation exactly", async () => {
    const answers = { ...litecoinCalm, "estimatesmartfee 2": '{"feerate":1.5e-5,"blocks":2}' };
    expect(await ratesOf(answers)).toMatchObject({ high: 1_500n });
  });

  it("has no rate without an estimate on a main network, and default rates on test networks", async () => {
    for (const missing of [noEstimate, '{"feerate":-1,"blocks":2}']) {
      const answers = { ...litecoinCalm, "estimatesmartfee 6": missing };
      await expect(ratesOf(answers)).rejects.toThrow(Unavailable);
      expect(await ratesOf(answers, "regtest")).toMatchObject({ low: 1_000n, medium: 5_000n });
    }
  });

  it("reads the minimum without an estimate", async () => {
    const answers = Object.fromEntries(
      Object.entries(bitcoinFull).filter(([method]) => !method.startsWith("estimate")),
    );
    const rpc = client([await startNode(node(answers))]);
    expect(await readFeeFloor(rpc, signal)).toEqual({ relay: 15_944n, increment: 1_000n });
  });

  it("treats an empty answer as an outage, not as a fee of zero", async () => {
    for (const method of ["getmempoolinfo", "getnetworkinfo"])
      await expect(ratesOf({ ...bitcoinFull, [method]: "{}" })).rejects.toThrow(Unavailable);
  });
});
