import { afterEach, describe, expect, it } from "vitest";
import { signal, startNode } from "../../../test/support/scripted-node.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { createHttpNodes, type HttpNodes } from "../rpc/http-nodes.ts";
import { broadcast } from "./broadcast.ts";
import { createTronNode, type TronNode } from "./tron-node.ts";

/* Answers of java-tron's `broadcasthex` (`Wallet.broadcastTransaction`), each from a server that knows no transaction. */

const open: HttpNodes[] = [];
afterEach(() => Promise.all(open.splice(0).map((nodes) => nodes.close())));

const raw = Uint8Array.from([0x0a, 0x02, 0x0a, 0x00, 0x12, 0x01, 0x00]);

/** Nodes that answer broadcasts like this and everything else with `{}`. `requests` collects the paths. */
async function nodeAnswering(
  ...answers: readonly object[]
): Promise<{ readonly node: TronNode; readonly requests: string[] }> {
  const requests: string[] = [];
  const servers = answers.map((answer) =>
    startNode((_body, response, request) => {
      requests.push(request.url ?? "");
      response.end(JSON.stringify(request.url === "/wallet/broadcasthex" ? answer : {}));
    }),
  );
  const nodes = createHttpNodes({
    nodes: await Promise.all(servers),
    chain: "TRX",
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 20_000,
  });
  open.push(nodes);
  return { node: createTronNode("TRX", nodes), requests };
}

describe("broadcasting a transaction", () => {
  it.each([
    [{ result: true, code: "SUCCESS", message: "", txid: "00" }, { kind: "accepted" }],
    [{ result: false, code: "DUP_TRANSACTION_ERROR", message: "" }, { kind: "alreadyKnown" }],
  ])("returns the outcome of %j without another request", async (answer, outcome) => {
    const { node, requests } = await nodeAnswering(answer);
    expect(await broadcast(node, raw, signal)).toEqual(outcome);
    expect(requests).toEqual(["/wallet/broadcasthex"]);
  });

  it.each([
    ["SIGERROR", "Validate signature error: ...", /signature/],
    ["CONTRACT_VALIDATE_ERROR", "contract validate error : balance is not sufficient.", /refuses/],
    ["CONTRACT_EXE_ERROR", "Contract execute error : ...", /executed/],
    ["BANDWITH_ERROR", "Account resource insufficient error.", /bandwidth/],
    ["TAPOS_ERROR", "Tapos check error.", /block that it refers to/],
    ["TOO_BIG_TRANSACTION_ERROR", "Too big transaction", /large/],
    ["TRANSACTION_EXPIRATION_ERROR", "Transaction expired", /expired/],
    ["OTHER_ERROR", "Error: null", /failed/],
    ["A_LATER_CODE", "something", /^A_LATER_CODE: something$/],
  ])(
    "reports a rejection for %s after looking up the transaction",
    async (code, message, reason) => {
      const { node, requests } = await nodeAnswering({ result: false, code, message });
      const outcome = await broadcast(node, raw, signal);
      expect(outcome).toMatchObject({ kind: "rejected" });
      expect("reason" in outcome ? outcome.reason : "").toMatch(reason);
      expect("reason" in outcome ? outcome.reason : "").toContain(`${code}: ${message}`);
      expect(requests).toHaveLength(3);
    },
  );

  it.each([
    "SERVER_BUSY",
    "NO_CONNECTION",
    "NOT_ENOUGH_EFFECTIVE_CONNECTION",
    "BLOCK_UNSOLIDIFIED",
  ])("reports an outage for %s, which leaves the transaction's outcome open", async (code) => {
    const { node } = await nodeAnswering({ result: false, code, message: "later" });
    await expect(broadcast(node, raw, signal)).rejects.toThrow(Unavailable);
  });

  it("reaches every node, and returns the best outcome", async () => {
    const busy = { result: false, code: "SERVER_BUSY", message: "" };
    const expired = { result: false, code: "TRANSACTION_EXPIRATION_ERROR", message: "" };
    const known = { result: false, code: "DUP_TRANSACTION_ERROR", message: "" };
    const accepted = { result: true, code: "SUCCESS", message: "" };
    for (const [answers, kind] of [
      [[busy, expired, known, accepted], "accepted"],
      [[busy, expired, known], "alreadyKnown"],
      [[busy, expired], "rejected"],
    ] as const) {
      const { node, requests } = await nodeAnswering(...answers);
      expect(await broadcast(node, raw, signal)).toMatchObject({ kind });
      expect(requests.filter((path) => path === "/wallet/broadcasthex")).toHaveLength(
        answers.length,
      );
    }
    const { node } = await nodeAnswering(busy, busy);
    await expect(broadcast(node, raw, signal)).rejects.toThrow(Unavailable);
  });

  it("reports an outage for an answer without a code", async () => {
    const { node } = await nodeAnswering({ result: false });
    await expect(broadcast(node, raw, signal)).rejects.toThrow(Unavailable);
  });
});
