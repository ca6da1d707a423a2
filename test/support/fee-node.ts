import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject, JsonValue } from "../../src/platform/kernel/json.ts";
import { feeHistories } from "./recorded-fee-histories.ts";

/** A SIMULATED node of an Ethereum without new blocks: it answers only what fee quotes need. */
export type FeeNode = { readonly url: string; readonly stop: () => Promise<void> };

/** Gas for a payment of ether by this node's answers, in units of ether. */
export const takenFee = "0.00005";

const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;

const header: JsonObject = {
  number: "0x10",
  hash: word(16),
  parentHash: word(15),
  timestamp: "0x6a000000",
  baseFeePerGas: "0x20331edb",
  gasLimit: "0x3938700",
};

const answers: Readonly<Record<string, JsonValue>> = {
  eth_getBlockByNumber: header,
  eth_getCode: "0x",
  eth_estimateGas: "0x5208",
  eth_call: word(1),
  eth_getBalance: "0x56bc75e2d63100000",
  eth_feeHistory: feeHistories.ethereum,
  eth_gasPrice: "0x3b9aca00",
};

type Call = { readonly id: number; readonly method: string };

export async function startFeeNode(chainId: number): Promise<FeeNode> {
  const answer = ({ id, method }: Call): JsonObject => {
    const result =
      method === "eth_chainId" ? `0x${chainId.toString(16)}` : (answers[method] ?? null);
    return result === null
      ? { jsonrpc: "2.0", id, error: { code: -32601, message: `no ${method} here` } }
      : { jsonrpc: "2.0", id, result };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const requests = JSON.parse(Buffer.concat(chunks).toString()) as Call | readonly Call[];
      const answered = "method" in requests ? answer(requests) : requests.map(answer);
      response.setHeader("content-type", "application/json").end(JSON.stringify(answered));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
