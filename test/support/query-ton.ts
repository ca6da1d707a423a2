import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { TonSite } from "../../src/sandbox/sandbox-file.ts";

/** Asks a toncenter by its API v2, without the service's own reader; null for an error. */
export async function queryTon<Answer>(
  { rpc_url }: Pick<TonSite, "rpc_url">,
  method: string,
  params: JsonObject,
): Promise<Answer | null> {
  const response = await fetch(rpc_url, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const answer = (await response.json()) as { readonly ok: boolean; readonly result?: unknown };
  return answer.ok ? (answer.result as Answer) : null;
}
