import type { JsonObject } from "../../src/platform/kernel/json.ts";

/** Calls a method of monerod or monero-wallet-rpc directly. Rejects with the program's error. */
export async function queryMonero<Result>(
  url: string,
  method: string,
  params: JsonObject = {},
): Promise<Result> {
  const response = await fetch(`${url}/json_rpc`, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: "0", method, params }),
  });
  const answer = (await response.json()) as {
    readonly result?: Result;
    readonly error?: { readonly message: string };
  };
  if (answer.result === undefined)
    throw new Error(`${method}: ${answer.error?.message ?? "no answer"}`);
  return answer.result;
}
