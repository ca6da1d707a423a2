import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { XrplSite } from "../../src/sandbox/sandbox-file.ts";
import { postTo } from "./query-tron.ts";

/** Asks a rippled over JSON-RPC, without the service's own reader; errors are answers. */
export async function queryXrpl<Answer>(
  { rpc_url }: Pick<XrplSite, "rpc_url">,
  method: string,
  params: JsonObject,
): Promise<Answer> {
  const { result } = await postTo(rpc_url, "", { method, params: [{ ...params, api_version: 2 }] });
  return result as Answer;
}
