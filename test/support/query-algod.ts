import type { AlgorandSite } from "../../src/sandbox/sandbox-file.ts";

/** Asks an algod over its REST interface, without the service's own reader; null for HTTP 404. */
export async function queryAlgod<Answer>(
  { rpc_token, rpc_url }: Pick<AlgorandSite, "rpc_token" | "rpc_url">,
  path: string,
): Promise<Answer | null> {
  const response = await fetch(rpc_url + path, { headers: { "x-algo-api-token": rpc_token } });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}, ${await response.text()}`);
  return (await response.json()) as Answer;
}
