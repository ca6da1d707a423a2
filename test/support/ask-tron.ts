import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { TronSite } from "../../src/sandbox/sandbox-file.ts";

/** Asks a TRON node about its solid state, without the service's own reader. */
export async function askTron<Answer>(
  { rpc_url }: Pick<TronSite, "rpc_url">,
  method: string,
  body: JsonObject,
): Promise<Answer> {
  const response = await fetch(`${rpc_url}/walletsolidity/${method}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} was answered ${response.status}`);
  return (await response.json()) as Answer;
}
