import { Malformed, readFields, readList, readText } from "../rpc/answer.ts";
import type { HttpNodes } from "../rpc/http-nodes.ts";
import { NodeFault } from "../rpc/node-error.ts";

/** Horizon's longest page. More are not counted. */
const pageMax = 200;

/**
 * The balances that an account may claim, each as an amount and its asset, such as `5.0000000 native`; at most 200. Only Horizon finds them by
 * their claimant, stellar-rpc does not. Rejects with `Unavailable` if no server answers.
 */
export async function readClaimable(
  servers: HttpNodes,
  address: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return await servers.run(async (link) => {
    const path = `/claimable_balances?claimant=${address}&limit=${pageMax}`;
    const { document } = await link.send({ method: "GET", path, body: null });
    try {
      const { records } = readFields(readFields(document)["_embedded"]);
      return readList(records).map((record) => {
        const { amount, asset } = readFields(record);
        return `${readText(amount)} ${readText(asset)}`;
      });
    } catch (fault) {
      if (!(fault instanceof Malformed)) throw fault;
      throw new NodeFault("garbage", `claimable balances: answered ${fault.message}`, fault);
    }
  }, signal);
}
