import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { StellarSite } from "../../src/sandbox/sandbox-file.ts";
import { postTo } from "./query-tron.ts";

/** Asks a stellar-rpc, without the service's own reader; null for an error. */
export async function queryStellar<Answer>(
  { rpc_url }: Pick<StellarSite, "rpc_url">,
  method: string,
  params: JsonObject,
): Promise<Answer | null> {
  const { result } = await postTo(rpc_url, "", { jsonrpc: "2.0", id: 1, method, params });
  return (result ?? null) as Answer | null;
}
