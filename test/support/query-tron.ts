import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { SandboxChain, TronSite } from "../../src/sandbox/sandbox-file.ts";

/** Queries a TRON node for its solid state, without the service's own reader. */
export async function queryTron<Answer>(
  { rpc_url }: Pick<TronSite, "rpc_url">,
  method: string,
  body: JsonObject,
): Promise<Answer> {
  return (await postTo(rpc_url, `/walletsolidity/${method}`, body)) as Answer;
}

/** Commands the simulated TRON ledger of a deployment; `path` such as `/mine`. Rejects where the ledger refuses. */
export async function commandLedger(
  chains: Readonly<Record<string, SandboxChain>>,
  path: string,
  body: JsonObject,
): Promise<void> {
  const site = chains["TRX"];
  if (site?.family !== "tron") throw new Error("no TRON ledger runs");
  await postTo(site.sandbox_url, path, body);
}

/** Posts a question to a TRON node; resolves with its answer, also where java-tron reports a refusal in it. */
export async function postTo(url: string, path: string, body: JsonObject): Promise<JsonObject> {
  const response = await fetch(url + path, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
  return (await response.json()) as JsonObject;
}
